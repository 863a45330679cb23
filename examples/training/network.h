// Networks that are trained: parameters, a loss, and what they are trained on.
#ifndef TFRT_EXAMPLES_TRAINING_NETWORK_H_
#define TFRT_EXAMPLES_TRAINING_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tfrt/eager/tensor.h"
#include "tfrt/eager/variable.h"
#include "tfrt/support/status.h"

namespace training {

struct Parameter {
  std::string name;
  std::vector<int64_t> dims;
  tfrt::eager::Variable value;
};

// Made in a scope, and used in scopes of the same context.
struct Network {
  std::vector<Parameter> parameters;
  // The mean loss of a batch; calls ops.
  std::function<tfrt::eager::Tensor(const tfrt::eager::Tensor& inputs,
                                    const tfrt::eager::Tensor& labels)>
      loss;
  // The batch of a step; labels are i32.
  std::function<tfrt::eager::Tensor(size_t step)> inputs, labels;
  float learning_rate = 0;
  float momentum = 0;
};

// LeNet-5 on handwritten digits: images [64,28,28,1] and labels [64].
tfrt::StatusOr<Network> MakeLeNet();
// A transformer that learns to continue a text: characters [8,24] and those that come next.
tfrt::StatusOr<Network> MakeTransformer();

}  // namespace training

#endif  // TFRT_EXAMPLES_TRAINING_NETWORK_H_
