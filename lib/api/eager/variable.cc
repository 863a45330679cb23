#include "tfrt/eager/variable.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "context_impl.h"
#include "lib/runtime/host/timeline.h"
#include "messages.h"
#include "node.h"
#include "op_function.h"
#include "op_scope.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"
#include "tracer.h"

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

// Returns the result of an update: the tensor, or an error if it cannot be the variable's value.
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
            RCReference<AsyncValue> value) {
  other.core()->AddRefs(1);
  return Tensor(TakeRef(new TensorState(other.core(), other.device(), metadata, std::move(value))));
}

// True inside of a PartOfCallScope of this thread.
thread_local constinit bool is_part_of_call = false;

bool IsSettled(const Tensor& value) { return value.state()->value()->IsAvailable(); }

Status BeingAssigned() {
  return FailedPreconditionError(
      "the variable is being assigned, perhaps by the call that this is a part of; give its value "
      "to the host call as an input");
}

Status NoVariable() { return InvalidArgumentError("this is not a variable"); }

// `made`, or why it cannot be the new value; where the old one is.
Tensor Placed(Tensor made, const Tensor& old, Location where) {
  auto error = [&](std::string_view why) {
    return ErrorTensor(VariableOp(), where, InvalidArgumentError(why));
  };
  if (!made.valid()) return error("the new value is not a tensor");
  if (made.state()->IsError()) return made;
  if (made.state()->core() != old.state()->core()) {
    return error("the new value belongs to another context");
  }
  if (made.state()->device() == old.state()->device()) return made;
  return made.CopyTo(old.device(), where);
}

// Holds the outcome of an update. `value` is the variable's next value: the old one if `made` is or
// becomes an error. `result` is the result of the update: the error in that case.
struct Left {
  Tensor value;
  Tensor result;
};
Left Leave(const Tensor& old, const Tensor& made, const TensorMetadata& metadata, Location where) {
  Scope::State* scope = CurrentScope();
  if (scope && in_op_function && !made.state()->IsError()) {
    // There the value must be there when this returns: what the function calls next may not wait.
    if (AsyncValue* elements = made.state()->elements()) {
      (void)AwaitElements(scope->context.host, elements);
    }
  }
  AsyncValue* awaited = made.state()->value();
  AsyncValue* elements = made.state()->elements();
  if (awaited->IsAvailable() && (!elements || elements->IsAvailable())) {
    RCReference<AsyncValue> checked = Checked(awaited, metadata, where);
    const bool failed = checked->IsError();
    Tensor result = Like(*old.state(), metadata, std::move(checked));
    return {failed ? old : result, result};
  }
  RCReference<IndirectAsyncValue> settled = MakeIndirectAsyncValue();
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  Left left{Like(*old.state(), metadata, settled), Like(*old.state(), metadata, result)};
  auto settle = [before = FormRef(old.state()->value()), after = FormRef(awaited),
                 settled = std::move(settled), result = std::move(result), metadata,
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
  return left;
}

}  // namespace

// An update has its turn from when it takes the old value until it has put the new one in its
// place, and calls the program's function meanwhile; whoever wants the turn then waits. So
//   - what is read has been made by ops that have been called before: in FIFO order nothing that
//     uses it is in front of them. Reads wait for nobody.
//   - A call that waits has no turn, unless it is a part of another one, for which somebody may
//     wait: such a one waits only if that makes no circle.
//   - A call that waits has a place, and gets its turn when that of another ends, in the order of
//     the places. But not on a thread that runs tasks meanwhile, where it may be below a task that
//     waits for what others do in their turns: there it is woken and looks again.
//   - Who waits on a worker runs tasks, as the one whose turn it is may wait for them.
struct Variable::Shared {
  std::mutex mutex;
  Tensor value;  // under mutex
  // The facts of all values. Empty, and null, if the first value is an error.
  TensorMetadata metadata;
  ContextCore* core = nullptr;
  bool is_error = false;

  // Under Turns::mutex, which is taken before `mutex`.
  Turn::State* holder = nullptr;  // whose turn it is; null: nobody's
  uint32_t num_places = 0;        // of calls that use it
  uint64_t passed_over = 0;       // the last Turns::looks that passed over such a place

  Tensor Value() {
    std::lock_guard lock(mutex);
    return value;
  }
};

struct Variable::Turn::State {
  // Orders the turns of all variables. With one lock for each variable, more than one would be held
  // at a time. That is needed for all that a call takes at once, for circles and for the places.
  struct Turns {
    std::mutex mutex;  // held for some instructions
    std::vector<State*> waiting;
    uint64_t looks = 0;
  };
  static Turns& All() {
    static auto* const turns = new Turns;
    return *turns;
  }
  // The calls that have begun on a thread: each is a part of the one before, or of a task that runs
  // on top of it.
  struct Stack {
    State* top = nullptr;  // under Turns::mutex
  };
  static thread_local constinit Stack here;

