// LeNet-5, op by op: no program, no compiler.
#ifndef TFRT_EXAMPLES_EAGER_NETWORK_H_
#define TFRT_EXAMPLES_EAGER_NETWORK_H_

#include <array>
#include <span>

#include "data.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/status.h"

namespace lenet {

// Its functions call ops, so that the thread needs a scope of one context for all of them. They
// return at once in ASYNC mode; what goes wrong becomes an error of the tensors.
class EagerNetwork {
 public:
  // InvalidArgument if there are not as many `weights` as data.h says.
  static tfrt::StatusOr<EagerNetwork> Create(std::span<const float> weights);

  // Images [N,28,28,1] -> logits [N,10].
  tfrt::eager::Tensor Logits(const tfrt::eager::Tensor& images) const;

  // One step of gradient descent on images [N,28,28,1] and labels i32 [N]. Returns the mean loss
  // before it.
  tfrt::eager::Tensor TrainStep(const tfrt::eager::Tensor& images,
                                const tfrt::eager::Tensor& labels);

 private:
  // The outputs of the layers.
  struct Layers {
    tfrt::eager::Tensor conv1, pool1, conv2, pool2, flat, fc1, fc2, logits;
  };

  EagerNetwork() = default;
  Layers Forward(const tfrt::eager::Tensor& images) const;

  std::array<tfrt::eager::Tensor, 10> weights_;  // w1, b1, ... w5, b5
};

}  // namespace lenet

#endif  // TFRT_EXAMPLES_EAGER_NETWORK_H_
