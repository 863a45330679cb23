#include "model_network.h"

#include <algorithm>
#include <vector>

#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace read_text {

using tfrt::DenseHostTensor;
using tfrt::StatusOr;

StatusOr<ModelNetwork> ModelNetwork::Open(const std::string& path, tfrt::HostContext* host) {
  TFRT_ASSIGN_OR_RETURN(tfrt::Model model, tfrt::Model::Open(path, host));
  if (model.inputs().size() != 1 || model.outputs().size() != 1) {
    return tfrt::InvalidArgumentError(
        tfrt::StrCat(path, ": expected a model with one input and one output"));
  }
  TFRT_ASSIGN_OR_RETURN(tfrt::Session session, tfrt::Session::Create(model));
  return ModelNetwork(std::move(session));
}

StatusOr<Values> ModelNetwork::Run(const Values& input) {
  TFRT_ASSIGN_OR_RETURN(tfrt::TensorShape shape, tfrt::TensorShape::Create(input.shape));
  TFRT_ASSIGN_OR_RETURN(auto tensor,
                        DenseHostTensor::CreateUninitialized({tfrt::DType::kF32, std::move(shape)},
                                                             model().host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(auto elements, tfrt::MutableDenseView<float>::Create(tensor, "the input"));
  std::copy(input.elements.begin(), input.elements.end(), elements.data());
  const DenseHostTensor* inputs[] = {&tensor};
  TFRT_ASSIGN_OR_RETURN(std::vector<DenseHostTensor> outputs, session_.RunInOrder(inputs));
  TFRT_ASSIGN_OR_RETURN(auto result, tfrt::DenseView<float>::Create(outputs[0], "the output"));
  auto dims = result.shape().dims();
  return Values{{dims.begin(), dims.end()}, {result.elements().begin(), result.elements().end()}};
}

}  // namespace read_text
