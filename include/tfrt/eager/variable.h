// eager::Variable: a tensor that changes, such as the weights of a network in training.
//
//   Variable weights(Tensor::Of({0.5f, 0.25f}));
//   Tensor y = Mul(x, weights);
//   SgdUpdate(weights, gradient, 0.1f);
#ifndef TFRT_EAGER_VARIABLE_H_
#define TFRT_EAGER_VARIABLE_H_

#include <functional>
#include <memory>
#include <source_location>

#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::eager {

// Copies are the same variable. Thread-safe. Must not be used when its context is gone.
//
// An update makes a tensor, which takes the place of the one before; whoever has read that keeps it
// as it was. Reads and updates come one after the other in the order in which they are called, by
// whatever threads, in all modes. What is computed from what, not the time at which it is, decides:
// in ASYNC mode none of them waits.
//
// dtype, shape and device are those of the first value, for good. An update that fails, or is
// cancelled, leaves the value as it was; its result is the error.
class Variable {
 public:
  // No variable: reading it gives no tensor, updating it an error.
  Variable() = default;
  // Waits if dtype and shape of `initial` are not known yet. With an initial value that is, or
  // becomes, an error, reads are that error and updates fail with it.
  explicit Variable(Tensor initial);

  bool valid() const { return static_cast<bool>(shared_); }

  // The value that the updates called so far leave.
  Tensor Read() const;
  // An input of ops: the value as Read gives it.
  operator TensorArgument() const { return TensorArgument(Read()); }  // NOLINT: implicit by design

  // These return the new value, or the error of the update. In ASYNC mode it may come later.
  Tensor Assign(TensorArgument value, Location where = std::source_location::current());
  Tensor AssignAdd(TensorArgument value, Location where = std::source_location::current());
  Tensor AssignSub(TensorArgument value, Location where = std::source_location::current());
  // Any other update: `compute` makes the new value of the old one. Called once, at once. It must
  // neither read nor update the variable, and must not wait for the old value in ASYNC mode.
  Tensor Update(const std::function<Tensor(const Tensor& old)>& compute,
                Location where = std::source_location::current());

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// variable -= learning_rate * gradient (tfrt.SgdUpdate).
Tensor SgdUpdate(Variable& variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where = std::source_location::current());

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_VARIABLE_H_
