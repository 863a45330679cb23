// AsyncValue: a ref-counted value that is available now, becomes available later, or is an error.
//
// States: kUnconstructed -> kConstructed -> kConcrete, or -> kError from either; also
// kUnconstructed -> kConcrete. kConcrete and kError are final ("available"). A kConstructed payload
// exists and may be changed by its producer, but is not published.
//
// Kinds: a *concrete* value holds its payload (or the error's Status) in place at byte 16. An
// *indirect* value is a placeholder that is later forwarded to another value. Every read is passed
// on to that value. Waiters run when the value becomes available, the most recently added first, on
// the thread that makes it available. On an available value AndThen runs its function at once.
//
// Thread-safe: any thread may wait and read. Exactly one producer may make the value available, and
// it holds a reference while it does so. A value that has waiters must become available. Dropping
// its last reference earlier would lose the waiters and all that they hold. (This is asserted.) A
// value lives until its waiters have run, so they may read it without a reference of their own.
// Calling convention of kernels and functions: arguments +0 (take a reference to keep one), results
// +1.
#ifndef TFRT_ASYNC_ASYNC_VALUE_H_
#define TFRT_ASYNC_ASYNC_VALUE_H_

#include <atomic>
#include <cassert>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "tfrt/async/type_id.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/small_blocks.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"
#include "tfrt/tracing/record.h"

namespace tfrt {

class IndirectAsyncValue;

namespace internal {
// Returns a task that runs `task` on behalf of what the calling thread is doing now.
TaskFunction CarryContext(TaskFunction task);
}  // namespace internal

class AsyncValue {
 public:
  enum class State : uint8_t { kUnconstructed = 0, kConstructed = 1, kConcrete = 2, kError = 3 };

  AsyncValue(const AsyncValue&) = delete;
  AsyncValue& operator=(const AsyncValue&) = delete;

  // acquire: a thread that sees an available state may read the payload.
  State state() const {
    return static_cast<State>(waiters_and_state_.load(std::memory_order_acquire) & kStateMask);
  }
  bool IsAvailable() const { return state() >= State::kConcrete; }
  // An available value has no waiters, so its word is the state alone.
  bool IsConcrete() const {
    return waiters_and_state_.load(std::memory_order_acquire) == uintptr_t(State::kConcrete);
  }
  bool IsError() const {
    return waiters_and_state_.load(std::memory_order_acquire) == uintptr_t(State::kError);
  }
  bool IsIndirect() const { return (kind() & internal::kKindIndirect) != 0; }
  // True once ForwardTo was called on this indirect value, though the target may not be available
  // yet.
  bool IsForwarded() const { return (kind() & internal::kKindForwarded) != 0; }
  bool IsUnresolvedIndirect() const { return IsIndirect() && !IsAvailable(); }

  // True if the payload needs no destructor. False for indirect values, errors and large payloads.
  bool HasTrivialPayload() const { return (kind() & internal::kKindTrivial) != 0; }
  // The payload's type; kUnknownTypeId for an unresolved indirect value.
  TypeId type_id() const { return static_cast<TypeId>(kind() >> internal::kKindTypeShift); }
  // True if get<T>() may be called once the payload exists: T is its type or a listed base.
  template <typename T>
  bool IsType() const {
    TypeId wanted = GetTypeId<T>();
    return type_id() == wanted || IsTypeOrBase(type_id(), wanted);
  }
  // Returns the payload if this is concrete, holds its payload itself, and its type is exactly T.
  // Otherwise returns null, even where get<T>() would work. Kernel calls try this first: it costs
  // three comparisons.
  template <typename T>
  T* GetIfPlain() {
    // relaxed: kinds match only if T has been registered.
    return GetIfPlain<T>(internal::kind_of<T>.load(std::memory_order_relaxed));
  }
  // As above, for a caller that has already read the kind of T.
  template <typename T>
  T* GetIfPlain(uint32_t kind) {
    // acquire in IsConcrete: a thread that sees the state may read the payload.
    return IsConcrete() && kind_ == kind ? static_cast<T*>(payload()) : nullptr;
  }

  // The payload of a value that GetIfPlain<T> would give.
  template <typename T>
  T* GetPlain() {
    assert(GetIfPlain<T>());
    return static_cast<T*>(payload());
  }

  // The payload. Needs a constructed (not error) payload of type T, or with T as a listed base.
  template <typename T>
  T& get() {
    assert(IsType<T>() && "AsyncValue read as a type it does not have");
    return *static_cast<T*>(Resolved()->payload());
  }
  template <typename T>
  const T& get() const {
    return const_cast<AsyncValue*>(this)->get<T>();
  }
  // Needs IsError(). The Status lives as long as this value.
  const Status& GetError() const;
  // Returns null if this is not an error.
  const Status* GetErrorIfPresent() const { return IsError() ? &GetError() : nullptr; }

