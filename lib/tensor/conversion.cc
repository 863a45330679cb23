#include "tfrt/tensor/conversion.h"

#include <cassert>

#include "tfrt/support/str_cat.h"

namespace tfrt {

ConversionRegistry::ConversionRegistry(HostContext*) {
  [[maybe_unused]] Status status = RegisterHostTensorConversions(this);
  assert(status.ok());
}

Status ConversionRegistry::Add(TensorType from, TensorType to, TensorConversion conversion) {
  if (conversions_.try_emplace({from, to}, conversion).second) return OkStatus();
  return AlreadyExistsError(StrCat("the conversion from ", from.name(), " tensors to ", to.name(),
                                   " tensors is registered twice"));
}

AsyncValueRef<Tensor> ConversionRegistry::Convert(const Tensor& tensor, TensorType to,
                                                  const ExecutionContext& exec_ctx) const {
  auto conversion = conversions_.find({tensor.tensor_type(), to});
  if (conversion == conversions_.end()) {
    return InvalidArgumentError(StrCat("cannot find conversion function for [",
                                       tensor.tensor_type().name(), "]->[", to.name(), "]"));
  }
  return conversion->second(tensor, exec_ctx);
}

}  // namespace tfrt
