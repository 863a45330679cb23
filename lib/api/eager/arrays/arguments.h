// Arguments of the functions of arrays (tfrt/eager/arrays.h), for their bodies: tensors, dtypes in
// which they meet, axes, and errors.
//
// Bodies that also include ops.h write arrays::Sqrt or eager::Sqrt. A plain Sqrt is ambiguous, as
// the namespace of Tensor has the other one.
#ifndef TFRT_LIB_API_EAGER_ARRAYS_ARGUMENTS_H_
#define TFRT_LIB_API_EAGER_ARRAYS_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::eager::arrays {

// Returns a tensor that is the error "FILE:LINE: FUNCTION: MESSAGE". Reports it to the diagnostic
// handler and, in a traced function, to the tracer, as failing calls of ops do.
Tensor Failed(std::string_view function, Location where, const Status& error);

// Returns the operand as a tensor. Copies an array to the device of the scope. A number becomes an
// element of i1, of i32, or i64 if it does not fit, or of f32. Uses the operand up.
Tensor TensorOf(Operand& x);
// The same beside elements of `beside`, of which a number takes the dtype (promotion.h). An error
// if it does not fit.
Tensor TensorBeside(std::string_view function, Operand& x, DType beside);

// Makes tensors of all operands, in the dtype in which they meet, which it returns: numbers take
// that of the first tensor. InvalidArgument if one holds no numbers, with both dtypes. The error of
// an operand that is one. Uses the operands up. Waits for dtypes that are not known yet.
StatusOr<DType> Meet(std::span<Operand* const> operands, Location where,
                     std::vector<Tensor>& tensors);

// Returns the tensor in the dtype: itself, if it has it.
Tensor CastTo(Tensor x, DType dtype, Location where);

// Returns the axis counted from 0; axes below 0 count from the last one. InvalidArgument "axis 3 is
// out of range for an array of 2 dimensions". `name`: of the argument, in messages.
StatusOr<int64_t> AxisOf(int64_t axis, size_t rank, std::string_view name = "axis");
// The same for several, of which none may be named twice; nullopt: all axes.
StatusOr<std::vector<int64_t>> AxesOf(std::optional<std::span<const int64_t>> axes, size_t rank,
                                      std::string_view name = "axis");

}  // namespace tfrt::eager::arrays

#endif  // TFRT_LIB_API_EAGER_ARRAYS_ARGUMENTS_H_
