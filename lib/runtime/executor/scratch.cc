#include "scratch.h"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace tfrt::internal {

namespace {

struct ScratchStack {
  std::byte* begin;
  std::byte* top;
  std::byte* end;
};
[[gnu::tls_model("initial-exec")]] thread_local constinit ScratchStack scratch_stack = {};

constexpr size_t kFirstBytes = 16 * 1024;
constexpr size_t kMaxBytes = 1024 * 1024;

// Owns the memory of a thread's stack. Ends with the thread; runs after that allocate.
struct Owner {
  std::byte* memory = nullptr;
  size_t size = 0;
  size_t num_outside = 0;       // blocks that did not fit and are in use
  size_t wanted = kFirstBytes;  // what would have fitted all so far
  bool closed = false;

  ~Owner() {
    closed = true;
    scratch_stack = {};
    ::operator delete(memory);
  }
};
Owner& ThisThread() {
  static thread_local Owner owner;
  return owner;
}

[[gnu::noinline]] std::byte* AllocateOutside(size_t size_bytes) {
  Owner& owner = ThisThread();
  size_t in_use = owner.memory ? static_cast<size_t>(scratch_stack.top - owner.memory) : 0;
  owner.wanted = std::max(owner.wanted, std::min(kMaxBytes, 2 * (in_use + size_bytes)));
  ++owner.num_outside;
  return static_cast<std::byte*>(::operator new(size_bytes));
}

[[gnu::noinline]] void FreeOutside(std::byte* memory) {
  ::operator delete(memory);
  Owner& owner = ThisThread();
  --owner.num_outside;
  // Grow while nobody uses the stack.
  bool unused = owner.num_outside == 0 && scratch_stack.top == owner.memory;
  if (owner.closed || !unused || owner.wanted <= owner.size) return;
  ::operator delete(owner.memory);
  owner.size = owner.wanted;
  owner.memory = static_cast<std::byte*>(::operator new(owner.size));
  scratch_stack = {owner.memory, owner.memory, owner.memory + owner.size};
}

}  // namespace

std::byte* AllocateScratch(size_t size_bytes) {
  size_t size = (size_bytes + 15) & ~size_t{15};
  if (size > static_cast<size_t>(scratch_stack.end - scratch_stack.top)) [[unlikely]]
    return AllocateOutside(size);
  return std::exchange(scratch_stack.top, scratch_stack.top + size);
}

void FreeScratch(std::byte* memory) {
  bool from_stack =
      !std::less<>()(memory, scratch_stack.begin) && std::less<>()(memory, scratch_stack.end);
  if (!from_stack) [[unlikely]]
    return FreeOutside(memory);
  scratch_stack.top = memory;
}

}  // namespace tfrt::internal
