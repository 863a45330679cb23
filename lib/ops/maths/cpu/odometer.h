// Walks over the elements of strided dimensions.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ODOMETER_H_
#define TFRT_LIB_OPS_MATHS_CPU_ODOMETER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "lib/base/support/inline_vector.h"
#include "tfrt/support/small_array.h"

namespace tfrt::cpu {

// Dimensions in row-major order, each with a stride in N tensors.
template <size_t N>
struct StridedDims {
  struct Dim {
    int64_t size;
    std::array<int64_t, N> strides;
  };
  InlineVector<Dim, 6> dims;  // outermost first

  int64_t num_elements() const {
    int64_t count = 1;
    for (const Dim& dim : dims) count *= dim.size;
    return count;
  }
};

// Steps through row-major order from position `index` on, as offsets in N tensors.
template <size_t N>
class Odometer {
 public:
  // `strided` must outlive this, and have no dimension of size 0.
  Odometer(const StridedDims<N>& strided, int64_t index)
      : strided_(strided), counts_(strided.dims.size()) {
    for (size_t i = counts_.size(); i-- > 0;) {
      const auto& dim = strided_.dims[i];
      counts_[i] = index % dim.size;
      index /= dim.size;
      for (size_t t = 0; t < N; ++t) offsets_[t] += counts_[i] * dim.strides[t];
    }
  }

  int64_t offset(size_t tensor) const { return offsets_[tensor]; }

  // Wraps around at the end.
  void Advance() {
    for (size_t i = counts_.size(); i-- > 0;) {
      const auto& dim = strided_.dims[i];
      if (++counts_[i] < dim.size) {
        for (size_t t = 0; t < N; ++t) offsets_[t] += dim.strides[t];
        return;
      }
      for (size_t t = 0; t < N; ++t) offsets_[t] -= (dim.size - 1) * dim.strides[t];
      counts_[i] = 0;
    }
  }

 private:
  const StridedDims<N>& strided_;
  SmallArray<int64_t, 6> counts_;
  std::array<int64_t, N> offsets_ = {};
};

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ODOMETER_H_
