// Accelerator: the simulated machine of a `sim` device: memory and streams like those of a real
// accelerator, for tests.
#ifndef TFRT_LIB_DEVICES_SIM_ACCELERATOR_H_
#define TFRT_LIB_DEVICES_SIM_ACCELERATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lib/runtime/host/timeline_observer.h"
#include "memory.h"
#include "stream.h"
#include "tfrt/support/status.h"

namespace tfrt::sim {

struct AcceleratorOptions {
  // Its streams, errors and reports use this name.
  std::string name = "sim:0";
  // Size of the address range. Memory that is not written to costs nothing.
  size_t memory_bytes = size_t{1} << 30;
  // The initial delay of all streams.
  Delay delay;
  // Receives all events; may be null. Must outlive the accelerator and its events.
  TimelineObserver* observer = nullptr;
};

// Thread-safe, except for its destruction, before which all other use must have ended.
class Accelerator {
 public:
  using Options = AcceleratorOptions;

  struct MemoryStatistics {
    size_t num_blocks;
    size_t bytes_in_use;  // sum of the requested sizes
    size_t peak_bytes_in_use;
    size_t num_free_stretches;  // separate pieces of free memory
  };

  static StatusOr<std::unique_ptr<Accelerator>> Create(Options options = {});
  // Closes the accelerator. An error that Close would return is logged, unless Close has been
  // called.
  ~Accelerator();
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;

  const std::string& name() const { return memory().name(); }
  const Memory& memory() const;
  MemoryStatistics memory_statistics() const;

  // The streams of every accelerator: for kernels, and for copies in each direction. Any stream
  // runs any operation; separate streams let copies and kernels overlap.
  Stream& compute() { return *own_streams_[0]; }
  Stream& h2d() { return *own_streams_[1]; }
  Stream& d2h() { return *own_streams_[2]; }
  Stream& d2d() { return *own_streams_[3]; }
  // Adds a stream, "sim:0/NAME", that lives as long as the accelerator.
  Stream& AddStream(std::string_view name);

  // Blocks until all streams have run their enqueued work. Returns the first stream's error.
  Status Synchronize();
  // Waits for all enqueued work and ends the streams. Work that is enqueued later fails, but blocks
  // may still be freed. Returns the errors of streams, and FailedPrecondition that names the blocks
  // which are still allocated. Later calls return OK. Must not be called by a stream's thread.
  Status Close();

 private:
  friend class Stream;
  Accelerator(std::unique_ptr<internal::DeviceState> state, Delay delay);

  std::unique_ptr<Stream> MakeStream(std::string_view name);
  std::vector<Stream*> streams();

  const std::unique_ptr<internal::DeviceState> state_;
  const Delay delay_;
  std::mutex mutex_;
  // Guarded by mutex_ from the end of the constructor on.
  bool closed_ = false;
  uint32_t num_streams_ = 0;
  std::vector<std::unique_ptr<Stream>> more_streams_;
  // Not changed after the constructor. Streams are destroyed before the state that they share.
  std::array<std::unique_ptr<Stream>, 4> own_streams_;
};

}  // namespace tfrt::sim

#endif  // TFRT_LIB_DEVICES_SIM_ACCELERATOR_H_