  struct Held {
    std::shared_ptr<Shared> shared;
    bool is_assigned = false;
  };

  State(size_t num_uses, Location where) : held(num_uses), values(num_uses), where(where) {}

  // Has the turns and the values afterwards, or has failed.
  void Begin();
  // Puts these values into the variables that are assigned, and takes out the old ones. None: the
  // old ones stay.
  void End(std::span<Tensor> next);
  void Fail(Tensor error);

  SmallArray<Held, 2> held;
  SmallArray<Tensor, 2> values;
  const Location where;
  bool has_begun = false;
  Tensor failure;
  const Variable* traced = nullptr;  // in a trace: what its tracer updates

 private:
  Status TakeTurns(std::unique_lock<std::mutex>& lock);
  Status MayWait();
  bool IsFree();
  bool WaitsForThread(const Stack& thread);
  void Take();
  static std::vector<AsyncValueRef<Chain>> GiveTurns();

  // These under Turns::mutex.
  Stack* const thread = &here;
  State* below = nullptr;
  bool assigns = false;
  bool has_turns = false;
  bool has_place = false;
  bool is_waiting = false;
  AsyncValueRef<Chain> wake;  // while it sleeps
};

thread_local constinit Variable::Turn::State::Stack Variable::Turn::State::here;

void Variable::Turn::State::Begin() {
  Status status;
  for (const Held& use : held.span()) {
    if (!use.shared) return Fail(ErrorTensor(VariableOp(), where, NoVariable()));
    if (use.shared->is_error) return Fail(use.shared->Value());
    assigns |= use.is_assigned;
    Context* context = use.shared->core->context();
    // In a forked process nobody has the locks and the turns that others had.
    if (context && status.ok()) status = context->impl().CheckProcess();
  }
  if (status.ok()) {
    std::unique_lock lock(All().mutex);
    below = std::exchange(here.top, this);
    status = TakeTurns(lock);
    if (!status.ok()) here.top = below;
  }
  // Not under the lock: a handler of diagnostics may use the variable.
  if (!status.ok()) return Fail(ErrorTensor(VariableOp(), where, status));
  has_begun = true;
}

void Variable::Turn::State::Fail(Tensor error) {
  failure = std::move(error);
  std::ranges::fill(values, failure);
}

Status Variable::Turn::State::TakeTurns(std::unique_lock<std::mutex>& lock) {
  if (is_part_of_call) {
    for (const Held& use : held.span()) {
      if (use.shared->holder || !IsSettled(use.shared->Value())) return BeingAssigned();
    }
  }
  auto has_no_places = [](const Held& use) { return use.shared->num_places == 0; };
  if (!assigns || (IsFree() && std::ranges::all_of(held.span(), has_no_places))) {
    Take();
    return OkStatus();
  }
  Context* context = held[0].shared->core->context();
  if (!context) return FailedPreconditionError("the variable's context has ended");
  HostContext& host = *context->host();
  const ConcurrentWorkQueue& queue = host.work_queue();
  bool is_part = false;  // of one that has turns
  for (const State* call = below; call; call = call->below) is_part |= call->has_turns;
  has_place = !is_part && !queue.IsInWorkerThread() && !queue.IsSingleThreaded();
  while (has_place || !IsFree()) {
    Status may_wait = MayWait();
    if (!may_wait.ok()) {
      if (is_waiting) std::erase(All().waiting, this);
      is_waiting = false;
      return may_wait;
    }
    if (!std::exchange(is_waiting, true)) {
      All().waiting.push_back(this);
      for (const Held& use : held.span()) use.shared->num_places += has_place;
    }
    wake = MakeUnconstructedAsyncValueRef<Chain>();
    AsyncValueRef<Chain> awake = wake.CopyRef();
    lock.unlock();
    AsyncValue* value = awake.GetAsyncValue();
    host.Await({&value, 1});
    lock.lock();
    if (has_turns) return OkStatus();
  }
  if (is_waiting) std::erase(All().waiting, this);
  Take();
  return OkStatus();
}

Status Variable::Turn::State::MayWait() {
  if (in_op_function) {
    return FailedPreconditionError(
        "an op function cannot wait until another update of the variable is over: it may wait for "
        "this op");
  }
  TFRT_RETURN_IF_ERROR(TimelineScope::Check("to wait for another update of a variable"));
  if (!WaitsForThread(here)) return OkStatus();
  return FailedPreconditionError(
      "the update would wait for one that waits for it: it is a part of that, or of one for which "
      "that waits; UpdateTogether updates several variables");
}

bool Variable::Turn::State::IsFree() {
  return std::ranges::all_of(held.span(), [](const Held& use) { return !use.shared->holder; });
}

