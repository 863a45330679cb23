#include "device_allocator.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "block_pool.h"
#include "byte_text.h"
#include "context.h"
#include "stream_pool.h"
#include "stream_slots.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

size_t RoundUp(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

void RaiseTo(std::atomic<size_t>& peak, size_t bytes) {
  // relaxed: a figure that nothing depends on.
  size_t now = peak.load(std::memory_order_relaxed);
  while (now < bytes && !peak.compare_exchange_weak(now, bytes, std::memory_order_relaxed)) {
  }
}

}  // namespace

DeviceAllocator::DeviceAllocator(Context* context, size_t limit_bytes)
    : context_(context), limit_bytes_(limit_bytes), pool_(std::make_unique<BlockPool>(context)) {}

DeviceAllocator::~DeviceAllocator() {
  assert(in_use_.load(std::memory_order_relaxed) == 0);
  DrainCaches();
  // Nothing uses it any more, also where a lost device has never said so.
  for (auto& segment : pool_->TakeAllSegments()) {
    (void)context_->driver().cuMemFree_v2(segment->begin);
  }
}

StatusOr<RCReference<Memory>> DeviceAllocator::Allocate(Stream& stream, size_t size_bytes) {
  if (&stream.context() != context_) [[unlikely]]
    return stream.OfAnotherContext("an allocator");
  if (context_->is_lost()) [[unlikely]]
    return context_->Unavailable();
  if (size_bytes == 0) [[unlikely]]
    return TakeRef(MakeEmpty());
  if (size_bytes > SizeClass::kMaxBytes) [[unlikely]]
    return OutOfMemory(size_bytes);
  const SizeClass size_class = SizeClass::Of(size_bytes);
  RCReference<Memory> memory = AllocateFromCache(stream, size_class, size_bytes);
  if (!memory) [[unlikely]]
    return AllocateSlow(stream, size_class, size_bytes);
  return memory;
}

RCReference<Memory> DeviceAllocator::AllocateFromCache(Stream& stream, SizeClass size_class,
                                                       size_t size_bytes) {
  assert(&stream.context() == context_ && size_bytes != 0);
  Block* block;
  {
    std::lock_guard light(stream.light_);
    block = stream.cache_.Acquire(size_class.index, stream.id_, stream.seen_->clock);
  }
  if (!block) [[unlikely]]
    return nullptr;
  return TakeRef(Start(block, stream, size_class, size_bytes));
}

inline Memory* DeviceAllocator::Start(Block* block, Stream& stream, SizeClass size_class,
                                      size_t size_bytes) {
  const Point tail = stream.tail();
  if (!block->uses_.IsOnlyOf(stream.id_)) block->uses_.Reset(tail);
  block->allocated_at_ = tail.number;
  block->stream_ = &stream;
  block->size_class_ = size_class.index;
  block->Renew(block->begin_, size_bytes);
  // relaxed: counts only; the caller's reference to the stream keeps the context until the first
  // block has its own.
  size_t before = in_use_.fetch_add(block->block_bytes_, std::memory_order_relaxed);
  if (before == 0) context_->AddRef();
  size_t now = before + block->block_bytes_;
  if (now > peak_in_use_.load(std::memory_order_relaxed)) RaiseTo(peak_in_use_, now);
  return block;
}

Memory* DeviceAllocator::MakeEmpty() {
  auto* block = new Block(context_);
  context_->AddRef();
  block->Renew(0, 0);
  return block;
}

Stream* DeviceAllocator::PassOn(Block* block) {
  Stream* stream = block->stream_;
  // If the stream of the allocation has not used the block, the other stream alone counts. Its use
  // must come after the block's last life. A stream on which memory is only freed need not have
  // waited.
  Point only, before;
  int users = 0;
  block->uses_.ForEach([&](Point point) {
    if (point.stream == stream->id_ && point.number <= block->allocated_at_) {
      before = point;
      return;
    }
    only = point;
    ++users;
  });
  Stream* user = users == 1 ? internal::StreamOf(only.stream, context_) : nullptr;
  if (!user || !user->HasSeen(before)) return stream;
  block->uses_.Reset(only);
  block->has_one_user_ = true;
  return block->stream_ = user;
}

void DeviceAllocator::Free(Block* block) {
  Context* context = context_;
  if (!block->segment_) {
    delete block;
    return context->DropRef();
  }
  Stream* stream = block->stream_;
  block->has_one_user_ = block->uses_.IsOnlyOf(stream->id_);
  if (!block->has_one_user_) [[unlikely]]
    stream = PassOn(block);
  const size_t bytes = block->block_bytes_;
  {
    std::lock_guard light(stream->light_);
    stream->cache_.Put(block);
  }
  // acq_rel: who drops the last reference comes behind all who have freed. Nothing of the allocator
  // is used after this.
  if (in_use_.fetch_sub(bytes, std::memory_order_acq_rel) == bytes) context->DropRef();
}

