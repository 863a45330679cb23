#include "cupti_collector.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cupti;  // NOLINT: this file calls it
using profiler::Level;
using profiler::Problem;

// A drain comes every 10 ms. A flush asks for the buffers that are not full yet.
constexpr int kDrainsPerFlush = 10;

uint64_t MonotonicNanoseconds() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// Describes the command that the calling thread is enqueuing at present.
struct CurrentCommand {
  bool is_open = false;
  OpLinks links;
  uint8_t num_pushed = 0;
  std::array<CUpti_ExternalCorrelationKind, 3> pushed = {};  // NOLINT: see num_pushed
};
thread_local CurrentCommand current_command;

std::string WithRemedy(const Status& status, std::string_view remedy) {
  return remedy.empty() ? std::string(status.message()) : StrCat(status.message(), ": ", remedy);
}

}  // namespace

CuptiCollector& CuptiCollector::Get() {
  static auto* const collector = new CuptiCollector;
  return *collector;
}

CuptiCollector::Options CuptiCollector::OptionsFromEnvironment() {
  Options options;
  const char* text = std::getenv("TFRT_GPU_PROFILE_BUFFER_MB");
  if (!text) return options;
  const std::string_view megabytes = text;
  size_t value = 0;
  auto [end, error] = std::from_chars(megabytes.data(), megabytes.data() + megabytes.size(), value);
  if (error == std::errc() && end == megabytes.data() + megabytes.size() && value <= 65536) {
    options.max_buffers = std::max<size_t>(1, (value << 20) / options.buffer_bytes);
  }
  return options;
}

Status CuptiCollector::Start(Level level, const Options& options) {
  if (level < Level::kKernel) return OkStatus();
  State off = State::kOff;
  if (!state_.compare_exchange_strong(off, State::kStarting)) {
    return FailedPreconditionError("another session collects what the GPU does: stop it first");
  }
  level_ = level;
  options_ = options;
  decoder_.reset();
  num_drains_ = 0;
  num_dropped_.store(0, std::memory_order_relaxed);
  {
    std::lock_guard lock(problems_mutex_);
    problems_.clear();
  }
  state_.store(State::kArmed, std::memory_order_release);
  state_.notify_all();
  tracing::SetDeviceObserver(this);  // which may call OnDeviceInUse at once
  return OkStatus();
}

void CuptiCollector::OnDeviceInUse() {
  State armed = State::kArmed;
  if (!state_.compare_exchange_strong(armed, State::kStarting)) {
    // Another thread starts it. Commands that this thread enqueues next must be reported, too.
    state_.wait(State::kStarting, std::memory_order_acquire);
    return;
  }
  Begin();
  state_.notify_all();
}

void CuptiCollector::Begin() {
  StatusOr<const Library*> library = options_.library ? options_.library : Library::Get();
  if (!library.ok()) {
    Report(Problem::Kind::kUnavailable,
           StrCat(library.status().message(),
                  ": install the vendor's CUPTI, or name its folder in TFRT_GPU_LIBRARY_PATH"));
    state_.store(State::kFailed, std::memory_order_release);
    return;
  }
  table_.store(&(*library)->table(), std::memory_order_release);
  version_ = (*library)->version();
  if (Status status = BeginCollecting(**library); !status.ok()) {
    Report(Problem::Kind::kUnavailable, status.message());
    state_.store(State::kFailed, std::memory_order_release);
    return;
  }
  if (level_ == Level::kMetrics) {
    Report(
        Problem::Kind::kUnavailable,
        "counters of the GPU's hardware are not read yet: the profile has what level kernel has");
  }
  state_.store(State::kCollecting, std::memory_order_release);
  tracing::OpenDeviceGates(true);
}

Status CuptiCollector::BeginCollecting(const Library& library) {
  const Table& table = library.table();
  buffers_.SetLimits(options_.buffer_bytes, options_.max_buffers);
  if (table.cuptiSetThreadIdType) {
    (void)table.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  }
  // Before any kind is enabled: all times are then of our clock.
  clock_offset_ns_ = 0;
  if (!table.cuptiActivityRegisterTimestampCallback ||
      table.cuptiActivityRegisterTimestampCallback(MonotonicNanoseconds) != CUPTI_SUCCESS) {
    uint64_t now = 0;
    if (table.cuptiGetTimestamp(&now) == CUPTI_SUCCESS) {
      clock_offset_ns_ = static_cast<int64_t>(MonotonicNanoseconds() - now);
    }
  }
  TFRT_RETURN_IF_ERROR(StatusOf(table,
                                table.cuptiActivityRegisterCallbacks(RequestBuffer, CompleteBuffer),
                                "cuptiActivityRegisterCallbacks"));
  TFRT_RETURN_IF_ERROR(Subscribe(table));
  Status enabled = EnableKinds(table);
  if (!enabled.ok()) {
    DisableKinds(table);
    (void)table.cuptiUnsubscribe(subscriber_);
  }
  return enabled;
}

