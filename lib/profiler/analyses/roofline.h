// The roofline: shows whether memory or arithmetic limits the executed code. It uses arithmetic
// intensity (operations per byte moved), not throughput: a slow kernel is not bound by memory
// because it is slow.
#ifndef TFRT_LIB_PROFILER_ANALYSES_ROOFLINE_H_
#define TFRT_LIB_PROFILER_ANALYSES_ROOFLINE_H_

#include <cstdint>
#include <string_view>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

enum class Bound : uint8_t { kUnknown, kMemory, kCompute };
std::string_view BoundName(Bound bound);  // "unknown", "memory", "compute"

// Returns the intensity at which the roof's two parts meet, in operations per byte; 0 if the roof
// is unknown.
double RidgeOf(const Chart::Roof& roof);

// Returns operations per byte; 0 if no bytes are known.
double ArithmeticIntensity(double flops, double bytes_read, double bytes_written);
// Returns Gflop/s; 0 without a time.
double ArithmeticThroughput(double flops, double nanoseconds);

// Returns kMemory below the ridge, otherwise kCompute; kUnknown without an intensity or a roof.
Bound BoundOf(double intensity, const Chart::Roof& roof);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_ROOFLINE_H_
