// Profiler: all that the double of CUPTI is, in one object.
#ifndef TFRT_TEST_GPU_VENDOR_CUPTI_PROFILER_H_
#define TFRT_TEST_GPU_VENDOR_CUPTI_PROFILER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "gpu/abi/cupti_exports.h"
#include "settings.h"
#include "test/gpu/vendor/driver/control.h"

namespace tfrt::gpu::cupti_double {

using namespace tfrt::gpu::cupti;  // NOLINT: this library is that interface

// The exports of the double of the driver beside the driver's functions.
struct DriverControl {
  void (*set_profiler)(const tfrtDoubleProfiler*) = nullptr;
  const char* (*function_name)(uint32_t) = nullptr;
  void (*enable_activities)(int) = nullptr;
  size_t (*take_activities)(void*, size_t) = nullptr;
};

// The driver's double calls under its lock; so nothing of it is called under this mutex.
struct Profiler {
  std::mutex mutex;
  Settings settings;
  DriverControl driver;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  CUpti_TimestampCallbackFunc timestamp = nullptr;
  std::set<CUpti_ActivityKind> kinds;
  CUpti_CallbackFunc callback = nullptr;  // of the subscriber
  void* callback_data = nullptr;
  std::set<CUpti_CallbackId> resource_callbacks;
  std::map<const void*, uint64_t> node_ids;

  // The buffer that is being filled.
  uint8_t* buffer = nullptr;
  size_t buffer_bytes = 0, valid_bytes = 0;
  size_t num_dropped = 0;
  // When a call began: by the clock of timestamps, and by the driver's virtual one.
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> calls;
  std::map<uint64_t, uint64_t> stream_ends;  // when the last command of a stream ended

  // All of these under the mutex.
  uint64_t Now() const;
  bool Has(CUpti_ActivityKind kind) const { return kinds.contains(kind); }
  void Write(const void* record, size_t size_bytes);
  void CompleteBuffer();
  void WriteExternalIds(uint32_t correlation);
  void WriteCall(uint32_t function, uint32_t correlation, uint32_t result);
  // A record of the driver's double, with our times and of this version's size.
  void WriteActivity(const std::byte* record, size_t size_bytes);
};

Profiler& TheProfiler();
// Finds the driver's double in this process, and makes it tell. False if there is none.
bool AttachToDriver();
// Takes what the driver's double has recorded, and gives the buffer away if it has something.
void Flush();
size_t SizeOfRecord(uint32_t kind, uint32_t version);

using ExternalStacks = std::map<CUpti_ExternalCorrelationKind, std::vector<uint64_t>>;
// Returns the stacks of the calling thread.
ExternalStacks& ThisThreadsIds();
inline std::atomic<int64_t> num_pushed{0};

}  // namespace tfrt::gpu::cupti_double

#endif  // TFRT_TEST_GPU_VENDOR_CUPTI_PROFILER_H_
