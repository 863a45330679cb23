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
#include <span>
#include <string_view>
#include <vector>

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
  // becomes, an error, reads are that error and updates fail with it. In a function that is traced
  // (docs/functions.md) `initial` is computed now, once.
  explicit Variable(Tensor initial, Location where = std::source_location::current());

  bool valid() const { return static_cast<bool>(shared_); }
  // The same of all copies, and no other variable's; null if it is none.
  const void* id() const { return shared_.get(); }
  // Of its values. The error of the first value; InvalidArgument if this is no variable.
  StatusOr<TensorMetadata> metadata() const;
  // "cpu:0"; empty for an error.
  std::string_view device() const;

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

  // What has one value of each of some variables and new ones for some of them.
  struct Use {
    Variable* variable = nullptr;  // a variable with a value
    bool is_assigned = false;
  };
  // Reads and updates them together: between two calls of this on some of the same variables, each
  // value that the later one sees is what the earlier one left. `compute` gets all values and
  // returns the new ones, in the order of the uses that are assigned; what is said of Update's
  // holds. Returns these values, or the errors of their updates. Each variable at most once.
  static std::vector<Tensor> UpdateTogether(
      std::span<const Use> uses,
      const std::function<std::vector<Tensor>(std::span<const Tensor> values)>& compute,
      Location where = std::source_location::current());

 private:
  struct Shared;
  class PendingUpdate;
  std::shared_ptr<Shared> shared_;
};

// For what runs as a part of a call that assigns variables, such as a host call: while it lives, to
// read or to update on its thread a variable that is being assigned is an error, and not a wait for
// what waits for this.
class PartOfCallScope {
 public:
  PartOfCallScope();
  ~PartOfCallScope();
  PartOfCallScope(const PartOfCallScope&) = delete;
  PartOfCallScope& operator=(const PartOfCallScope&) = delete;

 private:
  const bool outer_;
};

// variable -= learning_rate * gradient (tfrt.SgdUpdate).
Tensor SgdUpdate(Variable& variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where = std::source_location::current());

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_VARIABLE_H_
