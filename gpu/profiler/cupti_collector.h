// CuptiCollector: makes CUPTI tell what the devices of this process do.
#ifndef TFRT_GPU_PROFILER_CUPTI_COLLECTOR_H_
#define TFRT_GPU_PROFILER_CUPTI_COLLECTOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "activity_decoder.h"
#include "buffer_pool.h"
#include "gpu/wrapper/cupti.h"
#include "lib/base/tracing/device_observer.h"
#include "op_links.h"
#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/level.h"
#include "tfrt/profiler/source.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// There is one in a process, as there is one CUPTI, and it is never destroyed. It serves one
// session at a time:
//
//   kOff --Start--> kArmed --the first context is made--> kStarting --> kCollecting
//   kCollecting --Stop--> kDraining --Drain--> kOff
//
// While it is armed, nothing of the vendor's is opened: a program that uses no GPU pays nothing. A
// failure on the way to kCollecting ends in kFailed, and appears in the profile as a problem with a
// remedy. No lock is ever held while CUPTI is called: it holds locks of its own when it calls back.
class CuptiCollector final : public tracing::DeviceObserver {
 public:
  enum class State : uint8_t { kOff, kArmed, kStarting, kCollecting, kDraining, kFailed };
  struct Options {
    const cupti::Library* library = nullptr;  // null: that of the process
    size_t buffer_bytes = size_t{4} << 20;
    // 64 MiB, or as many MiB as the environment variable TFRT_GPU_PROFILE_BUFFER_MB says, 4 at
    // least: see OptionsFromEnvironment.
    size_t max_buffers = 16;
  };
  static Options OptionsFromEnvironment();
  static CuptiCollector& Get();

  // As of profiler::Source. Below Level::kKernel nothing is collected.
  Status Start(profiler::Level level, const Options& options);
  void Drain(profiler::EventStream& stream);
  void Stop();

  State state() const { return state_.load(std::memory_order_acquire); }

  void OnDeviceInUse() override;
  void BeforeCommand(std::string_view op) override;
  void AfterCommand() override;

 private:
  CuptiCollector() = default;

  void Begin();
  Status BeginCollecting(const cupti::Library& library);
  Status Subscribe(const cupti::Table& table);
  Status EnableKinds(const cupti::Table& table);
  void DisableKinds(const cupti::Table& table);
  void CountDropped();
  void ReportDropped(profiler::EventStream& stream);
  // A problem for the profile.
  void Report(profiler::Problem::Kind kind, std::string_view text);

  static void RequestBuffer(uint8_t** buffer, size_t* size_bytes, size_t* max_records);
  static void CompleteBuffer(cupti::CUcontext context, uint32_t stream, uint8_t* buffer,
                             size_t size_bytes, size_t valid_bytes);
  static void OnCallback(void* collector, cupti::CUpti_CallbackDomain domain,
                         cupti::CUpti_CallbackId id, const void* data);
  void OnGraphNode(cupti::CUpti_CallbackId id, const cupti::CUpti_GraphData& data);

  std::atomic<State> state_{State::kOff};
  Options options_;                                   // of the session
  profiler::Level level_ = profiler::Level::kKernel;  // as well
  std::atomic<const cupti::Table*> table_{nullptr};   // since the library was opened first
  int version_ = 0;                                   // from kCollecting on
  int64_t clock_offset_ns_ = 0;                       // as well
  cupti::CUpti_SubscriberHandle subscriber_ = nullptr;
  std::vector<cupti::CUpti_ActivityKind> enabled_;
  BufferPool buffers_;
  OpNames op_names_;
  GraphOps graph_ops_;
  std::atomic<uint64_t> num_dropped_{0};

  std::mutex problems_mutex_;
  std::vector<profiler::Problem> problems_;  // under it: not told yet

  // Used by the thread that drains.
  std::unique_ptr<ActivityDecoder> decoder_;
  int num_drains_ = 0;
};

// Returns the source for a session; the collector does the work.
std::unique_ptr<profiler::Source> MakeCuptiSource();

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_PROFILER_CUPTI_COLLECTOR_H_
