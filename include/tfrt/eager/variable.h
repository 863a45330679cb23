// eager::Variable: a tensor that changes, such as the weights of a network in training.
//
//   Variable weights(Tensor::Of({0.5f, 0.25f}));
//   Tensor y = Mul(x, weights);
//   SgdUpdate(weights, gradient, 0.1f);
#ifndef TFRT_EAGER_VARIABLE_H_
#define TFRT_EAGER_VARIABLE_H_

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/location.h"

// Part of the names of functions here that call those of the program: a file that is compiled
// without exceptions, whose copies of them end no turn when one is thrown, gives none of these
// copies to the others.
#ifdef __cpp_exceptions
#define TFRT_UNWINDS true
#else
#define TFRT_UNWINDS false
#endif

namespace tfrt::eager {

// Copies are the same variable. Thread-safe. Must not be used when its context is gone.
//
// An update makes a tensor, which takes the place of the one before; whoever has read that keeps it
// as it was. The updates of a variable have turns: each begins with what the one before has left,
// and what it makes is the variable's value once its call returns. A read gives the value of the
// last update that is over. What is computed from what, not the time at which it is, decides: in
// ASYNC mode updates and reads do not wait for values.
//
// An update waits while another thread's update of the variable has its turn, which is as long as
// that one's function takes: in ASYNC mode, to call its ops. Threads have their turns in the order
// in which they asked; those that run tasks meanwhile (ConcurrentWorkQueue::Await) may be
// overtaken. An op function does not wait: its update is an error then (FailedPrecondition). A read
// never waits.
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
  explicit Variable(Tensor initial, Location where = Here());

  bool valid() const { return static_cast<bool>(shared_); }
  // The same of all copies, and no other variable's; null if it is none.
  const void* id() const { return shared_.get(); }
  // Of its values. The error of the first value; InvalidArgument if this is no variable.
  StatusOr<TensorMetadata> metadata() const;
  // "cpu:0"; empty for an error.
  std::string_view device() const;

  // The value that the last update has left whose call is over, at once.
  Tensor Read() const;
  // An input of ops: the value as Read gives it.
  operator TensorArgument() const { return TensorArgument(Read()); }  // NOLINT: implicit by design

  // These return the new value, or the error of the update. In ASYNC mode it may come later.
  Tensor Assign(TensorArgument value, Location where = Here());
  Tensor AssignAdd(TensorArgument value, Location where = Here());
  Tensor AssignSub(TensorArgument value, Location where = Here());
  // Any other update: `compute` makes the new value of the old one. Called once, at once, under no
  // lock, but not if the update fails before. It must not wait for the old value in ASYNC mode. It
  // may read any variable, this one, too: that still has its old value. It may update others; an
  // update that would wait for one that waits for it, and one of this variable, is an error
  // (FailedPrecondition). What it throws comes to the caller, and the value is as it was.
  template <typename F, bool kUnwinds = TFRT_UNWINDS>
    requires std::is_invocable_r_v<Tensor, F&, const Tensor&>
  Tensor Update(F&& compute, Location where = Here()) {
    Turn turn(*this, where);
    if (!turn.has_begun()) return turn.End({})[0];
    std::vector<Tensor> made;
    made.push_back(compute(turn.values()[0]));
    return std::move(turn.End(std::move(made))[0]);
  }

  // What has one value of each of some variables and new ones for some of them.
  struct Use {
    Variable* variable = nullptr;  // a variable with a value
    bool is_assigned = false;
  };
  // Reads and updates them together: between two calls of this on some of the same variables, each
  // value that the later one sees is what the earlier one left. It has the turns of all that it
  // assigns, and takes them at once; if there are none it does not wait. `compute` gets all values
  // and returns the new ones, in the order of the uses that are assigned; what is said of Update's
  // holds, but that it is always called, with the error as values if the call fails before. Returns
  // these values, or the errors of their updates. Each variable at most once.
  template <typename F, bool kUnwinds = TFRT_UNWINDS>
    requires std::is_invocable_r_v<std::vector<Tensor>, F&, std::span<const Tensor>>
  static std::vector<Tensor> UpdateTogether(std::span<const Use> uses, F&& compute,
                                            Location where = Here()) {
    Turn turn(uses, where);
    return turn.End(compute(turn.values()));
  }

 private:
  struct Shared;
  // A call that updates or reads variables, from its begin to its end. On the stack of its thread.
  class Turn {
   public:
    // Waits for the turns of what is assigned. An update in a trace has none.
    Turn(const Variable& variable, Location where);
    Turn(std::span<const Use> uses, Location where);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    // Without End: the variables are as they were.
    ~Turn();

    // False: it has failed.
    bool has_begun() const;
    // Of the uses; the error if it has failed.
    std::span<const Tensor> values() const;
    // The variables have what was made for those that are assigned. Returns that, or the errors.
    std::vector<Tensor> End(std::vector<Tensor> made);

   private:
    friend class Variable;
    struct State;
    std::unique_ptr<State> state_;
  };
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
                 Location where = Here());

}  // namespace tfrt::eager

#undef TFRT_UNWINDS

#endif  // TFRT_EAGER_VARIABLE_H_
