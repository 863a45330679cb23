#include "tfrt/eager/variable.h"

#include <mutex>
#include <utility>

#include "context_impl.h"
#include "messages.h"
#include "node.h"
#include "op_function.h"
#include "op_scope.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/tracer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

// The op that messages name.
const OpDefinition& VariableOp() {
  static const OpDefinition op = CustomOp{.name = "Variable"};
  return op;
}

Status WrongValue(const TensorMetadata& variable, const TensorMetadata& value) {
  return InvalidArgumentError(
      StrCat("the variable is ", Describe(variable), ", but its new value ", Describe(value)));
}

// What an update makes: the tensor, or why it cannot be the variable's value.
RCReference<AsyncValue> Checked(AsyncValue* value, const TensorMetadata& metadata, Location where) {
  if (value->IsError()) return FormRef(value);
  AsyncValue* elements = value->get<tfrt::Tensor>().elements();
  if (elements && elements->IsError()) return MakeErrorAsyncValue(elements->GetError());
  const TensorMetadata& made = value->get<tfrt::Tensor>().metadata();
  if (made == metadata) return FormRef(value);
  return MakeErrorAsyncValue(LocatedError(VariableOp(), where, WrongValue(metadata, made)));
}

// A tensor of the context and on the device of another one.
Tensor Like(const TensorState& other, const TensorMetadata& metadata,
            const RCReference<IndirectAsyncValue>& value) {
  other.core()->AddRefs(1);
  return Tensor(TakeRef(
      new TensorState(other.core(), other.device(), metadata, RCReference<AsyncValue>(value))));
}

// Of PartOfCallScope.
thread_local constinit bool is_part_of_call = false;

bool IsSettled(const Tensor& value) { return value.state()->value()->IsAvailable(); }

Tensor BeingAssigned(Location where) {
  return ErrorTensor(VariableOp(), where,
                     FailedPreconditionError(
                         "the variable is being assigned, perhaps by the call that this is a part "
                         "of; give its value to the host call as an input"));
}

}  // namespace

struct Variable::Shared {
  // In FIFO order, what reads a value must not be in front of what makes it: an ASYNC update holds
  // this from the exchange of the value until its ops are in the queue, and so does who reads. Not
  // taken in op functions, which put nothing there, and for which the holder may wait. Taken before
  // `mutex`.
  std::mutex in_queue;
  std::mutex mutex;
  Tensor value;  // under mutex
  // Empty if the first value is an error.
  TensorMetadata metadata;
  bool is_error = false;
};

// The new value of a variable from when the old one is taken until it is known what it is. Whoever
// comes next sees a value that is settled then. In SYNC mode, where that may take long, not under a
// lock.
class Variable::PendingUpdate {
 public:
  // Takes the old value. Under in_queue in ASYNC mode.
  explicit PendingUpdate(Shared& shared)
      : metadata_(shared.metadata), settled_(MakeIndirectAsyncValue()) {
    std::lock_guard lock(shared.mutex);
    Tensor next = Like(*shared.value.state(), metadata_, settled_);
    old_ = std::exchange(shared.value, std::move(next));
  }

  const Tensor& old() const { return old_; }

  // `made`, or why it cannot be the new value; where the old one is.
  Tensor Placed(Tensor made, Location where) const {
    auto error = [&](std::string_view why) {
      return ErrorTensor(VariableOp(), where, InvalidArgumentError(why));
    };
    if (!made.valid()) return error("the new value is not a tensor");
    if (made.state()->IsError()) return made;
    if (made.state()->core() != old_.state()->core()) {
      return error("the new value belongs to another context");
    }
    if (made.state()->device() == old_.state()->device()) return made;
    return made.CopyTo(old_.device(), where);
  }

  // The variable has `made`, which is Placed, as soon as that is there; the old value if it is an
  // error. Returns the new value, or the error.
  Tensor Settle(const Tensor& made, Location where) &&;

 private:
  const TensorMetadata metadata_;
  RCReference<IndirectAsyncValue> settled_;
  Tensor old_;
};

Tensor Variable::PendingUpdate::Settle(const Tensor& made, Location where) && {
  Scope::State* scope = CurrentScope();
  if (scope && in_op_function && !made.state()->IsError()) {
    // There the value must be there when this returns: what the function calls next may not wait.
    if (AsyncValue* elements = made.state()->elements()) {
      (void)AwaitElements(scope->context.host, elements);
    }
  }
  RCReference<AsyncValue> before = FormRef(old_.state()->value());
  RCReference<AsyncValue> after = FormRef(made.state()->value());
  // Readers of the result see its error, those of the variable the value before.
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  Tensor returned = Like(*old_.state(), metadata_, result);
  AsyncValue* awaited = after.get();
  auto settle = [before = std::move(before), after = std::move(after),
                 settled = std::move(settled_), result = std::move(result), metadata = metadata_,
                 where]() mutable {
    RCReference<AsyncValue> checked = Checked(after.get(), metadata, where);
    after.reset();
    settled->ForwardTo(checked->IsError() ? std::move(before) : checked);
    result->ForwardTo(std::move(checked));
  };
  awaited->AndThen([awaited, settle = std::move(settle)]() mutable {
    // On a device with timelines an update may fail when it is enqueued, too.
    AsyncValue* elements = awaited->IsError() ? nullptr : awaited->get<tfrt::Tensor>().elements();
    if (elements && !elements->IsAvailable()) return elements->AndThen(std::move(settle));
    settle();
  });
  return returned;
}

