#include "tfrt/eager/variable.h"

#include <mutex>
#include <utility>

#include "context_impl.h"
#include "messages.h"
#include "node.h"
#include "op_function.h"
#include "op_scope.h"
#include "tfrt/eager/ops.h"
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

Variable::Variable(Tensor initial) {
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

Tensor Variable::Read() const {
  if (!shared_) return Tensor();
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
  const TensorMetadata& metadata = shared_->metadata;
  // Whoever comes next sees a value that is settled when the update is. In SYNC mode, where that
  // may take long, not under a lock.
  RCReference<IndirectAsyncValue> settled = MakeIndirectAsyncValue();
  Tensor old;
  std::unique_lock in_queue(shared_->in_queue, std::defer_lock);
  Scope::State* scope = CurrentScope();
  if (scope && !IsSync(*scope)) in_queue.lock();
  {
    std::lock_guard lock(shared_->mutex);
    Tensor next = Like(*shared_->value.state(), metadata, settled);
    old = std::exchange(shared_->value, std::move(next));
  }
  Tensor made = compute(old);
  if (!made.valid()) {
    made = ErrorTensor(VariableOp(), where, InvalidArgumentError("the new value is not a tensor"));
  }
  if (!made.IsError() && made.state()->core() != old.state()->core()) {
    made = ErrorTensor(VariableOp(), where,
                       InvalidArgumentError("the new value belongs to another context"));
  }
  if (!made.IsError() && made.state()->device() != old.state()->device()) {
    made = made.CopyTo(old.device(), where);
  }
  if (in_queue.owns_lock()) in_queue.unlock();
  if (scope && in_op_function && !made.IsError()) {
    // There the value must be there when this returns: what the function calls next may not wait.
    if (AsyncValue* elements = made.state()->elements()) {
      (void)AwaitElements(scope->context.host, elements);
    }
  }
  RCReference<AsyncValue> before = FormRef(old.state()->value());
  RCReference<AsyncValue> after = FormRef(made.state()->value());
  // Readers of the result see its error, those of the variable the value before.
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  Tensor returned = Like(*old.state(), metadata, result);
  AsyncValue* awaited = after.get();
  auto settle = [before = std::move(before), after = std::move(after), settled = std::move(settled),
                 result = std::move(result), metadata, where]() mutable {
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
