// Indices of graph ops: i32 or i64, those below 0 counting from the end.
#ifndef TFRT_LIB_OPS_HOST_OPS_INDEX_CHECKS_H_
#define TFRT_LIB_OPS_HOST_OPS_INDEX_CHECKS_H_

#include <cassert>
#include <cstdint>
#include <string>

#include "lib/ops/maths/cpu/data_movement.h"
#include "lib/ops/maths/shapes/axes.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// Calls fn with the indices as what they are; the op's row says that they are integers.
template <typename F>
Status WithIndices(const DenseHostTensor& indices, F&& fn) {
  if (indices.dtype() == DType::kI32) return fn(static_cast<const int32_t*>(indices.data()));
  assert(indices.dtype() == DType::kI64);
  return fn(static_cast<const int64_t*>(indices.data()));
}

// All are places along the axis of `in`. "OP: index 4 is out of range for axis 0 of the shape [4]"
template <typename Index>
Status CheckIndices(const OpCall& call, const DenseHostTensor& in, size_t axis,
                    const Index* indices, int64_t count) {
  const int64_t size = in.shape().dim(axis);
  const int64_t bad = cpu::FirstOutside(indices, count, -size, size);
  if (bad == count) return OkStatus();
  return InvalidArgumentError(StrCat(call.op_name(), ": index ", int64_t{indices[bad]},
                                     " is out of range for axis ", axis, " of the shape ",
                                     in.shape().ToString()));
}

// All rows name slices of `in`. "OP: row 0 of the indices, [4, 1], is not in the shape [4, 1]"
template <typename Index>
Status CheckSlices(const OpCall& call, const DenseHostTensor& in, const cpu::GatherNdPlan& plan,
                   const Index* indices, int64_t rows) {
  const int64_t row = cpu::FirstOutside(plan, indices, 0, rows);
  if (row >= rows) return OkStatus();
  std::string text;
  const auto depth = static_cast<int64_t>(plan.dims.size());
  for (int64_t i = 0; i < depth; ++i) {
    text += StrCat(i == 0 ? "" : ", ", int64_t{indices[row * depth + i]});
  }
  return InvalidArgumentError(StrCat(call.op_name(), ": row ", row, " of the indices, [", text,
                                     "], is not in the shape ", in.shape().ToString()));
}

// Indices of the rank of `in` lie within it, whatever they are along the axis.
inline Status CheckWithin(const OpCall& call, const TensorShape& in, const TensorShape& indices,
                          size_t axis) {
  for (size_t i = 0; i < in.rank(); ++i) {
    if (i == axis || indices.dim(i) <= in.dim(i)) continue;
    return InvalidArgumentError(StrCat(call.op_name(), ": indices of the shape ",
                                       indices.ToString(), " are outside of the shape ",
                                       in.ToString(), " in dimension ", i));
  }
  return OkStatus();
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_INDEX_CHECKS_H_
