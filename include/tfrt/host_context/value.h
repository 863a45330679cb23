// Value: the contents of a register of a sync function. Takes 64 bytes, of which 56 hold a payload
// in place; larger payloads live on the heap. Move-only, single-threaded.
#ifndef TFRT_HOST_CONTEXT_VALUE_H_
#define TFRT_HOST_CONTEXT_VALUE_H_

#include <cassert>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "tfrt/async/type_id.h"

namespace tfrt {

class alignas(64) Value {
 public:
  Value() = default;
  Value(Value&& other) noexcept { MoveFrom(other); }
  Value& operator=(Value&& other) noexcept {
    if (this != &other) {
      reset();
      MoveFrom(other);
    }
    return *this;
  }
  ~Value() { reset(); }

  template <typename T>
  static Value Make(T payload) {
    Value value;
    value.emplace<T>(std::move(payload));
    return value;
  }

  bool has_value() const { return ops_ != nullptr; }
  TypeId type_id() const { return ops_ ? ops_->type_id() : kUnknownTypeId; }
  template <typename T>
  bool IsType() const {
    return ops_ != nullptr && (ops_ == &kOps<T> || IsTypeOrBase(type_id(), GetTypeId<T>()));
  }
  // Needs IsType<T>().
  template <typename T>
  T& get() {
    assert(IsType<T>() && "Value read as a type it does not have");
    return *static_cast<T*>(ops_->is_inline ? storage_ : *reinterpret_cast<void**>(storage_));
  }

  // True if the payload's type is T itself, as far as one comparison can tell: a plug-in has a
  // kOps<T> at another address. IsType<T>() is always exact.
  template <typename T>
  bool IsExactly() const {
    return ops_ == &kOps<T>;
  }
  // Needs IsExactly<T>().
  template <typename T>
  T* GetExactly() {
    if constexpr (kInline<T>) {
      return std::launder(reinterpret_cast<T*>(storage_));
    } else {
      return *reinterpret_cast<T**>(storage_);
    }
  }

  template <typename T, typename... Args>
  T& emplace(Args&&... args) {
    reset();
    return EmplaceOverTrivial<T>(std::forward<Args>(args)...);
  }
  // As emplace, but destroys no earlier payload: there must be none, or a trivial one.
  template <typename T, typename... Args>
  T& EmplaceOverTrivial(Args&&... args) {
    assert(!ops_ || ops_->is_trivial);
    T* payload;
    if constexpr (kInline<T>) {
      payload = new (storage_) T(std::forward<Args>(args)...);
    } else {
      payload = new T(std::forward<Args>(args)...);
      *reinterpret_cast<void**>(storage_) = payload;
    }
    ops_ = &kOps<T>;
    return *payload;
  }
  void reset() {
    if (ops_) std::exchange(ops_, nullptr)->destroy(storage_);
  }

 private:
  static constexpr size_t kInlineSize = 56;
  template <typename T>
  static constexpr bool kInline =
      sizeof(T) <= kInlineSize && alignof(T) <= 64 && std::is_nothrow_move_constructible_v<T>;

  struct Ops {
    TypeId (*type_id)();
    void (*move)(void* to, void* from);  // leaves `from` destroyed
    void (*destroy)(void* storage);
    bool is_inline;
    bool is_trivial;  // needs no destroy
  };
  template <typename T>
  static void Move(void* to, void* from) {
    if constexpr (kInline<T>) {
      new (to) T(std::move(*static_cast<T*>(from)));
      static_cast<T*>(from)->~T();
    } else {
      *static_cast<void**>(to) = *static_cast<void**>(from);
    }
  }
  template <typename T>
  static void Destroy(void* storage) {
    if constexpr (kInline<T>) {
      static_cast<T*>(storage)->~T();
    } else {
      delete *static_cast<T**>(storage);
    }
  }
  template <typename T>
  static constexpr Ops kOps = {&GetTypeId<T>, &Move<T>, &Destroy<T>, kInline<T>,
                               kInline<T>&& std::is_trivially_destructible_v<T>};

  void MoveFrom(Value& other) {
    ops_ = std::exchange(other.ops_, nullptr);
    if (ops_) ops_->move(storage_, other.storage_);
  }

  std::byte storage_[kInlineSize];
  const Ops* ops_ = nullptr;
};
static_assert(sizeof(Value) == 64);

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_VALUE_H_
