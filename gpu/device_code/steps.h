// Where the operands of broadcast_* and permute_* have their elements: shapes of any rank, made
// into the four dimensions of those kernels.
#ifndef TFRT_GPU_DEVICE_CODE_STEPS_H_
#define TFRT_GPU_DEVICE_CODE_STEPS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tfrt::gpu {

// Sizes of the output and steps of operands along it, the slowest dimension first.
using FourDims = std::array<int64_t, 4>;

struct BroadcastSteps {
  FourDims sizes = {1, 1, 1, 1};
  FourDims a = {};
  FourDims b = {};

  // Whether the first dimensions are 1: sizes[3], a[3] and b[3], which is 0 or 1, are then the
  // arguments of the kernel without `broadcast_`.
  bool is_flat() const { return sizes[0] == 1 && sizes[1] == 1 && sizes[2] == 1; }
};

// Plans the broadcast of dense operands with these dimensions by NumPy's rule. Dimensions that both
// operands have or repeat together become one. Nothing if more than four are left.
std::optional<BroadcastSteps> PlanBroadcast(std::span<const int64_t> a, std::span<const int64_t> b);

struct PermutationSteps {
  FourDims sizes = {1, 1, 1, 1};
  FourDims steps = {};
  // Set if the permutation swaps two dimensions, or the last two of three: the arguments of
  // transpose_*, which is faster.
  struct Transpose {
    int64_t batch;
    int64_t rows;
    int64_t columns;
  };
  std::optional<Transpose> transpose;
};

// Dimension i of the output is dimension permutation[i] of the dense input. Dimensions that stay
// together become one. Nothing if more than four are left. `permutation` is one of the dimensions.
std::optional<PermutationSteps> PlanPermutation(std::span<const int64_t> dims,
                                                std::span<const int64_t> permutation);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_STEPS_H_
