#include "result_block.h"

#include <cassert>
#include <new>

#include "context_impl.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/small_blocks.h"
#include "traced_state.h"

namespace tfrt::eager {

// Stands as the allocator of a buffer that lies in a block.
class BlockAllocator final : public HostAllocator {
 public:
  constexpr BlockAllocator() = default;
  void* AllocateBytes(size_t, size_t) override { return nullptr; }
  void DeallocateBytes(void* memory, size_t) override {
    auto* block =
        reinterpret_cast<ResultBlock*>(static_cast<char*>(memory) - offsetof(ResultBlock, buffer_));
    block->EndPart();
  }
};

namespace {

// Buffers may go while the process exits.
union NeverDestroyed {
  constexpr NeverDestroyed() : value() {}
  constexpr ~NeverDestroyed() {}
  BlockAllocator value;
};
constinit NeverDestroyed block_allocator;

constexpr int32_t kMaxFreeBlocks = 512;  // of a thread: 128 KiB

// The life of a thread's list (small_blocks.cc has the same): it is trivially destructible, so
// that tensors dropped late in thread exit still find it; the releaser empties it and leaves it
// without room for good.
enum class ListState : uint8_t { kUntouched, kOpen, kClosed };
thread_local constinit ListState list_state = ListState::kUntouched;

}  // namespace

[[gnu::tls_model(
    "initial-exec")]] thread_local constinit ResultBlock::FreeList ResultBlock::free_list = {};

struct ResultBlock::ListReleaser {
  ~ListReleaser() {
    list_state = ListState::kClosed;
    free_list.room = 0;
    while (ResultBlock* block = free_list.head) {
      free_list.head = block->next_free();
      block->EndKept();
      delete block;
    }
  }
};

ResultBlock* ResultBlock::AllocateSlow() { return new ResultBlock; }

void ResultBlock::OpenList() {
  static thread_local ListReleaser releaser;
  (void)&releaser;  // its first use on a thread arranges for its destruction
  list_state = ListState::kOpen;
  free_list.room = kMaxFreeBlocks;
}

void ResultBlock::FreeSlow() {
  if (list_state != ListState::kUntouched || !tfrt::internal::SmallBlockPoolIsOn()) {
    EndKept();
    delete this;
    return;
  }
  OpenList();
  Free();
}

BlockTensor::~BlockTensor() {
  auto* block = reinterpret_cast<ResultBlock*>(reinterpret_cast<std::byte*>(this) -
                                               ResultBlock::kPayloadOffset);
  tensor.~DenseHostTensor();  // NOLINT: of the moved-from tensor
  block->EndPart();
}

TensorState* ResultBlock::MakeNew(const DenseHostTensor& like, ContextCore* core, uint8_t device,
                                  bool has_late_metadata) {
  EndKept();
  // relaxed: whoever gets the tensor sees it with the tensor.
  parts_.store(kParts, std::memory_order_relaxed);
  auto* value = ::new (value_)
      Value(AsyncValue::State::kConcrete, like,
            HostBuffer::CreateInline(buffer_, like.size_bytes(), &block_allocator.value));
  return ::new (state_) TensorState(TensorState::InBlock(), core, device,
                                    TakeRef<AsyncValue>(value), has_late_metadata);
}

void ResultBlock::EndKept() {
  if (parts_.load(std::memory_order_relaxed) != kParts) return;
  parts_.store(0, std::memory_order_relaxed);
  DenseHostTensor& tensor = payload()->tensor;
  Value::CountLive(1);
  tfrt::internal::CountLiveRefCounted(1);
  std::move(tensor).TakeBuffer().release()->EndInline();
  tensor.~DenseHostTensor();  // NOLINT: of the moved-from tensor
  value()->~Value();
  // The state has nothing that a destructor would have to give back, and no reference to the core.
}

inline bool ResultBlock::KeepState() {
  TensorState* state = this->state();
  DenseHostTensor& tensor = payload()->tensor;
  Scope::State* scope = CurrentScope();
  FreeList& list = free_list;
  // Both counts are read with acquire: whoever has the only reference is behind all that others
  // did with theirs. The state's own count may be 0 (DropRefByCount).
  assert(state->value() == value());
  const bool can_keep = value()->HasOneRef() && tensor.buffer().get() == buffer() &&
                        buffer()->IsUnique() && !state->has_copies() && state->NumRef() == 1 &&
                        list.room > 0 && scope && scope->core == state->core();
  if (!can_keep) return false;
  CountLive(-1);
  ++scope->spare_refs;  // as DropCore
  --list.room;
  next_free() = list.head;
  list.head = this;
  return true;
}

void ResultBlock::EndState() {
  state()->~TensorState();
  EndPart();
}

void TensorState::operator delete(TensorState* state, std::destroying_delete_t) {
  if (state->kind_ == Kind::kInBlock && ResultBlock::Of(state).KeepState()) [[likely]]
    return;
  End(state);
}

[[gnu::noinline]] void TensorState::End(TensorState* state) {
  if (state->kind_ == Kind::kInBlock) return ResultBlock::Of(state).EndState();
  if (state->kind_ == Kind::kTraced) return TracedState::End(state);
  state->~TensorState();
  tfrt::internal::FreeSmall(state, sizeof(TensorState));
}

}  // namespace tfrt::eager
