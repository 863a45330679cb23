// ResultBlock: the three objects of a result of a few elements side by side: the TensorState, the
// AsyncValue with its DenseHostTensor, and the HostBuffer with the elements.
#ifndef TFRT_EAGER_RESULT_BLOCK_H_
#define TFRT_EAGER_RESULT_BLOCK_H_

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

// Each of the three is counted and lives as long as it must: somebody may keep the value without
// its tensor, or the buffer without its value. The memory is free when all have ended. That is
// nearly always at once, with the last tensor, and takes one look at each count.
//
// Made by one thread; the three objects are as thread-safe as elsewhere. Free blocks are kept per
// thread, as those of value_allocator.h, and so is a block that another thread made.
class alignas(64) ResultBlock {
 public:
  static constexpr size_t kMaxBytes = 64;  // of elements

  // Memory for a result; its elements may be written. Then either MakeTensor or Discard.
  static ResultBlock* Allocate() {
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
  RCReference<TensorState> MakeTensor(const DenseHostTensor& like, ContextCore* core,
                                      uint8_t device, bool is_late);

  // The block of a state that lies in one.
  static ResultBlock& Of(TensorState* state) {
    return *reinterpret_cast<ResultBlock*>(reinterpret_cast<char*>(state) -
                                           offsetof(ResultBlock, state_));
  }
  // Ends the state, to which there are no references.
  void EndState();

 private:
  friend struct BlockTensor;
  friend class BlockAllocator;
  using Value = tfrt::internal::ConcreteAsyncValue<BlockTensor>;
  struct FreeList {
    ResultBlock* head;
    int32_t room;  // how many more blocks it may take; 0 at first
  };
  struct ListReleaser;

  static constexpr size_t kPayloadOffset = sizeof(Value) - sizeof(BlockTensor);

  static ResultBlock* AllocateSlow();
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
  ResultBlock*& next_free() { return *reinterpret_cast<ResultBlock**>(value_); }

  // initial-exec: one instruction to find it.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit FreeList free_list;

  // The payload is behind the header; the elements are where a buffer looks for its own.
  static_assert(kPayloadOffset == sizeof(AsyncValue));

  alignas(16) std::byte value_[sizeof(Value)];
  std::atomic<uint32_t> parts_;  // that have not ended
  alignas(64) std::byte state_[sizeof(TensorState)];
  alignas(HostBuffer::kMaxInlineAlignment) std::byte buffer_[HostBuffer::kMaxInlineAlignment];
  std::byte elements_[kMaxBytes];  // right behind the buffer
};
static_assert(sizeof(ResultBlock) == 256);
static_assert(kMaxQuickBytes <= ResultBlock::kMaxBytes);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_RESULT_BLOCK_H_
