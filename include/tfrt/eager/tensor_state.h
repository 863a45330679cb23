// TensorState is shared by the copies of an eager::Tensor. It is internal to the runtime.
#ifndef TFRT_EAGER_TENSOR_STATE_H_
#define TFRT_EAGER_TENSOR_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/small_blocks.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::eager {

class ContextCore;
class CopySet;
class ResultBlock;

// Whether a tensor keeps a copy of it.
enum class CopyMemory : uint8_t {
  kNone,       // no, but the copy finds the tensor
  kDroppable,  // until it is dropped (Context::DropCopies)
  kPinned,     // as long as the tensor: somebody has a pointer to its elements
};

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
  // `has_late_metadata`: see below.
  TensorState(ContextCore* core, uint8_t device, RCReference<AsyncValue> value,
              bool has_late_metadata = false)
      : core_(core),
        value_(std::move(value)),
        device_(device),
        has_late_metadata_(has_late_metadata) {}
  // Makes a state whose metadata are known before the value is available.
  TensorState(ContextCore* core, uint8_t device, TensorMetadata metadata,
              RCReference<AsyncValue> value, bool has_late_metadata = false)
      : core_(core),
        value_(std::move(value)),
        metadata_(std::move(metadata)),
        device_(device),
        has_metadata_(true),
        has_late_metadata_(has_late_metadata) {}
  ~TensorState() {
    // acquire: what the thread that added the copies wrote.
    if (CopySet* copies = copies_.load(std::memory_order_acquire)) EndCopies(copies);
  }

  // As ReferenceCounted, for tensors that their copies may find again.
  void DropRef() const {
    // A set of copies that another owner made is seen: IsUnique acquires.
    if (IsUnique()) {
      delete this;
    } else {
      DropRefByCount();
    }
  }
  // Asked by who will write the elements, or end them: if true, copies do not find the tensor any
  // more.
  bool IsUnique() const {
    return ReferenceCounted::IsUnique() &&
           (copies_.load(std::memory_order_relaxed) == nullptr || CutIfUnique());
  }

  // Returns its context; null for an error that has none.
  ContextCore* core() const { return core_.get(); }
  // Its number in the context.
  uint8_t device() const { return device_; }
  AsyncValue* value() const { return value_.get(); }

  // Returns null while the metadata are not known. For a value that has become an error: the
  // metadata that were expected, or null.
  const TensorMetadata* metadata() const {
    if (has_metadata_) return &metadata_;
    return value_->IsConcrete() ? &value_->get<tfrt::Tensor>().metadata() : nullptr;
  }

  bool has_copies() const { return copies_.load(std::memory_order_relaxed) != nullptr; }

  // Returns the value that the elements wait for when `value` is available
  // (tfrt::Tensor::elements). Null: nothing, or `value` is not available yet, or an error.
  AsyncValue* elements() const {
    return value_->IsConcrete() ? value_->get<tfrt::Tensor>().elements() : nullptr;
  }
  // Whether it is known now to be an error, or to have elements that are one.
  bool IsError() const {
    if (value_->IsError()) return true;
    AsyncValue* elements = this->elements();
    return elements && elements->IsError();
  }

  // True if a call could not compute the metadata, whether it has run by now or not. That is a call
  // of an op without a metadata function, or with a late argument. Placement uses only metadata
  // that a call can compute, so that it is the same in SYNC and ASYNC mode.
  bool has_late_metadata() const { return has_late_metadata_; }
  // True of a traced tensor (tracer.h): its value is the error that says so.
  bool is_traced() const { return kind_ == Kind::kTraced; }

  // The copy on another device, or what this is a copy of; it may still be on its way. Null if
  // there is none. On the device of the tensor itself: its elements as a dense tensor. Copies that
  // have failed do not count. `pin`: it must stay as long as the tensor.
  RCReference<TensorState> FindCopy(uint8_t device, bool pin = false) const;
  // Adds a copy, unless another thread was faster: returns the one that is remembered. `copy` is
  // the caller's alone.
  RCReference<TensorState> AddCopy(RCReference<TensorState> copy, CopyMemory memory) const;

  // Small blocks of the runtime's pool, or part of a block with the value and its elements.
  static void* operator new(size_t size) { return tfrt::internal::AllocateSmall(size); }
  static void operator delete(TensorState* state, std::destroying_delete_t);

 private:
  friend class CopySet;
  friend class ResultBlock;
  friend class TracedState;
  enum class Kind : uint8_t { kOwn, kInBlock, kTraced };  // what it is part of
  struct InBlock {};
  struct Traced {};
  TensorState(InBlock, ContextCore* core, uint8_t device, RCReference<AsyncValue> value,
              bool has_late_metadata)
      : core_(core),
        value_(std::move(value)),
        device_(device),
        has_late_metadata_(has_late_metadata),
        kind_(Kind::kInBlock) {}
  TensorState(Traced, RCReference<AsyncValue> value)
      : core_(nullptr), value_(std::move(value)), device_(0), kind_(Kind::kTraced) {}
  static void End(TensorState* state);
  CopySet* GetOrCreateCopies(RCReference<CopySet> origin) const;
  bool CutIfUnique() const;
  void EndCopies(CopySet* set) const;

  const ContextCoreHolder core_;   // first, so that the elements go before their memory
  RCReference<AsyncValue> value_;  // does not change
  const TensorMetadata metadata_;
  mutable std::atomic<CopySet*> copies_{nullptr};  // made once
  const uint8_t device_;
  const bool has_metadata_ = false;
  const bool has_late_metadata_ = false;
  const Kind kind_ = Kind::kOwn;  // ResultBlock, TracedState
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_TENSOR_STATE_H_
