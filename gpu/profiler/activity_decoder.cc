#include "activity_decoder.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <string_view>

#include "kernel_name.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cupti;  // NOLINT: this file reads its records
using profiler::ArgumentType;
using profiler::EventFields;
using profiler::EventStream;
using profiler::EventType;
using profiler::Problem;
using profiler::RecordKind;
using profiler::StackLevel;
using profiler::StringId;
using profiler::Track;
using profiler::TrackId;

constexpr auto kInteger = ArgumentType::kInteger;
constexpr auto kName = ArgumentType::kName;

// By the values of the decoder's enumeration. The name of the op comes last.
const EventType& TypeNumber(auto type) {
  static const auto& types = *new std::vector<EventType>{
      {.name = "device.kernel",
       .level = StackLevel::kDevice,
       .arguments = {{"device", kInteger},
                     {"stream", kInteger},
                     {"grid", kName},
                     {"block", kName},
                     {"registers", kInteger},
                     {"shared_bytes", kInteger},
                     {"local_bytes", kInteger},
                     {"queued_ns", kInteger},
                     {"submitted_ns", kInteger},
                     {"graph_node", kInteger},
                     {"op", kName}}},
      {.name = "device.copy",
       .level = StackLevel::kDevice,
       .kind = RecordKind::kCopy,
       .arguments = {{"bytes", kInteger},
                     {"from", kName},
                     {"to", kName},
                     {"device", kInteger},
                     {"stream", kInteger},
                     {"graph_node", kInteger},
                     {"op", kName}}},
      {.name = "device.fill",
       .level = StackLevel::kDevice,
       .kind = RecordKind::kCopy,
       .arguments = {{"bytes", kInteger},
                     {"value", kInteger},
                     {"to", kName},
                     {"device", kInteger},
                     {"stream", kInteger},
                     {"graph_node", kInteger},
                     {"op", kName}}},
      {.name = "device.launch",
       .level = StackLevel::kLibrary,
       .arguments = {{"result", kInteger}, {"op", kName}}},
      {.name = "device.call", .level = StackLevel::kLibrary, .arguments = {{"result", kInteger}}},
      {.name = "device.sync",
       .level = StackLevel::kLibrary,
       .arguments = {{"context", kInteger}, {"stream", kInteger}}},
      {.name = "device.overhead", .level = StackLevel::kLibrary}};
  return types[static_cast<size_t>(type)];
}

// Calls that ask and do nothing: so many that they hide the others.
bool IsQuestion(std::string_view name) {
  constexpr std::string_view kQuestions[] = {
      "cuCtxGetCurrent",     "cuCtxGetDevice",       "cuCtxSetCurrent",    "cuDeviceGet",
      "cuDeviceGetCount",    "cuDeviceGetAttribute", "cuEventQuery",       "cuGetErrorName",
      "cuGetErrorString",    "cuGetProcAddress",     "cuStreamQuery",      "cuStreamIsCapturing",
      "cudaEventQuery",      "cudaGetDevice",        "cudaGetDeviceCount", "cudaGetLastError",
      "cudaPeekAtLastError", "cudaSetDevice",        "cudaStreamQuery",    "cudaStreamIsCapturing"};
  return std::ranges::find(kQuestions, name) != std::end(kQuestions);
}

// Names of functions of the runtime end with the version that they came with: "_v7000".
std::string_view WithoutVersion(std::string_view name) {
  const size_t at = name.rfind("_v");
  if (at == name.npos || at + 2 == name.size()) return name;
  const std::string_view digits = name.substr(at + 2);
  const bool is_version = digits.size() >= 4 &&
                          std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return is_version ? name.substr(0, at) : name;
}

std::string MemoryName(uint32_t kind, uint32_t device) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
      return "host (pageable)";
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return "host (pinned)";
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
      return StrCat("gpu:", device);
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
      return StrCat("gpu:", device, " (array)");
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
      return StrCat("gpu:", device, " (variable)");
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
      return "managed";
    default:
      return "unknown";
  }
}

