#include "tfrt/profiler/session_trace.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tfrt/profiler/trace_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Gives texts, types and threads their numbers in the stream.
class Numbers {
 public:
  explicit Numbers(TraceConsumer& consumer) : consumer_(consumer) {}

  StringId OfString(std::string_view text) {
    auto [at, is_new] = strings_.try_emplace(text, static_cast<StringId>(strings_.size()));
    if (is_new) consumer_.AddString(text);
    return at->second;
  }

  TypeId OfType(const tracing::RecordType& type) {
    auto [at, is_new] = types_.try_emplace(&type, static_cast<TypeId>(types_.size()));
    if (!is_new) return at->second;
    EventType made{.name = std::string(type.name),
                   .level = type.level,
                   .kind = type.kind,
                   .is_op = type.is_op,
                   .arguments = {}};
    for (const tracing::ArgumentSpec& spec : type.arguments) {
      if (spec.type != ArgumentType::kNone) {
        made.arguments.push_back({.name = std::string(spec.name), .type = spec.type});
      }
    }
    consumer_.AddType(made);
    return at->second;
  }

  TrackId OfThread(uint32_t number, int64_t system_id) {
    auto [at, is_new] = tracks_.try_emplace(number, static_cast<TrackId>(tracks_.size()));
    if (is_new) {
      consumer_.AddTrack(
          {.kind = Track::Kind::kThread, .name = {}, .process_id = getpid(), .number = system_id});
    }
    return at->second;
  }

 private:
  TraceConsumer& consumer_;
  // By the texts of names, which live as long as the process.
  std::unordered_map<std::string_view, StringId> strings_;
  std::map<const tracing::RecordType*, TypeId> types_;
  std::map<uint32_t, TrackId> tracks_;
};

void AddSpan(const tracing::Span& span, Numbers& numbers, TraceConsumer& consumer) {
  std::vector<uint64_t> arguments;
  for (size_t i = 0; i < tracing::kMaxArguments; ++i) {
    const tracing::ArgumentSpec& spec = span.type->arguments[i];
    if (spec.type == ArgumentType::kNone) continue;
    const uint64_t bits = span.arguments[i];
    arguments.push_back(spec.type == ArgumentType::kName
                            ? numbers.OfString(tracing::Name::FromBits(bits).text())
                            : bits);
  }
  EventFields::Ready ready = EventFields::Ready::kAt;
  if (span.ready_ns == 0) ready = EventFields::Ready::kLater;
  if (span.ready_ns == span.end_ns) ready = EventFields::Ready::kAtEnd;
  const TypeId type = numbers.OfType(*span.type);
  const StringId name = numbers.OfString(span.name);
  consumer.AddEvent({.type = type,
                     .name = name,
                     .track = numbers.OfThread(span.thread, span.thread),
                     .id = span.id,
                     .parent_id = span.parent_id,
                     .op_id = span.op_id,
                     .correlation_id = span.correlation_id,
                     .begin_ns = span.begin_ns,
                     .end_ns = span.end_ns,
                     .ready = ready,
                     .ready_ns = span.ready_ns,
                     .arguments = arguments});
}

}  // namespace

void TraceFromSession(const tracing::Trace& trace, TraceConsumer& consumer) {
  Numbers numbers(consumer);
  consumer.AddProperty(property::kProducer, "tfrt");
  for (const tracing::TraceThread& thread : trace.threads) {
    numbers.OfThread(thread.number, thread.system_id);
  }
  for (const tracing::Span& span : trace.spans) AddSpan(span, numbers, consumer);
  if (trace.num_dropped == 0) return;
  consumer.AddProblem({.kind = Problem::Kind::kDropped,
                       .count = trace.num_dropped,
                       .text = StrCat(trace.num_dropped,
                                      " records found no room: give the session more "
                                      "(SessionOptions::buffer_bytes)")});
}

Trace TraceFromSession(const tracing::Trace& trace) {
  TraceBuilder builder;
  TraceFromSession(trace, builder);
  return builder.Build();
}

}  // namespace tfrt::profiler
