// Typed handles: AsyncValueRef<T> owns a reference, AsyncValuePtr<T> does not.
#ifndef TFRT_ASYNC_ASYNC_VALUE_REF_H_
#define TFRT_ASYNC_ASYNC_VALUE_REF_H_

#include <utility>

#include "tfrt/async/async_value.h"

namespace tfrt {

template <typename T>
class AsyncValuePtr {
 public:
  AsyncValuePtr() = default;
  explicit AsyncValuePtr(AsyncValue* value) : value_(value) {}

  AsyncValue* value() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }

  bool IsAvailable() const { return value_->IsAvailable(); }
  bool IsConcrete() const { return value_->IsConcrete(); }
  bool IsError() const { return value_->IsError(); }
  bool IsUnique() const { return value_->IsUnique(); }
  const Status& GetError() const { return value_->GetError(); }
  T& get() const { return value_->get<T>(); }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }

  // The producer's three ways to make the value available.
  template <typename... Args>
  void emplace(Args&&... args) const {
    value_->Emplace<T>(std::forward<Args>(args)...);
  }
  void emplace(StatusOr<T> result) const {
    if (result.ok()) {
      value_->Emplace<T>(*std::move(result));
    } else {
      value_->SetError(result.status());
    }
  }
  void SetError(Status error) const { value_->SetError(std::move(error)); }
  void SetStateConcrete() const { value_->SetStateConcrete(); }

  // Runs `waiter` when the value is available. The waiter takes nothing, a Status (OK or the
  // error), or a StatusOr<T*> (the payload or the error).
  template <typename F>
  void AndThen(F&& waiter) const {
    if constexpr (std::is_invocable_v<F&>) {
      value_->AndThen(std::forward<F>(waiter));
    } else if constexpr (std::is_invocable_v<F&, StatusOr<T*>>) {
      value_->AndThen([waiter = std::forward<F>(waiter), value = value_]() mutable {
        if (value->IsError()) {
          waiter(StatusOr<T*>(value->GetError()));
        } else {
          waiter(StatusOr<T*>(&value->get<T>()));
        }
      });
    } else {
      value_->AndThen([waiter = std::forward<F>(waiter), value = value_]() mutable {
        waiter(value->IsError() ? value->GetError() : OkStatus());
      });
    }
  }

 private:
  AsyncValue* value_ = nullptr;
};

template <typename T>
class AsyncValueRef {
 public:
  AsyncValueRef() = default;
  AsyncValueRef(std::nullptr_t) {}  // NOLINT: implicit by design
  explicit AsyncValueRef(RCReference<AsyncValue> value) : value_(std::move(value)) {}
  // Upcasts: a listed base may stand for its derived payload.
  template <typename D>
    requires(std::is_base_of_v<T, D> && !std::is_same_v<T, D>)
  AsyncValueRef(AsyncValueRef<D> derived)  // NOLINT: implicit upcast
      : value_(derived.ReleaseRCRef()) {}
  // Makes an error value: an error stands for any type.
  AsyncValueRef(Status error)  // NOLINT: implicit by design
      : value_(MakeErrorAsyncValue(std::move(error))) {}

  AsyncValuePtr<T> AsPtr() const { return AsyncValuePtr<T>(value_.get()); }
  AsyncValue* GetAsyncValue() const { return value_.get(); }
  explicit operator bool() const { return static_cast<bool>(value_); }

