#include "pinned_pool.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>
#include <vector>

#include "byte_text.h"
#include "context.h"
#include "pinned_block.h"
#include "stream_slots.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

// Another block costs less than questions, as long as there are no more than this.
constexpr size_t kFewBlocks = 4;

}  // namespace

PinnedPool::~PinnedPool() {
  assert(in_use_ == 0);
  for (auto& blocks : free_) {
    for (PinnedBlock* block : blocks) {
      (void)context_->driver().cuMemFreeHost(block->begin_);
      delete block;
    }
  }
}

StatusOr<RCReference<Memory>> PinnedPool::Allocate(size_t size_bytes, bool keeps_context) {
  if (context_->is_lost()) return context_->Unavailable();
  const int log = std::bit_width(std::max(size_bytes, kMinBytes) - 1);
  if (log > kMaxLog) return TooMany(size_bytes);
  PinnedBlock* block = nullptr;
  if (size_bytes == 0) {
    block = new PinnedBlock(context_);
  } else if (!(block = Acquire(log))) {
    Poll(log);
    if (!(block = Acquire(log))) {
      TFRT_ASSIGN_OR_RETURN(block, AcquireFromDriver(log));
      if (!block) return TooMany(size_bytes);
    }
  }
  block->keeps_context_ = keeps_context;
  if (keeps_context) context_->AddRef();
  block->Renew(reinterpret_cast<uintptr_t>(block->begin_), size_bytes);
  return RCReference<Memory>(TakeRef(block));
}

PinnedBlock* PinnedPool::Acquire(int log) {
  std::lock_guard lock(mutex_);
  std::deque<PinnedBlock*>& blocks = free_[log];
  auto found = std::ranges::find_if(blocks, [](PinnedBlock* block) { return block->Settle(); });
  if (found == blocks.end()) return nullptr;
  PinnedBlock* block = *found;
  blocks.erase(found);
  ++in_use_;
  return block;
}

StatusOr<PinnedBlock*> PinnedPool::AcquireFromDriver(int log) {
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  void* begin = nullptr;
  auto allocate = [&] {
    if (!Reserve(size_t{1} << log)) return cuda::CUDA_ERROR_OUT_OF_MEMORY;
    cuda::CUresult allocated =
        context_->driver().cuMemHostAlloc(&begin, size_t{1} << log, cuda::CU_MEMHOSTALLOC_PORTABLE);
    if (allocated != cuda::CUDA_SUCCESS) {
      std::lock_guard lock(mutex_);
      reserved_ -= size_t{1} << log;
    }
    return allocated;
  };
  cuda::CUresult result = allocate();
  if (result == cuda::CUDA_ERROR_OUT_OF_MEMORY && Trim()) result = allocate();
  if (result == cuda::CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuMemHostAlloc"));
  auto* block = new PinnedBlock(context_);
  block->begin_ = begin;
  block->log_ = log;
  std::lock_guard lock(mutex_);
  ++in_use_;
  return block;
}

bool PinnedPool::Reserve(size_t size_bytes) {
  const size_t limit = context_->options().pinned_limit_bytes;
  std::lock_guard lock(mutex_);
  if (limit != 0 && size_bytes > limit - std::min(limit, reserved_)) return false;
  reserved_ += size_bytes;
  return true;
}

bool PinnedPool::Trim() {
  std::vector<PinnedBlock*> settled;
  {
    std::lock_guard lock(mutex_);
    for (std::deque<PinnedBlock*>& blocks : free_) {
      std::erase_if(blocks, [&](PinnedBlock* block) {
        if (!block->Settle()) return false;
        settled.push_back(block);
        reserved_ -= size_t{1} << block->log_;
        return true;
      });
    }
  }
  for (PinnedBlock* block : settled) {
    // An error is that of earlier work, which whoever waits for it is told.
    (void)context_->driver().cuMemFreeHost(block->begin_);
    delete block;
  }
  return !settled.empty();
}

void PinnedPool::Free(PinnedBlock* block) {
  Context* context = context_;
  const bool keeps_context = block->keeps_context_;
  if (!block->begin_) {
    delete block;
  } else {
    std::lock_guard lock(mutex_);
    free_[block->log_].push_back(block);
    --in_use_;
  }
  if (keeps_context) context->DropRef();
}

void PinnedPool::Poll(int log) {
  std::vector<Point> points;
  {
    std::lock_guard lock(mutex_);
    if (free_[log].size() < kFewBlocks) return;
    free_[log].front()->uses().ForEach([&](Point point) { points.push_back(point); });
  }
  if (!context_->EnterAnew().ok()) return;
  for (Point point : points) {
    if (IsKnownDone(point)) continue;
    // Others are asked about by their own contexts.
    if (Stream* stream = internal::StreamOf(point.stream, context_)) stream->Poll();
  }
}

void PinnedPool::AppendUses(std::vector<Point>* points) const {
  std::lock_guard lock(mutex_);
  for (const auto& blocks : free_) {
    for (const PinnedBlock* block : blocks) {
      block->uses().ForEach([&](Point point) {
        if (!IsKnownDone(point)) points->push_back(point);
      });
    }
  }
}

Status PinnedPool::TooMany(size_t size_bytes) const {
  const size_t limit = context_->options().pinned_limit_bytes;
  return ResourceExhaustedError(
      StrCat(context_->name(), ": no page-locked memory of ", internal::ByteText(size_bytes), "; ",
             internal::ByteText(bytes_reserved()), " are reserved",
             limit == 0 ? std::string() : StrCat(", limit: ", internal::ByteText(limit))));
}

size_t PinnedPool::bytes_reserved() const {
  std::lock_guard lock(mutex_);
  return reserved_;
}

}  // namespace tfrt::gpu
