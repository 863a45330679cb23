// LeNet-5: the network of examples/eager.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "model.h"
#include "network.h"  // of examples/eager
#include "random_arrays.h"

namespace eager_models {
namespace {

using tfrt::eager::HostArray;
using tfrt::eager::Tensor;

class Lenet : public Model {
 public:
  Lenet(lenet::EagerNetwork network, HostArray images)
      : network_(std::move(network)), images_(std::move(images)) {}

  std::vector<HostArray> Inputs() const override { return {images_}; }
  Tensor Forward(std::span<const Tensor> inputs) const override {
    return network_.Logits(inputs[0]);
  }

 private:
  const lenet::EagerNetwork network_;
  const HostArray images_;
};

}  // namespace

tfrt::StatusOr<std::unique_ptr<Model>> MakeLenet(int64_t batch) {
  TFRT_ASSIGN_OR_RETURN(lenet::EagerNetwork network,
                        lenet::EagerNetwork::Create(lenet::InitialWeights()));
  RandomArrays random(1);
  return std::make_unique<Lenet>(std::move(network), random.Uniform({batch, 28, 28, 1}, 0, 1));
}

}  // namespace eager_models
