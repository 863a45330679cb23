// Pool: which bytes of a memory are allocated, and in what order the others became free.
#ifndef TFRT_LIB_DEVICES_SIM_POOL_H_
#define TFRT_LIB_DEVICES_SIM_POOL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "event_record.h"
#include "tfrt/support/status.h"

namespace tfrt::sim::internal {

// Counts in offsets. Not thread-safe.
//
// A stretch is free after an event of the stream on which it was freed, or has never been used. A
// request of a stream takes the first run of free stretches that is long enough, of the cheapest
// kinds. The cheapest are stretches after whose events the stream is ordered. Next come those that
// the host knows to be free, then fresh ones, then any. Deterministic: it depends on the commands
// that have been enqueued, not on those that have run.
class Pool {
 public:
  static constexpr size_t kAlignment = 256;

  struct Grant {
    size_t offset;
    // The events that the stream must wait for before it uses the block.
    std::vector<std::shared_ptr<EventRecord>> behind;
  };
  struct Block {
    size_t size_bytes;  // as asked for
    std::string name;
  };

  explicit Pool(size_t size_bytes);

  // `seen`: what precedes the block's first use. `host_seen`: what the host knows to have happened.
  // ResourceExhausted if there is no such run.
  StatusOr<Grant> Allocate(std::string_view name, size_t size_bytes, const Positions& seen,
                           const Positions& host_seen);
  bool IsBlock(size_t offset) const { return blocks_.contains(offset); }
  // IsBlock(offset). The block is free when `event` has happened.
  void Free(size_t offset, std::shared_ptr<EventRecord> event);

  // By offset.
  const std::map<size_t, Block>& blocks() const { return blocks_; }
  size_t bytes_in_use() const { return bytes_in_use_; }
  size_t peak_bytes_in_use() const { return peak_bytes_in_use_; }
  size_t num_free_stretches() const { return free_.size(); }

 private:
  struct Stretch {
    size_t end;
    std::shared_ptr<EventRecord> event;  // null if it was never used
  };
  using Stretches = std::map<size_t, Stretch>;
  enum Cost { kOrdered, kKnownToHost, kFresh, kNeedsWait };

  static Cost CostOf(const Stretch& stretch, const Positions& seen, const Positions& host_seen);
  static size_t RoundUp(size_t size_bytes);

  const size_t size_bytes_;
  Stretches free_;
  std::map<size_t, Block> blocks_;
  size_t bytes_in_use_ = 0, peak_bytes_in_use_ = 0;
};

}  // namespace tfrt::sim::internal

#endif  // TFRT_LIB_DEVICES_SIM_POOL_H_
