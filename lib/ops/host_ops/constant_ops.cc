// tf.Const. Compiled programs have a kernel of their own for constants.

#include <algorithm>
#include <cstring>

#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<TensorMetadata> ConstMetadata(const OpAttrsRef& attrs) {
  auto value = attrs.GetDense("value");
  if (!value) return InvalidArgumentError("tf.Const needs a `value` dense attribute");
  const DType dtype = DTypeFromCode(value->element_code());
  if (attrs.Find("dtype") && attrs.GetType("dtype") != dtype) {
    return InvalidArgumentError("dtype attribute mismatch with expected tensor dtype");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(value->shape()));
  return TensorMetadata{dtype, std::move(shape)};
}

StatusOr<DenseHostTensor> Const(const OpAttrsRef& attrs, const TensorMetadata& result,
                                OpCall& call) {
  const DenseAttribute value = *attrs.GetDense("value");
  if (result.dtype == DType::kI1) {
    auto bad = std::ranges::find_if(value.bytes(), [](uint8_t byte) { return byte > 1; });
    if (bad != value.bytes().end()) {
      return InvalidArgumentError(StrCat("tf.Const: element ", bad - value.bytes().begin(),
                                         " of the i1 `value` is ", int{*bad}));
    }
  }
  // Attributes with an owner are used where they lie.
  const bool aligned = reinterpret_cast<uintptr_t>(value.bytes().data()) % 8 == 0;
  if (attrs.is_frozen() && aligned) {
    return DenseHostTensor::CreateFromBuffer(
        result, HostBuffer::CreateFromConstant(value.bytes().data(), value.bytes().size(),
                                               [owner = attrs](void*, size_t) {}));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  if (out.size_bytes() != value.bytes().size()) {
    return InvalidArgumentError(StrCat("tf.Const: the `value` attribute has ", value.bytes().size(),
                                       " bytes, but its shape needs ", out.size_bytes()));
  }
  if (out.size_bytes() > 0) {
    std::memcpy(WritableData<char>(out), value.bytes().data(), out.size_bytes());
  }
  return out;
}

}  // namespace

void RegisterConstantOps(OpRegistry* registry) {
  registry->Implement("tf.Const",
                      {.metadata = TFRT_OP_METADATA(ConstMetadata), .function = TFRT_OP(Const)});
}

}  // namespace tfrt