PartOfCallScope::PartOfCallScope() : outer_(std::exchange(is_part_of_call, true)) {}

PartOfCallScope::~PartOfCallScope() { is_part_of_call = outer_; }

Variable::Variable(Tensor initial, Location where) {
  if (Tracer* tracer = CurrentTracer()) initial = tracer->InitialValue(initial, where);
  if (!initial.valid()) return;
  shared_ = std::make_shared<Shared>();
  const TensorMetadata* metadata = initial.state()->metadata();
  if (!metadata) {
    (void)initial.status();  // waits
    metadata = initial.state()->metadata();
  }
  shared_->is_error = !metadata;
  if (metadata) shared_->metadata = *metadata;
  shared_->value = std::move(initial);
}

StatusOr<TensorMetadata> Variable::metadata() const {
  if (!shared_) return InvalidArgumentError("this is not a variable");
  if (!shared_->is_error) return shared_->metadata;
  std::lock_guard lock(shared_->mutex);
  return shared_->value.state()->value()->GetError();
}

std::string_view Variable::device() const {
  if (!shared_ || shared_->is_error) return "";
  std::lock_guard lock(shared_->mutex);  // of all values the same
  return shared_->value.state()->core()->devices[shared_->value.state()->device()].name();
}

Tensor Variable::Read() const {
  if (!shared_) return Tensor();
  if (Tracer* tracer = CurrentTracer(); tracer && !shared_->is_error) [[unlikely]]
    return tracer->Read(*this);
  if (is_part_of_call) {
    std::unique_lock lock(shared_->mutex);
    if (IsSettled(shared_->value)) return shared_->value;
    lock.unlock();  // the error is a diagnostic, whose handler may look at the variable
    return BeingAssigned(Location());
  }
  std::unique_lock in_queue(shared_->in_queue, std::defer_lock);
  if (!in_op_function) in_queue.lock();
  std::lock_guard lock(shared_->mutex);
  return shared_->value;
}

Tensor Variable::Update(const std::function<Tensor(const Tensor& old)>& compute, Location where) {
  if (!shared_) {
    return ErrorTensor(VariableOp(), where, InvalidArgumentError("this is not a variable"));
  }
  if (shared_->is_error) return Read();
  if (Tracer* tracer = CurrentTracer()) [[unlikely]]
    return tracer->Update(*this, compute, where);
  if (is_part_of_call) {
    std::unique_lock lock(shared_->mutex);
    if (!IsSettled(shared_->value)) {
      lock.unlock();
      return BeingAssigned(where);
    }
  }
  std::unique_lock in_queue(shared_->in_queue, std::defer_lock);
  Scope::State* scope = CurrentScope();
  if (scope && !IsSync(*scope)) in_queue.lock();
  PendingUpdate update(*shared_);
  Tensor made = update.Placed(compute(update.old()), where);
  if (in_queue.owns_lock()) in_queue.unlock();
  return std::move(update).Settle(made, where);
}

std::vector<Tensor> Variable::UpdateTogether(
    std::span<const Use> uses,
    const std::function<std::vector<Tensor>(std::span<const Tensor> values)>& compute,
    Location where) {
  // So that of two calls one takes all its values before the other takes any.
  static std::mutex* const taking = new std::mutex;
  std::vector<std::unique_lock<std::mutex>> in_queue;
  std::vector<PendingUpdate> updates;
  std::vector<Tensor> values;
  updates.reserve(uses.size());
  values.reserve(uses.size());
  {
    std::unique_lock lock(*taking, std::defer_lock);
    if (uses.size() > 1) lock.lock();
    Scope::State* scope = CurrentScope();
    const bool is_async = scope && !IsSync(*scope);
    for (const Use& use : uses) {
      Shared& shared = *use.variable->shared_;
      std::unique_lock<std::mutex> queued(shared.in_queue, std::defer_lock);
      if (use.is_assigned ? is_async : !in_op_function) queued.lock();
      if (use.is_assigned) {
        values.push_back(updates.emplace_back(shared).old());
        if (queued.owns_lock()) in_queue.push_back(std::move(queued));
      } else {
        std::lock_guard value_lock(shared.mutex);
        values.push_back(shared.value);
      }
    }
  }
  std::vector<Tensor> made = compute(values);
  values.clear();
  made.resize(updates.size());
  for (size_t i = 0; i < updates.size(); ++i) made[i] = updates[i].Placed(made[i], where);
  in_queue.clear();
  for (size_t i = 0; i < updates.size(); ++i) {
    made[i] = std::move(updates[i]).Settle(made[i], where);
  }
  return made;
}

Tensor Variable::Assign(TensorArgument value, Location where) {
  return Update([&](const Tensor&) { return Identity(std::move(value), where); }, where);
}
Tensor Variable::AssignAdd(TensorArgument value, Location where) {
  return Update([&](const Tensor& old) { return AddV2(old, std::move(value), where); }, where);
}
Tensor Variable::AssignSub(TensorArgument value, Location where) {
  return Update([&](const Tensor& old) { return Sub(old, std::move(value), where); }, where);
}

Tensor SgdUpdate(Variable& variable, TensorArgument gradient, TensorArgument learning_rate,
                 Location where) {
  return variable.Update(
      [&](const Tensor& old) {
        return SgdUpdate(old, std::move(gradient), std::move(learning_rate), where);
      },
      where);
}

}  // namespace tfrt::eager
