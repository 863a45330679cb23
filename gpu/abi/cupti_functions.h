// The functions of CUPTI that we call, as a list for the preprocessor, like that of the driver's
// (cuda_driver_functions.h).
//
// Each entry is X(result, name, is_required, parameters, arguments). A function that is not
// required is null in the table of a library that lacks it, and its caller has another way.
#ifndef TFRT_GPU_ABI_CUPTI_FUNCTIONS_H_
#define TFRT_GPU_ABI_CUPTI_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "cupti_result.h"
#include "cupti_types.h"

// clang-format off
#define TFRT_CUPTI_ACTIVITY_FUNCTIONS(X) \
  X(CUptiResult, cuptiGetVersion, true, (uint32_t* version), (version)) \
  X(CUptiResult, cuptiGetResultString, true, (CUptiResult result, const char** text), \
    (result, text)) \
  X(CUptiResult, cuptiGetErrorMessage, false, (CUptiResult result, const char** text), \
    (result, text)) \
  X(CUptiResult, cuptiGetTimestamp, true, (uint64_t* time_ns), (time_ns)) \
  X(CUptiResult, cuptiActivityRegisterCallbacks, true, \
    (CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete), \
    (request, complete)) \
  X(CUptiResult, cuptiActivityRegisterTimestampCallback, false, \
    (CUpti_TimestampCallbackFunc function), (function)) \
  X(CUptiResult, cuptiActivityEnable, true, (CUpti_ActivityKind kind), (kind)) \
  X(CUptiResult, cuptiActivityDisable, true, (CUpti_ActivityKind kind), (kind)) \
  X(CUptiResult, cuptiActivityEnableLatencyTimestamps, false, (uint8_t enable), (enable)) \
  X(CUptiResult, cuptiActivityFlushAll, true, (uint32_t flags), (flags)) \
  X(CUptiResult, cuptiActivityGetNextRecord, true, \
    (uint8_t* buffer, size_t valid_bytes, CUpti_Activity** record), \
    (buffer, valid_bytes, record)) \
  X(CUptiResult, cuptiActivityGetNumDroppedRecords, true, \
    (CUcontext context, uint32_t stream, size_t* dropped), (context, stream, dropped)) \
  X(CUptiResult, cuptiActivityPushExternalCorrelationId, true, \
    (CUpti_ExternalCorrelationKind kind, uint64_t id), (kind, id)) \
  X(CUptiResult, cuptiActivityPopExternalCorrelationId, true, \
    (CUpti_ExternalCorrelationKind kind, uint64_t* id), (kind, id)) \
  X(CUptiResult, cuptiSetThreadIdType, false, (CUpti_ActivityThreadIdType type), (type)) \
  X(CUptiResult, cuptiSubscribe, true, \
    (CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* user_data), \
    (subscriber, callback, user_data)) \
  X(CUptiResult, cuptiSubscribe_v2, false, \
    (CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* user_data, \
     CUpti_SubscriberParams* parameters), (subscriber, callback, user_data, parameters)) \
  X(CUptiResult, cuptiUnsubscribe, true, (CUpti_SubscriberHandle subscriber), (subscriber)) \
  X(CUptiResult, cuptiEnableCallback, true, \
    (uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, \
     CUpti_CallbackId id), (enable, subscriber, domain, id)) \
  X(CUptiResult, cuptiGetCallbackName, true, \
    (CUpti_CallbackDomain domain, uint32_t id, const char** name), (domain, id, name)) \
  X(CUptiResult, cuptiGetGraphNodeId, true, (CUgraphNode node, uint64_t* id), (node, id))

#define TFRT_CUPTI_HOST_FUNCTIONS(X) \
  X(CUptiResult, cuptiProfilerHostInitialize, false, \
    (CUpti_Profiler_Host_Initialize_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostDeinitialize, false, \
    (CUpti_Profiler_Host_Deinitialize_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostGetSupportedChips, false, \
    (CUpti_Profiler_Host_GetSupportedChips_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostGetBaseMetrics, false, \
    (CUpti_Profiler_Host_GetBaseMetrics_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostConfigAddMetrics, false, \
    (CUpti_Profiler_Host_ConfigAddMetrics_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostGetConfigImageSize, false, \
    (CUpti_Profiler_Host_GetConfigImageSize_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostGetConfigImage, false, \
    (CUpti_Profiler_Host_GetConfigImage_Params* parameters), (parameters)) \
  X(CUptiResult, cuptiProfilerHostGetNumOfPasses, false, \
    (CUpti_Profiler_Host_GetNumOfPasses_Params* parameters), (parameters))
// clang-format on

#define TFRT_CUPTI_FUNCTIONS(X) TFRT_CUPTI_ACTIVITY_FUNCTIONS(X) TFRT_CUPTI_HOST_FUNCTIONS(X)

// Those that read counters of a range of the program: looked for, not called yet.
#define TFRT_CUPTI_RANGE_FUNCTIONS(X) \
  X(cuptiRangeProfilerEnable)         \
  X(cuptiRangeProfilerDisable)        \
  X(cuptiRangeProfilerSetConfig)      \
  X(cuptiRangeProfilerStart)          \
  X(cuptiRangeProfilerStop)           \
  X(cuptiRangeProfilerPushRange)      \
  X(cuptiRangeProfilerPopRange)       \
  X(cuptiRangeProfilerDecodeData)     \
  X(cuptiProfilerHostEvaluateToGpuValues)

#endif  // TFRT_GPU_ABI_CUPTI_FUNCTIONS_H_
