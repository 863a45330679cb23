// Profiles of eager ops, written by hand.
#ifndef TFRT_TEST_UNIT_PROFILER_EAGER_EAGER_PROFILES_H_
#define TFRT_TEST_UNIT_PROFILER_EAGER_EAGER_PROFILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

inline constexpr uint32_t kCaller = 0, kExecutor = 1, kSecondExecutor = 2, kSecondCaller = 3,
                          kStream = 4, kNumTracks = 5;

// Two phases of an op and what its records say of it.
struct AsyncOp {
  uint64_t id = 0;
  Interval call;
  int64_t enqueued = 0;
  int64_t taken = 0;
  std::optional<Interval> kernel = {};  // none: its results are an error
  int64_t published = 0;
  const char* device = "cpu:0";
  uint32_t caller = kCaller, executor = kExecutor;
};
struct SyncOp {
  uint64_t id = 0;
  Interval call;
  Interval kernel;
  std::optional<Interval> handle = {};
  const char* device = "cpu:0";
  uint32_t caller = kCaller;
};
// Of an op, or of none (0).
struct OpTime {
  uint64_t id = 0;
  Interval time;
  uint32_t track = kStream;
};

// What a profile is made of, and what an oracle computes figures of.
struct EagerProgram {
  std::vector<AsyncOp> async = {};
  std::vector<SyncOp> sync = {};
  std::vector<OpTime> gpu = {}, copies = {}, stalls = {};
  std::vector<Interval> steps = {};
  std::vector<Problem> problems = {};
  double batch = 4;
};

// An event before the builder has it.
struct MadeEvent {
  std::string type;
  uint64_t op_id = 0;
  Interval time;
  uint32_t track = kCaller;
  std::string device = {};
};

inline std::vector<MadeEvent> EventsOf(const EagerProgram& program) {
  std::vector<MadeEvent> events;
  auto add = [&](std::string_view type, uint64_t op, Interval time, uint32_t track,
                 std::string_view device = "") {
    events.push_back({.type = std::string(type),
                      .op_id = op,
                      .time = time,
                      .track = track,
                      .device = std::string(device)});
  };
  for (const Interval& step : program.steps) add("step", 0, step, kCaller);
  for (const AsyncOp& op : program.async) {
    add("eager.call", op.id, op.call, op.caller);
    add("eager.enqueue", op.id, {op.enqueued, op.enqueued}, op.caller);
    add("eager.dequeue", op.id, {op.taken, op.taken}, op.executor);
    if (op.kernel) add("eager.kernel", op.id, *op.kernel, op.executor, op.device);
    add("eager.publish", op.id, {op.published, op.published}, op.executor);
  }
  for (const SyncOp& op : program.sync) {
    add("eager.call", op.id, op.call, op.caller);
    add("eager.kernel", op.id, op.kernel, op.caller, op.device);
    if (op.handle) add("eager.handle", op.id, *op.handle, op.caller);
  }
  for (const OpTime& kernel : program.gpu) {
    add("device.kernel", kernel.id, kernel.time, kernel.track);
  }
  for (const OpTime& copy : program.copies) add("device.copy", copy.id, copy.time, copy.track);
  for (const OpTime& stall : program.stalls) add("eager.stall", stall.id, stall.time, stall.track);
  return events;
}

// `shift` is added to all times.
inline Profile MakeProfile(const std::vector<MadeEvent>& events, const EagerProgram& program,
                           int64_t shift = 0) {
  struct Type {
    const char* name;
    StackLevel level;
    RecordKind kind;
  };
  using enum StackLevel;
  using enum RecordKind;
  constexpr Type kTypes[] = {{"step", kModel, kScope},           {"eager.call", kOp, kScope},
                             {"eager.enqueue", kOp, kQueue},     {"eager.dequeue", kOp, kQueue},
                             {"eager.kernel", kKernel, kScope},  {"eager.publish", kOp, kEvent},
                             {"eager.handle", kOp, kScope},      {"eager.stall", kOp, kStall},
                             {"device.kernel", kDevice, kScope}, {"device.copy", kDevice, kCopy},
                             {"eager.schedule", kOp, kScope},    {"eager.begin", kOp, kQueue},
                             {"device.launch", kLibrary, kScope}};
  ProfileBuilder builder;
  for (const Type& type : kTypes) {
    EventType made{.name = type.name, .level = type.level, .kind = type.kind, .arguments = {}};
    if (made.name == "eager.kernel") made.arguments = {{"", ArgumentType::kName}};
    builder.AddType(made);
  }
  for (uint32_t track = 0; track < kNumTracks; ++track) builder.AddTrack({.number = track});
  if (program.batch > 0) builder.AddProperty("batch", std::to_string(program.batch));
  StringId num_strings = 0;
  for (const MadeEvent& event : events) {
    TypeId type = 0;
    while (event.type != kTypes[type].name) ++type;
    builder.AddString("op" + std::to_string(event.op_id));
    builder.AddString(event.device);
    const uint64_t arguments[] = {num_strings + 1};
    EventFields fields{.type = type,
                       .name = num_strings,
                       .track = event.track,
                       .op_id = event.op_id,
                       .begin_ns = event.time.begin + shift,
                       .end_ns = event.time.end + shift};
    if (event.type == "eager.kernel") fields.arguments = arguments;
    builder.AddEvent(fields);
    num_strings += 2;
  }
  for (const Problem& problem : program.problems) builder.AddProblem(problem);
  return builder.Build();
}
inline Profile MakeProfile(const EagerProgram& program, int64_t shift = 0) {
  return MakeProfile(EventsOf(program), program, shift);
}

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_EAGER_EAGER_PROFILES_H_