// There are no circles but through the thread: who would make one does not wait.
bool Variable::Turn::State::WaitsForThread(const Stack& of) {
  for (const Held& use : held.span()) {
    State* holder = use.shared->holder;
    if (!holder) continue;
    if (holder->thread == &of) return true;
    State& top = *holder->thread->top;
    if (top.is_waiting && top.WaitsForThread(of)) return true;
  }
  return false;
}

void Variable::Turn::State::Take() {
  has_turns = assigns;
  is_waiting = false;
  for (size_t i = 0; i < held.size(); ++i) {
    if (held[i].is_assigned) held[i].shared->holder = this;
    values[i] = held[i].shared->Value();
  }
}

void Variable::Turn::State::End(std::span<Tensor> next) {
  std::vector<AsyncValueRef<Chain>> woken;
  {
    std::lock_guard lock(All().mutex);
    assert(here.top == this && "a call of a variable ends before one that began after it");
    here.top = below;
    size_t assigned = 0;
    for (const Held& use : held.span()) {
      if (!use.is_assigned) continue;
      use.shared->holder = nullptr;
      if (next.empty()) continue;
      std::lock_guard value_lock(use.shared->mutex);
      std::swap(use.shared->value, next[assigned++]);
    }
    if (has_turns && !All().waiting.empty()) woken = GiveTurns();
  }
  has_begun = false;
  for (AsyncValueRef<Chain>& sleeper : woken) sleeper.AsPtr().emplace();
}

std::vector<AsyncValueRef<Chain>> Variable::Turn::State::GiveTurns() {
  Turns& turns = All();
  std::vector<AsyncValueRef<Chain>> woken;
  ++turns.looks;
  auto is_passed_over = [&](const Held& use) { return use.shared->passed_over == turns.looks; };
  std::vector<State*> stay;
  for (State* call : turns.waiting) {
    bool is_next = call->IsFree();
    if (call->has_place) is_next &= std::ranges::none_of(call->held.span(), is_passed_over);
    if (is_next && call->wake) woken.push_back(std::move(call->wake));
    if (!is_next || !call->has_place) stay.push_back(call);
    if (!call->has_place) continue;
    for (const Held& use : call->held.span()) {
      if (is_next) {
        --use.shared->num_places;
      } else {
        use.shared->passed_over = turns.looks;
      }
    }
    if (is_next) call->Take();
  }
  turns.waiting = std::move(stay);
  return woken;
}

Variable::Turn::Turn(const Variable& variable, Location where)
    : state_(std::make_unique<State>(1, where)) {
  Tracer* tracer = CurrentTracer();
  state_->held[0] = {variable.shared_, true};
  if (!tracer || !variable.shared_ || variable.shared_->is_error) [[likely]] {
    state_->Begin();
    return;
  }
  state_->traced = &variable;
  state_->values[0] = tracer->Read(variable);
  state_->has_begun = true;
}

Variable::Turn::Turn(std::span<const Use> uses, Location where)
    : state_(std::make_unique<State>(uses.size(), where)) {
  for (size_t i = 0; i < uses.size(); ++i) {
    state_->held[i] = {uses[i].variable->shared_, uses[i].is_assigned};
  }
  state_->Begin();
}

Variable::Turn::~Turn() {
  if (state_->has_begun && !state_->traced) state_->End({});
}

bool Variable::Turn::has_begun() const { return state_->has_begun; }
std::span<const Tensor> Variable::Turn::values() const { return state_->values.span(); }

std::vector<Tensor> Variable::Turn::End(std::vector<Tensor> made) {
  State& state = *state_;
  if (state.traced) {
    made[0] = CurrentTracer()->Assign(*state.traced, state.values[0], made[0], state.where);
    return made;
  }
  auto is_assigned = [](const State::Held& use) { return use.is_assigned; };
  made.resize(static_cast<size_t>(std::ranges::count_if(state.held, is_assigned)));
  if (!state.has_begun) {
    std::ranges::fill(made, state.failure);
    return made;
  }
  SmallArray<Tensor, 2> next(made.size());
  size_t assigned = 0;
  for (size_t i = 0; i < state.held.size(); ++i) {
    if (!state.held[i].is_assigned) continue;
    Tensor& result = made[assigned];
    result = Placed(std::move(result), state.values[i], state.where);
    Left left = Leave(state.values[i], result, state.held[i].shared->metadata, state.where);
    next[assigned++] = std::move(left.value);
    result = std::move(left.result);
  }
  state.End(next.span());
  return made;
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
  if (metadata) {
    shared_->metadata = *metadata;
    shared_->core = initial.state()->core();
  }
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
  if (!is_part_of_call) [[likely]]
    return shared_->Value();
  {
    std::lock_guard lock(Turn::State::All().mutex);
    Tensor value = shared_->Value();
    if (!shared_->holder && IsSettled(value)) return value;
  }
  return ErrorTensor(VariableOp(), Location(), BeingAssigned());
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
