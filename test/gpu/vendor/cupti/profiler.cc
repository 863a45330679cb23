#include "profiler.h"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "test/gpu/vendor/driver/activity.h"

namespace tfrt::gpu::cupti_double {
namespace {

using cuda_double::CopyActivity;
using cuda_double::FillActivity;
using cuda_double::KernelActivity;

void OnCall(uint32_t function, uint32_t correlation, int is_end, uint32_t result,
            uint64_t clock_ns) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (!is_end) {
    profiler.calls[correlation] = {profiler.Now(), clock_ns};
    return;
  }
  if (!profiler.settings.is_late) profiler.WriteExternalIds(correlation);
  profiler.WriteCall(function, correlation, result);
  if (profiler.settings.is_late) profiler.WriteExternalIds(correlation);
}

void OnNode(void* node, uint64_t id, void* original) {
  Profiler& profiler = TheProfiler();
  CUpti_CallbackFunc callback = nullptr;
  void* callback_data = nullptr;
  const CUpti_CallbackId event =
      original ? CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED : CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED;
  {
    std::lock_guard lock(profiler.mutex);
    profiler.node_ids[node] = id;
    if (profiler.resource_callbacks.contains(event)) callback = profiler.callback;
    callback_data = profiler.callback_data;
  }
  if (!callback) return;
  CUpti_GraphData graph = {};
  graph.node = static_cast<CUgraphNode>(node);
  graph.originalNode = static_cast<CUgraphNode>(original);
  CUpti_ResourceData data = {};
  data.resourceDescriptor = &graph;
  callback(callback_data, CUPTI_CB_DOMAIN_RESOURCE, event, &data);
}

template <typename F>
bool Find(void* library, const char* name, F** function) {
  void* found = dlsym(library, name);
  std::memcpy(function, &found, sizeof(found));
  return found != nullptr;
}

Profiler* MakeProfiler() {
  auto* profiler = new Profiler;
  const char* text = std::getenv("TFRT_CUPTI_DOUBLE");
  const std::string wrong = ParseSettings(text ? text : "", &profiler->settings);
  if (!wrong.empty()) std::fprintf(stderr, "tfrt test double: cupti: %s\n", wrong.c_str());
  return profiler;
}

}  // namespace

Profiler& TheProfiler() {
  static Profiler* const profiler = MakeProfiler();
  return *profiler;
}

ExternalStacks& ThisThreadsIds() {
  static thread_local ExternalStacks stacks;
  return stacks;
}

bool AttachToDriver() {
  static const tfrtDoubleProfiler kProfiler = {OnCall, OnNode};
  Profiler& profiler = TheProfiler();
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  DriverControl driver;
  if (!library || !Find(library, "tfrtDoubleSetProfiler", &driver.set_profiler) ||
      !Find(library, "tfrtDoubleFunctionName", &driver.function_name) ||
      !Find(library, "tfrtDoubleEnableActivities", &driver.enable_activities) ||
      !Find(library, "tfrtDoubleTakeActivities", &driver.take_activities)) {
    return false;
  }
  {
    std::lock_guard lock(profiler.mutex);
    profiler.driver = driver;
  }
  driver.set_profiler(&kProfiler);
  driver.enable_activities(1);
  return true;
}

