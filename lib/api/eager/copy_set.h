// CopySet: the copies of one tensor on other devices. CopyRegistry: all sets of a host, so that
// their copies can be dropped.
#ifndef TFRT_LIB_API_EAGER_COPY_SET_H_
#define TFRT_LIB_API_EAGER_COPY_SET_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "tfrt/eager/tensor_state.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::eager {

class DeviceMemory;

// Made when the tensor gets its first copy, or is one. Counted: its tensor has it, and so have the
// copies, which find the tensor through it as long as that is there.
class CopySet : public ReferenceCounted<CopySet> {
 public:
  CopySet(const TensorState* owner, RCReference<CopySet> origin)
      : origin(std::move(origin)), owner_(owner) {}

  struct Entry {
    RCReference<TensorState> copy;
    bool pinned;  // somebody reads its elements where they are
  };

  // The copy on this device, if there is one that is no error. `pin`: it stays as long as the
  // tensor.
  RCReference<TensorState> Find(uint8_t device, bool pin);
  // The same, or `copy` if there is none.
  RCReference<TensorState> FindOrAdd(RCReference<TensorState> copy, bool pin);
  // Returns the tensor itself; null if it is destroyed or about to be.
  RCReference<TensorState> Owner() const;
  // True if the caller's reference to the tensor is the only one. From then on copies do not find
  // it.
  bool CutIfUnique();
  // The tensor is being destroyed, and its copies no longer have an owner.
  void EndOwner();
  // Moves the copies that may be dropped to `dropped`.
  void Drop(const ContextCore* core, const DeviceMemory* memory, bool available,
            std::vector<RCReference<TensorState>>* dropped);

  const RCReference<CopySet> origin;  // of the tensor that this one's is a copy of; null: none

 private:
  friend class CopyRegistry;
  Entry* FindEntry(uint8_t device);

  mutable std::mutex mutex_;
  const TensorState* owner_;    // null: gone, or cut off; under mutex_
  std::vector<Entry> entries_;  // under mutex_
  // In the registry's list; under its mutex.
  CopySet* previous_ = nullptr;
  CopySet* next_ = nullptr;
};

// Thread-safe. Locks come in this order: registry, set. No tensor is dropped under either.
class CopyRegistry {
 public:
  void Add(CopySet* set);
  void Remove(CopySet* set);

  // Drops copies that are not read where they are; returns their number. With `core`, only those of
  // tensors of this context; null: all. With `memory`, only those of the device that has it; null:
  // all. With `available`, none that are in flight.
  size_t DropCopies(const ContextCore* core, const DeviceMemory* memory, bool available);

 private:
  std::mutex mutex_;
  CopySet* first_ = nullptr;  // under mutex_
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_COPY_SET_H_