Status CuptiCollector::Subscribe(const Table& table) {
  constexpr size_t kNameBytes = 64;  // what the library asks for
  char other[kNameBytes] = {};
  CUpti_SubscriberParams parameters = {.structSize = sizeof(parameters),
                                       .subscriberName = "tfrt",
                                       .oldSubscriberName = other,
                                       .oldSubscriberSize = sizeof(other)};
  const bool is_newer = table.cuptiSubscribe_v2 != nullptr;
  const CUptiResult result =
      is_newer ? table.cuptiSubscribe_v2(&subscriber_, OnCallback, this, &parameters)
               : table.cuptiSubscribe(&subscriber_, OnCallback, this);
  if (result != CUPTI_SUCCESS) {
    Status status = StatusOf(table, result, is_newer ? "cuptiSubscribe_v2" : "cuptiSubscribe");
    std::string text = WithRemedy(status, RemedyOf(result));
    other[kNameBytes - 1] = '\0';
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED && *other) {
      text += StrCat("; the other tool is '", std::string_view(other), "'");
    }
    return Status(status.code(), text);
  }
  // Without these, commands of graphs have no op, and say so.
  for (CUpti_CallbackIdResource id :
       {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED}) {
    (void)table.cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, id);
  }
  return OkStatus();
}

