// The meaning of an index for a tensor, axis by axis.
#ifndef TFRT_LIB_API_EAGER_ARRAYS_INDEX_PARTS_H_
#define TFRT_LIB_API_EAGER_ARRAYS_INDEX_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "array_call.h"
#include "tfrt/eager/arrays/index.h"

namespace tfrt::eager::arrays {

// The meaning of an index for one axis, or for a new one.
struct IndexPart {
  enum class Kind : uint8_t {
    kInteger,
    kSlice,
    kNewAxis,
    kGap,        // a `...` that stands for no axis: tensors on both sides of it are apart
    kIndices,    // a tensor of i32 or i64
    kOfNewAxis,  // the same for a new axis of size 1, which a mask without axes is
  };

  Kind kind = Kind::kSlice;
  int64_t integer = 0;
  std::optional<Size> begin = std::nullopt;  // of a slice; nothing: from, or to, its end
  std::optional<Size> end = std::nullopt;
  int64_t step = 1;
  Array indices = {};

  bool is_whole() const { return kind == Kind::kSlice && !begin && !end && step == 1; }
  bool has_axis() const {
    return kind == Kind::kInteger || kind == Kind::kSlice || kind == Kind::kIndices;
  }
};

// Returns a part for each axis of `x`, and for each new one. InvalidArgument for what is no index
// of `x`; masks have become the places where they are true.
StatusOr<std::vector<IndexPart>> PartsOf(ArrayCall& call, const Array& x,
                                         std::span<const Index> items);
// Returns the elements that the parts choose.
StatusOr<Tensor> TakeParts(ArrayCall& call, Array x, std::span<const IndexPart> parts);
// Returns the mask, if that is the whole index and has axes.
StatusOr<std::optional<Array>> OnlyMask(ArrayCall& call, const Array& x,
                                        std::span<const Index> items);

}  // namespace tfrt::eager::arrays

#endif  // TFRT_LIB_API_EAGER_ARRAYS_INDEX_PARTS_H_
