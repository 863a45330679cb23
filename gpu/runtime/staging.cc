#include "staging.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {

// A long copy: piece after piece through the two blocks of its lane, which it has to itself. It
// goes on whenever a block is free, on a task of the queue, and deletes itself in the end.
class Staging::Transfer {
 public:
  Transfer(Staging* staging, bool is_to_host, RCReference<Stream> stream, const MemoryRange& range,
           std::byte* host, TaskFunction release, ConcurrentWorkQueue* queue)
      : staging_(*staging),
        is_to_host_(is_to_host),
        stream_(std::move(stream)),
        memory_(range.MemoryRef()),
        range_(range),
        host_(host),
        num_pieces_((range.size_bytes + kBlockBytes - 1) / kBlockBytes),
        release_(std::move(release)),
        queue_(*queue),
        ticket_(queue->MakeTicket()) {}

  AsyncValueRef<Point> done() const { return done_.CopyRef(); }
  uint32_t stream() const { return stream_->id(); }
  bool is_to_host() const { return is_to_host_; }
  Lane* lane() const { return lane_; }
  void SetLane(Lane* lane) { lane_ = lane; }

  // It is this one's turn.
  void Start() {
    StatusOr<bool> made = staging_.MakeBlocks(lane_);
    if (!made.ok()) return Finish(made.status());
    if (*made) Continue();
  }
  // The same as a task.
  void StartLater() {
    queue_.AddTask([this] { Start(); });
  }

 private:
  size_t PieceBytes(size_t piece) const {
    return std::min(kBlockBytes, range_.size_bytes - piece * kBlockBytes);
  }
  Memory& BlockOf(size_t piece) const { return *lane_->blocks[piece % 2]; }
  std::byte* BytesOf(size_t piece) const {
    return static_cast<std::byte*>(BlockOf(piece).host_address());
  }
  Status Enqueue(size_t piece) {
    Memory& block = BlockOf(piece);
    const size_t size_bytes = PieceBytes(piece);
    const MemoryRange staged = block.Bytes(0, size_bytes);
    const MemoryRange bytes = {range_.memory, range_.address + piece * kBlockBytes, size_bytes};
    // A transfer that has failed leaves copies of its stream behind, on their way into the block.
    TFRT_RETURN_IF_ERROR(stream_->WaitForUses(block));
    TFRT_ASSIGN_OR_RETURN(
        last_, is_to_host_ ? stream_->Copy(staged, bytes) : stream_->Copy(bytes, staged));
    return OkStatus();
  }

  // Goes as far as it can without waiting.
  void Continue() {
    for (;;) {
      while (is_to_host_ && num_enqueued_ < num_pieces_ && num_enqueued_ < num_moved_ + 2) {
        if (Status status = Enqueue(num_enqueued_); !status.ok()) return Finish(status);
        ++num_enqueued_;
      }
      if (num_moved_ == num_pieces_) return Finish(OkStatus());
      AsyncValueRef<Chain> unused = staging_.context_->WhenUnused(BlockOf(num_moved_), &queue_);
      if (!unused.IsAvailable()) {
        // This may be gone when AndThen returns.
        return unused.AndThen([this, unused = unused.AsPtr()] {
          if (unused.IsError()) return Finish(unused.GetError());
          Continue();
        });
      }
      if (unused.IsError()) return Finish(unused.GetError());
      std::byte* bytes = host_ + num_moved_ * kBlockBytes;
      if (is_to_host_) {
        std::memcpy(bytes, BytesOf(num_moved_), PieceBytes(num_moved_));
      } else {
        std::memcpy(BytesOf(num_moved_), bytes, PieceBytes(num_moved_));
        if (Status status = Enqueue(num_moved_); !status.ok()) return Finish(status);
      }
      ++num_moved_;
    }
  }

