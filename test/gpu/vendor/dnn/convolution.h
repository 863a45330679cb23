// Convolutions and their gradients on host memory: the windows of an image as a matrix, and Eigen's
// products.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_CONVOLUTION_H_
#define TFRT_TEST_GPU_VENDOR_DNN_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout.h"

namespace tfrt::gpu::cudnn_double {

// One entry for each spatial dimension.
struct Window {
  std::vector<int64_t> pre_paddings, post_paddings, strides, dilations, sizes;

  // How many windows fit along a dimension.
  int64_t NumAlong(size_t d, int64_t size, int64_t window) const;
};

struct Convolution {
  Layout x, w, y;  // w: [K, C of a group, spatial...]
  Window window;
  bool is_flipped = false;  // the mathematical one, not a cross-correlation
  cudnnDataType_t compute_type = cudnn::CUDNN_DATA_FLOAT;

  int64_t num_groups() const { return x.dims[1] / w.dims[1]; }
  // Whether the three shapes fit together.
  bool IsConsistent() const;
};

// y = alpha conv(x, w) + beta y, and the same for dx and dw, which are x and w of `convolution`.
void RunForward(const Convolution& convolution, double alpha, const std::byte* x,
                const std::byte* w, double beta, std::byte* y);
void RunBackwardData(const Convolution& convolution, double alpha, const std::byte* w,
                     const std::byte* dy, double beta, std::byte* dx);
void RunBackwardFilter(const Convolution& convolution, double alpha, const std::byte* x,
                       const std::byte* dy, double beta, std::byte* dw);

// conv(x, w) before it is converted to the type of y: in the order of the dimensions.
std::vector<double> Convolve(const Convolution& convolution, const std::byte* x,
                             const std::byte* w);

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_CONVOLUTION_H_
