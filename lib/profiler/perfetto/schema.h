// Numbers of fields: those of Perfetto's messages that are written or read here, and those of the
// project's own (tfrt_trace.proto).
#ifndef TFRT_LIB_PROFILER_PERFETTO_SCHEMA_H_
#define TFRT_LIB_PROFILER_PERFETTO_SCHEMA_H_

#include <cstddef>
#include <cstdint>

namespace tfrt::profiler::schema {

// The format that this code writes, and the newest that it reads.
inline constexpr uint32_t kFormat = 1;
inline constexpr uint32_t kSequence = 1;  // of all packets of this writer
inline constexpr size_t kMaxPacketBytes = size_t{64} << 20;

namespace trace {
enum : uint32_t { kPacket = 1 };
}
namespace packet {
enum : uint32_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kIncrementalStateCleared = 41,
  kProcessDescriptor = 43,
  kThreadDescriptor = 44,
  kCompressedPackets = 50,
  kGpuRenderStageEvent = 53,
  kTimestampClockId = 58,
  kDefaults = 59,
  kTrackDescriptor = 60,
  kExtensionDescriptor = 72,
  kZstdCompressedPackets = 133,
  kTfrtTrace = 1910,
};
enum : uint32_t { kStateCleared = 1, kNeedsState = 2 };  // sequence flags
}  // namespace packet
namespace defaults {
enum : uint32_t { kTrackEvent = 11, kTimestampClockId = 58 };
}
namespace clock {
enum : uint32_t { kClocks = 1 };  // of ClockSnapshot
enum : uint32_t { kId = 1, kTimestamp = 2, kIsIncremental = 3, kUnitNs = 4 };
enum : uint32_t { kRealtime = 1, kBoottime = 6, kFirstOfSequences = 64 };
}  // namespace clock
namespace event {
enum : uint32_t {
  kCategoryIids = 3,
  kDebugAnnotations = 4,
  kLegacyEvent = 6,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kExtraCounterValues = 12,
  kCategories = 22,
  kName = 23,
  kExtraCounterTrackUuids = 31,
  kFlowIds = 47,
  kTerminatingFlowIds = 48,
  kGpuCorrelation = 3000,
  kTfrtEvent = 9100,
};
enum : uint32_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };  // types
}  // namespace event
namespace annotation {
enum : uint32_t { kNameIid = 1, kUint = 3, kInt = 4, kDouble = 5, kStringIid = 17 };
}
namespace interned {
enum : uint32_t {
  kCategories = 1,
  kEventNames = 2,
  kAnnotationNames = 3,
  kGpuSpecifications = 24,
  kStringValues = 29,
};
enum : uint32_t { kIid = 1, kText = 2, kDescription = 3, kGpuCategory = 4 };  // of their entries
enum : uint32_t { kGpuOther = 0, kGpuCompute = 2 };
}  // namespace interned
namespace track {
enum : uint32_t {
  kUuid = 1,
  kName = 2,
  kProcess = 3,
  kThread = 4,
  kParentUuid = 5,
  kCounter = 8,
  kStaticName = 10,
};
enum : uint32_t { kUnit = 3 };                        // of CounterDescriptor
enum : uint32_t { kPid = 1, kProcessName = 6 };       // of ProcessDescriptor
enum : uint32_t { kThreadTid = 2, kThreadName = 5 };  // of ThreadDescriptor
}  // namespace track
namespace gpu {
enum : uint32_t {
  kEventId = 1,
  kDuration = 2,
  kGpuId = 11,
  kQueueIid = 13,
  kStageIid = 14,
  kLaunch = 21,
};
enum : uint32_t { kGridSize = 1, kWorkgroupSize = 2 };  // of ComputeKernelLaunch
enum : uint32_t { kSubmissionEventIds = 1 };            // of GpuCorrelation
}  // namespace gpu
namespace tfrt_event {
enum : uint32_t {
  kId = 1,
  kParentDistance = 2,
  kOpId = 3,
  kReadyAfterEndNs = 4,
  kReadyLater = 5,
  kBeginNs = 6,
  kEndNs = 7,
};
}
namespace tfrt_trace {
enum : uint32_t {
  kFormat = 1,
  kProperty = 2,
  kType = 3,
  kTrack = 4,
  kLane = 5,
  kReady = 6,
  kProblem = 7,
  kEnd = 8,
};
enum : uint32_t { kKey = 1, kValue = 2 };
enum : uint32_t { kTypeName = 1, kTypeLevel = 2, kTypeKind = 3, kTypeIsOp = 4, kTypeArguments = 5 };
enum : uint32_t { kArgumentName = 1, kArgumentType = 2 };
enum : uint32_t {
  kTrackUuid = 1,
  kTrackKind = 2,
  kTrackName = 3,
  kTrackProcess = 4,
  kTrackNumber = 5
};
enum : uint32_t { kLaneUuid = 1, kLaneTrack = 2 };
enum : uint32_t { kReadyId = 1, kReadyNs = 2 };
enum : uint32_t { kProblemKind = 1, kProblemCount = 2, kProblemText = 3 };
}  // namespace tfrt_trace

}  // namespace tfrt::profiler::schema

#endif  // TFRT_LIB_PROFILER_PERFETTO_SCHEMA_H_
