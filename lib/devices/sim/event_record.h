// EventRecord: a place in a stream, what is known to precede it, and who waits for it.
#ifndef TFRT_LIB_DEVICES_SIM_EVENT_RECORD_H_
#define TFRT_LIB_DEVICES_SIM_EVENT_RECORD_H_

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "lib/runtime/host/timeline_observer.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/status.h"

namespace tfrt::sim::internal {

// How many operations of each stream precede something. Streams have numbers that are unique in the
// process, as streams wait for those of other devices.
class Positions {
 public:
  bool Covers(uint32_t stream, uint64_t position) const {
    auto found = positions_.find(stream);
    return found != positions_.end() && found->second >= position;
  }
  void Raise(uint32_t stream, uint64_t position) {
    uint64_t& known = positions_[stream];
    known = std::max(known, position);
  }
  void Join(const Positions& other) {
    for (const auto& [stream, position] : other.positions_) Raise(stream, position);
  }

 private:
  std::map<uint32_t, uint64_t> positions_;
};

// The positions that host threads have waited for, all together.
struct HostPositions {
  std::mutex mutex;
  Positions positions;
};

struct EventRecord {
  EventRecord(uint32_t stream, uint64_t position, const Positions& seen,
              std::shared_ptr<HostPositions> host, TimelineObserver* observer,
              TimelineObserver::Event event)
      : stream(stream),
        position(position),
        seen(seen),
        host(std::move(host)),
        observer(observer),
        event(event) {}
  ~EventRecord() {
    if (observer) observer->Forget(event);
  }

  // Called once, by the stream. `error` is what has stopped it.
  void Happen(const Status& error);
  // Blocks until it has happened, and tells nobody. Returns the error.
  Status Await();
  bool HasHappened() const { return done.IsAvailable(); }
  // The calling host thread goes on behind it.
  void SeenByHost();

  const uint32_t stream;
  const uint64_t position;
  const Positions seen;  // with the place itself
  const std::shared_ptr<HostPositions> host;
  TimelineObserver* const observer;  // null, or knows this as `event`
  const TimelineObserver::Event event;
  // Available, or the error, when it has happened.
  const AsyncValueRef<Chain> done = MakeUnconstructedAsyncValueRef<Chain>();

 private:
  std::mutex mutex_;  // of nothing but changed_
  std::condition_variable changed_;
};

}  // namespace tfrt::sim::internal

#endif  // TFRT_LIB_DEVICES_SIM_EVENT_RECORD_H_
