// LeNet-5. The loss is all that is written: its gradients follow from it.

#include <memory>
#include <span>
#include <utility>

#include "data.h"
#include "network.h"
#include "tfrt/eager/ops.h"

namespace training {

using tfrt::eager::HostArray;
using tfrt::eager::Int64List;
using tfrt::eager::Tensor;
using tfrt::eager::Variable;

namespace {

Tensor Loss(std::span<const Parameter> p, const Tensor& images, const Tensor& labels) {
  const Int64List two_by_two = {1, 2, 2, 1};
  Tensor x = Conv2DBias(images, p[0].value, p[1].value, "SAME", {.activation = "relu"});
  x = MaxPool(x, two_by_two, "VALID", {.strides = two_by_two});
  x = Conv2DBias(x, p[2].value, p[3].value, "VALID", {.activation = "relu"});
  x = MaxPool(x, two_by_two, "VALID", {.strides = two_by_two});
  x = Reshape(x, HostArray({2}, {-1, 400}));
  x = MatMulBias(x, p[4].value, p[5].value, {.activation = "relu"});
  x = MatMulBias(x, p[6].value, p[7].value, {.activation = "relu"});
  x = MatMulBias(x, p[8].value, p[9].value);
  return Mean(SparseSoftmaxCrossEntropyWithLogits(x, labels)[0], HostArray({1}, {0}));
}

}  // namespace

tfrt::StatusOr<Network> MakeLeNet() {
  TFRT_ASSIGN_OR_RETURN(lenet::Data read, lenet::ReadData(TFRT_LENET_DATA, TFRT_DIGITS_DATA));
  auto data = std::make_shared<const lenet::Data>(std::move(read));
  auto parameters = std::make_shared<std::vector<Parameter>>();
  const std::vector<float> initial = lenet::InitialWeights();
  std::span<const float> rest = initial;
  for (const tfrt::TensorShape& shape : lenet::WeightShapes()) {
    const auto dims = shape.dims();
    const auto count = static_cast<size_t>(shape.num_elements());
    const std::string name =
        (parameters->size() % 2 == 0 ? "w" : "b") + std::to_string(parameters->size() / 2 + 1);
    parameters->push_back({name,
                           {dims.begin(), dims.end()},
                           Variable(Tensor::FromArray(HostArray(dims, rest.first(count))))});
    rest = rest.subspan(count);
  }
  constexpr size_t kBatch = lenet::kTrainBatch, kBatches = lenet::kNumImages / kBatch;
  return Network{
      .parameters = *parameters,
      .loss = [parameters](const Tensor& images,
                           const Tensor& labels) { return Loss(*parameters, images, labels); },
      .inputs =
          [data](size_t step) {
            const size_t first = step % kBatches * kBatch * lenet::kPixels;
            const std::span pixels =
                std::span(data->images).subspan(first, kBatch * lenet::kPixels);
            return Tensor::FromArray(
                HostArray({int64_t{kBatch}, lenet::kSide, lenet::kSide, 1}, pixels));
          },
      .labels =
          [data](size_t step) {
            const std::span truth =
                std::span(data->labels).subspan(step % kBatches * kBatch, kBatch);
            return Tensor::FromArray(HostArray({int64_t{kBatch}}, truth));
          },
      .learning_rate = 0.03f};
}

}  // namespace training
