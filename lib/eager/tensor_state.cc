#include "tfrt/eager/tensor_state.h"

namespace tfrt::eager {

namespace {

bool Serves(const TensorState& copy, uint8_t device) {
  return copy.device() == device && !copy.value()->IsError();
}

}  // namespace

RCReference<TensorState> TensorState::FindCopy(uint8_t device) const {
  // acquire: sees the copies' contents. They are only added, until the state ends.
  for (Copies* c = copies_.load(std::memory_order_acquire); c; c = c->next) {
    if (Serves(*c->copy, device)) return c->copy;
  }
  return nullptr;
}

RCReference<TensorState> TensorState::AddCopy(RCReference<TensorState> copy) const {
  auto* added = new Copies{std::move(copy), copies_.load(std::memory_order_acquire)};
  while (true) {
    for (Copies* c = added->next; c; c = c->next) {
      if (!Serves(*c->copy, added->copy->device())) continue;
      delete added;
      return c->copy;
    }
    // release: publishes the copy; acquire on failure: sees the one that was faster.
    if (copies_.compare_exchange_weak(added->next, added, std::memory_order_release,
                                      std::memory_order_acquire)) {
      return added->copy;  // `this` keeps it
    }
  }
}

void TensorState::DropCopies(Copies* copies) {
  while (copies) {
    Copies* next = copies->next;
    delete copies;
    copies = next;
  }
}

}  // namespace tfrt::eager