  void Finish(Status status) {
    // Before the chain: whoever waits for it may free what release() owns, or the context.
    staging_.End(this);
    TaskTicket ticket = std::move(ticket_);
    AsyncValueRef<Point> done = std::move(done_);
    const Point last = last_;
    TaskFunction release = std::move(release_);
    // The last use of the context may end with the stream, once the chain is out.
    RCReference<Stream> stream = std::move(stream_);
    delete this;
    if (release) release.CallAndReset();
    if (status.ok()) {
      done.emplace(last);
    } else {
      done.SetError(std::move(status));
    }
  }

  Staging& staging_;
  const bool is_to_host_;
  RCReference<Stream> stream_;
  const RCReference<Memory> memory_;
  const MemoryRange range_;
  std::byte* const host_;
  const size_t num_pieces_;
  TaskFunction release_;
  ConcurrentWorkQueue& queue_;
  TaskTicket ticket_;
  AsyncValueRef<Point> done_ = MakeUnconstructedAsyncValueRef<Point>();
  Lane* lane_ = nullptr;  // set before Start
  Point last_;            // of the pieces that are enqueued
  // Pieces that are in the stream on their way to the host, and pieces that the host has moved.
  size_t num_enqueued_ = 0, num_moved_ = 0;
};

Staging::~Staging() { assert(lanes_.empty()); }

AsyncValueRef<Point> Staging::Begin(std::unique_ptr<Transfer> transfer) {
  AsyncValueRef<Point> done = transfer->done();
  bool is_first;
  Transfer* begun = transfer.release();
  {
    std::lock_guard lock(mutex_);
    auto lane = std::ranges::find_if(lanes_, [&](const Lane& each) {
      return each.stream == begun->stream() && each.is_to_host == begun->is_to_host();
    });
    if (lane == lanes_.end()) {
      lane = lanes_.insert(lane, Lane{{begun->stream(), begun->is_to_host(), {}}, false, {}});
      TakeIdle(&*lane);
    }
    begun->SetLane(&*lane);
    is_first = lane->transfers.empty();
    lane->transfers.push_back(begun);
  }
  if (is_first) begun->Start();
  return done;
}

void Staging::End(Transfer* transfer) {
  Lane* lane = transfer->lane();
  Transfer* next = nullptr;
  Blocks dropped;
  {
    std::lock_guard lock(mutex_);
    assert(lane->transfers.front() == transfer);
    lane->transfers.pop_front();
    const bool is_empty = lane->transfers.empty();
    if (lane->has_blocks && !starved_.empty()) {
      // In turn, so that a lane that always has another copy does not keep the others waiting.
      Lane* starved = starved_.front();
      starved_.pop_front();
      starved->blocks = std::exchange(lane->blocks, {});
      starved->has_blocks = true;
      lane->has_blocks = false;
      next = starved->transfers.front();
      if (!is_empty) starved_.push_back(lane);
    } else if (!is_empty) {
      next = lane->transfers.front();
    } else {
      if (!lane->has_blocks) {
        dropped = std::move(*lane);
      } else {
        if (idle_.size() == kMaxIdle) {
          dropped = std::move(idle_.front());
          idle_.erase(idle_.begin());
        }
        idle_.push_back(std::move(*lane));
      }
    }
    if (is_empty) lanes_.remove_if([&](const Lane& each) { return &each == lane; });
  }
  if (next) next->StartLater();
}

void Staging::TakeIdle(Lane* lane) {
  auto found = std::ranges::find_if(idle_, [&](const Blocks& each) {
    return each.stream == lane->stream && each.is_to_host == lane->is_to_host;
  });
  if (found == idle_.end() && idle_.size() == kMaxIdle) found = idle_.begin();
  if (found == idle_.end()) return;
  lane->blocks = std::move(found->blocks);
  idle_.erase(found);
}

