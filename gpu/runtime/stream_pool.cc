#include "stream_pool.h"

#include <algorithm>
#include <utility>

#include "context.h"
#include "stream_slots.h"

namespace tfrt::gpu {

void StreamPool::Destroy::operator()(Stream* stream) const { delete stream; }

StreamPool::~StreamPool() = default;

StatusOr<RCReference<Stream>> StreamPool::Acquire(int priority) {
  TFRT_RETURN_IF_ERROR(context_->Enter());
  // Another one that is still at work would order what need not be. Perhaps it is idle, and nobody
  // has asked.
  for (size_t asked = 0; asked < kMaxAsked; ++asked) {
    Stream* unused = AcquireUnused(priority);
    if (!unused) break;
    if (IsKnownDone(unused->tail())) return GiveOut(unused);
    const Point tail = unused->tail();
    if (context_->Call([&] { return context_->driver().cuStreamQuery(unused->handle()); }) !=
        cuda::CUDA_SUCCESS) {
      GiveBack(unused);
      continue;
    }
    // One that has waited for a context that has failed since is good for nobody.
    const bool is_good = unused->CheckEnd().ok();
    TFRT_RETURN_IF_ERROR(context_->Enter());
    if (!is_good) continue;
    internal::NoteKnownDone(tail);
    return GiveOut(unused);
  }
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  cuda::CUstream handle;
  cuda::CUresult result = context_->Call([&] {
    return context_->driver().cuStreamCreateWithPriority(&handle, cuda::CU_STREAM_NON_BLOCKING,
                                                         priority);
  });
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuStreamCreateWithPriority"));
  cuda::Stream owned(context_->native(), handle);
  StatusOr<internal::StreamSlot> slot = internal::AcquireStreamSlot();
  if (!slot.ok()) {
    // Then order that need not be is less than no stream.
    Stream* busy = AcquireUnused(priority);
    if (!busy) return slot.status();
    return GiveOut(busy);
  }
  std::unique_ptr<Stream, Destroy> stream(
      new Stream(context_, std::move(owned), slot->id, slot->first_number, priority));
  internal::SetStream(slot->id, stream.get(), context_);
  context_->AddRef();
  std::lock_guard lock(mutex_);
  streams_.push_back(std::move(stream));
  Stream* made = streams_.back().get();
  // relaxed: changed under the lock.
  size_t listed = num_listed_.load(std::memory_order_relaxed);
  if (listed < kMaxListed) {
    listed_[listed] = made;
    // release: whoever sees the count sees the stream.
    num_listed_.store(listed + 1, std::memory_order_release);
  }
  return TakeRef(made);
}

Stream* StreamPool::AcquireUnused(int priority) {
  std::lock_guard lock(mutex_);
  auto is_like_this = [priority](Stream* stream) { return stream->priority() == priority; };
  auto chosen = std::ranges::find_if(
      unused_, [&](Stream* stream) { return is_like_this(stream) && IsKnownDone(stream->tail()); });
  if (chosen == unused_.end()) chosen = std::ranges::find_if(unused_, is_like_this);
  if (chosen == unused_.end()) return nullptr;
  Stream* stream = *chosen;
  unused_.erase(chosen);
  return stream;
}

RCReference<Stream> StreamPool::GiveOut(Stream* stream) {
  stream->AddRef();
  context_->AddRef();
  return TakeRef(stream);
}

void StreamPool::GiveBack(Stream* stream) {
  std::lock_guard lock(mutex_);
  unused_.push_back(stream);
}

std::vector<Stream*> StreamPool::All() const {
  std::lock_guard lock(mutex_);
  std::vector<Stream*> all;
  for (const auto& stream : streams_) all.push_back(stream.get());
  return all;
}

}  // namespace tfrt::gpu
