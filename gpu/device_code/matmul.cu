// Matrix products.
//
//   matmul_TYPE(out, a, b, bias, batch, m, n, k, a_step, b_step, transposed, activation, parts)
//
// out [batch,m,n] = activation(a [m,k] * b [k,n] + bias [n]) for each of `batch` matrices, dense,
// of which those of a are a_step elements apart, those of b b_step: 0 uses the same again. The bias
// may be null. `transposed` (i32): 1, a lies as [k,m]; 2, b lies as [n,k]; 3, both. `activation`
// (i32): 0 none, 1 relu, 2 relu6; 3: `out` gets the sums as they are, without the bias, in the type
// that products are summed in. Other sizes are i64. `out` shares no memory with what is read.
//
//   matmul_few_rows_TYPE: the same for m of up to kMatMulFewRows
//
// With several `parts`, k is cut into so many, and `out` is memory for their sums
// [parts,batch,m,n], in the type that products are summed in. Bias and activation are left to
//
//   matmul_parts_TYPE(out, sums, bias, batch, m, n, activation, parts)
//
// f16 and bf16 are multiplied and summed in f32; integers wrap. The order of sums depends on sizes
// and the type alone, and each product is fused with its sum. Blocks of kMatMulThreads threads,
// those of the other two kernels of kRowThreads. launch.h says which kernel, and how many parts.

#include "block_combine.h"
#include "matmul_few_rows.h"
#include "matmul_problem.h"
#include "matmul_tiles.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {
namespace {

// --- Sums of parts.

// A block has kWarp elements, for each of which its warps share the parts.
TFRT_DEVICE void AddParts(void* out, const C* sums, const Element* bias, int64_t size, int64_t n,
                          int32_t activation, int64_t parts) {
  TFRT_SHARED static C of_warps[kRowWarps][kWarp];
  constexpr int kAtOnce = 4;
  const int lane = static_cast<int>(ThreadInBlock()) % kWarp;
  const int warp = static_cast<int>(ThreadInBlock()) / kWarp;
#pragma unroll 1
  for (int64_t block = Block(); block < CeilDiv(size, kWarp); block += NumBlocks()) {
    const int64_t i = block * kWarp + lane;
    C sum = 0;
    if (i < size) {
#pragma unroll kAtOnce
      for (int64_t part = warp; part < parts; part += kRowWarps) {
        sum = Plus(sum, sums[part * size + i]);
      }
    }
    of_warps[warp][lane] = sum;
    Barrier();
    if (warp == 0 && i < size) {
#pragma unroll
      for (int w = 1; w < kRowWarps; ++w) sum = Plus(sum, of_warps[w][lane]);
      if (activation == kSumsAlone) {
        static_cast<C*>(out)[i] = sum;
      } else {
        static_cast<Element*>(out)[i] = Result(sum, bias, i - Divide(i, n) * n, activation);
      }
    }
    Barrier();  // before the next sums are written
  }
}

}  // namespace

__attribute__((launch_bounds(kMatMulThreads, kBlocks))) TFRT_KERNEL
TFRT_ENTRY(matmul)(void* out, const Element* a, const Element* b, const Element* bias,
                   int64_t batch, int64_t m, int64_t n, int64_t k, int64_t a_step, int64_t b_step,
                   int32_t transposed, int32_t activation, int64_t parts) {
  MultiplyTiles(
      Problem(out, a, b, bias, batch, m, n, k, a_step, b_step, transposed, activation, parts));
}

__attribute__((launch_bounds(kRowThreads, sizeof(C) == 8 ? 1 : 2))) TFRT_KERNEL
TFRT_ENTRY(matmul_few_rows)(void* out, const Element* a, const Element* b, const Element* bias,
                            int64_t batch, int64_t m, int64_t n, int64_t k, int64_t a_step,
                            int64_t b_step, int32_t transposed, int32_t activation, int64_t parts) {
  TFRT_SHARED alignas(kMostVectorBytes) static FewRows shared;
  const Problem problem(out, a, b, bias, batch, m, n, k, a_step, b_step, transposed, activation,
                        parts);
  if (m > kMatMulFewRows) {
    __builtin_trap();
  } else if (problem.b.IsDeep()) {
    m > 2 ? MultiplyFewRows<8, true>(problem, shared) : MultiplyFewRows<2, true>(problem, shared);
  } else {
    m > 2 ? MultiplyFewRows<8, false>(problem, shared) : MultiplyFewRows<2, false>(problem, shared);
  }
}

TFRT_ROW_KERNEL TFRT_ENTRY(matmul_parts)(void* out, const C* sums, const Element* bias,
                                         int64_t batch, int64_t m, int64_t n, int32_t activation,
                                         int64_t parts) {
  AddParts(out, sums, bias, batch * m * n, n, activation, parts);
}

}  // namespace tfrt::gpu::device