std::string_view SyncName(uint32_t type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      return "wait for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      return "stream waits for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      return "wait for a stream";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      return "wait for a context";
    default:
      return "wait";
  }
}

std::string_view OverheadName(uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      return "driver compiles";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return "profiler flushes";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return "profiler instruments";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return "profiler makes resources";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return "module is loaded";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      return "function is loaded";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      return "command buffer is full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return "profiler asks for a buffer";
    case CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT:
      return "profiler of managed memory begins";
    default:
      return "overhead";
  }
}

// Records lie on multiples of eight, but nobody promises that of buffers from elsewhere.
template <typename T>
T Read(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// Behind what, in nanoseconds; 0: not known.
uint64_t Since(uint64_t earlier, uint64_t start) {
  return earlier == 0 || earlier > start ? 0 : start - earlier;
}

}  // namespace

size_t ActivityDecoder::SizeOf(CUpti_ActivityKind kind) const {
  const bool is_13 = sources_.version >= kCuptiVersion13;
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
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
    // Grew in the middle of CUDA 12: what is read is what all of them have.
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(CUpti_ActivitySynchronization);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return sizeof(CUpti_ActivityOverhead);
    default:
      return 0;
  }
}

void ActivityDecoder::Decode(std::span<const uint8_t> buffer, EventStream& stream) {
  records_.clear();
  const uint8_t* const end = buffer.data() + buffer.size();
  const uint8_t* before = nullptr;
  CUpti_Activity* next = nullptr;
  while (true) {
    const CUptiResult result = sources_.table->cuptiActivityGetNextRecord(
        const_cast<uint8_t*>(buffer.data()), buffer.size(), &next);
    if (result == CUPTI_ERROR_MAX_LIMIT_REACHED) break;
    const auto* record = reinterpret_cast<const uint8_t*>(next);
    if (result != CUPTI_SUCCESS || record < buffer.data() || record >= end ||
        static_cast<size_t>(end - record) < sizeof(CUpti_Activity) ||
        (before && record <= before)) {
      ++num_unreadable_;
      break;
    }
    before = record;
    const size_t size = SizeOf(Read<CUpti_Activity>(record).kind);
    if (size == 0) {
      ++num_unknown_;
    } else if (static_cast<size_t>(end - record) < size) {
      ++num_unreadable_;
    } else {
      records_.push_back(record);
    }
  }
  // On whose behalf first: some of it comes behind what it is about.
  for (const uint8_t* record : records_) {
    if (Read<CUpti_Activity>(record).kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
      NoteExternal(Read<CUpti_ActivityExternalCorrelation>(record));
    }
  }
  for (const uint8_t* record : records_) AddRecord(record, stream);
  GiveSettled(stream);
}

void ActivityDecoder::AddRecord(const uint8_t* record, EventStream& stream) {
  switch (Read<CUpti_Activity>(record).kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return AddKernel(Read<CUpti_ActivityKernel9>(record), stream);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return AddCopy(Read<CUpti_ActivityMemcpy5>(record), stream);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return AddPeerCopy(Read<CUpti_ActivityMemcpyPtoP4>(record), stream);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return AddFill(Read<CUpti_ActivityMemset4>(record), stream);
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return AddCall(Read<CUpti_ActivityAPI>(record), stream);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return AddSync(Read<CUpti_ActivitySynchronization>(record), stream);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return AddOverhead(Read<CUpti_ActivityOverhead>(record), stream);
    default:
      return;
  }
}

bool ActivityDecoder::SetTimes(uint64_t start, uint64_t end, EventFields* fields) {
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / 2;
  // 0 says that the library could not tell.
  if (start == 0 || end == 0 || start > kMax || end > kMax) {
    ++num_without_times_;
    return false;
  }
  fields->begin_ns = static_cast<int64_t>(start) + sources_.clock_offset_ns;
  fields->end_ns = static_cast<int64_t>(end) + sources_.clock_offset_ns;
  return true;
}