uint64_t Profiler::Now() const {
  if (timestamp) return timestamp();
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void Profiler::Write(const void* record, size_t size_bytes) {
  if (buffer && buffer_bytes - valid_bytes < size_bytes) CompleteBuffer();
  if (!buffer && request) {
    size_t max_records = 0;
    request(&buffer, &buffer_bytes, &max_records);
    valid_bytes = 0;
  }
  if (!buffer || buffer_bytes - valid_bytes < size_bytes) {
    ++num_dropped;
    return;
  }
  std::memcpy(buffer + valid_bytes, record, size_bytes);
  valid_bytes += size_bytes;
}

void Profiler::CompleteBuffer() {
  if (!buffer) return;
  complete(nullptr, 0, buffer, buffer_bytes, valid_bytes);
  buffer = nullptr;
}

void Profiler::WriteExternalIds(uint32_t correlation) {
  if (!Has(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) return;
  for (const auto& [kind, ids] : ThisThreadsIds()) {
    if (ids.empty()) continue;
    CUpti_ActivityExternalCorrelation record = {.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                                .externalKind = kind,
                                                .externalId = ids.back(),
                                                .correlationId = correlation,
                                                .reserved = 0};
    Write(&record, sizeof(record));
  }
}

void Profiler::WriteCall(uint32_t function, uint32_t correlation, uint32_t result) {
  const uint64_t begin = calls[correlation].first;
  if (Has(CUPTI_ACTIVITY_KIND_DRIVER)) {
    CUpti_ActivityAPI record = {.kind = CUPTI_ACTIVITY_KIND_DRIVER,
                                .cbid = function + 1,
                                .start = begin,
                                .end = Now(),
                                .processId = static_cast<uint32_t>(getpid()),
                                .threadId = static_cast<uint32_t>(gettid()),
                                .correlationId = correlation,
                                .returnValue = result};
    Write(&record, sizeof(record));
  }
  const std::string_view name = driver.function_name(function);
  CUpti_ActivitySynchronizationType type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN;
  if (name == "cuStreamSynchronize") {
    type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
  } else if (name == "cuEventSynchronize") {
    type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
  } else if (name == "cuCtxSynchronize") {
    type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  }
  if (type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN ||
      !Has(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) {
    return;
  }
  CUpti_ActivitySynchronization2 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  record.type = type;
  record.start = begin;
  record.end = Now();
  record.correlationId = correlation;
  record.contextId = 1;
  record.streamId = ~uint32_t{0};
  Write(&record, SizeOfRecord(record.kind, settings.version));
}

void Profiler::WriteActivity(const std::byte* bytes, size_t size_bytes) {
  std::vector<std::byte> record(bytes, bytes + size_bytes);
  // The three kinds have their times and streams in different places.
  auto fix = [&]<typename T>(T* activity) {
    const auto [real, clock] = calls[activity->correlation];
    uint64_t& end_of_stream = stream_ends[uint64_t{activity->context} << 32 | activity->stream];
    const uint64_t nanoseconds = activity->end_ns - activity->start_ns;
    activity->start_ns = std::max(
        real + (activity->start_ns - std::min<uint64_t>(clock, activity->start_ns)), end_of_stream);
    activity->end_ns = end_of_stream = activity->start_ns + nanoseconds;
    return real;
  };
  uint32_t kind;
  std::memcpy(&kind, bytes, sizeof(kind));
  if (!Has(static_cast<CUpti_ActivityKind>(kind))) return;
  if (kind == KernelActivity::kKind) {
    auto* kernel = reinterpret_cast<KernelActivity*>(record.data());
    kernel->queued_ns = kernel->submitted_ns = fix(kernel);
    kernel->completed_ns = kernel->end_ns;
  } else if (kind == CopyActivity::kKind) {
    fix(reinterpret_cast<CopyActivity*>(record.data()));
  } else {
    fix(reinterpret_cast<FillActivity*>(record.data()));
  }
  // The record of a newer library is longer.
  record.resize(std::max(record.size(), SizeOfRecord(kind, settings.version)));
  Write(record.data(), record.size());
}

void Flush() {
  Profiler& profiler = TheProfiler();
  auto take = [&]() -> size_t (*)(void*, size_t) {
    std::lock_guard lock(profiler.mutex);
    return profiler.driver.take_activities;
  }();
  if (!take) return;
  std::vector<std::byte> bytes(1 << 16);
  while (size_t size = take(bytes.data(), bytes.size())) {
    std::lock_guard lock(profiler.mutex);
    for (size_t at = 0; at < size;) {
      uint32_t kind;
      std::memcpy(&kind, bytes.data() + at, sizeof(kind));
      const size_t record_bytes = kind == KernelActivity::kKind ? sizeof(KernelActivity)
                                  : kind == CopyActivity::kKind ? sizeof(CopyActivity)
                                                                : sizeof(FillActivity);
      profiler.WriteActivity(bytes.data() + at, record_bytes);
      at += record_bytes;
    }
  }
  std::lock_guard lock(profiler.mutex);
  if (profiler.valid_bytes > 0) profiler.CompleteBuffer();
}

size_t SizeOfRecord(uint32_t kind, uint32_t version) {
  const bool is_13 = version >= kCuptiVersion13;
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
      return is_13 ? sizeof(CUpti_ActivityKernel10) : sizeof(CUpti_ActivityKernel9);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return is_13 ? sizeof(CUpti_ActivityMemcpy6) : sizeof(CUpti_ActivityMemcpy5);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return is_13 ? sizeof(CUpti_ActivitySynchronization2) : sizeof(CUpti_ActivitySynchronization);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return is_13 ? sizeof(CUpti_ActivityOverhead3) : sizeof(CUpti_ActivityOverhead);
    default:
      return 0;
  }
}

}  // namespace tfrt::gpu::cupti_double
