#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model.h"
#include "tfrt/support/str_cat.h"

namespace eager_models {

tfrt::eager::Tensor Model::Step() const {
  std::vector<tfrt::eager::Tensor> tensors;
  for (const tfrt::eager::HostArray& array : Inputs()) {
    tensors.push_back(tfrt::eager::Tensor::FromArray(array));
  }
  return Forward(tensors);
}

tfrt::StatusOr<std::unique_ptr<Model>> MakeModel(std::string_view name, int64_t batch) {
  if (name == "lenet") return MakeLenet(batch);
  if (name == "resnet50") return MakeResnet50(batch);
  if (name == "bert") return MakeBert(batch);
  return tfrt::InvalidArgumentError(
      tfrt::StrCat("there is no model '", name, "', only lenet, resnet50 and bert"));
}

}  // namespace eager_models
