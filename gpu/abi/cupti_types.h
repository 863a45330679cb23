// Types of the parameters and results of the functions of CUPTI, the vendor's profiling library.
//
// Spelling and layout are the vendor's, as in cuda_types.h: only types that the runtime uses or
// tests are here. Records of activities come in versions. Each is as long as the previous one or
// longer, and begins with the same members, except for padding. A reader therefore reads the
// members that the record of its library has. The version of the library tells which these are.
#ifndef TFRT_GPU_ABI_CUPTI_TYPES_H_
#define TFRT_GPU_ABI_CUPTI_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "cuda_types.h"

namespace tfrt::gpu::cupti {

using cuda::CUcontext;
using cuda::CUgraph;
using cuda::CUgraphExec;
using cuda::CUgraphNode;
using cuda::CUgraphNodeType;
using cuda::CUstream;

// The oldest library that we use, that of CUDA 12.0. Versions count up to 28 (12.9), and then are
// 10000 * major + 100 * minor + an update: 130000 is CUDA 13.0.
inline constexpr int kMinCuptiVersion = 19;
inline constexpr int kCuptiVersion13 = 130000;

enum CUpti_ActivityKind : uint32_t {
  CUPTI_ACTIVITY_KIND_MEMCPY = 1,
  CUPTI_ACTIVITY_KIND_MEMSET = 2,
  CUPTI_ACTIVITY_KIND_KERNEL = 3,
  CUPTI_ACTIVITY_KIND_DRIVER = 4,
  CUPTI_ACTIVITY_KIND_RUNTIME = 5,
  CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10,
  CUPTI_ACTIVITY_KIND_OVERHEAD = 17,
  CUPTI_ACTIVITY_KIND_MEMCPY2 = 22,
  CUPTI_ACTIVITY_KIND_SYNCHRONIZATION = 38,
  CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION = 39,
};

enum CUpti_ExternalCorrelationKind : uint32_t {
  CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 = 3,
  CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1 = 4,
  CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2 = 5,
};

enum CUpti_ActivityFlag : uint32_t {
  CUPTI_ACTIVITY_FLAG_NONE = 0,
  CUPTI_ACTIVITY_FLAG_FLUSH_FORCED = 1 << 0,
};

enum CUpti_ActivityThreadIdType : uint32_t {
  CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT = 0,
  CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM = 1,
};

enum CUpti_ActivityMemoryKind : uint32_t {
  CUPTI_ACTIVITY_MEMORY_KIND_UNKNOWN = 0,
  CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE = 1,
  CUPTI_ACTIVITY_MEMORY_KIND_PINNED = 2,
  CUPTI_ACTIVITY_MEMORY_KIND_DEVICE = 3,
  CUPTI_ACTIVITY_MEMORY_KIND_ARRAY = 4,
  CUPTI_ACTIVITY_MEMORY_KIND_MANAGED = 5,
  CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC = 6,
  CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC = 7,
};

enum CUpti_ActivitySynchronizationType : uint32_t {
  CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN = 0,
  CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE = 1,
  CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT = 2,
  CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE = 3,
  CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE = 4,
};

enum CUpti_ActivityOverheadKind : uint32_t {
  CUPTI_ACTIVITY_OVERHEAD_UNKNOWN = 0,
  CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER = 1,
  CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH = 1 << 16,
  CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION = 2 << 16,
  CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE = 3 << 16,
  CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING = 4 << 16,
  CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING = 5 << 16,
  CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL = 6 << 16,
  CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST = 7 << 16,
  CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT = 8 << 16,
};

enum CUpti_ActivityObjectKind : uint32_t {
  CUPTI_ACTIVITY_OBJECT_UNKNOWN = 0,
  CUPTI_ACTIVITY_OBJECT_PROCESS = 1,
  CUPTI_ACTIVITY_OBJECT_THREAD = 2,
  CUPTI_ACTIVITY_OBJECT_DEVICE = 3,
  CUPTI_ACTIVITY_OBJECT_CONTEXT = 4,
  CUPTI_ACTIVITY_OBJECT_STREAM = 5,
};

enum CUpti_CallbackDomain : uint32_t {
  CUPTI_CB_DOMAIN_DRIVER_API = 1,
  CUPTI_CB_DOMAIN_RUNTIME_API = 2,
  CUPTI_CB_DOMAIN_RESOURCE = 3,
};

enum CUpti_CallbackIdResource : uint32_t {
  CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED = 13,
  CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED = 20,
};

enum CUpti_MetricType : uint32_t {
  CUPTI_METRIC_TYPE_COUNTER = 0,
  CUPTI_METRIC_TYPE_RATIO = 1,
  CUPTI_METRIC_TYPE_THROUGHPUT = 2,
};

enum CUpti_ProfilerType : uint32_t {
  CUPTI_PROFILER_TYPE_RANGE_PROFILER = 0,
  CUPTI_PROFILER_TYPE_PM_SAMPLING = 1,
};

using CUpti_CallbackId = uint32_t;
using CUpti_SubscriberHandle = struct CUpti_Subscriber_st*;
using CUpti_CallbackFunc = void (*)(void* user_data, CUpti_CallbackDomain domain,
                                    CUpti_CallbackId id, const void* data);
using CUpti_BuffersCallbackRequestFunc = void (*)(uint8_t** buffer, size_t* size_bytes,
                                                  size_t* max_records);
using CUpti_BuffersCallbackCompleteFunc = void (*)(CUcontext context, uint32_t stream,
                                                   uint8_t* buffer, size_t size_bytes,
                                                   size_t valid_bytes);
using CUpti_TimestampCallbackFunc = uint64_t (*)();
struct CUpti_Profiler_Host_Object;

// --- records of activities: packed, in multiples of eight bytes ---

// The first members of each record.
struct [[gnu::packed, gnu::aligned(8)]] CUpti_Activity {
  CUpti_ActivityKind kind;
};

struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityKernel9 {
  CUpti_ActivityKind kind;
  uint8_t cacheConfig;
  uint8_t sharedMemoryConfig;
  uint16_t registersPerThread;
  uint32_t partitionedGlobalCacheRequested;
  uint32_t partitionedGlobalCacheExecuted;
  uint64_t start;
  uint64_t end;
  uint64_t completed;
  uint32_t deviceId;
  uint32_t contextId;
  uint32_t streamId;
  int32_t gridX;
  int32_t gridY;
  int32_t gridZ;
  int32_t blockX;
  int32_t blockY;
  int32_t blockZ;
  int32_t staticSharedMemory;
  int32_t dynamicSharedMemory;
  uint32_t localMemoryPerThread;
  uint32_t localMemoryTotal;
  uint32_t correlationId;
  int64_t gridId;
  const char* name;
  void* reserved0;
  uint64_t queued;
  uint64_t submitted;
  uint8_t launchType;
  uint8_t isSharedMemoryCarveoutRequested;
  uint8_t sharedMemoryCarveoutRequested;
  uint8_t padding;
  uint32_t sharedMemoryExecuted;
  uint64_t graphNodeId;
  uint32_t shmemLimitConfig;
  uint32_t graphId;
  void* pAccessPolicyWindow;
  uint32_t channelID;
  uint32_t channelType;
  uint32_t clusterX;
  uint32_t clusterY;
  uint32_t clusterZ;
  uint32_t clusterSchedulingPolicy;
  uint64_t localMemoryTotal_v2;
  uint32_t maxPotentialClusterSize;
  uint32_t maxActiveClusters;
};

struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityMemcpy5 {
  CUpti_ActivityKind kind;
  uint8_t copyKind;
  uint8_t srcKind;
  uint8_t dstKind;
  uint8_t flags;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t deviceId;
  uint32_t contextId;
  uint32_t streamId;
  uint32_t correlationId;
  uint32_t runtimeCorrelationId;
  uint32_t pad;
  void* reserved0;
  uint64_t graphNodeId;
  uint32_t graphId;
  uint32_t channelID;
  uint32_t channelType;
  uint32_t pad2;
};

// Between two devices.
struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityMemcpyPtoP4 {
  CUpti_ActivityKind kind;
  uint8_t copyKind;
  uint8_t srcKind;
  uint8_t dstKind;
  uint8_t flags;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t deviceId;
  uint32_t contextId;
  uint32_t streamId;
  uint32_t srcDeviceId;
  uint32_t srcContextId;
  uint32_t dstDeviceId;
  uint32_t dstContextId;
  uint32_t correlationId;
  void* reserved0;
  uint64_t graphNodeId;
  uint32_t graphId;
  uint32_t channelID;
  uint32_t channelType;
};

struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityMemset4 {
  CUpti_ActivityKind kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t deviceId;
  uint32_t contextId;
  uint32_t streamId;
  uint32_t correlationId;
  uint16_t flags;
  uint16_t memoryKind;
  uint32_t pad;
  void* reserved0;
  uint64_t graphNodeId;
  uint32_t graphId;
  uint32_t channelID;
  uint32_t channelType;
  uint8_t isDeviceLaunched;
  uint8_t pad2[3];
};

struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityAPI {
  CUpti_ActivityKind kind;
  CUpti_CallbackId cbid;
  uint64_t start;
  uint64_t end;
  uint32_t processId;
  uint32_t threadId;
  uint32_t correlationId;
  uint32_t returnValue;
};

struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityExternalCorrelation {
  CUpti_ActivityKind kind;
  CUpti_ExternalCorrelationKind externalKind;
  uint64_t externalId;
  uint32_t correlationId;
  uint32_t reserved;
};

struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivitySynchronization {
  CUpti_ActivityKind kind;
  CUpti_ActivitySynchronizationType type;
  uint64_t start;
  uint64_t end;
  uint32_t correlationId;
  uint32_t contextId;
  uint32_t streamId;
  uint32_t cudaEventId;
};

// `objectId` is a process and a thread, or a device, a context and a stream.
struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityOverhead {
  CUpti_ActivityKind kind;
  CUpti_ActivityOverheadKind overheadKind;
  CUpti_ActivityObjectKind objectKind;
  uint32_t objectId[3];
  uint64_t start;
  uint64_t end;
};

// Those of CUDA 13.0.
struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityKernel10 : CUpti_ActivityKernel9 {
  uint8_t isDeviceLaunched;
  uint8_t padding3[7];
};
struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityMemcpy6 : CUpti_ActivityMemcpy5 {
  uint64_t copyCount;
};
struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivitySynchronization2
    : CUpti_ActivitySynchronization {
  uint64_t cudaEventSyncId;
  uint32_t returnValue;
  uint32_t pad;
};
struct [[gnu::packed, gnu::aligned(8)]] CUpti_ActivityOverhead3 : CUpti_ActivityOverhead {
  uint32_t correlationId;
  uint32_t reserved0;
  void* overheadData;
};

// --- callbacks ---

struct CUpti_SubscriberParams {
  size_t structSize;
  const char* subscriberName;
  char* oldSubscriberName;
  size_t oldSubscriberSize;
};

struct CUpti_ResourceData {
  CUcontext context;
  CUstream resourceHandle;
  void* resourceDescriptor;
};

struct CUpti_GraphData {
  CUgraph graph;
  CUgraph originalGraph;
  CUgraphNode node;
  CUgraphNode originalNode;
  CUgraphNodeType nodeType;
  CUgraphNode dependency;
  CUgraphExec graphExec;
};

// --- what chips can count: needs no device and no driver ---

struct CUpti_Profiler_Host_Initialize_Params {
  size_t structSize;
  void* pPriv;
  CUpti_ProfilerType profilerType;
  const char* pChipName;
  const uint8_t* pCounterAvailabilityImage;
  CUpti_Profiler_Host_Object* pHostObject;
};

struct CUpti_Profiler_Host_Deinitialize_Params {
  size_t structSize;
  void* pPriv;
  CUpti_Profiler_Host_Object* pHostObject;
};

struct CUpti_Profiler_Host_GetSupportedChips_Params {
  size_t structSize;
  void* pPriv;
  size_t numChips;
  const char* const* ppChipNames;
};

struct CUpti_Profiler_Host_GetBaseMetrics_Params {
  size_t structSize;
  void* pPriv;
  CUpti_Profiler_Host_Object* pHostObject;
  CUpti_MetricType metricType;
  const char** ppMetricNames;
  size_t numMetrics;
};

struct CUpti_Profiler_Host_ConfigAddMetrics_Params {
  size_t structSize;
  void* pPriv;
  CUpti_Profiler_Host_Object* pHostObject;
  const char** ppMetricNames;
  size_t numMetrics;
};

struct CUpti_Profiler_Host_GetConfigImageSize_Params {
  size_t structSize;
  void* pPriv;
  CUpti_Profiler_Host_Object* pHostObject;
  size_t configImageSize;
};

struct CUpti_Profiler_Host_GetConfigImage_Params {
  size_t structSize;
  void* pPriv;
  CUpti_Profiler_Host_Object* pHostObject;
  size_t configImageSize;
  uint8_t* pConfigImage;
};

struct CUpti_Profiler_Host_GetNumOfPasses_Params {
  size_t structSize;
  void* pPriv;
  size_t configImageSize;
  uint8_t* pConfigImage;
  size_t numOfPasses;
};

}  // namespace tfrt::gpu::cupti

#endif  // TFRT_GPU_ABI_CUPTI_TYPES_H_
