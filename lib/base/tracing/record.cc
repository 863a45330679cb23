#include "tfrt/tracing/record.h"

#include "chunks.h"
#include "gates.h"
#include "past_scope.h"
#include "record_types.h"

namespace tfrt::tracing {

namespace {

// initial-exec: one instruction to find it, even in a shared library.
[[gnu::tls_model("initial-exec")]] thread_local constinit RecordContext current_context;

constexpr uint64_t kOpIdsAtOnce = 64;
struct OpIds {
  uint64_t next = 0, end = 0;
};
[[gnu::tls_model("initial-exec")]] thread_local constinit OpIds op_ids;

// relaxed: only a number.
constinit std::atomic<uint64_t> last_op_id{0};
constinit std::atomic<uint64_t> last_correlation_id{0};

// The context of the thread if it is of the session, else none.
RecordContext ContextOf(uint32_t generation) {
  return current_context.generation == generation ? current_context : RecordContext();
}

// Never in builds without records, so that they have no probes either.
bool AsksProbe(uint8_t wanted) { return kRecordsExist && (wanted & internal::kForProbe) != 0; }

// A record all of which is known. Field by field: to copy it at once, two words at a time, the
// processor would wait until it has written each of them, and with the copy all that comes after.
[[gnu::always_inline]] inline void WriteInPlace(uint32_t generation, const Record& record) {
  Record* written = internal::RoomForRecord(generation);
  if (!written) [[unlikely]]
    return;
  written->type = record.type;
  written->name = record.name;
  written->id = record.id;
  written->parent_id = record.parent_id;
  written->op_id = record.op_id;
  written->correlation_id = record.correlation_id;
  written->begin = record.begin;
  written->end = record.end;
  written->ready = record.ready;
  written->arguments = record.arguments;
  internal::PublishRecord();
}

}  // namespace

RecordContext CurrentContext() { return current_context; }

ContextScope::ContextScope(const RecordContext& context) : outer_(current_context) {
  // relaxed: as with gates.
  bool is_of_session =
      context.generation != 0 &&
      context.generation == internal::recording_generation.load(std::memory_order_relaxed);
  current_context = is_of_session ? context : RecordContext();
}

ContextScope::~ContextScope() { current_context = outer_; }

// A thread takes several at a time: a locked instruction takes about as long as reading the clock.
uint64_t NewOpId() {
  if (op_ids.next == op_ids.end) [[unlikely]] {
    op_ids.next = last_op_id.fetch_add(kOpIdsAtOnce, std::memory_order_relaxed) + 1;
    op_ids.end = op_ids.next + kOpIdsAtOnce;
  }
  return op_ids.next++;
}

uint64_t NewCorrelationId() {
  return last_correlation_id.fetch_add(1, std::memory_order_relaxed) + 1;
}

void RecordScope::Begin(const RecordType& type, const internal::AnyName& name, RecordLinks links) {
  is_ready_later_ = false;
  record_.type = &type;
  if ((wanted_ & internal::kForSinks) != 0) [[unlikely]] {
    RecordText text{type, name.text(), links.op_id, record_.arguments, links.extra};
    sink_serial_ = type.text ? internal::PushScope(type.sink_level, type.text(text))
                             : internal::PushScope(type.sink_level, name.text());
  }
  // relaxed: as with gates.
  generation_ = internal::recording_generation.load(std::memory_order_relaxed);
  if (generation_ == 0) wanted_ &= static_cast<uint8_t>(~internal::kForSession);
  if ((wanted_ & internal::kForSession) == 0) return;
  outer_ = current_context;
  RecordContext around = ContextOf(generation_);
  record_.name = name.interned();
  record_.id = internal::NextRecordId();
  record_.parent_id = around.record_id;
  record_.op_id = links.op_id != 0 ? links.op_id : type.is_op ? NewOpId() : around.op_id;
  record_.correlation_id = links.correlation_id;
  current_context = {record_.id, record_.op_id, generation_};
  if (AsksProbe(wanted_)) [[unlikely]]
    internal::BeginProbe(record_, generation_);
  record_.begin = Now();
}

void RecordScope::Close() {
  if ((wanted_ & internal::kForSession) != 0) {
    const Ticks end = Now();
    if (AsksProbe(wanted_)) [[unlikely]]
      internal::EndProbe(record_, generation_, end);
    current_context = outer_;
    if (Record* written = internal::RoomForRecord(generation_)) [[likely]] {
      *written = record_;
      written->end = end;
      written->ready = is_ready_later_ ? 0 : end;
      internal::PublishRecord();
    }
  }
  CloseForSinks();
}

void RecordScope::Drop() {
  if ((wanted_ & internal::kForSession) != 0) {
    current_context = outer_;
    if (AsksProbe(wanted_)) [[unlikely]]
      internal::DropProbe(record_, generation_);
  }
  CloseForSinks();
}

void RecordScope::CloseForSinks() {
  if ((wanted_ & internal::kForSinks) != 0) [[unlikely]] {
    internal::PopScope(record_.type->sink_level, sink_serial_);
  }
  wanted_ = 0;
}

void internal::WriteEvent(const RecordType& type, const AnyName& name, RecordLinks links,
                          const std::array<uint64_t, kMaxArguments>& arguments) {
  Ticks now = type.is_before_effect ? Now() : NowAfterLoads();
  uint8_t wanted = GateOf(type).load(std::memory_order_relaxed);
  if ((wanted & kForSinks) != 0) [[unlikely]] {
    RecordText text{type, name.text(), links.op_id, arguments, links.extra};
    if (type.text) {
      PushEvent(type.sink_level, type.text(text));
    } else {
      PushEvent(type.sink_level, name.text());
    }
  }
  // relaxed: as with gates.
  uint32_t generation = recording_generation.load(std::memory_order_relaxed);
  if ((wanted & kForSession) == 0 || generation == 0) return;
  RecordContext around = ContextOf(generation);
  WriteInPlace(generation, {.type = &type,
                            .name = name.interned(),
                            .id = NextRecordId(),
                            .parent_id = around.record_id,
                            .op_id = links.op_id != 0 ? links.op_id : around.op_id,
                            .correlation_id = links.correlation_id,
                            .begin = now,
                            .end = now,
                            .ready = now,
                            .arguments = arguments});
}

uint64_t RecordPastScope(const RecordType& type, const PastScope& scope) {
  if (!IsActive(type)) return 0;
  // relaxed: as with gates.
  const uint8_t wanted = internal::GateOf(type).load(std::memory_order_relaxed);
  const uint32_t generation = internal::recording_generation.load(std::memory_order_relaxed);
  if ((wanted & internal::kForSession) == 0 || generation == 0) return 0;
  const RecordContext around = ContextOf(generation);
  const uint64_t id = internal::NextRecordId();
  WriteInPlace(generation, {.type = &type,
                            .name = scope.name,
                            .id = id,
                            .parent_id = scope.parent_id != 0 ? scope.parent_id : around.record_id,
                            .op_id = scope.op_id != 0 ? scope.op_id : around.op_id,
                            .correlation_id = 0,
                            .begin = scope.begin,
                            .end = scope.end,
                            .ready = scope.end,
                            .arguments = {scope.argument.bits()}});
  return id;
}

void RecordReady(uint64_t id) {
  if (id == 0) return;
  RecordEvent(internal::kReadyType, Name(), {.correlation_id = id});
}

}  // namespace tfrt::tracing
