// ActivityLog: what ran when, in the layout in which the vendor's profiling library tells it.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_ACTIVITY_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_ACTIVITY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::gpu::cuda_double {

struct Command;

// The layouts CUpti_ActivityKernel9 and CUpti_ActivityMemcpy5. Members have the vendor's meaning,
// packed to multiples of eight bytes. CUPTI 13.0 still defines both, as deprecated. Its own records
// are CUpti_ActivityKernel10 and CUpti_ActivityMemcpy6, which are eight bytes longer. Code that
// steps through a buffer by size must therefore know which records it has. Times are virtual
// nanoseconds. The member `stream` is a number of the stream in which a command ran, or of the
// branch of its graph. The member `graph` stays 0.
struct [[gnu::packed, gnu::aligned(8)]] KernelActivity {
  static constexpr uint32_t kKind = 10;  // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
  uint32_t kind = kKind;
  uint8_t cache_config = 0;
  uint8_t shared_memory_config = 0;
  uint16_t registers_per_thread = 0;
  uint32_t partitioned_global_cache_requested = 0;
  uint32_t partitioned_global_cache_executed = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint64_t completed_ns = 0;
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  int32_t grid[3] = {};
  int32_t block[3] = {};
  int32_t static_shared_bytes = 0;
  int32_t dynamic_shared_bytes = 0;
  uint32_t local_bytes_per_thread = 0;
  uint32_t local_bytes_total = 0;
  uint32_t correlation = 0;
  int64_t grid_id = 0;
  const char* name = nullptr;  // lives as long as the process
  void* reserved0 = nullptr;
  uint64_t queued_ns = 0;
  uint64_t submitted_ns = 0;
  uint8_t launch_type = 0;
  uint8_t is_carveout_requested = 0;
  uint8_t requested_carveout = 0;
  uint8_t executed_carveout = 0;
  uint32_t executed_shared_bytes = 0;
  uint64_t graph_node = 0;
  uint32_t shared_limit_config = 0;
  uint32_t graph = 0;
  void* access_policy_window = nullptr;
  uint32_t channel = 0;
  uint32_t channel_type = 0;
  uint32_t cluster[3] = {};
  uint32_t cluster_policy = 0;
  uint64_t local_bytes_total_v2 = 0;
  uint32_t max_potential_cluster_size = 0;
  uint32_t max_active_clusters = 0;
};

struct [[gnu::packed, gnu::aligned(8)]] CopyActivity {
  static constexpr uint32_t kKind = 1;  // CUPTI_ACTIVITY_KIND_MEMCPY
  uint32_t kind = kKind;
  uint8_t copy_kind = 0;  // 1 host to device, 2 device to host, 8 device to device, 9 host to host
  uint8_t source_kind = 0;       // 1 pageable, 2 pinned, 3 device
  uint8_t destination_kind = 0;  // as above
  uint8_t flags = 1;             // asynchronous
  uint64_t bytes = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  uint32_t correlation = 0;
  uint32_t runtime_correlation = 0;
  uint32_t pad = 0;
  void* reserved0 = nullptr;
  uint64_t graph_node = 0;
  uint32_t graph = 0;
  uint32_t channel = 0;
  uint32_t channel_type = 0;
  uint32_t pad2 = 0;
};

// CUpti_ActivityMemset4.
struct [[gnu::packed, gnu::aligned(8)]] FillActivity {
  static constexpr uint32_t kKind = 2;  // CUPTI_ACTIVITY_KIND_MEMSET
  uint32_t kind = kKind;
  uint32_t value = 0;
  uint64_t bytes = 0;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  uint32_t correlation = 0;
  uint16_t flags = 1;        // asynchronous
  uint16_t memory_kind = 0;  // as of CopyActivity
  uint32_t pad = 0;
  void* reserved0 = nullptr;
  uint64_t graph_node = 0;
  uint32_t graph = 0;
  uint32_t channel = 0;
  uint32_t channel_type = 0;
  uint8_t is_device_launched = 0;
  uint8_t pad2[3] = {};
};

// The same text, kept as long as the process lives.
const char* InternName(std::string_view name);

// Records wait in a ring until a profiler takes them. Guarded by the driver's lock.
class ActivityLog {
 public:
  static constexpr size_t kMaxRecords = 1 << 16;  // the oldest are dropped and counted

  void Enable(bool enabled) { is_enabled_ = enabled; }
  bool is_enabled() const { return is_enabled_; }
  // A command has run.
  void Add(const Command& command);
  // Moves whole records, oldest first, as many as fit. Returns the bytes written.
  size_t Take(std::byte* buffer, size_t size_bytes);
  uint64_t num_dropped() const { return num_dropped_; }

 private:
  void Push(const void* record, size_t size_bytes);

  bool is_enabled_ = false;
  std::deque<std::vector<std::byte>> records_;
  uint64_t num_dropped_ = 0;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_ACTIVITY_H_
