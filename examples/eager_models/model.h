// Networks of three kinds, op by op, as a program to be profiled needs them: a step takes arrays of
// the program and gives one tensor. Weights are random numbers of the right shapes, the same ones
// each time: what is computed means nothing, how long it takes does.
#ifndef TFRT_EXAMPLES_EAGER_MODELS_MODEL_H_
#define TFRT_EXAMPLES_EAGER_MODELS_MODEL_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/eager/tensor.h"
#include "tfrt/support/status.h"

namespace eager_models {

// Calls ops, so that the thread needs a scope of one context for all that it does. They return at
// once in ASYNC mode; what goes wrong becomes an error of the result.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  // The arrays that a step begins with.
  virtual std::vector<tfrt::eager::HostArray> Inputs() const = 0;
  // From tensors of Inputs() to the result, which is f32: what a function profiles.
  virtual tfrt::eager::Tensor Forward(std::span<const tfrt::eager::Tensor> inputs) const = 0;
  // One step, from arrays to the result.
  tfrt::eager::Tensor Step() const;
};

// LeNet-5 of examples/eager on images [batch,28,28,1]: logits [batch,10].
tfrt::StatusOr<std::unique_ptr<Model>> MakeLenet(int64_t batch);

// ResNet-50 on images [batch,224,224,3]: probabilities [batch,1000]. Strides are those of version
// 1.5, in the 3x3 convolutions; batch normalisation is an op of its own.
std::unique_ptr<Model> MakeResnet50(int64_t batch);

// BERT base, uncased, on texts of 128 tokens: the pooled output [batch,768].
std::unique_ptr<Model> MakeBert(int64_t batch);

// One of them by name: "lenet", "resnet50" or "bert". InvalidArgument for another name.
tfrt::StatusOr<std::unique_ptr<Model>> MakeModel(std::string_view name, int64_t batch);

}  // namespace eager_models

#endif  // TFRT_EXAMPLES_EAGER_MODELS_MODEL_H_
