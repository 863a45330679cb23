// Entry points: activities.
#include <cstdio>
#include <utility>

#include "control.h"
#include "profiler.h"

namespace tfrt::gpu::cupti {
using namespace cupti_double;  // NOLINT

extern "C" {

CUptiResult cuptiGetVersion(uint32_t* version) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  *version = profiler.settings.version;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(uint64_t* time_ns) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  *time_ns = profiler.Now();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "a result of the test double";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetErrorMessage(CUptiResult, const char** text) {
  *text = "an error of the test double";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType) { return CUPTI_SUCCESS; }

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  if (!request || !complete) return CUPTI_ERROR_INVALID_PARAMETER;
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  profiler.request = request;
  profiler.complete = complete;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  // Times of two clocks in one file help nobody.
  if (!profiler.kinds.empty()) return CUPTI_ERROR_INVALID_OPERATION;
  profiler.timestamp = function;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  Profiler& profiler = TheProfiler();
  {
    std::lock_guard lock(profiler.mutex);
    auto code = profiler.settings.enable_codes.find(kind);
    if (code != profiler.settings.enable_codes.end()) {
      return static_cast<CUptiResult>(code->second);
    }
  }
  if (!AttachToDriver()) return CUPTI_ERROR_UNKNOWN;
  if (SizeOfRecord(kind, 0) == 0) return CUPTI_ERROR_INVALID_KIND;
  const bool is_first = [&] {
    std::lock_guard lock(profiler.mutex);
    return profiler.kinds.empty();
  }();
  if (is_first) Flush();  // what ran while nobody wanted to know
  std::lock_guard lock(profiler.mutex);
  profiler.kinds.insert(kind);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  profiler.kinds.erase(kind);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableLatencyTimestamps(uint8_t) { return CUPTI_SUCCESS; }

CUptiResult cuptiActivityFlushAll(uint32_t) {
  Flush();
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  if (!profiler.Has(CUPTI_ACTIVITY_KIND_OVERHEAD)) return CUPTI_SUCCESS;
  CUpti_ActivityOverhead3 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  record.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  record.objectKind = CUPTI_ACTIVITY_OBJECT_PROCESS;
  record.start = record.end = profiler.Now();
  profiler.Write(&record, SizeOfRecord(record.kind, profiler.settings.version));
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid_bytes,
                                       CUpti_Activity** record) {
  if (!buffer || !record) return CUPTI_ERROR_INVALID_PARAMETER;
  uint32_t version = 0;
  (void)cuptiGetVersion(&version);
  uint8_t* next = buffer;
  if (*record) {
    const size_t size = SizeOfRecord((*record)->kind, version);
    if (size == 0) return CUPTI_ERROR_INVALID_KIND;
    next = reinterpret_cast<uint8_t*>(*record) + size;
  }
  if (next >= buffer + valid_bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  *dropped = std::exchange(profiler.num_dropped, 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                   uint64_t id) {
  ThisThreadsIds()[kind].push_back(id);
  ++num_pushed;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                  uint64_t* id) {
  std::vector<uint64_t>& ids = ThisThreadsIds()[kind];
  if (ids.empty()) return CUPTI_ERROR_QUEUE_EMPTY;
  if (id) *id = ids.back();
  ids.pop_back();
  --num_pushed;
  return CUPTI_SUCCESS;
}

// g++ does not take the visibility from a declaration outside of this namespace.
[[gnu::visibility("default")]] int tfrtCuptiDoubleConfigure(const char* text) {
  Settings settings;
  const std::string wrong = ParseSettings(text, &settings);
  if (!wrong.empty()) {
    std::fprintf(stderr, "tfrt test double: cupti: %s\n", wrong.c_str());
    return 1;
  }
  Profiler& profiler = TheProfiler();
  std::lock_guard lock(profiler.mutex);
  profiler.settings = settings;
  return 0;
}

[[gnu::visibility("default")]] int64_t tfrtCuptiDoubleNumPushed() { return num_pushed; }

}  // extern "C"
}  // namespace tfrt::gpu::cupti
