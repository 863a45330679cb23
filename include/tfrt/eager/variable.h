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

// Part of the names of the functions here that call those of the program. A file that is compiled
// without exceptions has copies of them that end no turn when an exception is thrown. The separate
// names keep these copies out of other files.
#ifdef __cpp_exceptions
#define TFRT_UNWINDS true
#else
#define TFRT_UNWINDS false
#endif

namespace tfrt::eager {

// Copies are the same variable. Thread-safe. Must not be used after its context is destroyed.
//
// An update makes a tensor that replaces the previous one; tensors that were read before keep their
// value. The updates of a variable have turns: each begins with the value that the previous one
// left. Its result is the variable's value once its call returns. A read gives the value of the
// last update that is over. Dependences between values decide, not the time of their computation:
// in ASYNC mode updates and reads do not wait for values.
//
// An update waits while another thread's update of the variable has its turn. A turn lasts as long
// as its function takes: in ASYNC mode, to call its ops. Threads get their turns in the order of
// their requests. Threads that run tasks meanwhile (ConcurrentWorkQueue::Await) may be overtaken.
// An op function does not wait: its update is an error then (FailedPrecondition). A read never
// waits.
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
  // Returns the metadata of its values. The error of the first value; InvalidArgument if this is no
  // variable.
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
  // Makes any other update: `compute` returns the new value for the old one. It is called once,
  // before Update returns, under no lock, but not if the update fails before. It must not wait for
  // the old value in ASYNC mode. It may read any variable, including this one, which still has its
  // old value. It may update other variables. An update of this variable is an error
  // (FailedPrecondition), as is one that would wait for an update that waits for it. Exceptions
  // reach the caller, and the value stays as it was.
  template <typename F, bool kUnwinds = TFRT_UNWINDS>
    requires std::is_invocable_r_v<Tensor, F&, const Tensor&>
  Tensor Update(F&& compute, Location where = Here()) {
    Turn turn(*this, where);
    if (!turn.has_begun()) return turn.End({})[0];
    std::vector<Tensor> made;
    made.push_back(compute(turn.values()[0]));
    return std::move(turn.End(std::move(made))[0]);
  }

  // Names a variable whose value is read, and tells whether it gets a new one.
  struct Use {
    Variable* variable = nullptr;  // a variable with a value
    bool is_assigned = false;
  };
  // Reads and updates several variables together. When two calls share variables, the later one
  // sees their values as the earlier one left them. The call has the turns of all variables that it
  // assigns, and takes them at once; if it assigns none it does not wait. The function `compute`
  // gets all values and returns the new ones, in the order of the uses that are assigned. The rules
  // for Update's `compute` hold, except that it is always called, with the error as values if the
  // call fails before. Returns these values, or the errors of their updates. Each variable may
  // occur at most once.
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
    // Returns the values of the uses; the error if it has failed.
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

// Marks code that runs as a part of a call that assigns variables, such as a host call. While it
// lives, its thread must not read or update a variable that is being assigned. That is an error
// instead of a deadlock.
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
