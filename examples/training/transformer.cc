// A small transformer: embeddings of characters and places, two blocks of attention to what comes
// before and of a perceptron, each behind a normalisation and around a sum, and the logits of the
// next character.

#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "network.h"
#include "tfrt/eager/ops.h"

namespace training {

using tfrt::eager::HostArray;
using tfrt::eager::Tensor;
using tfrt::eager::Variable;

namespace {

constexpr int64_t kBatch = 8, kLength = 24, kWidth = 32, kHeads = 4, kHidden = 64, kBlocks = 2;
constexpr int64_t kCharacters = 27;  // a to z, and what is between words
constexpr std::string_view kText =
    "a program is traced once and compiled and then it runs as often as it is called with other "
    "numbers each time and what it learns it keeps in its variables from one call to the next one";

class Transformer {
 public:
  Transformer() {
    Add("characters", {kCharacters, kWidth}, 0.3f);
    Add("places", {kLength, kWidth}, 0.3f);
    for (int64_t i = 0; i < kBlocks; ++i) {
      AddNorm();
      for (const char* name : {"query", "key", "value", "output"}) AddLinear(name, kWidth, kWidth);
      AddNorm();
      AddLinear("hidden", kWidth, kHidden);
      AddLinear("back", kHidden, kWidth);
    }
    AddNorm();
    AddLinear("logits", kWidth, kCharacters);
  }

  const std::vector<Parameter>& parameters() const { return parameters_; }

  Tensor Loss(const Tensor& characters, const Tensor& next) const {
    size_t at = 0;  // of the parameters, in the order in which they were added
    Tensor x = GatherV2(Next(at), characters, int64_t{0});
    x = x + Next(at);
    x = Reshape(x, HostArray({2}, {kBatch * kLength, kWidth}));
    for (int64_t i = 0; i < kBlocks; ++i) {
      x = x + Attention(Norm(x, at), at);
      const Tensor hidden = Gelu(Linear(Norm(x, at), at));
      x = x + Linear(hidden, at);
    }
    const Tensor logits = Linear(Norm(x, at), at);
    const Tensor labels = Reshape(next, HostArray({1}, {kBatch * kLength}));
    return Mean(SparseSoftmaxCrossEntropyWithLogits(logits, labels)[0], HostArray({1}, {0}));
  }

 private:
  void Add(std::string name, std::vector<int64_t> dims, float scale, float mean = 0) {
    size_t count = 1;
    for (int64_t dim : dims) count *= static_cast<size_t>(dim);
    std::vector<float> elements(count);
    std::uniform_real_distribution<float> element(mean - scale, mean + scale);
    for (float& each : elements) each = element(random_);
    const HostArray array(dims, elements);
    parameters_.push_back({std::move(name), std::move(dims), Variable(Tensor::FromArray(array))});
  }
  void AddNorm() {
    Add("scale", {kWidth}, 0.1f, 1);
    Add("offset", {kWidth}, 0.1f);
  }
  void AddLinear(const std::string& name, int64_t from, int64_t to) {
    Add(name, {from, to}, std::sqrt(3.0f / static_cast<float>(from)));
    Add(name + "_bias", {to}, 0.1f);
  }

  Tensor Next(size_t& at) const { return parameters_[at++].value.Read(); }
  Tensor Norm(const Tensor& x, size_t& at) const {
    const Tensor scale = Next(at), offset = Next(at);
    return LayerNorm(x, scale, offset, {.epsilon = 1e-5f});
  }
  Tensor Linear(const Tensor& x, size_t& at) const {
    const Tensor matrix = Next(at), bias = Next(at);
    return BiasAdd(MatMul(x, matrix), bias);
  }
  // [batch * length, width] -> [batch, heads, length, width / heads]
  static Tensor Heads(const Tensor& x) {
    return Transpose(Reshape(x, HostArray({4}, {kBatch, kLength, kHeads, kWidth / kHeads})),
                     HostArray({4}, {0, 2, 1, 3}));
  }
  Tensor Attention(const Tensor& x, size_t& at) const {
    const Tensor q = Heads(Linear(x, at)), k = Heads(Linear(x, at)), v = Heads(Linear(x, at));
    const float scale = 1 / std::sqrt(static_cast<float>(kWidth / kHeads));
    // What comes later is not seen.
    std::vector<float> mask(kLength * kLength);
    for (size_t i = 0; i < kLength; ++i) {
      for (size_t j = i + 1; j < kLength; ++j) mask[i * kLength + j] = -1e9f;
    }
    const Tensor scores = BatchMatMulV2(q, k, {.adj_y = true}) * scale +
                          Tensor::FromArray(HostArray({kLength, kLength}, mask));
    const Tensor seen = Transpose(BatchMatMulV2(Softmax(scores), v), HostArray({4}, {0, 2, 1, 3}));
    return Linear(Reshape(seen, HostArray({2}, {kBatch * kLength, kWidth})), at);
  }

  std::mt19937 random_{7};
  std::vector<Parameter> parameters_;
};

// Batch `step`: pieces of the text, which begin `later` characters later.
Tensor Pieces(size_t step, size_t later) {
  std::vector<int32_t> characters;
  for (size_t i = 0; i < kBatch; ++i) {
    const size_t first = (step * kBatch + i) * 37 + later;
    for (size_t j = 0; j < kLength; ++j) {
      const char c = kText[(first + j) % kText.size()];
      characters.push_back(c == ' ' ? 26 : c - 'a');
    }
  }
  return Tensor::FromArray(HostArray({kBatch, kLength}, characters));
}

}  // namespace

tfrt::StatusOr<Network> MakeTransformer() {
  auto transformer = std::make_shared<const Transformer>();
  return Network{
      .parameters = transformer->parameters(),
      .loss = [transformer](const Tensor& inputs,
                            const Tensor& labels) { return transformer->Loss(inputs, labels); },
      .inputs = [](size_t step) { return Pieces(step, 0); },
      .labels = [](size_t step) { return Pieces(step, 1); },
      .learning_rate = 0.05f,
      .momentum = 0.9f};
}

}  // namespace training
