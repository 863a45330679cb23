// ResNet-50 (He et al. 2015), with the strides of version 1.5.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model.h"
#include "random_arrays.h"
#include "tfrt/eager/ops.h"

namespace eager_models {
namespace {

using tfrt::eager::HostArray;
using tfrt::eager::Tensor;

// A convolution without bias, and the normalisation behind it.
class Convolution {
 public:
  // `scale` is about that of the normalisation.
  Convolution(RandomArrays& random, int64_t side, int64_t inputs, int64_t outputs, int64_t stride,
              float scale = 1)
      : stride_(stride),
        filter_(random.Weight({side, side, inputs, outputs}, side * side * inputs)),
        scale_(random.Vector({outputs}, 0.9f * scale, 1.1f * scale)),
        offset_(random.Vector({outputs}, -0.1f, 0.1f)),
        mean_(random.Vector({outputs}, -0.1f, 0.1f)),
        variance_(random.Vector({outputs}, 0.9f, 1.1f)) {}

  Tensor operator()(Tensor x) const {
    Tensor y = Conv2D(std::move(x), filter_, "SAME", {.strides = {1, stride_, stride_, 1}});
    return FusedBatchNormV3(std::move(y), scale_, offset_, mean_, variance_, {.epsilon = 1e-5f})[0];
  }

 private:
  int64_t stride_;
  Tensor filter_, scale_, offset_, mean_, variance_;
};

// 1x1, 3x3 and 1x1 convolutions beside what goes past them.
class Bottleneck {
 public:
  Bottleneck(RandomArrays& random, int64_t inputs, int64_t width, int64_t stride)
      : first_(random, 1, inputs, width, 1),
        second_(random, 3, width, width, stride),
        third_(random, 1, width, 4 * width, 1, 0.5f) {
    if (inputs != 4 * width) projection_.emplace(random, 1, inputs, 4 * width, stride);
  }

  Tensor operator()(Tensor x) const {
    Tensor y = Relu(first_(x));
    y = Relu(second_(std::move(y)));
    y = third_(std::move(y));
    if (projection_) x = (*projection_)(std::move(x));
    return Relu(AddV2(std::move(y), std::move(x)));
  }

 private:
  Convolution first_, second_, third_;
  std::optional<Convolution> projection_;
};

class Resnet50 : public Model {
 public:
  explicit Resnet50(int64_t batch)
      : random_(2),
        images_(random_.Uniform({batch, 224, 224, 3}, -1, 1)),
        stem_(random_, 7, 3, 64, 2),
        classes_(random_.Weight({2048, 1000}, 2048)),
        classes_bias_(random_.Vector({1000}, -0.1f, 0.1f)) {
    constexpr std::array<int, 4> kNumBlocks = {3, 4, 6, 3};
    int64_t inputs = 64, width = 64;
    for (size_t stage = 0; stage < kNumBlocks.size(); ++stage, width *= 2) {
      for (int i = 0; i < kNumBlocks[stage]; ++i) {
        blocks_.emplace_back(random_, inputs, width, stage > 0 && i == 0 ? 2 : 1);
        inputs = 4 * width;
      }
    }
  }

  std::vector<HostArray> Inputs() const override { return {images_}; }
  Tensor Forward(std::span<const Tensor> inputs) const override {
    Tensor x = Relu(stem_(inputs[0]));
    x = MaxPool(std::move(x), {1, 3, 3, 1}, "SAME", {.strides = {1, 2, 2, 1}});
    for (const Bottleneck& block : blocks_) x = block(std::move(x));
    x = GlobalAveragePool(std::move(x));
    return Softmax(MatMulBias(std::move(x), classes_, classes_bias_));
  }

 private:
  RandomArrays random_;
  HostArray images_;
  Convolution stem_;
  std::vector<Bottleneck> blocks_;
  Tensor classes_, classes_bias_;
};

}  // namespace

std::unique_ptr<Model> MakeResnet50(int64_t batch) { return std::make_unique<Resnet50>(batch); }

}  // namespace eager_models
