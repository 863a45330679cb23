#include "tfrt/core_runtime/op_call.h"

#include <bit>

#include "op_function_scope.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

thread_local constinit bool in_op_function = false;

bool OpCall::IsReusable(size_t index) const {
  if (index >= 64 || (parts_.last_uses >> index & 1) == 0) return false;
  AsyncValue* value = argument(index);
  return value && value->IsType<DenseHostTensor>() &&
         IsReusable(*value, value->get<DenseHostTensor>());
}

void OpCall::ReportError(Status error) {
  if (error.ok()) [[unlikely]]
    internal::SetMissingError(&error);
  if (error_.ok()) error_ = std::move(error);
}

StatusOr<DenseHostTensor> OpCall::Allocate(const TensorMetadata& metadata) const {
  auto tensor = DenseHostTensor::CreateUninitialized(metadata, allocator());
  if (!tensor.ok()) [[unlikely]]
    refused_ = std::make_unique<TensorMetadata>(metadata);
  return tensor;
}

StatusOr<DenseHostTensor> OpCall::AllocateOver(const TensorMetadata& metadata,
                                               uint64_t candidates) const {
  for (uint64_t left = candidates & parts_.last_uses; left != 0; left &= left - 1) {
    const auto index = static_cast<size_t>(std::countr_zero(left));
    if (!IsReusable(index)) continue;
    const auto& tensor = argument(index)->get<DenseHostTensor>();
    if (tensor.metadata() == metadata) return tensor.ShareBuffer();
  }
  return Allocate(metadata);
}

namespace internal {

Status UnexpectedTensorType(const OpCall& call, size_t index) {
  return InvalidArgumentError(StrCat(call.op_name(), ": argument ", index, " is a ",
                                     call.argument(index)->get<Tensor>().tensor_type().name(),
                                     " tensor, which the op does not take"));
}

Status UnknownMetadata(const OpCall& call, size_t index) {
  return UnimplementedError(StrCat(call.op_name(), ": the shape of result ", index,
                                   " depends on elements, and the op has to know it before"));
}

Status WrongArgumentCount(std::string_view op_name, size_t wanted, size_t given, bool at_least) {
  return InvalidArgumentError(StrCat(op_name, " takes ", at_least ? "at least " : "", wanted,
                                     " arguments, but there are ", given));
}

Status ThrownError(std::string_view op_name, const char* what) {
  return InternalError(StrCat(op_name, ": the op's function threw an exception", what ? ": " : "",
                              what ? what : ""));
}

Status ThrownMetadataError(const char* what) {
  return InternalError(
      StrCat("the op's metadata function threw an exception", what ? ": " : "", what ? what : ""));
}

Status WrongResultCount(std::string_view op_name, size_t wanted, size_t given) {
  return InvalidArgumentError(
      StrCat(op_name, " has ", wanted, " results, but is asked for ", given));
}

}  // namespace internal
}  // namespace tfrt
