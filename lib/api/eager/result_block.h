// ResultBlock holds the three objects of a result of a few elements side by side. They are the
// TensorState, the AsyncValue with its DenseHostTensor, and the HostBuffer with the elements.
#ifndef TFRT_LIB_API_EAGER_RESULT_BLOCK_H_
#define TFRT_LIB_API_EAGER_RESULT_BLOCK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/eager/tensor_state.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::eager {

// The payload of a value in a block. Other code reads it as the dense tensor that it begins with.
struct BlockTensor {
  using AsyncValueBases = BaseTypes<DenseHostTensor, tfrt::Tensor>;
  static constexpr bool kFreesItsAsyncValue = true;

  BlockTensor(const DenseHostTensor& like, RCReference<HostBuffer> buffer)
      : tensor(DenseHostTensor::CreateLike(like, std::move(buffer))) {}
  ~BlockTensor();

  union {  // ends before its memory does
    DenseHostTensor tensor;
  };
};

// Each of the three is counted and lives as long as it must: the value may outlive its tensor, and
// the buffer its value. The memory is free when all have ended. That is nearly always at once, with
// the last tensor, and takes one look at each count. Then the objects stay in the block for the
// next result of the same kind.
//
// Made by one thread; the three objects are as thread-safe as elsewhere. Free blocks are kept per
// thread, as those of small_blocks.h, and so is a block that another thread made.
class alignas(64) ResultBlock {
 public:
  static constexpr size_t kMaxBytes = 64;  // of elements

  // Memory for a result; its elements may be written. Then either MakeTensor or Discard.
  [[gnu::always_inline]] static ResultBlock* Allocate() {
    FreeList& list = free_list;
    if (ResultBlock* block = list.head) [[likely]] {
      list.head = block->next_free();
      ++list.room;
      return block;
    }
    return AllocateSlow();
  }
  void Discard() { Free(); }
  void* elements() { return elements_; }

  // A tensor with the metadata of `like`, whose elements are set. Takes a reference to `core` over,
  // as TensorState does.
  [[gnu::always_inline]] RCReference<TensorState> MakeTensor(const DenseHostTensor& like,
                                                             ContextCore* core, uint8_t device,
                                                             bool has_late_metadata) {
    // relaxed: the block is this thread's.
    if (parts_.load(std::memory_order_relaxed) == kParts) [[likely]] {
      TensorState* kept = state();
      if (kept->core() == core && kept->device() == device &&
          kept->has_late_metadata() == has_late_metadata &&
          payload()->tensor.metadata() == like.metadata()) [[likely]] {
        CountLive(1);
        return TakeRef(kept);
      }
    }
    return TakeRef(MakeNew(like, core, device, has_late_metadata));
  }

  // The block of a state that lies in one.
  static ResultBlock& Of(TensorState* state) {
    return *reinterpret_cast<ResultBlock*>(reinterpret_cast<char*>(state) -
                                           offsetof(ResultBlock, state_));
  }
  // The state has no references. Keeps the three objects for the next tensor, if none of them has
  // another reference and the thread has a scope of the context.
  bool KeepState();
  // Otherwise: ends the state.
  void EndState();

 private:
  friend struct BlockTensor;
  friend class BlockAllocator;
  class Value : public tfrt::internal::ConcreteAsyncValue<BlockTensor> {
   public:
    using ConcreteAsyncValue::ConcreteAsyncValue;
    using ConcreteAsyncValue::CountLive;
  };
  struct FreeList {
    ResultBlock* head;
    int32_t room;  // how many more blocks it may take; 0 at first
  };
  struct ListReleaser;

  static constexpr size_t kPayloadOffset = sizeof(Value) - sizeof(BlockTensor);

  static constexpr uint32_t kParts = 3;

  static ResultBlock* AllocateSlow();
  TensorState* MakeNew(const DenseHostTensor& like, ContextCore* core, uint8_t device,
                       bool has_late_metadata);
  // Kept objects are not counted as live: they come and go with the tensors that they are part of.
  static void CountLive(int sign) {
    tfrt::internal::CountLiveRefCounted(2 * sign);
    Value::CountLive(sign);
  }
  // The block is free: ends the objects that it has kept, if there are any.
  void EndKept();
  static void OpenList();
  void FreeSlow();
  void Free() {
    FreeList& list = free_list;
    if (--list.room >= 0) [[likely]] {
      next_free() = list.head;
      list.head = this;
      return;
    }
    ++list.room;
    FreeSlow();
  }
  // One of the three has ended.
  void EndPart() {
    // acq_rel: who frees the memory is behind all that the others did there.
    if (parts_.fetch_sub(1, std::memory_order_acq_rel) == 1) Free();
  }
  Value* value() { return reinterpret_cast<Value*>(value_); }
  BlockTensor* payload() { return reinterpret_cast<BlockTensor*>(value_ + kPayloadOffset); }
  TensorState* state() { return reinterpret_cast<TensorState*>(state_); }
  HostBuffer* buffer() { return reinterpret_cast<HostBuffer*>(buffer_); }
  ResultBlock*& next_free() { return *reinterpret_cast<ResultBlock**>(elements_); }

  // initial-exec: one instruction to find it.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit FreeList free_list;

  // The payload is behind the header; the elements are where a buffer looks for its own.
  static_assert(kPayloadOffset == sizeof(AsyncValue));

  alignas(16) std::byte value_[sizeof(Value)];
  // Counts the parts that have not ended. In a free block it is 0, or kParts if the block has kept
  // its objects. Then each has the one reference that its next tensor takes over, but there is none
  // to the core that the state names.
  std::atomic<uint32_t> parts_{0};
  alignas(64) std::byte state_[sizeof(TensorState)];
  alignas(HostBuffer::kMaxInlineAlignment) std::byte buffer_[HostBuffer::kMaxInlineAlignment];
  std::byte elements_[kMaxBytes];  // right behind the buffer
};
static_assert(sizeof(ResultBlock) == 256);
static_assert(kMaxQuickBytes <= ResultBlock::kMaxBytes);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_RESULT_BLOCK_H_
