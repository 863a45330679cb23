#include "network.h"

#include <utility>

#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace lenet {

using tfrt::eager::HostArray;
using tfrt::eager::Int64List;
using tfrt::eager::Tensor;

namespace {

constexpr float kLearningRate = 0.03f;

// Pooling of 2x2 pixels into one.
Int64List TwoByTwo() { return {1, 2, 2, 1}; }

}  // namespace

tfrt::StatusOr<EagerNetwork> EagerNetwork::Create(std::span<const float> weights) {
  if (weights.size() != kNumWeights) {
    return tfrt::InvalidArgumentError(
        tfrt::StrCat(weights.size(), " weights, expected ", kNumWeights));
  }
  EagerNetwork network;
  for (size_t i = 0; i < network.weights_.size(); ++i) {
    const tfrt::TensorShape& shape = WeightShapes()[i];
    auto count = static_cast<size_t>(shape.num_elements());
    network.weights_[i] = Tensor::FromArray(HostArray(shape.dims(), weights.first(count)));
    weights = weights.subspan(count);
  }
  return network;
}

EagerNetwork::Layers EagerNetwork::Forward(const Tensor& images) const {
  const auto& [w1, b1, w2, b2, w3, b3, w4, b4, w5, b5] = weights_;
  Layers out;
  out.conv1 = Conv2DBias(images, w1, b1, "SAME", {.activation = "relu"});
  out.pool1 = MaxPool(out.conv1, TwoByTwo(), "VALID", {.strides = TwoByTwo()});
  out.conv2 = Conv2DBias(out.pool1, w2, b2, "VALID", {.activation = "relu"});
  out.pool2 = MaxPool(out.conv2, TwoByTwo(), "VALID", {.strides = TwoByTwo()});
  out.flat = Reshape(out.pool2, HostArray({2}, {-1, 400}));
  out.fc1 = MatMulBias(out.flat, w3, b3, {.activation = "relu"});
  out.fc2 = MatMulBias(out.fc1, w4, b4, {.activation = "relu"});
  out.logits = MatMulBias(out.fc2, w5, b5);
  return out;
}

Tensor EagerNetwork::Logits(const Tensor& images) const { return Forward(images).logits; }

Tensor EagerNetwork::TrainStep(const Tensor& images, const Tensor& labels) {
  Layers out = Forward(images);
  auto [losses, d] = SparseSoftmaxCrossEntropyWithLogits(out.logits, labels);
  Tensor loss = Mean(losses, HostArray({1}, {0}));
  // The mean over the images.
  auto share = HostArray({}, {1 / static_cast<float>(kTrainBatch)});
  d = Mul(std::move(d), share);

  // `d` is the gradient of the output of one layer after the other, `gradients` are those of the
  // weights.
  const auto& [w1, b1, w2, b2, w3, b3, w4, b4, w5, b5] = weights_;
  std::array<Tensor, 10> gradients;
  auto& [dw1, db1, dw2, db2, dw3, db3, dw4, db4, dw5, db5] = gradients;
  dw5 = MatMul(out.fc2, d, {.transpose_a = true});
  db5 = BiasAddGrad(d);
  d = ReluGrad(MatMul(d, w5, {.transpose_b = true}), out.fc2);
  dw4 = MatMul(out.fc1, d, {.transpose_a = true});
  db4 = BiasAddGrad(d);
  d = ReluGrad(MatMul(d, w4, {.transpose_b = true}), out.fc1);
  dw3 = MatMul(out.flat, d, {.transpose_a = true});
  db3 = BiasAddGrad(d);
  d = Reshape(MatMul(d, w3, {.transpose_b = true}), Shape(out.pool2));

  d = MaxPoolGrad(out.conv2, out.pool2, d, TwoByTwo(), "VALID", {.strides = TwoByTwo()});
  d = ReluGrad(std::move(d), out.conv2);
  dw2 = Conv2DBackpropFilter(out.pool1, Shape(w2), d, "VALID");
  db2 = BiasAddGrad(d);
  d = Conv2DBackpropInput(Shape(out.pool1), w2, d, "VALID");
  d = MaxPoolGrad(out.conv1, out.pool1, d, TwoByTwo(), "VALID", {.strides = TwoByTwo()});
  d = ReluGrad(std::move(d), out.conv1);
  dw1 = Conv2DBackpropFilter(images, Shape(w1), d, "SAME");
  db1 = BiasAddGrad(d);

  Tensor rate = Tensor::Scalar(kLearningRate);
  for (size_t i = 0; i < weights_.size(); ++i) {
    // Moved, so that the new weights take the place of the old ones.
    weights_[i] = SgdUpdate(std::move(weights_[i]), gradients[i], rate);
  }
  return loss;
}

}  // namespace lenet
