// How to launch the kernels of device_code.h: grids and blocks by the sizes of the problem. Plain
// numbers; nothing here calls a driver.
//
// Kernels are right for any grid: they walk over what there is to do in steps of the grid's size.
// The functions below choose grids that keep a GPU busy, and the numbers of threads that the
// kernels ask for. Everything depends on sizes alone, and results do not depend on the grid.
#ifndef TFRT_GPU_DEVICE_CODE_LAUNCH_H_
#define TFRT_GPU_DEVICE_CODE_LAUNCH_H_

#include <cstdint>

namespace tfrt::gpu {

// Blocks and threads along x; 1 along y and z. No kernel here needs shared memory at its launch.
struct DeviceLaunch {
  uint32_t blocks = 0;  // 0: there is nothing to do, and drivers refuse an empty grid
  uint32_t threads = 0;

  friend bool operator==(const DeviceLaunch&, const DeviceLaunch&) = default;
};

// Sizes are in elements and not negative.

// fill, cast, unary, binary, compare and permute: the number of elements of the output.
DeviceLaunch ElementwiseLaunch(int64_t size);
// softmax_*, log_softmax_*: in [rows,columns].
DeviceLaunch SoftmaxLaunch(int64_t rows, int64_t columns);

// How to reduce in [outer,size,inner] to out [outer,inner] with NAME_TYPE(out, in, outer, size,
// inner, parts). If there are several parts, `out` of that launch is scratch memory of
// scratch_bytes, aligned to 16. Then NAME_parts_TYPE(out, scratch, outer, size, inner, parts)
// follows.
struct ReductionLaunch {
  int64_t parts = 1;
  DeviceLaunch first;
  DeviceLaunch combine;       // no blocks if there is one part
  int64_t scratch_bytes = 0;  // 0 if there is one part
};
ReductionLaunch PlanReduction(int64_t outer, int64_t size, int64_t inner);

// transpose_*: in [batch,rows,columns].
DeviceLaunch TransposeLaunch(int64_t batch, int64_t rows, int64_t columns);

// How to make out [batch,m,n] of products over k with matmul_TYPE, or with matmul_few_rows_TYPE.
// If there are several parts, `out` of that launch is scratch memory of scratch_bytes, aligned to
// 16. Then matmul_parts_TYPE(out, scratch, bias, batch, m, n, activation, parts) follows.
struct MatMulLaunch {
  bool has_few_rows = false;
  int64_t parts = 1;
  DeviceLaunch first;
  DeviceLaunch combine;       // no blocks if there is one part
  int64_t scratch_bytes = 0;  // 0 if there is one part
};
MatMulLaunch PlanMatMul(int64_t batch, int64_t m, int64_t n, int64_t k);

// The i32 arguments of matmul_*.
inline constexpr int32_t kMatMulTransposedA = 1;
inline constexpr int32_t kMatMulTransposedB = 2;
enum class MatMulActivation : int32_t { kNone = 0, kRelu = 1, kRelu6 = 2, kSumsAlone = 3 };

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_LAUNCH_H_
