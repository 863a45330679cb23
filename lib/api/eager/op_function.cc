#include "op_function.h"

#include <cstdint>

#include "context_impl.h"
#include "node.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

// With its shape it must fit in 32 bits of length (docs/reference/bef_format.md).
constexpr size_t kMaxConstantBytes = UINT32_MAX - 4096;

}  // namespace

void TensorArgument::CopyFrom(const TensorArgument& other) {
  if (other.kind_ == Kind::kArray) {
    ::new (&array_) HostArray(other.array_);
  } else {
    state_ = other.state_;
    if (other.is_moved()) state_->AddRef();
  }
  kind_ = other.kind_;
}

void TensorArgument::End() {
  if (kind_ == Kind::kArray) {
    array_.~HostArray();
  } else if (is_moved()) {
    state_->DropRef();
  }
  kind_ = Kind::kBorrowed;
  state_ = nullptr;
}

Tensor ErrorTensor(const OpDefinition& op, Location where, const Status& error) {
  Scope::State* scope = CurrentScope();
  if (scope) (void)scope->context.host->EmitError(where, error);
  return Tensor(TakeRef(new TensorState(scope ? scope->ShareCore() : nullptr, kHostDevice,
                                        MakeErrorAsyncValue(LocatedError(op, where, error)))));
}

Status SetDense(OpAttrs& attrs, std::string_view name, const HostArray& array) {
  if (!array.tensor().ok()) return array.tensor().status();
  const DenseHostTensor& tensor = *array.tensor();
  if (tensor.size_bytes() > kMaxConstantBytes) {
    return InvalidArgumentError(StrCat("the attribute '", name, "' takes ", tensor.size_bytes(),
                                       " bytes; constants have at most ", kMaxConstantBytes));
  }
  ShapeDims dims = tensor.shape().dims();
  attrs.SetDense(name, tensor.dtype(), dims,
                 {static_cast<const uint8_t*>(tensor.data()), tensor.size_bytes()});
  return OkStatus();
}

}  // namespace tfrt::eager
