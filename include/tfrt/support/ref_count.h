// Intrusive reference counts: ReferenceCounted<Derived> and its smart pointer RCReference<T>.
#ifndef TFRT_SUPPORT_REF_COUNT_H_
#define TFRT_SUPPORT_REF_COUNT_H_

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tfrt {

// Number of ReferenceCounted objects alive in this process; 0 unless TFRT_TRACK_LIVE_OBJECTS.
int64_t NumLiveRefCounted();

namespace internal {
#ifdef TFRT_TRACK_LIVE_OBJECTS
void CountLiveRefCounted(int delta);
#else
inline void CountLiveRefCounted(int) {}
#endif
}  // namespace internal

// Base of objects with an intrusive count that starts at 1. The last DropRef deletes the object
// through Derived (give Derived a virtual destructor if it is a base). Thread-safe.
template <typename Derived>
class ReferenceCounted {
 public:
  ReferenceCounted() { internal::CountLiveRefCounted(1); }
  ReferenceCounted(const ReferenceCounted&) = delete;
  ReferenceCounted& operator=(const ReferenceCounted&) = delete;

  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held.
    count_.fetch_add(n, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const {
    assert(count_.load(std::memory_order_relaxed) >= n);
    // acquire load: if we hold the only references, no other thread can change the count. We must
    // see what earlier owners wrote. This spares the read-modify-write. acq_rel otherwise:
    // publishes our writes to the thread that destroys the object, and lets that thread see those
    // of all others.
    if (count_.load(std::memory_order_acquire) == n ||
        count_.fetch_sub(n, std::memory_order_acq_rel) == n) {
      delete static_cast<const Derived*>(this);
    }
  }
  // True if the caller's reference is the only one. acquire: the caller may then mutate.
  bool IsUnique() const { return count_.load(std::memory_order_acquire) == 1; }
  uint32_t NumRef() const { return count_.load(std::memory_order_relaxed); }

 protected:
  // For a Derived to which some code keeps a pointer without a reference. Derived::DropRef must
  // then call DropRefByCount wherever the pointer may be used meanwhile. Plain DropRef leaves the
  // count of an object that it destroys at 1. Returns false if the object is about to be destroyed.
  // relaxed: as AddRef.
  bool TryAddRef() const {
    uint32_t count = count_.load(std::memory_order_relaxed);
    while (count != 0) {
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  void DropRefByCount() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete static_cast<const Derived*>(this);
    }
  }

  ~ReferenceCounted() { internal::CountLiveRefCounted(-1); }

 private:
  mutable std::atomic<uint32_t> count_{1};
};

// Owns one reference to a T that has AddRef/DropRef. May be null.
template <typename T>
class RCReference {
 public:
  RCReference() = default;
  RCReference(std::nullptr_t) {}  // NOLINT: implicit by design
  RCReference(const RCReference& other) : pointer_(other.pointer_) {
    if (pointer_) pointer_->AddRef();
  }
  RCReference(RCReference&& other) noexcept : pointer_(other.release()) {}
  template <typename U>
    requires std::is_convertible_v<U*, T*>
  RCReference(RCReference<U> other) : pointer_(other.release()) {}  // NOLINT: implicit upcast
  RCReference& operator=(const RCReference& other) {  // NOLINT: a copy of itself is harmless
    return *this = RCReference(other);
  }
  RCReference& operator=(RCReference&& other) noexcept {
    T* old = std::exchange(pointer_, other.release());
    if (old) old->DropRef();
    return *this;
  }
  ~RCReference() {
    if (pointer_) pointer_->DropRef();
  }

  T* get() const { return pointer_; }
  T* operator->() const {
    assert(pointer_);
    return pointer_;
  }
  T& operator*() const {
    assert(pointer_);
    return *pointer_;
  }
  explicit operator bool() const { return pointer_ != nullptr; }
  // Gives up ownership: the caller owes one DropRef.
  [[nodiscard]] T* release() { return std::exchange(pointer_, nullptr); }
  void reset() { *this = RCReference(); }
  RCReference CopyRef() const { return *this; }

  friend bool operator==(const RCReference& a, const RCReference& b) {
    return a.pointer_ == b.pointer_;
  }

 private:
  template <typename U>
  friend RCReference<U> TakeRef(U* pointer);
  T* pointer_ = nullptr;
};

// Wraps a reference that the caller already owns.
template <typename T>
RCReference<T> TakeRef(T* pointer) {
  RCReference<T> reference;
  reference.pointer_ = pointer;
  return reference;
}

// Adds a reference and wraps it.
template <typename T>
RCReference<T> FormRef(T* pointer) {
  if (pointer) pointer->AddRef();
  return TakeRef(pointer);
}

template <typename T, typename... Args>
RCReference<T> MakeRef(Args&&... args) {
  return TakeRef(new T(std::forward<Args>(args)...));
}

}  // namespace tfrt

#endif  // TFRT_SUPPORT_REF_COUNT_H_
