#include "tfrt/eager/tensor_state.h"

#include "context_core.h"
#include "copy_set.h"

namespace tfrt::eager {

CopySet* TensorState::GetOrCreateCopies(RCReference<CopySet> origin) const {
  // acquire: sees the set.
  CopySet* set = copies_.load(std::memory_order_acquire);
  if (set) return set;
  auto* made = new CopySet(this, std::move(origin));
  core()->copies->Add(made);
  // release: publishes the set; acquire on failure: sees the one that was faster.
  if (copies_.compare_exchange_strong(set, made, std::memory_order_release,
                                      std::memory_order_acquire)) {
    return made;
  }
  core()->copies->Remove(made);
  made->DropRef();
  return set;
}

RCReference<TensorState> TensorState::FindCopy(uint8_t device, bool pin) const {
  CopySet* set = copies_.load(std::memory_order_acquire);
  if (!set) return nullptr;
  if (RCReference<TensorState> copy = set->Find(device, pin)) return copy;
  if (!set->origin || device == device_) return nullptr;
  RCReference<TensorState> source = set->origin->Owner();
  if (!source) return nullptr;
  RCReference<TensorState> copy =
      source->device() == device ? std::move(source) : source->FindCopy(device, false);
  if (!copy || copy->value()->IsError()) return nullptr;
  if (!pin) return copy;
  // Readers on that device hold a state of this tensor, not the one that was found: holding that
  // one would be a circle.
  core()->AddRefs(1);
  const TensorMetadata* metadata = copy->metadata();
  RCReference<AsyncValue> value = FormRef(copy->value());
  return set->FindOrAdd(
      TakeRef(metadata ? new TensorState(core(), device, *metadata, std::move(value))
                       : new TensorState(core(), device, std::move(value))),
      true);
}

RCReference<TensorState> TensorState::AddCopy(RCReference<TensorState> copy,
                                              CopyMemory memory) const {
  CopySet* set = GetOrCreateCopies(nullptr);
  copy->GetOrCreateCopies(FormRef(set));
  if (memory == CopyMemory::kNone) return copy;
  return set->FindOrAdd(std::move(copy), memory == CopyMemory::kPinned);
}

bool TensorState::CutIfUnique() const {
  return copies_.load(std::memory_order_relaxed)->CutIfUnique();
}

void TensorState::EndCopies(CopySet* set) const {
  core()->copies->Remove(set);
  set->EndOwner();
  set->DropRef();
}

}  // namespace tfrt::eager
