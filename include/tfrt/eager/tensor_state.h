// TensorState: what the copies of an eager::Tensor share. Of the runtime's own concern.
#ifndef TFRT_EAGER_TENSOR_STATE_H_
#define TFRT_EAGER_TENSOR_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/value_allocator.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::eager {

class ContextCore;

// One reference to what a tensor needs of its context; null for errors of threads without a scope.
class ContextCoreHolder {
 public:
  explicit ContextCoreHolder(ContextCore* core) : core_(core) {}
  ~ContextCoreHolder() {
    if (core_) Drop(core_);
  }
  ContextCoreHolder(const ContextCoreHolder&) = delete;
  ContextCoreHolder& operator=(const ContextCoreHolder&) = delete;
  ContextCore* get() const { return core_; }

 private:
  // To the thread's scope, if it is one of the same context: that takes no atomic operation.
  static void Drop(ContextCore* core);
  ContextCore* const core_;
};

// Immutable but for the copies on other devices that it remembers. Thread-safe. May outlive its
// context.
class TensorState : public ReferenceCounted<TensorState> {
 public:
  // `value` is or will be a Tensor, or an error. The metadata are those of the value. Takes over a
  // reference to `core` (Scope::State::ShareCore), which is null for errors outside of all scopes.
  TensorState(ContextCore* core, uint8_t device, RCReference<AsyncValue> value)
      : core_(core), value_(std::move(value)), device_(device) {}
  // The metadata are known before the value is there.
  TensorState(ContextCore* core, uint8_t device, TensorMetadata metadata,
              RCReference<AsyncValue> value)
      : core_(core),
        value_(std::move(value)),
        metadata_(std::move(metadata)),
        device_(device),
        has_metadata_(true) {}
  ~TensorState() {
    // acquire: what the thread that added the copies wrote.
    if (Copies* copies = copies_.load(std::memory_order_acquire)) DropCopies(copies);
  }

  // Of its context; null for an error that has none.
  ContextCore* core() const { return core_.get(); }
  // Its number in the context.
  uint8_t device() const { return device_; }
  AsyncValue* value() const { return value_.get(); }

  // Null while they are not known. Of a value that has become an error: what it would have been, or
  // null.
  const TensorMetadata* metadata() const {
    if (has_metadata_) return &metadata_;
    return value_->IsConcrete() ? &value_->get<tfrt::Tensor>().metadata() : nullptr;
  }

  // The copy on another device, which may still be on its way; null if there is none. On the device
  // of the tensor itself: its elements as a dense tensor. Copies that have failed do not count.
  RCReference<TensorState> FindCopy(uint8_t device) const;
  // Remembers a copy, unless another thread was faster: returns the one that is remembered.
  RCReference<TensorState> AddCopy(RCReference<TensorState> copy) const;

  // Small blocks of the runtime's pool.
  static void* operator new(size_t size) { return tfrt::internal::AllocateSmall(size); }
  static void operator delete(void* block, size_t size) { tfrt::internal::FreeSmall(block, size); }

 private:
  struct Copies {
    RCReference<TensorState> copy;
    Copies* next;
  };
  static void DropCopies(Copies* copies);

  const ContextCoreHolder core_;  // first, so that the elements go before their memory
  const RCReference<AsyncValue> value_;
  const TensorMetadata metadata_;
  mutable std::atomic<Copies*> copies_{nullptr};
  const uint8_t device_;
  const bool has_metadata_ = false;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_TENSOR_STATE_H_
