#include "tfrt/async/async_value.h"

#include <utility>

namespace tfrt {

using internal::Task;

namespace {
// relaxed everywhere: a statistic, read when the program is quiet.
[[maybe_unused]] std::atomic<int64_t> live_async_values{0};
}  // namespace

int64_t NumLiveAsyncValues() { return live_async_values.load(std::memory_order_relaxed); }

#ifdef TFRT_TRACK_LIVE_OBJECTS
void AsyncValue::CountLive(int delta) {
  live_async_values.fetch_add(delta, std::memory_order_relaxed);
}
#endif

const Status& AsyncValue::GetError() const {
  assert(IsError());
  AsyncValue* value = const_cast<AsyncValue*>(this)->Resolved();
  char* payload = static_cast<char*>(value->payload());
  return *reinterpret_cast<Status*>(payload + internal::GetTypeInfo(value->type_id()).error_offset);
}

void AsyncValue::SetUnpublishedState(State state) {
  // Only the producer changes the state, but waiters may be pushed at the same time. relaxed: the
  // payload is published by the later MakeAvailable, not by this.
  uintptr_t old = waiters_and_state_.load(std::memory_order_relaxed);
  while (!waiters_and_state_.compare_exchange_weak(old, (old & ~kStateMask) | uintptr_t(state),
                                                   std::memory_order_relaxed)) {
  }
}

void AsyncValue::MakeAvailable(State state) {
  // release: publishes the payload. acquire: we read the waiters that others pushed.
  uintptr_t old = waiters_and_state_.exchange(uintptr_t(state), std::memory_order_acq_rel);
  assert((old & kStateMask) < uintptr_t(State::kConcrete) && "made available twice");
  if (auto* waiters = reinterpret_cast<Task*>(old & ~kStateMask)) RunWaiters(waiters);
}

// Waiters make further values available, and so on: 100,000 calls that return one another's result
// form a chain of that length. Up to kMost levels run nested; deeper ones queue up, in order, and
// run in the loop of the deepest nested level, so the stack stays bounded. A thread that waits
// inside of a waiter begins anew (AwaitScope).
//
// Waiters read the value that they waited for. While they run nested, the reference of whoever
// makes the value available keeps it; those that queue up outlive that call, so the queue keeps
// one.
struct AsyncValue::Nesting {
  static constexpr int kMost = 400;

  static void RunAll(Task* waiter) {
    while (waiter) {
      Task* next = waiter->next;
      waiter->Run();
      waiter = next;
    }
  }
  void RunDeferred() {
    while (deferred_head) RunAll(std::exchange(deferred_head, nullptr));
  }
  [[gnu::noinline]] void Defer(AsyncValue* value, Task* waiters) {
    (deferred_head ? deferred_tail->next : deferred_head) = waiters;
    while (waiters->next) waiters = waiters->next;
    deferred_tail = waiters->next = TaskFunction([value = FormRef(value)] {}).release();
    deferred_tail->next = nullptr;
  }