StatusOr<bool> Staging::MakeBlocks(Lane* lane) {
  // Two lanes with one block each would both find none for the second.
  std::lock_guard making(making_mutex_);
  Status none_left;
  for (RCReference<Memory>& block : lane->blocks) {
    if (block) continue;
    StatusOr<RCReference<Memory>> made = context_->pinned_pool().AllocateForContext(kBlockBytes);
    if (made.ok()) {
      block = *std::move(made);
    } else if (made.status().code() == StatusCode::kResourceExhausted) {
      none_left = made.status();
    } else {
      return made.status();
    }
  }
  Blocks dropped;
  std::lock_guard lock(mutex_);
  lane->has_blocks = none_left.ok();
  if (lane->has_blocks) return true;
  dropped.blocks = std::move(lane->blocks);
  lane->blocks = {};
  if (!idle_.empty()) {
    lane->blocks = std::move(idle_.front().blocks);
    idle_.erase(idle_.begin());
    lane->has_blocks = true;
    return true;
  }
  if (std::ranges::none_of(lanes_, &Lane::has_blocks)) return none_left;
  starved_.push_back(lane);
  return false;
}

AsyncValueRef<Point> Staging::CopyToDevice(RCReference<Stream> stream, const MemoryRange& to,
                                           const void* from, TaskFunction release,
                                           ConcurrentWorkQueue* queue) {
  auto* bytes = static_cast<std::byte*>(const_cast<void*>(from));
  if (!queue) queue = context_->queue();
  if (to.size_bytes > kDirectBytes) {
    if (!queue) return Refuse(std::move(release));
    return Begin(std::make_unique<Transfer>(this, /*is_to_host=*/false, std::move(stream), to,
                                            bytes, std::move(release), queue));
  }
  auto copy = [&]() -> StatusOr<Point> {
    if (to.size_bytes == 0) return Point();
    TFRT_ASSIGN_OR_RETURN(RCReference<Memory> block, context_->AllocatePinned(to.size_bytes));
    std::memcpy(block->host_address(), from, to.size_bytes);
    return stream->Copy(to, block->bytes());
  };
  StatusOr<Point> copied = copy();
  if (release) release.CallAndReset();
  if (!copied.ok()) return copied.status();
  return MakeAvailableAsyncValueRef<Point>(*copied);
}

AsyncValueRef<Chain> Staging::CopyToHost(RCReference<Stream> stream, void* to,
                                         const MemoryRange& from, TaskFunction release,
                                         ConcurrentWorkQueue* queue) {
  const size_t size_bytes = from.size_bytes;
  if (!queue) queue = context_->queue();
  if (!queue) return Refuse(std::move(release));
  if (size_bytes > kDirectBytes) {
    return Begin(std::make_unique<Transfer>(this, /*is_to_host=*/true, std::move(stream), from,
                                            static_cast<std::byte*>(to), std::move(release), queue))
        .Map([](Point&) { return Chain(); });
  }
  RCReference<Memory> block;
  auto copy = [&]() -> Status {
    if (size_bytes == 0) return OkStatus();
    TFRT_ASSIGN_OR_RETURN(block, context_->AllocatePinned(size_bytes));
    return stream->Copy(block->bytes(), from).status();
  };
  if (Status status = copy(); !status.ok() || size_bytes == 0) {
    if (release) release.CallAndReset();
    if (!status.ok()) return status;
    return GetReadyChain();
  }
  AsyncValueRef<Chain> copied = context_->WhenUnused(*block, queue);
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  copied.AndThen([copied = copied.AsPtr(), done = done.CopyRef(), block = std::move(block), to,
                  size_bytes, release = std::move(release)]() mutable {
    if (copied.IsConcrete()) std::memcpy(to, block->host_address(), size_bytes);
    // Before anybody is told: the next transfer, which may begin at once, is to find it free.
    block.reset();
    if (release) release.CallAndReset();
    if (copied.IsError()) {
      done.SetError(copied.GetError());
    } else {
      done.emplace();
    }
  });
  return done;
}

Status Staging::Refuse(TaskFunction release) const {
  if (release) release.CallAndReset();
  return context_->NoQueue();
}

}  // namespace tfrt::gpu
