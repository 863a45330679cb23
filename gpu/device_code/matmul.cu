// Matrix products.
//
//   matmul_TYPE(out, a, b, bias, batch, m, n, k, a_step, b_step, transposed, activation)
//
// out [batch,m,n] = activation(a [m,k] * b [k,n] + bias [n]) for each of `batch` matrices, dense,
// of which those of a are a_step elements apart, those of b b_step: 0 uses the same again. The bias
// may be null. `transposed` (i32): 1, a lies as [k,m]; 2, b lies as [n,k]; 3, both. `activation`
// (i32): 0 none, 1 relu, 2 relu6. Other sizes are i64. `out` shares no memory with what is read.
//
// f16 and bf16 are multiplied and summed in f32; integers wrap. Each element's products are summed
// in the order of k, in one accumulator, with fused multiplications: the same bits whatever the
// grid is. Blocks of kMatMulThreads threads, each of which computes kPart x kPart elements of a
// tile of the output.

#include "device_math.h"
#include "element_ops.h"
#include "grid.h"
#include "launch_sizes.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {
namespace {

constexpr int kTile = kMatMulTile, kDepth = kMatMulDepth, kThreads = kMatMulThreads;
constexpr int kSide = 16;  // the block's threads as a square
constexpr int kPart = kTile / kSide;
static_assert(kSide * kSide == kThreads && kPart * kSide == kTile);
static_assert(kTile * kDepth % kThreads == 0 && kThreads % kTile == 0 && kThreads % kDepth == 0);

template <typename C>
TFRT_DEVICE C MultiplyAdd(C a, C b, C sum) {
  if constexpr (kIsFloat<C>) {
    return Fma(a, b, sum);
  } else {
    return Plus(Times(a, b), sum);
  }
}

template <typename C>
TFRT_DEVICE C Activate(C x, int32_t activation) {
  if (activation != 0 && x < 0) return 0;
  return activation == 2 && x > 6 ? C(6) : x;
}

// A part of a matrix, transposed so that its depth is outside; a column more against conflicts of
// banks.
template <typename C>
using Part = C[kDepth][kTile + 1];

// A matrix whose element (i, k) is at i * step + k * depth_step, one of which is 1.
template <typename T>
struct Matrix {
  const T* data;
  int64_t size;   // of i
  int64_t depth;  // of k
  int64_t step;
  int64_t depth_step;
};

// part[k][i] = element (first + i, first_k + k), 0 outside. Neighbouring threads read neighbours.
template <typename T>
TFRT_DEVICE void LoadPart(Part<Compute<T>>& part, const Matrix<T>& matrix, int64_t first,
                          int64_t first_k) {
  const int thread = static_cast<int>(ThreadInBlock());
  const bool is_deep = matrix.depth_step == 1;
#pragma unroll
  for (int item = 0; item < kTile * kDepth / kThreads; ++item) {
    const int number = thread + item * kThreads;
    const int k = is_deep ? number % kDepth : number / kTile;
    const int i = is_deep ? number / kDepth : number % kTile;
    const bool is_inside = first + i < matrix.size && first_k + k < matrix.depth;
    const int64_t place = (first + i) * matrix.step + (first_k + k) * matrix.depth_step;
    part[k][i] = is_inside ? Decode(matrix.data[place]) : Compute<T>(0);
  }
}

template <typename T>
TFRT_DEVICE void MultiplyTile(T* out, const Matrix<T>& a, const Matrix<T>& b, const T* bias,
                              int64_t first_row, int64_t first_column, int32_t activation,
                              Part<Compute<T>>& a_part, Part<Compute<T>>& b_part) {
  using C = Compute<T>;
  const int x = static_cast<int>(ThreadInBlock()) % kSide;
  const int y = static_cast<int>(ThreadInBlock()) / kSide;
  C sums[kPart][kPart] = {};
  for (int64_t k = 0; k < a.depth; k += kDepth) {
    LoadPart(a_part, a, first_row, k);
    LoadPart(b_part, b, first_column, k);
    Barrier();
#pragma unroll 4
    for (int d = 0; d < kDepth; ++d) {
      C rows[kPart], columns[kPart];
#pragma unroll
      for (int i = 0; i < kPart; ++i) rows[i] = a_part[d][y * kPart + i];
#pragma unroll
      for (int j = 0; j < kPart; ++j) columns[j] = b_part[d][x + j * kSide];
#pragma unroll
      for (int i = 0; i < kPart; ++i) {
#pragma unroll
        for (int j = 0; j < kPart; ++j) {
          sums[i][j] = MultiplyAdd(rows[i], columns[j], sums[i][j]);
        }
      }
    }
    Barrier();  // before the next parts are written
  }
#pragma unroll
  for (int i = 0; i < kPart; ++i) {
#pragma unroll
    for (int j = 0; j < kPart; ++j) {
      const int64_t row = first_row + y * kPart + i, column = first_column + x + j * kSide;
      if (row >= a.size || column >= b.size) continue;
      const C sum = bias != nullptr ? Plus(sums[i][j], Decode(bias[column])) : sums[i][j];
      out[row * b.size + column] = Encode<T>(Activate(sum, activation));
    }
  }
}

template <typename T>
TFRT_DEVICE void MultiplyMatrices(T* out, Matrix<T> a, Matrix<T> b, const T* bias, int64_t batch,
                                  int64_t a_step, int64_t b_step, int32_t activation) {
  TFRT_SHARED static Part<Compute<T>> a_part, b_part;
  const T *a_first = a.data, *b_first = b.data;
  const int64_t down = (a.size + kTile - 1) / kTile, across = (b.size + kTile - 1) / kTile;
  for (int64_t i = Block(); i < batch * down * across; i += NumBlocks()) {
    const int64_t matrix = i / (down * across);
    a.data = a_first + matrix * a_step;
    b.data = b_first + matrix * b_step;
    MultiplyTile(out + matrix * a.size * b.size, a, b, bias, i / across % down * kTile,
                 i % across * kTile, activation, a_part, b_part);
  }
}

}  // namespace

using Element = TFRT_TYPE;

__attribute__((launch_bounds(kMatMulThreads))) TFRT_KERNEL TFRT_ENTRY(matmul)(
    Element* out, const Element* a, const Element* b, const Element* bias, int64_t batch, int64_t m,
    int64_t n, int64_t k, int64_t a_step, int64_t b_step, int32_t transposed, int32_t activation) {
  const bool a_lies_across = (transposed & 1) != 0, b_lies_across = (transposed & 2) != 0;
  MultiplyMatrices<Element>(out, {a, m, k, a_lies_across ? 1 : k, a_lies_across ? m : 1},
                            {b, n, k, b_lies_across ? k : 1, b_lies_across ? 1 : n}, bias, batch,
                            a_step, b_step, activation);
}

}  // namespace tfrt::gpu::device