StatusOr<RCReference<Memory>> DeviceAllocator::AllocateSlow(Stream& stream, SizeClass size_class,
                                                            size_t size_bytes) {
  if (Block* block = AcquireFromOtherCaches(stream, size_class)) {
    return RCReference<Memory>(TakeRef(Start(block, stream, size_class, size_bytes)));
  }
  const bool is_small = size_class.block_bytes <= kMaxSmallBytes;
  // The bytes by which large classes are rounded up may be the ones that are missing.
  const Request request{is_small ? size_class.block_bytes : RoundUp(size_bytes, kAlignment),
                        size_class.block_bytes, is_small};
  auto start = [&](Block* block) {
    SizeClass of_block = size_class;
    // One of less than its class counts as one of the class below, which it has room for.
    if (block->block_bytes_ < size_class.block_bytes) --of_block.index;
    return RCReference<Memory>(TakeRef(Start(block, stream, of_block, size_bytes)));
  };
  if (Block* block = AcquireFromPool(stream, request)) return start(block);
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  // A few questions are less than a new segment.
  for (Stream* other : context_->streams_->All()) other->Poll();
  if (Block* block = AcquireFromPool(stream, request)) return start(block);

  std::unique_lock driver_lock(driver_mutex_);
  // Another thread may have taken a segment from the driver meanwhile, or given a block back.
  if (Block* block = AcquireFromPool(stream, request)) return start(block);
  TFRT_ASSIGN_OR_RETURN(Block * block, AcquireFromDriver(request));
  if (block) return start(block);
  block = AcquireBusy(request);
  // A thread in a library's call would wait for the end of that call.
  if (!block && !Stream::IsThreadInCall()) {
    {
      std::lock_guard lock(mutex_);
      ++num_host_waits_;
    }
    driver_lock.unlock();  // for those who find something meanwhile
    TFRT_RETURN_IF_ERROR(context_->Synchronize());
    driver_lock.lock();
    if ((block = AcquireFromPool(stream, request))) return start(block);
    TFRT_RETURN_IF_ERROR(GiveBackFree());
    TFRT_ASSIGN_OR_RETURN(block, AcquireFromDriver(request));
    if (block) return start(block);
    // Others may have given something back meanwhile.
    block = AcquireBusy(request);
  }
  driver_lock.unlock();
  if (!block) return OutOfMemory(size_bytes);
  TFRT_RETURN_IF_ERROR(AwaitUses(stream, block));
  return start(block);
}

Block* DeviceAllocator::AcquireFromOtherCaches(Stream& stream, SizeClass size_class) {
  Block* block = nullptr;
  context_->streams_->ForEachUntil([&](Stream& other) {
    if (&other == &stream) return false;
    uint64_t seen = internal::KnownDone(other.id_);
    {
      std::lock_guard light(stream.light_);
      seen = std::max(seen, stream.seen_->clock.Of(other.id_));
    }
    std::lock_guard light(other.light_);
    block = other.cache_.TakeOldest(size_class.index, other.id_, seen);
    return block != nullptr;
  });
  return block;
}

Block* DeviceAllocator::AcquireFromPool(Stream& stream, const Request& request) {
  std::lock_guard lock(mutex_);
  auto take = [&] {
    return pool_->Acquire(&stream, request.least_bytes, request.block_bytes, request.is_small);
  };
  if (Block* block = take()) return block;
  DrainCaches();
  pool_->Merge();
  return take();
}

StatusOr<Block*> DeviceAllocator::AcquireFromDriver(const Request& request) {
  size_t before = SIZE_MAX;
  for (size_t segment_bytes :
       {RoundUp(request.block_bytes, request.is_small ? kSmallSegmentBytes : kLargeSegmentBytes),
        RoundUp(request.block_bytes, kSmallSegmentBytes),
        RoundUp(request.least_bytes, kSmallSegmentBytes)}) {
    if (segment_bytes == before) continue;
    before = segment_bytes;
    TFRT_ASSIGN_OR_RETURN(Block * block, AcquireFromDriver(request, segment_bytes));
    if (block) return block;
  }
  return nullptr;
}

