#include "result_block.h"

#include <new>

#include "context_impl.h"
#include "tfrt/async/value_allocator.h"
#include "tfrt/host_context/host_allocator.h"

namespace tfrt::eager {

// What a buffer in a block names as its allocator.
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

// The life of a thread's list (value_allocator.cc has the same): it is trivially destructible, so
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
    delete this;
    return;
  }
  OpenList();
  Free();
}

BlockTensor::~BlockTensor() {
  auto* block = reinterpret_cast<ResultBlock*>(reinterpret_cast<std::byte*>(this) -
                                               ResultBlock::kPayloadOffset);
  tensor.~DenseHostTensor();
  block->EndPart();
}

RCReference<TensorState> ResultBlock::MakeTensor(const DenseHostTensor& like, ContextCore* core,
                                                 uint8_t device, bool is_late) {
  // relaxed: whoever gets the tensor sees it with the tensor.
  parts_.store(3, std::memory_order_relaxed);
  auto* value = ::new (value_)
      Value(AsyncValue::State::kConcrete, like,
            HostBuffer::CreateInline(buffer_, like.size_bytes(), &block_allocator.value));
  return TakeRef(::new (state_) TensorState(TensorState::InBlock(), core, device,
                                            TakeRef<AsyncValue>(value), is_late));
}

void ResultBlock::EndState() {
  TensorState* state = this->state();
  DenseHostTensor& tensor = payload()->tensor;
  // Both counts are read with acquire: whoever has the only reference is behind all that others
  // did with theirs.
  if (state->value() == value() && value()->HasOneRef() && tensor.buffer().get() == buffer() &&
      buffer()->IsUnique()) [[likely]] {
    std::move(tensor).TakeBuffer().release()->EndInline();
    tensor.~DenseHostTensor();
    (void)state->value_.release();
    value()->~Value();
    state->~TensorState();
    return Free();
  }
  state->~TensorState();
  EndPart();
}

}  // namespace tfrt::eager
