// Products and convolutions of bytes, as calls to be measured.
#ifndef TFRT_BENCHMARKS_BYTE_CONTRACTIONS_H_
#define TFRT_BENCHMARKS_BYTE_CONTRACTIONS_H_

#include <functional>
#include <string_view>

#include "contraction_shapes.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::bench {

// u8 times packed i8 with a scale for each column, a bias and relu, to u8. The shape has one
// matrix.
std::function<void()> BytesOf(HostContext* host, const MatMulShape& shape);
std::function<void()> BytesOf(HostContext* host, const ConvolutionShape& shape);
// f32 quantised as it is multiplied with packed i8, to f32.
std::function<void()> DynamicBytesOf(HostContext* host, const MatMulShape& shape);

// The instruction set that multiplies bytes here.
std::string_view ByteKernelName();

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_BYTE_CONTRACTIONS_H_
