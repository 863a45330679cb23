// BERT base, uncased (Devlin et al. 2018): 12 layers of width 768 with 12 heads, 30,522 words.

#include <cstdint>
#include <memory>
#include <numeric>
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

constexpr int64_t kNumLayers = 12, kWidth = 768, kNumHeads = 12, kHeadWidth = kWidth / kNumHeads;
constexpr int64_t kInnerWidth = 3072, kNumTokens = 128, kNumPositions = 512;
constexpr int32_t kNumWords = 30522, kNumSegments = 2;
constexpr float kEpsilon = 1e-12f;
// The weights' standard deviation is 0.02.
constexpr float kBound = 0.0346f;

// Rows [N,inputs] to rows [N,outputs].
class Dense {
 public:
  Dense(RandomArrays& random, int64_t inputs, int64_t outputs)
      : weights_(random.Vector({inputs, outputs}, -kBound, kBound)),
        bias_(random.Vector({outputs}, -kBound, kBound)) {}
  Tensor operator()(const Tensor& x, const char* activation = "none") const {
    return MatMulBias(x, weights_, bias_, {.activation = activation});
  }

 private:
  Tensor weights_, bias_;
};

class Normalisation {
 public:
  explicit Normalisation(RandomArrays& random)
      : scale_(random.Vector({kWidth}, 0.9f, 1.1f)),
        offset_(random.Vector({kWidth}, -0.1f, 0.1f)) {}
  Tensor operator()(Tensor x) const {
    return LayerNorm(std::move(x), scale_, offset_, {.epsilon = kEpsilon});
  }

 private:
  Tensor scale_, offset_;
};

// On rows [batch * kNumTokens, kWidth].
class Layer {
 public:
  Layer(RandomArrays& random, int64_t batch)
      : batch_(batch),
        query_(random, kWidth, kWidth),
        key_(random, kWidth, kWidth),
        value_(random, kWidth, kWidth),
        attended_(random, kWidth, kWidth),
        attention_norm_(random),
        inner_(random, kWidth, kInnerWidth),
        outer_(random, kInnerWidth, kWidth),
        norm_(random) {}

  // `mask`, [batch,1,1,kNumTokens], is added to the scores.
  Tensor operator()(const Tensor& x, const Tensor& mask) const {
    Tensor scores = BatchMatMulV2(ByHeads(query_(x)), ByHeads(key_(x)), {.adj_y = true});
    scores = Mul(std::move(scores), 0.125f);  // 1 / sqrt(kHeadWidth)
    Tensor weights = Softmax(AddV2(std::move(scores), mask));
    Tensor heads = BatchMatMulV2(std::move(weights), ByHeads(value_(x)));
    Tensor rows = Reshape(Transpose(std::move(heads), {0, 2, 1, 3}), {int64_t{-1}, kWidth});
    Tensor attended = attention_norm_(AddV2(attended_(rows), x));
    Tensor inner = Gelu(inner_(attended));
    return norm_(AddV2(outer_(inner), attended));
  }

 private:
  // [batch * kNumTokens, kWidth] -> [batch, kNumHeads, kNumTokens, kHeadWidth]
  Tensor ByHeads(Tensor x) const {
    return Transpose(Reshape(std::move(x), {batch_, kNumTokens, kNumHeads, kHeadWidth}),
                     {0, 2, 1, 3});
  }

  int64_t batch_;
  Dense query_, key_, value_, attended_;
  Normalisation attention_norm_;
  Dense inner_, outer_;
  Normalisation norm_;
};

// [batch,kNumTokens]: 1 for tokens of the text, 0 for those that only fill it up. Texts have
// different lengths.
HostArray MaskOf(int64_t batch) {
  std::vector<float> mask;
  for (int64_t text = 0; text < batch; ++text) {
    const int64_t length = kNumTokens - text * 7 % 32;
    for (int64_t i = 0; i < kNumTokens; ++i) mask.push_back(i < length ? 1 : 0);
  }
  return HostArray::Take({batch, kNumTokens}, std::move(mask));
}

HostArray FirstPositions() {
  std::vector<int32_t> positions(kNumTokens);
  std::iota(positions.begin(), positions.end(), 0);
  return HostArray::Take({kNumTokens}, std::move(positions));
}

class Bert : public Model {
 public:
  explicit Bert(int64_t batch)
      : random_(3),
        batch_(batch),
        words_(random_.Indices({batch, kNumTokens}, kNumWords)),
        segments_(random_.Indices({batch, kNumTokens}, kNumSegments)),
        mask_(MaskOf(batch)),
        positions_(FirstPositions()),
        word_table_(random_.Vector({kNumWords, kWidth}, -kBound, kBound)),
        segment_table_(random_.Vector({kNumSegments, kWidth}, -kBound, kBound)),
        position_table_(random_.Vector({kNumPositions, kWidth}, -kBound, kBound)),
        embedding_norm_(random_),
        pooler_(random_, kWidth, kWidth) {
    for (int64_t i = 0; i < kNumLayers; ++i) layers_.emplace_back(random_, batch);
  }

  std::vector<HostArray> Inputs() const override { return {words_, segments_, mask_}; }
  Tensor Forward(std::span<const Tensor> inputs) const override {
    // 0 where the mask is 1, -10000 where it is 0.
    Tensor mask = Mul(Sub(1.0f, inputs[2]), -10000.0f);
    mask = Reshape(std::move(mask), {batch_, int64_t{1}, int64_t{1}, kNumTokens});
    Tensor x = AddV2(GatherV2(word_table_, inputs[0], 0), GatherV2(segment_table_, inputs[1], 0));
    x = AddV2(std::move(x), GatherV2(position_table_, positions_, 0));
    x = Reshape(embedding_norm_(std::move(x)), {int64_t{-1}, kWidth});
    for (const Layer& layer : layers_) x = layer(x, mask);
    // The first token of each text.
    Tensor tokens = Reshape(std::move(x), {batch_, kNumTokens, kWidth});
    Tensor first = Slice(std::move(tokens), {0, 0, 0}, {-1, 1, -1});
    return pooler_(Reshape(std::move(first), {int64_t{-1}, kWidth}), "tanh");
  }

 private:
  RandomArrays random_;
  int64_t batch_;
  HostArray words_, segments_, mask_, positions_;
  Tensor word_table_, segment_table_, position_table_;
  Normalisation embedding_norm_;
  Dense pooler_;
  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<Model> MakeBert(int64_t batch) { return std::make_unique<Bert>(batch); }

}  // namespace eager_models
