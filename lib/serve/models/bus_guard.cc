#include "bus_guard.h"

#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace tfrt::serve {

// A handler of signals may use lock-free atomics, and no locks.
struct BusGuard::Slot {
  std::atomic<bool> is_taken{false};
  std::atomic<uintptr_t> begin{0};  // 0: nothing is guarded
  std::atomic<uintptr_t> end{0};
  std::atomic<bool> has_failed{false};
};

namespace {

static_assert(std::atomic<uintptr_t>::is_always_lock_free);

BusGuard::Slot slots[BusGuard::kMaxGuards];
struct sigaction earlier;

// Returns the guard of an address; null if there is none.
BusGuard::Slot* FindSlot(uintptr_t address) {
  for (BusGuard::Slot& slot : slots) {
    // seq_cst: a slot may be released and taken again meanwhile. Then `begin` differs, or both are
    // those of the new mapping.
    const uintptr_t begin = slot.begin.load();
    if (begin == 0 || address < begin || address >= slot.end.load()) continue;
    if (slot.begin.load() == begin) return &slot;
  }
  return nullptr;
}

void OnBusError(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  // si_code is positive if the system has found the fault, and not if somebody sent the signal.
  BusGuard::Slot* const slot =
      info->si_code > 0 ? FindSlot(reinterpret_cast<uintptr_t>(info->si_addr)) : nullptr;
  if (slot) {
    const uintptr_t begin = slot->begin.load();
    void* const zeros =
        mmap(reinterpret_cast<void*>(begin), slot->end.load() - begin, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, /*fd=*/-1, /*offset=*/0);
    // relaxed: this thread reads zeros, and what it computes of them reaches others in order.
    slot->has_failed.store(true, std::memory_order_relaxed);
    errno = saved_errno;
    if (zeros != MAP_FAILED) return;
  } else if (earlier.sa_flags & SA_SIGINFO) {
    return earlier.sa_sigaction(number, info, context);
  }
  // The earlier action, which is to end the process as a rule, follows when this returns: the
  // faulting instruction is repeated.
  sigaction(SIGBUS, &earlier, nullptr);
  if (info->si_code <= 0) raise(SIGBUS);
}

bool SetHandler() {
  struct sigaction action = {};
  action.sa_sigaction = OnBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, &earlier) == 0;
}

}  // namespace

std::unique_ptr<BusGuard> BusGuard::Create(void* begin, size_t size_bytes) {
  static const bool is_set = SetHandler();
  if (!is_set) return nullptr;
  for (Slot& slot : slots) {
    if (slot.is_taken.exchange(true)) continue;
    slot.has_failed.store(false, std::memory_order_relaxed);
    slot.end.store(reinterpret_cast<uintptr_t>(begin) + size_bytes);
    slot.begin.store(reinterpret_cast<uintptr_t>(begin));
    return std::unique_ptr<BusGuard>(new BusGuard(&slot));
  }
  return nullptr;
}

BusGuard::~BusGuard() {
  slot_->begin.store(0);
  slot_->is_taken.store(false);
}

bool BusGuard::has_failed() const { return slot_->has_failed.load(std::memory_order_relaxed); }

}  // namespace tfrt::serve