Status CuptiCollector::EnableKinds(const Table& table) {
  struct Kind {
    CUpti_ActivityKind kind;
    std::string_view name;
    bool is_required;
  };
  // Not CUPTI_ACTIVITY_KIND_KERNEL, which lets one kernel run at a time.
  constexpr Kind kKinds[] = {
      {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, "external correlation", true},
      {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels", true},
      {CUPTI_ACTIVITY_KIND_MEMCPY, "copies", true},
      {CUPTI_ACTIVITY_KIND_MEMCPY2, "copies between devices", false},
      {CUPTI_ACTIVITY_KIND_MEMSET, "fills", true},
      {CUPTI_ACTIVITY_KIND_DRIVER, "calls of the driver", false},
      {CUPTI_ACTIVITY_KIND_RUNTIME, "calls of the runtime", false},
      {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "waits", false},
      {CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead", false}};
  if (level_ == Level::kMetrics && table.cuptiActivityEnableLatencyTimestamps) {
    (void)table.cuptiActivityEnableLatencyTimestamps(1);
  }
  for (const Kind& kind : kKinds) {
    const CUptiResult result = table.cuptiActivityEnable(kind.kind);
    if (result == CUPTI_SUCCESS) {
      enabled_.push_back(kind.kind);
      continue;
    }
    Status status = StatusOf(table, result, StrCat("cuptiActivityEnable of ", kind.name));
    const std::string text = WithRemedy(status, RemedyOf(result));
    if (kind.is_required) return Status(status.code(), text);
    Report(Problem::Kind::kUnavailable, text);
  }
  return OkStatus();
}

void CuptiCollector::DisableKinds(const Table& table) {
  for (CUpti_ActivityKind kind : enabled_) (void)table.cuptiActivityDisable(kind);
  enabled_.clear();
}

void CuptiCollector::Stop() {
  tracing::SetDeviceObserver(nullptr);
  State armed = State::kArmed;
  if (state_.compare_exchange_strong(armed, State::kDraining)) return;
  state_.wait(State::kStarting, std::memory_order_acquire);
  if (state() == State::kFailed) state_.store(State::kDraining, std::memory_order_release);
  if (state() != State::kCollecting) return;
  const Table& table = *table_.load(std::memory_order_acquire);
  // Commands that have been enqueued and have not run yet are not awaited: the program does that.
  (void)table.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  DisableKinds(table);
  (void)table.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  CountDropped();
  (void)table.cuptiUnsubscribe(subscriber_);
  state_.store(State::kDraining, std::memory_order_release);
}

void CuptiCollector::Drain(profiler::EventStream& stream) {
  const State now = state();
  if (now == State::kOff) return;
  std::vector<Problem> problems;
  {
    std::lock_guard lock(problems_mutex_);
    problems.swap(problems_);
  }
  for (const Problem& problem : problems) stream.consumer().AddProblem(problem);
  const Table* table = table_.load(std::memory_order_acquire);
  if (now == State::kCollecting && ++num_drains_ % kDrainsPerFlush == 0) {
    (void)table->cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_NONE);
  }
  if (!decoder_ && table && (now == State::kCollecting || now == State::kDraining)) {
    decoder_ = std::make_unique<ActivityDecoder>(
        ActivityDecoder::Sources{.table = table,
                                 .version = version_,
                                 .op_names = &op_names_,
                                 .graph_ops = &graph_ops_,
                                 .clock_offset_ns = clock_offset_ns_});
  }
  for (std::span<const uint8_t> buffer : buffers_.TakeFull()) {
    if (decoder_) decoder_->Decode(buffer, stream);
    buffers_.GiveBack(buffer.data());
  }
  if (decoder_) decoder_->Age(stream);
  if (now != State::kDraining) return;
  if (decoder_) decoder_->Finish(stream);
  ReportDropped(stream);
  graph_ops_.Clear();
  state_.store(State::kOff, std::memory_order_release);
}

void CuptiCollector::CountDropped() {
  size_t dropped = 0;
  const Table& table = *table_.load(std::memory_order_acquire);
  if (table.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS) {
    // relaxed: a number.
    num_dropped_.fetch_add(dropped, std::memory_order_relaxed);
  }
}

void CuptiCollector::ReportDropped(profiler::EventStream& stream) {
  const size_t megabytes = options_.buffer_bytes * options_.max_buffers >> 20;
  const uint64_t dropped = num_dropped_.load(std::memory_order_relaxed);
  const uint64_t refused = buffers_.num_refused();
  if (dropped > 0 || refused > 0) {
    std::string text = StrCat(dropped, " records of what the GPU did found no room in ", megabytes,
                              " MiB, in which ", refused,
                              " buffers were missing: give more with TFRT_GPU_PROFILE_BUFFER_MB");
    stream.consumer().AddProblem(
        {.kind = Problem::Kind::kDropped, .count = dropped, .text = std::move(text)});
  }
  if (const uint64_t nodes = graph_ops_.num_dropped()) {
    stream.consumer().AddProblem(
        {.kind = Problem::Kind::kDropped,
         .count = nodes,
         .text = StrCat("the ops of ", nodes, " nodes of CUDA graphs found no room")});
  }
}

void CuptiCollector::Report(Problem::Kind kind, std::string_view text) {
  std::lock_guard lock(problems_mutex_);
  problems_.push_back({.kind = kind, .text = StrCat("cupti: ", text)});
}

void CuptiCollector::BeforeCommand(std::string_view op) {
  CurrentCommand& command = current_command;
  const tracing::RecordContext context = tracing::CurrentContext();
  command = {.is_open = true,
             .links = {.op_id = context.op_id,
                       .record_id = context.record_id,
                       .op_name = op_names_.NumberOf(op)}};
  if (state() != State::kCollecting) return;
  const Table& table = *table_.load(std::memory_order_acquire);
  auto push = [&](CUpti_ExternalCorrelationKind kind, uint64_t value) {
    if (value == 0) return;
    const uint64_t id = ToExternalId(value);
    if (table.cuptiActivityPushExternalCorrelationId(kind, id) == CUPTI_SUCCESS) {
      command.pushed[command.num_pushed++] = kind;
    }
  };
  push(kOpIdKind, command.links.op_id);
  push(kRecordIdKind, command.links.record_id);
  push(kOpNameKind, command.links.op_name);
}

void CuptiCollector::AfterCommand() {
  CurrentCommand& command = current_command;
  const Table* table = table_.load(std::memory_order_acquire);
  while (command.num_pushed > 0) {
    uint64_t id = 0;
    (void)table->cuptiActivityPopExternalCorrelationId(command.pushed[--command.num_pushed], &id);
  }
  command.is_open = false;
}

void CuptiCollector::RequestBuffer(uint8_t** buffer, size_t* size_bytes, size_t* max_records) {
  const std::span<uint8_t> taken = Get().buffers_.Acquire();
  *buffer = taken.data();
  *size_bytes = taken.size();
  *max_records = 0;  // as many as there is room for
}

void CuptiCollector::CompleteBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t,
                                    size_t valid_bytes) {
  if (buffer) Get().buffers_.PutFull(buffer, valid_bytes);
}

void CuptiCollector::OnCallback(void* collector, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data) {
  if (domain != CUPTI_CB_DOMAIN_RESOURCE || !data) return;
  const void* descriptor = static_cast<const CUpti_ResourceData*>(data)->resourceDescriptor;
  if (!descriptor) return;
  static_cast<CuptiCollector*>(collector)->OnGraphNode(
      id, *static_cast<const CUpti_GraphData*>(descriptor));
}

void CuptiCollector::OnGraphNode(CUpti_CallbackId id, const CUpti_GraphData& data) {
  const Table& table = *table_.load(std::memory_order_acquire);
  uint64_t node = 0;
  if (table.cuptiGetGraphNodeId(data.node, &node) != CUPTI_SUCCESS) return;
  if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
    uint64_t original = 0;
    if (table.cuptiGetGraphNodeId(data.originalNode, &original) != CUPTI_SUCCESS) return;
    graph_ops_.AddClone(node, original);
  } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
    OpLinks links = current_command.links;
    if (!current_command.is_open) {
      const tracing::RecordContext context = tracing::CurrentContext();
      links = {.op_id = context.op_id, .record_id = context.record_id};
    }
    if (links.op_id != 0 || links.record_id != 0 || links.op_name != 0) {
      graph_ops_.Add(node, links);
    }
  }
}

namespace {

class CuptiSource final : public profiler::Source {
 public:
  Status Start(Level level) override {
    return CuptiCollector::Get().Start(level, CuptiCollector::OptionsFromEnvironment());
  }
  void Drain(profiler::EventStream& stream) override { CuptiCollector::Get().Drain(stream); }
  void Stop() override { CuptiCollector::Get().Stop(); }
};

}  // namespace

std::unique_ptr<profiler::Source> MakeCuptiSource() { return std::make_unique<CuptiSource>(); }

}  // namespace tfrt::gpu
