// Ops on the shape of a tensor: the elements stay where they are.

#include <algorithm>

#include "op_groups.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

// The same elements in a shape of as many: of a dense tensor in the same memory.
Status SetReshaped(OpCall& call, const Tensor& in, TensorShape shape) {
  if (in.tensor_type() == kStringHostTensorType) {
    const auto& strings = static_cast<const StringHostTensor&>(in);
    TFRT_ASSIGN_OR_RETURN(auto out,
                          StringHostTensor::CreateEmpty(std::move(shape), call.allocator()));
    std::ranges::copy(strings.strings(), out.MutableStrings().begin());
    call.SetResult(0, MakeAvailableAsyncValueRef<StringHostTensor>(std::move(out)).ReleaseRCRef());
    return OkStatus();
  }
  const auto& dense = static_cast<const DenseHostTensor&>(in);
  TFRT_ASSIGN_OR_RETURN(
      auto out, DenseHostTensor::CreateFromBuffer({in.dtype(), std::move(shape)}, dense.buffer()));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// The argument as a dense tensor of one number.
StatusOr<int64_t> ReadAxis(const Tensor& axis) {
  if (axis.num_elements() != 1) return InvalidArgumentError("Axis must be a scalar tensor");
  if (axis.tensor_type() == kDenseHostTensorType) {
    const auto& dense = static_cast<const DenseHostTensor&>(axis);
    if (axis.dtype() == DType::kI32) return *static_cast<const int32_t*>(dense.data());
    if (axis.dtype() == DType::kI64) return *static_cast<const int64_t*>(dense.data());
  }
  return InvalidArgumentError("Unsupported axis data type");
}

bool IsDenseOrString(const Tensor& in) {
  return in.tensor_type() == kDenseHostTensorType || in.tensor_type() == kStringHostTensorType;
}

Status ExpandDims(const Tensor& in, const Tensor& axis_tensor, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadAxis(axis_tensor));
  if (!IsDenseOrString(in)) {
    return InvalidArgumentError("Unsupported tensor type for tf.ExpandDims");
  }
  const auto rank = static_cast<int64_t>(in.shape().rank());
  if (axis < -(rank + 1) || axis > rank) {
    return InvalidArgumentError(
        StrCat("Failed to expand axis ", axis, " for tensor of rank ", rank));
  }
  const ShapeDims old_dims = in.shape().dims();
  std::vector<int64_t> dims(old_dims.begin(), old_dims.end());
  dims.insert(dims.begin() + (axis < 0 ? axis + rank + 1 : axis), 1);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return SetReshaped(call, in, std::move(shape));
}

Status Reshape(const Tensor& in, const DenseHostTensor& shape_tensor, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto dims, ReadIntegers(call.op_name(), "shape", shape_tensor));
  const auto requested = dims;
  // One dimension of -1 is what is left.
  auto unknown = std::ranges::find(dims, -1);
  auto mismatch = [&] {
    return InvalidArgumentError(StrCat("tf.Reshape: the shape ", in.shape().ToString(),
                                       " cannot become ", DimsToString(requested)));
  };
  if (unknown != dims.end()) {
    *unknown = 1;
    TFRT_ASSIGN_OR_RETURN(TensorShape known, TensorShape::Create(dims));
    const int64_t count = known.num_elements();
    if (count == 0 || in.num_elements() % count != 0) return mismatch();
    *unknown = in.num_elements() / count;
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  if (shape.num_elements() != in.num_elements()) return mismatch();
  return SetReshaped(call, in, std::move(shape));
}

Status Squeeze(const Tensor& in, const TensorMetadata& result, OpCall& call) {
  return SetReshaped(call, in, result.shape);
}

}  // namespace

void RegisterReshapeOps(OpRegistry* registry) {
  registry->Implement("tf.ExpandDims", {.function = TFRT_OP(ExpandDims)});
  registry->Implement("tf.Reshape", {.function = TFRT_OP(Reshape)});
  registry->Implement("tf.Squeeze", {.function = TFRT_OP(Squeeze)});
}

}  // namespace tfrt
