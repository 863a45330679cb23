// Element types of arrays: conversions, and the types in which others meet.
#ifndef TFRT_EAGER_ARRAYS_DTYPES_H_
#define TFRT_EAGER_ARRAYS_DTYPES_H_

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/status.h"

namespace tfrt::eager::arrays {

// Makes a tensor of an array or a number: i1, i32, i64 where it needs that, or f32. A tensor stays
// as it is. With `dtype` elements are cast to that; a number that does not fit it is an error.
Tensor AsArray(Operand x, std::optional<DType> dtype = std::nullopt);
// The elements as another dtype, in the same shape. Floats that do not fit an integer become the
// nearest that does, and NaN 0. Integers wrap.
Tensor AsType(Operand x, DType dtype);

// Returns the dtype in which all meet, whatever their order. InvalidArgument, with both names, if
// two do not, and if there are none.
StatusOr<DType> ResultType(std::span<const DType> dtypes);
inline StatusOr<DType> ResultType(std::initializer_list<DType> dtypes) {
  return ResultType(std::span(dtypes.begin(), dtypes.size()));
}
// Whether promotion can bring elements of one dtype to the other.
bool CanCast(DType from, DType to);
// Whether the dtype is of a kind: "bool", "signed integer", "unsigned integer", "integral", "real
// floating", "complex floating" or "numeric". InvalidArgument for others.
StatusOr<bool> IsDType(DType dtype, std::string_view kind);

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_DTYPES_H_