ActivityDecoder::Launch& ActivityDecoder::LaunchOf(uint32_t correlation) {
  auto [found, is_new] = launches_.try_emplace(correlation);
  if (is_new) {
    launch_order_.push_back(correlation);
    if (launch_order_.size() > kMaxCorrelations) {
      launches_.erase(launch_order_.front());
      launch_order_.pop_front();
    }
  }
  return found->second;
}

void ActivityDecoder::NoteExternal(const CUpti_ActivityExternalCorrelation& record) {
  const std::optional<uint64_t> value = FromExternalId(record.externalId);
  if (!value) return;
  OpLinks& links = LaunchOf(record.correlationId).links;
  switch (record.externalKind) {
    case kOpIdKind:
      links.op_id = *value;
      break;
    case kRecordIdKind:
      links.record_id = *value;
      break;
    case kOpNameKind:
      links.op_name = static_cast<uint32_t>(*value);
      break;
    default:
      return;
  }
  LaunchOf(record.correlationId).has_links = true;
}

// Sets the fields that all commands of a stream have in common. Returns false if the event must not
// be given on.
template <typename Record>
bool ActivityDecoder::SetCommand(const Record& record, Event* event, EventStream& stream) {
  if (!SetTimes(record.start, record.end, &event->fields)) return false;
  event->fields.track = StreamTrack(record.deviceId, record.contextId, record.streamId, stream);
  event->correlation = record.correlationId;
  event->graph_node = record.graphNodeId;
  return true;
}

void ActivityDecoder::AddKernel(const CUpti_ActivityKernel9& record, EventStream& stream) {
  Event event;
  if (!SetCommand(record, &event, stream)) return;
  auto shape = [&](int32_t x, int32_t y, int32_t z) {
    return stream.String(StrCat(x, "x", y, "x", z));
  };
  const int64_t shared = int64_t{record.staticSharedMemory} + int64_t{record.dynamicSharedMemory};
  event.fields.name = NameOfKernel(record.name, stream);
  event.arguments = {record.deviceId,
                     record.streamId,
                     shape(record.gridX, record.gridY, record.gridZ),
                     shape(record.blockX, record.blockY, record.blockZ),
                     record.registersPerThread,
                     static_cast<uint64_t>(shared),
                     record.localMemoryPerThread,
                     Since(record.queued, record.start),
                     Since(record.submitted, record.start),
                     record.graphNodeId};
  AddCommand(event, stream);
}

template <typename Record>
void ActivityDecoder::GiveCopy(const Record& record, std::string_view from, std::string_view to,
                               EventStream& stream) {
  Event event{.type = Type::kCopy};
  if (!SetCommand(record, &event, stream)) return;
  event.fields.name = stream.String("copy");
  event.arguments = {record.bytes,    stream.String(from), stream.String(to),
                     record.deviceId, record.streamId,     record.graphNodeId};
  AddCommand(event, stream);
}

void ActivityDecoder::AddCopy(const CUpti_ActivityMemcpy5& record, EventStream& stream) {
  GiveCopy(record, MemoryName(record.srcKind, record.deviceId),
           MemoryName(record.dstKind, record.deviceId), stream);
}

void ActivityDecoder::AddPeerCopy(const CUpti_ActivityMemcpyPtoP4& record, EventStream& stream) {
  GiveCopy(record, MemoryName(record.srcKind, record.srcDeviceId),
           MemoryName(record.dstKind, record.dstDeviceId), stream);
}

void ActivityDecoder::AddFill(const CUpti_ActivityMemset4& record, EventStream& stream) {
  Event event{.type = Type::kFill};
  if (!SetCommand(record, &event, stream)) return;
  event.fields.name = stream.String("fill");
  event.arguments = {record.bytes,
                     record.value,
                     stream.String(MemoryName(record.memoryKind, record.deviceId)),
                     record.deviceId,
                     record.streamId,
                     record.graphNodeId};
  AddCommand(event, stream);
}