StatusOr<Block*> DeviceAllocator::AcquireFromDriver(const Request& request, size_t segment_bytes) {
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  {
    std::lock_guard lock(mutex_);
    if (limit_bytes_ != 0 && segment_bytes > limit_bytes_ - std::min(limit_bytes_, reserved_)) {
      return nullptr;
    }
    // Before the call, so that others see the limit that will be reached.
    reserved_ += segment_bytes;
    ++num_segment_allocations_;
  }
  cuda::CUdeviceptr begin = 0;
  cuda::CUresult result = context_->driver().cuMemAlloc_v2(&begin, segment_bytes);
  {
    std::lock_guard lock(mutex_);
    if (result == cuda::CUDA_SUCCESS) {
      assert(begin % kAlignment == 0);
      peak_reserved_ = std::max(peak_reserved_, reserved_);
      Block* block = pool_->AddSegment(begin, segment_bytes, request.is_small);
      pool_->Cut(block, request.block_bytes);
      return block;
    }
    reserved_ -= segment_bytes;
  }
  if (result == cuda::CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
  return context_->Check(result, "cuMemAlloc_v2");
}

Block* DeviceAllocator::AcquireBusy(const Request& request) {
  std::lock_guard lock(mutex_);
  DrainCaches();
  auto take = [&](bool is_small) {
    return pool_->Acquire(nullptr, request.least_bytes, request.block_bytes, is_small);
  };
  Block* block = take(request.is_small);
  // Now that there is no other, a small block may be part of a large one.
  if (!block && request.is_small) block = take(false);
  if (block) ++num_device_waits_;
  return block;
}

Status DeviceAllocator::AwaitUses(Stream& stream, Block* block) {
  std::vector<Point> points;
  block->uses_.ForEach([&](Point point) { points.push_back(point); });
  for (Point point : points) {
    Status status = stream.WaitFor(point);
    // A context that has failed does not use the block any more.
    if (status.ok() || internal::IsOver(point)) continue;
    std::lock_guard lock(mutex_);
    pool_->Insert(block);
    return status;
  }
  return OkStatus();
}

void DeviceAllocator::DrainCaches() {
  for (Stream* stream : context_->streams_->All()) {
    Block* block;
    {
      std::lock_guard light(stream->light_);
      block = stream->cache_.TakeAll();
    }
    while (block) {
      Block* next = block->older_;
      pool_->Insert(block);
      block = next;
    }
  }
}

bool DeviceAllocator::CanTrim() {
  std::lock_guard lock(mutex_);
  DrainCaches();
  return pool_->HasUnallocatedSegment();
}

Status DeviceAllocator::Trim() {
  TFRT_RETURN_IF_ERROR(context_->Synchronize());
  std::lock_guard driver_lock(driver_mutex_);
  return GiveBackFree();
}

Status DeviceAllocator::GiveBackFree() {
  std::vector<std::unique_ptr<Segment>> segments;
  {
    std::lock_guard lock(mutex_);
    DrainCaches();
    pool_->Merge();
    segments = pool_->TakeFreeSegments();
  }
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  cuda::CUresult failed = cuda::CUDA_SUCCESS;
  for (const auto& segment : segments) {
    cuda::CUresult result = context_->driver().cuMemFree_v2(segment->begin);
    std::lock_guard lock(mutex_);
    if (result == cuda::CUDA_SUCCESS) {
      reserved_ -= segment->size_bytes;
    } else {
      pool_->Insert(pool_->AddSegment(segment->begin, segment->size_bytes, segment->is_small));
      if (failed == cuda::CUDA_SUCCESS) failed = result;
    }
  }
  // Perhaps that of a command which has lost the device.
  return context_->Check(failed, "cuMemFree_v2");
}

void DeviceAllocator::AppendUses(std::vector<Point>* points) {
  std::lock_guard lock(mutex_);
  DrainCaches();
  pool_->AppendUses(points);
}

MemoryStatistics DeviceAllocator::statistics() const {
  std::lock_guard lock(mutex_);
  return {.bytes_in_use = in_use_.load(std::memory_order_relaxed),
          .peak_bytes_in_use = peak_in_use_.load(std::memory_order_relaxed),
          .bytes_reserved = reserved_,
          .peak_bytes_reserved = peak_reserved_,
          .limit_bytes = limit_bytes_,
          .num_segments = pool_->num_segments(),
          .num_segment_allocations = num_segment_allocations_,
          .num_device_waits = num_device_waits_,
          .num_host_waits = num_host_waits_};
}

Status DeviceAllocator::OutOfMemory(size_t size_bytes) {
  MemoryStatistics statistics = this->statistics();
  std::string available;
  size_t free_bytes = 0, total_bytes = 0;
  if (context_->EnterAnew().ok() &&
      context_->driver().cuMemGetInfo_v2(&free_bytes, &total_bytes) == cuda::CUDA_SUCCESS) {
    available = StrCat(" (", internal::ByteText(free_bytes), " of ",
                       internal::ByteText(total_bytes), " available)");
  }
  return ResourceExhaustedError(StrCat(
      "Out of memory trying to allocate ", internal::ByteText(size_bytes), available, " on GPU ",
      context_->device(), " (CUDA). In use: ", internal::ByteText(statistics.bytes_in_use),
      ", cached: ", internal::ByteText(statistics.bytes_cached()),
      ", limit: ", limit_bytes_ == 0 ? std::string("none") : internal::ByteText(limit_bytes_)));
}

}  // namespace tfrt::gpu
