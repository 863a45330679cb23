// Index: chooses elements of a tensor, for Tensor::At (docs/eager.md).
//
//   x.At(0)                             // as x[0] of NumPy
//   x.At({Slice(1, 5), kEllipsis, 0})   // x[1:5, ..., 0]
//   x.At({kNewAxis, Slice({}, {}, -1)}) // x[None, ::-1]
//   x.At(x > 0.0f)                      // x[x > 0], of a size that depends on elements
#ifndef TFRT_EAGER_ARRAYS_INDEX_H_
#define TFRT_EAGER_ARRAYS_INDEX_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::eager::arrays {

namespace internal {
// Returns the place. Those of 64 bits without a sign that int64_t does not have, such as SIZE_MAX,
// are beyond all arrays, and not counted from the end.
template <std::integral T>
constexpr int64_t PlaceOf(T place) {
  if constexpr (std::is_unsigned_v<T>) {
    if (const uint64_t wide = place; wide > uint64_t{INT64_MAX}) return INT64_MAX;
  }
  return static_cast<int64_t>(place);
}
}  // namespace internal

// A bound of a slice: a number, counted from the end if it is negative, or a tensor of one integer.
// A trace may leave that open. `{}` is the end of the axis.
class Bound {
 public:
  Bound() = default;
  template <std::integral T>
  Bound(T number) : number_(internal::PlaceOf(number)) {}  // NOLINT: implicit by design
  Bound(Tensor number) : tensor_(std::move(number)) {}     // NOLINT: implicit by design

  bool is_open() const { return !number_ && !tensor_.valid(); }
  std::optional<int64_t> number() const { return number_; }
  const Tensor& tensor() const { return tensor_; }  // not valid, if it is a number or open

 private:
  std::optional<int64_t> number_;
  Tensor tensor_;
};

// The elements `begin:end:step` along an axis, as in Python: `Slice()` is all of them, `Slice(1,
// 5)` four, `Slice({}, {}, -1)` all in reverse order. Bounds beyond the axis are its ends.
struct Slice {
  Slice() = default;
  Slice(Bound begin, Bound end, int64_t step = 1)
      : begin(std::move(begin)), end(std::move(end)), step(step) {}

  Bound begin;
  Bound end;
  int64_t step = 1;  // not 0
};

// `...` of Python: all axes that no other item is about. At most one in an index.
struct Ellipsis {};
inline constexpr Ellipsis kEllipsis;
// `None` of Python: an axis of size 1 that the argument has not.
struct NewAxis {};
inline constexpr NewAxis kNewAxis;

// One item of an index. A tensor of integers has the place of an element in each of its own. One of
// bools is a mask: it stands for as many axes as it has, and chooses where it is true.
class Index {
 public:
  enum class Kind : uint8_t { kInteger, kSlice, kEllipsis, kNewAxis, kTensor, kArray };

  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Index(T place)  // NOLINT: implicit by design
      : integer_(internal::PlaceOf(place)), kind_(Kind::kInteger) {}
  Index(Slice slice) : slice_(std::move(slice)), kind_(Kind::kSlice) {}        // NOLINT: implicit
  Index(Ellipsis) : kind_(Kind::kEllipsis) {}                                  // NOLINT: implicit
  Index(NewAxis) : kind_(Kind::kNewAxis) {}                                    // NOLINT: implicit
  Index(Tensor places) : tensor_(std::move(places)), kind_(Kind::kTensor) {}   // NOLINT: implicit
  Index(HostArray places) : array_(std::move(places)), kind_(Kind::kArray) {}  // NOLINT: implicit

  Kind kind() const { return kind_; }
  int64_t integer() const { return integer_; }
  const Slice& slice() const { return slice_; }
  const Tensor& tensor() const { return tensor_; }
  const HostArray& array() const { return *array_; }

 private:
  int64_t integer_ = 0;
  Slice slice_;
  Tensor tensor_;
  std::optional<HostArray> array_;
  Kind kind_;
};

// An index of several axes, a list in braces, or of the first axis: one item.
class IndexList {
 public:
  IndexList(std::initializer_list<Index> items) : items_(items) {}   // NOLINT: implicit by design
  IndexList(std::vector<Index> items) : items_(std::move(items)) {}  // NOLINT: implicit by design
  template <typename Item>
    requires(std::constructible_from<Index, Item> && !std::same_as<std::decay_t<Item>, Index>)
  IndexList(Item&& item)  // NOLINT: implicit by design
      : items_{Index(std::forward<Item>(item))} {}

  std::span<const Index> items() const { return items_; }

 private:
  std::vector<Index> items_;
};

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_INDEX_H_
