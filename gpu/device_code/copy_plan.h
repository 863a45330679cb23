// Plans the arguments of copy_*, copy_eight_* and pad_*. Tensors of any rank become the dimensions
// of those kernels; elements become units that one access moves.
#ifndef TFRT_GPU_DEVICE_CODE_COPY_PLAN_H_
#define TFRT_GPU_DEVICE_CODE_COPY_PLAN_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "pad_modes.h"

namespace tfrt::gpu {

// Returns the size in bytes of the largest unit that divides `bytes` and `addresses`, from 1 to
// `most`, which is 16 at most. Several addresses are or'ed together.
int64_t UnitBytes(uint64_t bytes, uint64_t addresses, int64_t most = 16);

// A dimension of what is copied. Steps are in elements; those of the input may be 0 or negative.
struct CopyDim {
  int64_t size;
  int64_t in_step;
  int64_t out_step;
};

// Sizes and steps in units, the slowest dimension first.
struct CopyPlan {
  int64_t unit_bytes = 1;  // the kernel is that of 8 times as many bits
  // Whether copy_* takes it: with the last four of the numbers, as the others are of size 1.
  bool has_four_dims = true;
  std::array<int64_t, 8> sizes = {1, 1, 1, 1, 1, 1, 1, 1};
  std::array<int64_t, 8> in_steps = {};
  std::array<int64_t, 8> out_steps = {};

  int64_t num_units() const;
};

// Plans a copy of elements of so many bytes (1, 2, 4, 8 or 16). `addresses`: those of the first
// elements of input and output or'ed together. Dimensions that follow each other in both become
// one. Nothing if more than eight are left.
std::optional<CopyPlan> PlanCopy(std::span<const CopyDim> dims, int64_t element_bytes,
                                 uint64_t addresses);

// Sizes and steps in units, the slowest dimension first: the arguments of pad_*.
struct PadPlan {
  int64_t unit_bytes = 1;
  uint64_t value = 0;     // a unit of it, in the lowest bits
  int64_t in_offset = 0;  // of the first element that is kept, in bytes
  std::array<int64_t, 5> sizes = {1, 1, 1, 1, 1};
  std::array<int64_t, 5> kept = {1, 1, 1, 1, 1};
  std::array<int64_t, 5> before = {};
  std::array<int64_t, 5> steps = {};

  int64_t num_units() const;
};

// Plans paddings of a dense tensor: two numbers for each dimension, before and after; negative ones
// cut off. They leave no dimension below 0, and nothing of a dimension but in the mode kConstant
// or for an empty result. `value`: the bits of an element. `addresses`: those of input and output
// or'ed together. Dimensions side by side that stay as they are become one. Nothing if more than
// five are left.
std::optional<PadPlan> PlanPad(std::span<const int64_t> dims, std::span<const int64_t> paddings,
                               device::PadMode mode, int64_t element_bytes, uint64_t value,
                               uint64_t addresses);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_COPY_PLAN_H_
