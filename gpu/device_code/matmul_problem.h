// Defines what kernels of matrix products are given. A part of matmul.cu, for its type of elements.
#ifndef TFRT_GPU_DEVICE_CODE_MATMUL_PROBLEM_H_
#define TFRT_GPU_DEVICE_CODE_MATMUL_PROBLEM_H_

#include "device_math.h"
#include "element_ops.h"
#include "grid.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "vectors.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;
using C = Compute<Element>;

// Elements of an access to global memory, and of one to sums and shared memory.
inline constexpr int kCount = kWholeVector<Element>, kSums = kWholeVector<C>;

// Says that results are the sums, in the type that these are computed in.
inline constexpr int32_t kSumsAlone = 3;

TFRT_DEVICE C Activate(C x, int32_t activation) {
  if (activation != 0 && x < 0) return 0;
  return activation == 2 && x > 6 ? C(6) : x;
}

// A matrix whose element (i, k) is at i * step + k * depth_step, one of which is 1.
struct Matrix {
  const Element* data;
  int64_t size;   // of i
  int64_t depth;  // of k
  int64_t step;
  int64_t depth_step;
  int64_t matrix_step;  // to the next one of the batch

  TFRT_DEVICE bool IsDeep() const { return depth_step == 1; }
  // Whether vectors may begin at each whole vector of a line.
  TFRT_DEVICE bool HasVectors(int count = kCount) const {
    const int64_t line = IsDeep() ? step : depth_step;
    return IsAligned(data, count * static_cast<int>(sizeof(Element))) &&
           ((line | matrix_step) & (count - 1)) == 0;
  }
  TFRT_DEVICE Matrix Of(int64_t number) const {
    Matrix matrix = *this;
    matrix.data += number * matrix_step;
    return matrix;
  }
};

TFRT_DEVICE Element Result(C sum, const Element* bias, int64_t column, int32_t activation) {
  if (bias != nullptr) sum = Plus(sum, Decode(bias[column]));
  return Encode<Element>(Activate(sum, activation));
}

struct Problem {
  void* out;  // elements, or sums of parts
  Matrix a, b;
  const Element* bias;
  int64_t batch;
  int32_t activation;
  int64_t parts;
  bool writes_sums;

  TFRT_DEVICE Problem(void* out, const Element* a, const Element* b, const Element* bias,
                      int64_t batch, int64_t m, int64_t n, int64_t k, int64_t a_step,
                      int64_t b_step, int32_t transposed, int32_t activation, int64_t parts)
      : out(out),
        a{a, m, k, k, 1, a_step},
        b{b, n, k, 1, n, b_step},
        bias(bias),
        batch(batch),
        activation(activation),
        parts(parts),
        writes_sums(parts != 1 || activation == kSumsAlone) {
    if ((transposed & 1) != 0) this->a.step = 1, this->a.depth_step = m;
    if ((transposed & 2) != 0) this->b.step = k, this->b.depth_step = 1;
  }

  // Returns the part of matrix i of those of all parts.
  TFRT_DEVICE int64_t PartOf(int64_t i) const { return batch == 1 ? i : Divide(i, batch); }
  TFRT_DEVICE int64_t PartSize() const { return device::PartSize(a.depth, parts); }
  TFRT_DEVICE int64_t End(int64_t begin) const {
    const int64_t end = begin + PartSize();
    return end < a.depth ? end : a.depth;
  }
  TFRT_DEVICE void Write(int64_t place, int64_t column, C sum) const {
    if (writes_sums) {
      static_cast<C*>(out)[place] = sum;
    } else {
      static_cast<Element*>(out)[place] = Result(sum, bias, column, activation);
    }
  }
};

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_MATMUL_PROBLEM_H_