void ActivityDecoder::AddCall(const CUpti_ActivityAPI& record, EventStream& stream) {
  Launch& launch = LaunchOf(record.correlationId);
  launch.is_settled = true;
  const CUpti_CallbackDomain domain = record.kind == CUPTI_ACTIVITY_KIND_DRIVER
                                          ? CUPTI_CB_DOMAIN_DRIVER_API
                                          : CUPTI_CB_DOMAIN_RUNTIME_API;
  const auto& [name, is_question] = NameOfCall(domain, record.cbid, stream);
  if (is_question) return;
  Event event{.type = launch.has_links ? Type::kLaunch : Type::kCall};
  if (!SetTimes(record.start, record.end, &event.fields)) return;
  event.fields.name = name;
  event.fields.track = stream.TrackOf(
      {.kind = Track::Kind::kThread, .process_id = record.processId, .number = record.threadId});
  event.arguments[0] = record.returnValue;
  event.correlation = record.correlationId;
  Emit(event, stream);
}

void ActivityDecoder::AddSync(const CUpti_ActivitySynchronization& record, EventStream& stream) {
  Event event{.type = Type::kSync};
  if (!SetTimes(record.start, record.end, &event.fields)) return;
  event.fields.name = stream.String(SyncName(record.type));
  // Not on the stream's own track, where it would overlap with what is waited for.
  event.fields.track = stream.TrackOf({.kind = Track::Kind::kStream,
                                       .name = StrCat("waits of context ", record.contextId),
                                       .process_id = -1,
                                       .number = static_cast<int64_t>(record.contextId)});
  constexpr uint32_t kNoStream = ~uint32_t{0};
  event.arguments = {record.contextId,
                     record.streamId == kNoStream ? ~uint64_t{0} : uint64_t{record.streamId}};
  event.correlation = record.correlationId;
  Emit(event, stream);
}

void ActivityDecoder::AddOverhead(const CUpti_ActivityOverhead& record, EventStream& stream) {
  Event event{.type = Type::kOverhead};
  if (!SetTimes(record.start, record.end, &event.fields)) return;
  event.fields.name = stream.String(OverheadName(record.overheadKind));
  if (record.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) {
    event.fields.track = stream.TrackOf({.kind = Track::Kind::kThread,
                                         .process_id = record.objectId[0],
                                         .number = record.objectId[1]});
  } else {
    event.fields.track = stream.TrackOf({.kind = Track::Kind::kStream,
                                         .name = "overhead of profiling",
                                         .process_id = -1,
                                         .number = -1});
  }
  Emit(event, stream);
}

void ActivityDecoder::AddCommand(Event event, EventStream& stream) {
  auto launch = launches_.find(event.correlation);
  if (launch != launches_.end() && (launch->second.is_settled || launch->second.has_links)) {
    Emit(event, stream);
    return;
  }
  if (held_.size() == kMaxHeld) {
    Emit(held_.front(), stream);
    held_.pop_front();
  }
  event.age = age_;
  held_.push_back(event);
}

void ActivityDecoder::Emit(Event& event, EventStream& stream) {
  auto launch = launches_.find(event.correlation);
  OpLinks links;
  if (launch != launches_.end() && event.type != Type::kOverhead) links = launch->second.links;
  if (event.graph_node != 0) {
    if (std::optional<OpLinks> op = sources_.graph_ops->Find(event.graph_node)) {
      // The op that has made the node; what launched the graph is what it ran inside of.
      if (op->op_id != 0) links.op_id = op->op_id;
      links.op_name = op->op_name;
      if (links.record_id == 0) links.record_id = op->record_id;
    } else {
      ++num_without_graph_op_;
    }
  }
  event.fields.type = TypeOf(event.type, stream);
  event.fields.op_id = links.op_id;
  event.fields.parent_id = links.record_id;
  if (event.correlation != 0) event.fields.correlation_id = kCorrelations | event.correlation;
  const std::vector<EventType::Argument>& specs = TypeNumber(event.type).arguments;
  if (!specs.empty() && specs.back().name == "op") {
    event.arguments[specs.size() - 1] = stream.String(sources_.op_names->NameOf(links.op_name));
  }
  event.fields.arguments = {event.arguments.data(), specs.size()};
  stream.consumer().AddEvent(event.fields);
}

