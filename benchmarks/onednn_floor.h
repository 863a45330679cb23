// oneDNN, called directly: what our kernels are compared with.
#ifndef TFRT_BENCHMARKS_ONEDNN_FLOOR_H_
#define TFRT_BENCHMARKS_ONEDNN_FLOOR_H_

#include <functional>

#include "contraction_shapes.h"

namespace tfrt::bench {

// Functions that run one primitive, on one thread, on memory of their own. `packed`: every layout
// but that of a matrix product's inputs is oneDNN's choice (format_tag::any), the weights are
// reordered beforehand; otherwise all are dense and row-major, images NHWC, filters HWIO.
std::function<void()> OneDnnMatMul(const MatMulShape& shape, bool packed);
std::function<void()> OneDnnConvolution(const ConvolutionShape& shape, bool packed);

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_ONEDNN_FLOOR_H_