  int level = 0;
  Task* deferred_head = nullptr;
  Task* deferred_tail = nullptr;
  // initial-exec: one instruction finds it, even in a shared library.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit Nesting here;
};
[[gnu::tls_model(
    "initial-exec")]] thread_local constinit AsyncValue::Nesting AsyncValue::Nesting::here;

void AsyncValue::RunWaiters(Task* waiters) {
  Nesting& here = Nesting::here;
  const int level = here.level;
  if (level == Nesting::kMost) [[unlikely]]
    return here.Defer(this, waiters);
  here.level = level + 1;
  Nesting::RunAll(waiters);
  if (level + 1 == Nesting::kMost) [[unlikely]]
    here.RunDeferred();
  here.level = level;
}

// At the deepest level others may have queued up since it began.
AwaitScope::AwaitScope() : outer_level_(std::exchange(AsyncValue::Nesting::here.level, 0)) {
  AsyncValue::Nesting::here.RunDeferred();
}
AwaitScope::~AwaitScope() { AsyncValue::Nesting::here.level = outer_level_; }

void AsyncValue::AddWaiter(Task* waiter) {
  uintptr_t old = waiters_and_state_.load(std::memory_order_acquire);
  while ((old & kStateMask) < uintptr_t(State::kConcrete)) {
    waiter->next = reinterpret_cast<Task*>(old & ~kStateMask);
    // release: the resolver must see the waiter's contents. acquire on failure: if the value has
    // become available meanwhile, the waiter runs here and reads the payload.
    if (waiters_and_state_.compare_exchange_weak(
            old, reinterpret_cast<uintptr_t>(waiter) | (old & kStateMask),
            std::memory_order_release, std::memory_order_acquire)) {
      return;
    }
  }
  waiter->Run();
}

TaskFunction internal::CarryContext(TaskFunction task) {
  if constexpr (!tracing::kRecordsExist) return task;
  return [context = tracing::CurrentContext(), task = std::move(task)]() mutable {
    tracing::ContextScope scope(context);
    task.CallAndReset();
  };
}

void AsyncValue::SetError(Status error) {
  if (error.ok()) [[unlikely]]
    internal::SetMissingError(&error);
  if (IsIndirect()) {
    static_cast<IndirectAsyncValue*>(this)->ForwardTo(MakeErrorAsyncValue(std::move(error)));
    return;
  }
  SetKind(kind() & ~uint32_t{internal::kKindTrivial});  // the Status wants to be destroyed
  const internal::TypeInfo& info = internal::GetTypeInfo(type_id());
  // A payload that stays next to the error is destroyed with the value.
  if (state() == State::kConstructed && info.error_offset == 0) info.destroy(payload());
  new (static_cast<char*>(payload()) + info.error_offset) Status(std::move(error));
  if (info.error_offset != 0 && state() == State::kConstructed) {
    SetKind(kind() | internal::kKindKeepsPayload);
  }
  MakeAvailable(State::kError);
}

void AsyncValue::DropSharedRef(uint32_t n) const {
  if (ref_count_.load(std::memory_order_relaxed) & kImmortal) return;
  assert(ref_count_.load(std::memory_order_relaxed) >= n);
  // acq_rel: publishes our reads and writes to, and sees those of, whoever destroys the value.
  if (ref_count_.fetch_sub(n, std::memory_order_acq_rel) == n) {
    const_cast<AsyncValue*>(this)->Destroy();
  }
}

void AsyncValue::DestroySlow() {
  size_t size;
  if (IsIndirect()) {
    if (void* target = pointer_payload()) static_cast<AsyncValue*>(target)->DropRef();
    size = sizeof(IndirectAsyncValue);
  } else {
    const internal::TypeInfo& info = internal::GetTypeInfo(type_id());
    State last = state();
    if (last == State::kError) {
      GetError().~Status();
      if (kind() & internal::kKindKeepsPayload) info.destroy(payload());
    } else if (last != State::kUnconstructed) {
      if (info.value_size == 0) {
        // The payload gives back the memory that the value lies in: nothing is touched afterwards.
        CountLive(-1);
        return info.destroy(payload());
      }
      info.destroy(payload());
    }
    size = info.value_size;
  }
  this->~AsyncValue();
  if (size != 0) internal::FreeSmall(this, size);
}

void IndirectAsyncValue::ForwardTo(RCReference<AsyncValue> target) {
  assert(target && target.get() != this && !IsForwarded() && "an indirect value is forwarded once");
  SetKind(kind() | internal::kKindForwarded);
  if (target->IsAvailable()) return Resolve(std::move(target));
  AsyncValue* value = target.get();
  value->AndThen([self = FormRef(this), target = std::move(target)]() mutable {
    self->Resolve(std::move(target));
  });
}

// `target` is available.
void IndirectAsyncValue::Resolve(RCReference<AsyncValue> target) {
  AsyncValue* resolved = target->Resolved();
  if (resolved != target.get()) target = FormRef(resolved);
  SetKind(kind() | uint32_t{resolved->type_id()} << internal::kKindTypeShift);
  State state = resolved->state();
  pointer_payload() = target.release();
  MakeAvailable(state);
}

RCReference<IndirectAsyncValue> MakeIndirectAsyncValue() {
  return TakeRef(new (internal::AllocateSmall(sizeof(IndirectAsyncValue))) IndirectAsyncValue());
}

namespace {
class ErrorAsyncValue : public internal::ConcreteAsyncValue<internal::ErrorPayload> {
 public:
  explicit ErrorAsyncValue(Status error) { SetError(std::move(error)); }
};
}  // namespace

RCReference<AsyncValue> MakeErrorAsyncValue(Status error) {
  return TakeRef<AsyncValue>(new (internal::AllocateSmall(sizeof(ErrorAsyncValue)))
                                 ErrorAsyncValue(std::move(error)));
}

void RunWhenReady(std::span<AsyncValue* const> values, TaskFunction fn) {
  size_t num_unavailable = 0;
  AsyncValue* unavailable = nullptr;
  for (AsyncValue* value : values) {
    if (!value->IsAvailable()) {
      ++num_unavailable;
      unavailable = value;
    }
  }
  if (num_unavailable == 0) return fn();
  if (num_unavailable == 1) return unavailable->AndThenRun(fn.release());
  struct Countdown {
    std::atomic<size_t> remaining;
    TaskFunction fn;
  };
  static_assert(alignof(Countdown) <= 16);
  auto* countdown = new (internal::AllocateSmall(sizeof(Countdown)))
      Countdown{{values.size() + 1}, std::move(fn)};
  auto decrement = [countdown](size_t n) {
    // acq_rel: the one that reaches zero runs fn after everything the others saw and wrote.
    if (countdown->remaining.fetch_sub(n, std::memory_order_acq_rel) == n) {
      countdown->fn();
      countdown->~Countdown();
      internal::FreeSmall(countdown, sizeof(Countdown));
    }
  };
  size_t already = 1;
  for (AsyncValue* value : values) {
    if (value->IsAvailable()) {
      ++already;
    } else {
      value->AndThen([decrement] { decrement(1); });
    }
  }
  decrement(already);
}

}  // namespace tfrt