void ActivityDecoder::GiveSettled(EventStream& stream) {
  std::erase_if(held_, [&](Event& event) {
    auto launch = launches_.find(event.correlation);
    if (launch == launches_.end() || !(launch->second.is_settled || launch->second.has_links)) {
      return false;
    }
    Emit(event, stream);
    return true;
  });
}

void ActivityDecoder::Age(EventStream& stream) {
  ++age_;
  while (!held_.empty() && age_ - held_.front().age >= kMaxAge) {
    Emit(held_.front(), stream);
    held_.pop_front();
  }
}

void ActivityDecoder::Finish(EventStream& stream) {
  for (Event& event : held_) Emit(event, stream);
  held_.clear();
  auto say = [&](uint64_t count, Problem::Kind kind, std::string_view text) {
    if (count == 0) return;
    stream.consumer().AddProblem({.kind = kind, .count = count, .text = StrCat(count, text)});
  };
  say(std::exchange(num_unknown_, 0), Problem::Kind::kUnknown,
      " activity records of the GPU are of kinds that are not read");
  say(std::exchange(num_unreadable_, 0), Problem::Kind::kUnreadable,
      " activity records of the GPU are cut off or damaged: use the CUPTI of the driver's CUDA "
      "version");
  say(std::exchange(num_without_times_, 0), Problem::Kind::kClock,
      " activity records of the GPU have no times");
  say(std::exchange(num_without_graph_op_, 0), Problem::Kind::kNoParent,
      " commands of CUDA graphs have no op: start the session before the graphs are captured");
}

profiler::TypeId ActivityDecoder::TypeOf(Type type, EventStream& stream) {
  int64_t& known = types_[static_cast<size_t>(type)];
  if (known < 0) known = stream.Type(TypeNumber(type));
  return static_cast<profiler::TypeId>(known);
}

TrackId ActivityDecoder::StreamTrack(uint32_t device, uint32_t context, uint32_t number,
                                     EventStream& stream) {
  // Numbers of streams are those of their context.
  auto [found, is_new] =
      stream_tracks_[uint64_t{device} << 32 | context].try_emplace(number, TrackId{0});
  if (is_new) {
    found->second =
        stream.TrackOf({.kind = Track::Kind::kStream,
                        .name = StrCat("gpu:", device, " stream ", number),
                        .process_id = device,
                        .number = static_cast<int64_t>(uint64_t{context} << 32 | number)});
  }
  return found->second;
}

StringId ActivityDecoder::NameOfKernel(const char* name, EventStream& stream) {
  const std::string text(name ? std::string_view(name, strnlen(name, kMaxKernelName))
                              : std::string_view());
  auto [found, is_new] = kernel_names_.try_emplace(text);
  if (is_new) found->second = stream.String(KernelName(text.c_str()));
  return found->second;
}

const std::pair<StringId, bool>& ActivityDecoder::NameOfCall(CUpti_CallbackDomain domain,
                                                             uint32_t id, EventStream& stream) {
  auto [found, is_new] = call_names_.try_emplace(uint64_t{domain} << 32 | id);
  if (is_new) {
    const char* name = nullptr;
    std::string text =
        StrCat(domain == CUPTI_CB_DOMAIN_DRIVER_API ? "driver" : "runtime", " function ", id);
    if (sources_.table->cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS && name && *name) {
      text = WithoutVersion(KernelName(name));
    }
    found->second = {stream.String(text), IsQuestion(text)};
  }
  return found->second;
}

}  // namespace tfrt::gpu