  bool IsAvailable() const { return value_->IsAvailable(); }
  bool IsConcrete() const { return value_->IsConcrete(); }
  bool IsError() const { return value_->IsError(); }
  bool IsUnique() const { return value_->IsUnique(); }
  const Status& GetError() const { return value_->GetError(); }
  T& get() const { return value_->get<T>(); }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }

  template <typename... Args>
  void emplace(Args&&... args) const {
    AsPtr().emplace(std::forward<Args>(args)...);
  }
  void SetError(Status error) const { value_->SetError(std::move(error)); }
  void SetStateConcrete() const { value_->SetStateConcrete(); }
  template <typename F>
  void AndThen(F&& waiter) const {
    AsPtr().AndThen(std::forward<F>(waiter));
  }

  // Returns a value computed from this one: fn(T&) returns an R or a StatusOr<R>. Runs `fn` at once
  // if this is available, otherwise when it becomes available. An error is passed on.
  template <typename F>
  auto Map(F&& fn) const;

  AsyncValueRef CopyRef() const { return AsyncValueRef(value_); }
  // Copies a reference to a value that the caller has made and not shared yet.
  AsyncValueRef CopyRefOfNew() const {
    value_->AddRefOfNew();
    return AsyncValueRef(TakeRef(value_.get()));
  }
  RCReference<AsyncValue> CopyRCRef() const { return value_; }
  RCReference<AsyncValue> ReleaseRCRef() { return std::move(value_); }
  // Gives up ownership: the caller owes one DropRef.
  [[nodiscard]] AsyncValue* release() { return value_.release(); }
  void reset() { value_.reset(); }

 private:
  RCReference<AsyncValue> value_;
};

// Returns a value that is not constructed yet. A later emplace, or SetError, makes it available.
template <typename T>
AsyncValueRef<T> MakeUnconstructedAsyncValueRef() {
  using Value = internal::ConcreteAsyncValue<T>;
  return AsyncValueRef<T>(
      TakeRef<AsyncValue>(new (internal::AllocateSmall(sizeof(Value))) Value()));
}

// Returns a value that is constructed but not published: SetStateConcrete publishes it.
template <typename T, typename... Args>
AsyncValueRef<T> MakeConstructedAsyncValueRef(Args&&... args) {
  using Value = internal::ConcreteAsyncValue<T>;
  return AsyncValueRef<T>(TakeRef<AsyncValue>(new (internal::AllocateSmall(sizeof(Value))) Value(
      AsyncValue::State::kConstructed, std::forward<Args>(args)...)));
}

template <typename T, typename... Args>
AsyncValueRef<T> MakeAvailableAsyncValueRef(Args&&... args) {
  using Value = internal::ConcreteAsyncValue<T>;
  return AsyncValueRef<T>(TakeRef<AsyncValue>(new (internal::AllocateSmall(sizeof(Value))) Value(
      AsyncValue::State::kConcrete, std::forward<Args>(args)...)));
}

template <typename T>
AsyncValueRef<T> MakeErrorAsyncValueRef(Status error) {
  return AsyncValueRef<T>(MakeErrorAsyncValue(std::move(error)));
}

namespace internal {
template <typename R>
struct MapResult {
  using Payload = R;
};
template <typename R>
struct MapResult<StatusOr<R>> {
  using Payload = R;
};
}  // namespace internal

template <typename T>
template <typename F>
auto AsyncValueRef<T>::Map(F&& fn) const {
  using R = std::remove_cvref_t<std::invoke_result_t<F&, T&>>;
  using Payload = typename internal::MapResult<R>::Payload;
  if (IsConcrete()) [[likely]] {
    if constexpr (std::is_same_v<R, Payload>) {
      return MakeAvailableAsyncValueRef<Payload>(fn(get()));
    } else {
      R result = fn(get());
      if (!result.ok()) return MakeErrorAsyncValueRef<Payload>(result.status());
      return MakeAvailableAsyncValueRef<Payload>(*std::move(result));
    }
  }
  if (IsError()) return MakeErrorAsyncValueRef<Payload>(GetError());
  auto result = MakeUnconstructedAsyncValueRef<Payload>();
  AndThen([from = AsPtr(), to = result.CopyRefOfNew(), fn = std::forward<F>(fn)]() mutable {
    if (from.IsError()) {
      to.SetError(from.GetError());
    } else {
      to.emplace(fn(from.get()));
    }
  });
  return result;
}

}  // namespace tfrt

#endif  // TFRT_ASYNC_ASYNC_VALUE_REF_H_