  // Reference counts. The immortal values of the runtime (the ready chain) ignore them.
  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held.
    if (ref_count_.load(std::memory_order_relaxed) & kImmortal) return;
    ref_count_.fetch_add(n, std::memory_order_relaxed);
  }
  // Adds a reference to a value that the caller has made for two owners and not shared yet. The
  // store is relaxed, and no read-modify-write: whatever shares the value with another thread
  // publishes its count, too.
  void AddRefOfNew() const {
    assert(ref_count_.load(std::memory_order_relaxed) == 1);
    ref_count_.store(2, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const {
    // acquire: if we hold all references, no other thread can change the count. We must see what
    // earlier owners wrote.
    if (ref_count_.load(std::memory_order_acquire) == n) {
      const_cast<AsyncValue*>(this)->Destroy();
    } else {
      DropSharedRef(n);
    }
  }
  // acquire: if this returns true, the caller is the only owner and may change the payload.
  bool HasOneRef() const { return ref_count_.load(std::memory_order_acquire) == 1; }
  uint32_t NumRef() const { return ref_count_.load(std::memory_order_relaxed); }
  // True if the count is one and, for a forwarded indirect value, its target's count is one too.
  // Kernels use only their frame's version, which takes the references into account that the count
  // leaves out.
  bool IsUnique() const;

  // Runs `waiter` when this is available: at once if it already is. While records are made, the
  // waiter runs on behalf of what the calling thread is doing now (tfrt/tracing/record.h).
  template <typename F>
  void AndThen(F&& waiter);
  // As AndThen, for a task of the caller's: it is taken over and may run at once.
  void AndThenRun(internal::Task* waiter) {
    if (tracing::IsRecording()) [[unlikely]]
      waiter = internal::CarryContext(TaskFunction(waiter)).release();
    AddWaiter(waiter);
  }

  // The value that holds the payload: this, or the target of a forwarded indirect value.
  // An unresolved indirect value has none.
  AsyncValue* Resolved() {
    return IsIndirect() ? static_cast<AsyncValue*>(pointer_payload()) : this;
  }
  const AsyncValue* Resolved() const { return const_cast<AsyncValue*>(this)->Resolved(); }

  // Producer side. SetStateConcrete needs a constructed payload. SetError works from every
  // unavailable state, on concrete and indirect values. Passing an OK status is a mistake of the
  // caller: it becomes an Internal error.
  void SetStateConcrete() {
    assert(state() == State::kConstructed && !IsIndirect());
    MakeAvailable(State::kConcrete);
  }
  void SetError(Status error);
  template <typename T, typename... Args>
  void Construct(Args&&... args) {
    assert(state() == State::kUnconstructed && type_id() == GetTypeId<T>());
    new (payload()) T(std::forward<Args>(args)...);
    SetUnpublishedState(State::kConstructed);
  }
  template <typename T, typename... Args>
  void Emplace(Args&&... args) {
    assert(state() == State::kUnconstructed && type_id() == GetTypeId<T>());
    new (payload()) T(std::forward<Args>(args)...);
    MakeAvailable(State::kConcrete);
  }

  // Makes the value live as long as the process. Its reference count is ignored from now on, and it
  // no longer counts as live.
  void MakeImmortal() {
    ref_count_.fetch_or(kImmortal, std::memory_order_relaxed);
    CountLive(-1);
  }

 protected:
  AsyncValue(uint32_t kind, State state) : kind_(kind), waiters_and_state_(uintptr_t(state)) {
    CountLive(1);
  }
  ~AsyncValue() { CountLive(-1); }

  void* payload() { return reinterpret_cast<char*>(this) + kPayloadOffset; }
  void*& pointer_payload() { return *static_cast<void**>(payload()); }
  void MakeAvailable(State state);

  static constexpr size_t kPayloadOffset = 16;
  struct Nesting;

  static constexpr uintptr_t kStateMask = 3;
  static constexpr uint32_t kImmortal = 1u << 31;

  // For callers that do not know whether the value is available. relaxed: only an available value's
  // bits matter, and the check for that acquires.
  uint32_t kind() const {
    return std::atomic_ref(const_cast<uint32_t&>(kind_)).load(std::memory_order_relaxed);
  }
  void SetKind(uint32_t kind) { std::atomic_ref(kind_).store(kind, std::memory_order_relaxed); }
  static void CountLive(int delta);
  void SetUnpublishedState(State state);
  void AddWaiter(internal::Task* waiter);
  void RunWaiters(internal::Task* waiters);
  void DropSharedRef(uint32_t n) const;
  void Destroy() {
    assert((waiters_and_state_.load(std::memory_order_relaxed) & ~kStateMask) == 0 &&
           "a value that somebody waits for is dropped before it is there");
    uint32_t kind = kind_;
    if ((kind & internal::kKindTrivial) == 0) return DestroySlow();
    this->~AsyncValue();
    internal::FreeSmallAt(this, (kind >> internal::kKindClassShift) & 0xFF);
  }
  void DestroySlow();

  mutable std::atomic<uint32_t> ref_count_{1};
  // See KindBits. Changes only before the value becomes available, by the thread that makes it so.
  // Code that knows that the value is available may read the field directly; other code uses
  // kind().
  uint32_t kind_;
  // A pointer to the newest waiter, with the state in its two low bits.
  std::atomic<uintptr_t> waiters_and_state_;

  friend class IndirectAsyncValue;
  friend class AwaitScope;
};
static_assert(sizeof(AsyncValue) == 16, "the payload lies at byte 16");
static_assert(alignof(internal::Task) > 3, "a state fits beside a pointer to it");

// Surrounds code that makes a thread wait for values, tasks or tickets: a queue's Await and Quiesce
// begin with it. Deep in a long chain, waiters queue up until the running ones have returned. A
// waiter that waits does not return. So the scope first runs the queued waiters, and also those
// that tasks inside of it add. Used only by the thread that made it; scopes nest.
class AwaitScope {
 public:
  AwaitScope();
  AwaitScope(const AwaitScope&) = delete;
  AwaitScope& operator=(const AwaitScope&) = delete;
  ~AwaitScope();

 private:
  const int outer_level_;
};

// Number of AsyncValues alive in this process; 0 unless TFRT_TRACK_LIVE_OBJECTS.
int64_t NumLiveAsyncValues();

namespace internal {

// The kind_of<T> that the caller has already read.
struct InKind {
  uint32_t kind;
};

// A concrete value with room for T after the header.
template <typename T>
class ConcreteAsyncValue : public AsyncValue {
 public:
  ConcreteAsyncValue(InKind in, T value) : AsyncValue(in.kind, State::kConcrete) {
    new (payload()) T(std::move(value));
  }
  ConcreteAsyncValue() : AsyncValue(KindOf<T>(), State::kUnconstructed) {}
  template <typename... Args>
  explicit ConcreteAsyncValue(State state, Args&&... args) : AsyncValue(KindOf<T>(), state) {
    new (payload()) T(std::forward<Args>(args)...);
  }

 private:
  static_assert(alignof(T) <= 16, "payloads aligned to more than 16 bytes need their own storage");
  alignas(alignof(T) > 8 ? 16 : 8) std::byte storage_[PayloadStorageSize<T>()];
};

// The payload type of values that are created as errors.
struct ErrorPayload {};

}  // namespace internal

// A placeholder for a value whose producer, or even type, is not known yet.
class IndirectAsyncValue : public AsyncValue {
 public:
  IndirectAsyncValue() : AsyncValue(internal::kKindIndirect, State::kUnconstructed) {}

  // Makes this stand for `target` as soon as `target` is available. Called once. Chains of indirect
  // values collapse, so a read follows one pointer.
  void ForwardTo(RCReference<AsyncValue> target);

 private:
  void Resolve(RCReference<AsyncValue> target);

  [[maybe_unused]] void* target_ = nullptr;  // as AsyncValue reads it
};
static_assert(sizeof(IndirectAsyncValue) == 24);

RCReference<IndirectAsyncValue> MakeIndirectAsyncValue();
// Returns a value that is created as an error. `error` must not be OK.
RCReference<AsyncValue> MakeErrorAsyncValue(Status error);

// Runs `fn` once all `values` are available (as value or error), at once if they already are. Does
// not keep the values alive after they become available.
void RunWhenReady(std::span<AsyncValue* const> values, TaskFunction fn);

// --- implementation ---

template <typename F>
void AsyncValue::AndThen(F&& waiter) {
  if (IsAvailable()) {
    std::forward<F>(waiter)();
  } else {
    AndThenRun(TaskFunction(std::forward<F>(waiter)).release());
  }
}

inline bool AsyncValue::IsUnique() const {
  // acquire: the caller may mutate the payload next and must see all earlier owners' reads done.
  if (ref_count_.load(std::memory_order_acquire) != 1) return false;
  if (!IsIndirect()) return true;
  if (!IsAvailable()) return false;
  return Resolved()->ref_count_.load(std::memory_order_acquire) == 1;
}

#ifndef TFRT_TRACK_LIVE_OBJECTS
inline void AsyncValue::CountLive(int) {}
#endif

}  // namespace tfrt

#endif  // TFRT_ASYNC_ASYNC_VALUE_H_
