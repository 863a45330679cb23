// The roofline: whether what ran is limited by memory or by arithmetic. By arithmetic intensity
// (operations for each byte moved), not by throughput: a slow kernel is not bound by memory because
// it is slow.
#ifndef TFRT_PROFILER_ROOFLINE_H_
#define TFRT_PROFILER_ROOFLINE_H_

#include <cstdint>
#include <string_view>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

enum class Bound : uint8_t { kUnknown, kMemory, kCompute };
std::string_view BoundName(Bound bound);  // "unknown", "memory", "compute"

// Where the roof's two parts meet, in operations a byte. 0: the roof is not known.
double RidgeOf(const Chart::Roof& roof);
// What can be reached at this intensity, in Gflop/s: min(peak, intensity * bandwidth).
double RoofAt(const Chart::Roof& roof, double intensity);

// Operations a byte; 0 if no bytes are known.
double ArithmeticIntensity(double flops, double bytes_read, double bytes_written);
// Gflop/s; 0 without a time.
double ArithmeticThroughput(double flops, double nanoseconds);

// Memory below the ridge, else compute; unknown without an intensity or a roof.
Bound BoundOf(double intensity, const Chart::Roof& roof);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_ROOFLINE_H_
