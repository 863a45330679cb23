// ConversionRegistry: how tensors of one type become tensors of another.
//
//   auto& conversions = host->GetOrCreateSharedContext<ConversionRegistry>();
//   AsyncValueRef<Tensor> dense = conversions.Convert(*tensor, kDenseHostTensorType, exec_ctx);
#ifndef TFRT_TENSOR_CONVERSION_H_
#define TFRT_TENSOR_CONVERSION_H_

#include <map>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

class HostContext;

// Makes a tensor of another type with the same elements, or an error. `tensor` is borrowed until
// the function returns. The result may share memory with it, and may become available later.
using TensorConversion = AsyncValueRef<Tensor> (*)(const Tensor& tensor,
                                                   const ExecutionContext& exec_ctx);

// Thread-safe, but for Add, which comes before the first Convert.
class ConversionRegistry : public SharedContext {
 public:
  // Empty.
  ConversionRegistry() = default;
  // The host's registry, a shared context: with the conversions between host tensors.
  explicit ConversionRegistry(HostContext* host);

  // AlreadyExists if there is such a conversion, which then stays.
  Status Add(TensorType from, TensorType to, TensorConversion conversion);

  // InvalidArgument "cannot find conversion function for [StringHost]->[CooHost]".
  AsyncValueRef<Tensor> Convert(const Tensor& tensor, TensorType to,
                                const ExecutionContext& exec_ctx) const;

 private:
  std::map<std::pair<TensorType, TensorType>, TensorConversion> conversions_;
};

// dense to dense (shares the buffer), scalar to dense, scalar to scalar, sparse to dense, sparse to
// scalar (if all elements are equal), string to string (shares the strings).
Status RegisterHostTensorConversions(ConversionRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_TENSOR_CONVERSION_H_
