// Accelerator: the machine behind a `sim` device: memory and streams like those of a real
// accelerator, for tests.
#ifndef TFRT_SIM_ACCELERATOR_H_
#define TFRT_SIM_ACCELERATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/host_context/timeline_observer.h"
#include "tfrt/sim/memory.h"
#include "tfrt/sim/stream.h"
#include "tfrt/support/status.h"

namespace tfrt::sim {

struct AcceleratorOptions {
  // What its streams, errors and reports are named after.
  std::string name = "sim:0";
  // Of addresses; what is not written to costs no memory.
  size_t memory_bytes = size_t{1} << 30;
  // Of all streams at first.
  Delay delay;
  // Null, or told of all that happens. Must outlive the accelerator and its events.
  TimelineObserver* observer = nullptr;
};

// Thread-safe but for its destruction, before which nobody else may use it any more.
class Accelerator {
 public:
  using Options = AcceleratorOptions;

  struct MemoryStatistics {
    size_t num_blocks;
    size_t bytes_in_use;  // as asked for
    size_t peak_bytes_in_use;
    size_t num_free_stretches;  // into which what is free is cut
  };

  static StatusOr<std::unique_ptr<Accelerator>> Create(Options options = {});
  // Closes it. An error that Close would return is logged, unless Close has been called.
  ~Accelerator();
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;

  const std::string& name() const { return memory().name(); }
  const Memory& memory() const;
  MemoryStatistics memory_statistics() const;

  // The streams that each accelerator has: for kernels, and for copies in each direction. Any
  // stream runs any operation; that these differ lets copies and kernels overlap.
  Stream& compute() { return *own_streams_[0]; }
  Stream& h2d() { return *own_streams_[1]; }
  Stream& d2h() { return *own_streams_[2]; }
  Stream& d2d() { return *own_streams_[3]; }
  // One more, which lives as long as the accelerator: "sim:0/NAME".
  Stream& AddStream(std::string_view name);

  // Blocks until all streams have run what was enqueued. Returns the first stream's error.
  Status Synchronize();
  // Waits for all that was enqueued and ends the streams; what is enqueued later fails, but blocks
  // may still be freed. Returns the errors of streams, and FailedPrecondition that names the blocks
  // which are still allocated. Later calls return OK. Not to be called by a stream's thread.
  Status Close();

 private:
  friend class Stream;
  Accelerator(std::unique_ptr<internal::DeviceState> state, Delay delay);

  std::unique_ptr<Stream> MakeStream(std::string_view name);
  std::vector<Stream*> streams();

  const std::unique_ptr<internal::DeviceState> state_;
  const Delay delay_;
  std::mutex mutex_;
  // Under mutex_ from the end of the constructor on.
  bool closed_ = false;
  uint32_t num_streams_ = 0;
  std::vector<std::unique_ptr<Stream>> more_streams_;
  // Not changed after the constructor. Streams are destroyed before the state that they share.
  std::array<std::unique_ptr<Stream>, 4> own_streams_;
};

}  // namespace tfrt::sim

#endif  // TFRT_SIM_ACCELERATOR_H_
