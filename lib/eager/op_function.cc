#include "op_function.h"

#include "context_impl.h"
#include "node.h"

namespace tfrt::eager {

Tensor ErrorTensor(const OpDefinition& op, std::source_location where, const Status& error) {
  Scope::State* scope = CurrentScope();
  return Tensor(TakeRef(new TensorState(scope ? scope->context.context : nullptr, kHostDevice,
                                        MakeErrorAsyncValue(LocatedError(op, where, error)))));
}

Status SetDense(OpAttrs& attrs, std::string_view name, const HostArray& array) {
  if (!array.tensor().ok()) return array.tensor().status();
  const DenseHostTensor& tensor = *array.tensor();
  ShapeDims dims = tensor.shape().dims();
  attrs.SetDense(name, tensor.dtype(), dims,
                 {static_cast<const uint8_t*>(tensor.data()), tensor.size_bytes()});
  return OkStatus();
}

}  // namespace tfrt::eager
