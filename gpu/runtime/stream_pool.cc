#include "stream_pool.h"

#include <algorithm>
#include <utility>

#include "stream_slots.h"
#include "tfrt/gpu/runtime/context.h"

namespace tfrt::gpu {

void StreamPool::Destroy::operator()(Stream* stream) const { delete stream; }

StreamPool::~StreamPool() = default;

StatusOr<RCReference<Stream>> StreamPool::Take(int priority) {
  auto give_out = [this](Stream* stream) {
    stream->AddRef();
    context_->AddRef();
    return TakeRef(stream);
  };
  TFRT_RETURN_IF_ERROR(context_->Enter());
  Stream* busy = nullptr;
  {
    std::lock_guard lock(mutex_);
    auto is_like_this = [priority](Stream* stream) { return stream->priority() == priority; };
    // Another one that is still at work would order what need not be.
    auto chosen = std::ranges::find_if(unused_, [&](Stream* stream) {
      return is_like_this(stream) && IsKnownDone(stream->tail());
    });
    if (chosen == unused_.end()) {
      chosen = std::ranges::find_if(unused_, is_like_this);
      if (chosen != unused_.end()) busy = *chosen;
    }
    if (chosen != unused_.end()) {
      Stream* stream = *chosen;
      unused_.erase(chosen);
      if (!busy) return give_out(stream);
    }
  }
  if (busy) {
    // Perhaps it is idle, and nobody has asked.
    const Point tail = busy->tail();
    if (context_->Call([&] { return context_->driver().cuStreamQuery(busy->handle()); }) ==
        cuda::CUDA_SUCCESS) {
      // One that has waited for a context that has failed since is good for nobody.
      const bool is_good = busy->CheckEnd().ok();
      TFRT_RETURN_IF_ERROR(context_->Enter());
      if (is_good) {
        internal::NoteKnownDone(tail);
        return give_out(busy);
      }
    } else {
      GiveBack(busy);
    }
  }
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  cuda::CUstream handle;
  cuda::CUresult result = context_->Call([&] {
    return context_->driver().cuStreamCreateWithPriority(&handle, cuda::CU_STREAM_NON_BLOCKING,
                                                         priority);
  });
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuStreamCreateWithPriority"));
  cuda::Stream owned(context_->native(), handle);
  TFRT_ASSIGN_OR_RETURN(internal::StreamSlot slot, internal::TakeStreamSlot());
  std::unique_ptr<Stream, Destroy> stream(
      new Stream(context_, std::move(owned), slot.id, slot.first_number, priority));
  internal::SetStream(slot.id, stream.get(), context_);
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
