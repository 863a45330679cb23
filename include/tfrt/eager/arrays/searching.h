// Where elements are, their order, and those that differ.
#ifndef TFRT_EAGER_ARRAYS_SEARCHING_H_
#define TFRT_EAGER_ARRAYS_SEARCHING_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays {

struct ArgOptions {
  std::optional<int64_t> axis = std::nullopt;  // none: the place in the flat array
  bool keepdims = false;
};
// Where the largest (smallest) element is, as i64: the first of several, the first NaN if there is
// one.
Tensor Argmax(const Tensor& x, const ArgOptions& options = {}, Location where = Here());
Tensor Argmin(const Tensor& x, const ArgOptions& options = {}, Location where = Here());

// Where the elements are that are not 0, row-major: for each axis a tensor of i64. Their size
// depends on elements, so traces leave it open.
std::vector<Tensor> Nonzero(const Tensor& x, Location where = Here());
// The element of `x1` where the condition holds, that of `x2` elsewhere, broadcast and promoted.
Tensor Where(const Tensor& condition, Operand x1, Operand x2, Location where = Here());

struct SearchsortedOptions {
  std::string_view side = "left";  // before elements that are equal; "right": after them
  Tensor sorter = {};              // sorts x1, as Argsort does; none: it is sorted
};
// The places at which the elements of `x2` would keep `x1` [N] in order, as i64.
Tensor Searchsorted(const Tensor& x1, Operand x2, const SearchsortedOptions& options = {},
                    Location where = Here());
// The slices along an axis that integers name; of the flat array, if it is nullopt.
Tensor Take(const Tensor& x, Operand indices, std::optional<int64_t> axis = std::nullopt,
            Location where = Here());
// For each index the element there along the axis, at its own place in the other axes.
Tensor TakeAlongAxis(const Tensor& x, const Tensor& indices, int64_t axis = -1,
                     Location where = Here());

struct SortOptions {
  int64_t axis = -1;
  bool descending = false;
};
// The elements along an axis in order, NaN as the largest. Equal ones keep their order.
Tensor Sort(const Tensor& x, const SortOptions& options = {}, Location where = Here());
// Where the elements of Sort are along the axis, as i64.
Tensor Argsort(const Tensor& x, const SortOptions& options = {}, Location where = Here());

// --- Sets. Each NaN is another element. Traces leave the number of values open. ---

struct UniqueCountsResult {
  Tensor values, counts;  // i64 counts
};
struct UniqueInverseResult {
  Tensor values, inverse_indices;  // i64, in the shape of the argument
};
struct UniqueAllResult {
  Tensor values, indices, inverse_indices, counts;
};
// The elements that differ, in ascending order.
Tensor UniqueValues(const Tensor& x, Location where = Here());
// The same, and how often each occurs.
UniqueCountsResult UniqueCounts(const Tensor& x, Location where = Here());
// The same, and which of them each element is.
UniqueInverseResult UniqueInverse(const Tensor& x, Location where = Here());
// All of these, and where each is first.
UniqueAllResult UniqueAll(const Tensor& x, Location where = Here());

struct IsinOptions {
  bool invert = false;
};
// Whether each element of `x1` is one of `x2`.
Tensor Isin(const Tensor& x1, Operand x2, const IsinOptions& options = {}, Location where = Here());

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_SEARCHING_H_
