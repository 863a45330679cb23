// WidenKernel: bytes as i32, for products of whole numbers.
#ifndef TFRT_GPU_OPS_WIDEN_KERNEL_H_
#define TFRT_GPU_OPS_WIDEN_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gpu_op.h"

namespace tfrt::gpu {

// Makes a factor of i8 or u8 i32, less its zero points.
class WidenKernel {
 public:
  // `factor` and `zeros` are arguments; the latter may be left out. InvalidArgument for other
  // dtypes, and if they differ.
  static StatusOr<WidenKernel> Make(GpuOpSetup& setup, size_t factor, size_t zeros);

  // Enqueues it, and returns the numbers, which are those of this call alone. There is one zero
  // point or one for each of `count` things, each so many elements after the other, and then over
  // again. InvalidArgument "the zero points of NAME have the shape S" for other numbers of them.
  StatusOr<OpBytes> Run(GpuOpCall& call, std::string_view name, int64_t count, int64_t every) const;

 private:
  WidenKernel(const Function* widen, size_t factor, size_t zeros)
      : widen_(widen), factor_(factor), zeros_(zeros) {}

  const Function* widen_;
  size_t factor_, zeros_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_WIDEN_KERNEL_H_
