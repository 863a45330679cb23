#include "epoch.h"

#include <utility>

namespace tfrt::function {
namespace {

// Begins at 1: a slot that says 0 reads nothing.
std::atomic<uint64_t> current_epoch{1};
std::atomic<EpochSlot*> all_slots{nullptr};

EpochSlot* TakeSlot() {
  for (EpochSlot* slot = all_slots.load(std::memory_order_acquire); slot; slot = slot->next) {
    bool is_taken = slot->is_taken.load(std::memory_order_relaxed);
    if (!is_taken && slot->is_taken.compare_exchange_strong(is_taken, true)) return slot;
  }
  auto* slot = new EpochSlot();  // as long as the process: readers of others walk the list
  slot->next = all_slots.load(std::memory_order_relaxed);
  while (!all_slots.compare_exchange_weak(slot->next, slot)) {
  }
  return slot;
}

struct ThreadSlot {
  EpochSlot* const slot = TakeSlot();
  ~ThreadSlot() { slot->is_taken.store(false, std::memory_order_release); }
};

EpochSlot& SlotOfThread() {
  static thread_local ThreadSlot of_thread;
  return *of_thread.slot;
}

}  // namespace

EpochReader::EpochReader() : slot_(SlotOfThread()) {
  // seq_cst, as the look of who collects: either that sees the slot, or this thread sees that the
  // thing is gone.
  slot_.reading.store(current_epoch.load(std::memory_order_seq_cst), std::memory_order_seq_cst);
}

EpochGarbage::~EpochGarbage() {
  for (Waiting& each : waiting_) each.free();
}

void EpochGarbage::Add(std::function<void()> free) {
  // Readers that begin from now on have a later number.
  waiting_.push_back({current_epoch.fetch_add(1, std::memory_order_seq_cst), std::move(free)});
}

void EpochGarbage::Collect() {
  uint64_t oldest = UINT64_MAX;
  for (EpochSlot* slot = all_slots.load(std::memory_order_seq_cst); slot; slot = slot->next) {
    const uint64_t reading = slot->reading.load(std::memory_order_seq_cst);
    if (reading != 0 && reading < oldest) oldest = reading;
  }
  std::vector<Waiting> free;
  std::erase_if(waiting_, [&](Waiting& each) {
    if (each.epoch >= oldest) return false;
    free.push_back(std::move(each));
    return true;
  });
  for (Waiting& each : free) each.free();
}

}  // namespace tfrt::function
