// Sums, means and others over axes. Axes are all, if none are named.
#ifndef TFRT_EAGER_ARRAYS_STATISTICS_H_
#define TFRT_EAGER_ARRAYS_STATISTICS_H_

#include <cstdint>
#include <optional>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays {

struct SumOptions {
  Axes axis = {};  // none: all
  // None: that of the elements; bools and integers below 32 bits become i32 or u32.
  std::optional<DType> dtype = std::nullopt;
  bool keepdims = false;
};
// Integers wrap. No elements give 0, or 1.
Tensor Sum(const Tensor& x, const SumOptions& options = {}, Location where = Here());
Tensor Prod(const Tensor& x, const SumOptions& options = {}, Location where = Here());

struct ReductionOptions {
  Axes axis = {};  // none: all
  bool keepdims = false;
};
// NaN if an element is. InvalidArgument if there are no elements.
Tensor Max(const Tensor& x, const ReductionOptions& options = {}, Location where = Here());
Tensor Min(const Tensor& x, const ReductionOptions& options = {}, Location where = Here());
// Integers and bools give f32, floats their own dtype. No elements give NaN.
Tensor Mean(const Tensor& x, const ReductionOptions& options = {}, Location where = Here());

struct VarOptions {
  Axes axis = {};         // none: all
  double correction = 0;  // the divisor is the number of elements less this, at least 0
  bool keepdims = false;
};
// Var is the mean of the squares of the differences from the mean, Std its root. Those of floats of
// 16 bits are computed in f32. The gradient of Std is 0 where all elements are equal.
Tensor Var(const Tensor& x, const VarOptions& options = {}, Location where = Here());
Tensor Std(const Tensor& x, const VarOptions& options = {}, Location where = Here());

// Whether all elements (one element) are not 0, as NaN is. No elements give true (false).
Tensor All(const Tensor& x, const ReductionOptions& options = {}, Location where = Here());
Tensor Any(const Tensor& x, const ReductionOptions& options = {}, Location where = Here());
// The number of elements that are not 0, as i64.
Tensor CountNonzero(const Tensor& x, const ReductionOptions& options = {}, Location where = Here());

struct CumulativeOptions {
  std::optional<int64_t> axis = std::nullopt;  // may be left out for one dimension
  std::optional<DType> dtype = std::nullopt;   // none: as for sums
  bool include_initial = false;                // a 0, or 1, comes first
};
// The sums (products) of the elements up to each along an axis.
Tensor CumulativeSum(const Tensor& x, const CumulativeOptions& options = {},
                     Location where = Here());
Tensor CumulativeProd(const Tensor& x, const CumulativeOptions& options = {},
                      Location where = Here());

struct DiffOptions {
  int64_t axis = -1;
  int64_t n = 1;  // so many times
};
// The differences of neighbours along an axis; of bools, where they differ.
Tensor Diff(const Tensor& x, const DiffOptions& options = {}, Location where = Here());

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_STATISTICS_H_
