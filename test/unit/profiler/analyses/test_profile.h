// Profiles made by hand: events in a few words, which can be had in any order, with other ids and
// at other times.
#ifndef TFRT_TEST_UNIT_PROFILER_ANALYSES_TEST_PROFILE_H_
#define TFRT_TEST_UNIT_PROFILER_ANALYSES_TEST_PROFILE_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lib/profiler/cpu_counters.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

using Argument = std::variant<int64_t, double, std::string>;

struct TestEvent {
  std::string type, name;
  int64_t begin = 0, end = 0;
  uint64_t id = 0, parent = 0;
  std::vector<Argument> arguments = {};
  uint32_t track = 0;
  uint64_t correlation = 0, op = 0;
  int64_t ready = 0;  // 0: at its end
};

// How a profile differs from what was written down, though it says the same.
struct Disguise {
  uint32_t seed = 0;  // of the order of events and of their ids; 0: as they are
  int64_t shift = 0;
};

class TestProfile {
 public:
  static constexpr uint32_t kStream = 4;  // a track of a device

  TestProfile& Property(std::string key, std::string value) {
    properties_[std::move(key)] = std::move(value);
    return *this;
  }
  TestProfile& Lacks(std::string text) {
    missing_.push_back(std::move(text));
    return *this;
  }
  TestProfile& Add(TestEvent event) {
    events_.push_back(std::move(event));
    return *this;
  }

  Profile Build(Disguise disguise = {}) const {
    ProfileBuilder builder;
    for (const auto& [key, value] : properties_) builder.AddProperty(key, value);
    for (const EventType& type : Types()) builder.AddType(type);
    for (const std::string& text : missing_) {
      builder.AddProblem({.kind = Problem::Kind::kUnavailable, .text = text});
    }
    for (int64_t i = 0; i < 4; ++i) builder.AddTrack({.number = i});
    builder.AddTrack({.kind = Track::Kind::kStream, .number = 7});
    std::map<std::string, uint32_t> strings;
    auto string_of = [&](const std::string& text) {
      auto [at, is_new] = strings.try_emplace(text, static_cast<uint32_t>(strings.size()));
      if (is_new) builder.AddString(text);
      return at->second;
    };
    std::vector<TestEvent> events = events_;
    std::minstd_rand random(disguise.seed);
    if (disguise.seed != 0) std::shuffle(events.begin(), events.end(), random);
    const uint64_t factor = disguise.seed == 0 ? 1 : 2 * disguise.seed + 1;
    for (const TestEvent& event : events) {
      std::vector<uint64_t> arguments;
      for (const Argument& argument : event.arguments) {
        if (auto* text = std::get_if<std::string>(&argument)) {
          arguments.push_back(string_of(*text));
        } else if (auto* integer = std::get_if<int64_t>(&argument)) {
          arguments.push_back(static_cast<uint64_t>(*integer));
        } else {
          arguments.push_back(std::bit_cast<uint64_t>(std::get<double>(argument)));
        }
      }
      // Odd factors give different ids to different events, in another order.
      builder.AddEvent({.type = TypeIndex(event.type),
                        .name = string_of(event.name),
                        .track = event.track,
                        .id = event.id * factor,
                        .parent_id = event.parent * factor,
                        .op_id = event.op,
                        .correlation_id = event.correlation,
                        .begin_ns = event.begin + disguise.shift,
                        .end_ns = event.end + disguise.shift,
                        .ready = event.ready ? EventFields::Ready::kAt : EventFields::Ready::kAtEnd,
                        .ready_ns = event.ready + disguise.shift,
                        .arguments = arguments});
    }
    return builder.Build();
  }

 private:
  static std::vector<EventType> Types() {
    using enum StackLevel;
    using enum ArgumentType;
    const std::vector<EventType::Argument> work = {
        {"flops", kReal}, {"bytes_read", kInteger}, {"bytes_written", kInteger}};
    std::vector<EventType::Argument> call = work, counted = work;
    call.push_back({"result", kName});
    counted.push_back({"occupancy", kReal});
    std::vector<EventType::Argument> counters;
    for (std::string_view name : kCpuCounterNames)
      counters.push_back({std::string(name), kInteger});
    const auto hardware = counters.begin() + kNumHardwareCounters;
    return {{.name = "cpu.counters",
             .level = kKernel,
             .kind = RecordKind::kEvent,
             .arguments = {counters.begin(), hardware}},
            {.name = "cpu.system",
             .level = kKernel,
             .kind = RecordKind::kEvent,
             .arguments = {hardware, counters.end()}},
            {.name = "model.run", .level = kModel, .arguments = {{"batch", kInteger}}},
            {.name = "function", .level = kModel},
            {.name = "step", .level = kModel},
            {.name = "scope", .level = kModel},
            {.name = "layer", .level = kOp, .arguments = {{"op", kName}, {"number", kInteger}}},
            {.name = "op", .level = kOp},
            {.name = "eager.call", .level = kOp},
            {.name = "graph.call", .level = kOp, .kind = RecordKind::kEvent, .arguments = call},
            {.name = "graph.kernel", .level = kKernel},
            {.name = "kernel", .level = kKernel, .arguments = {{"number", kInteger}}},
            {.name = "eager.kernel", .level = kKernel},
            {.name = "parallel_for.block", .level = kKernel},
            {.name = "memory.allocate",
             .level = kOp,
             .kind = RecordKind::kAllocation,
             .arguments = {{"bytes", kInteger}}},
            {.name = "device.launch", .level = kLibrary},
            {.name = "device.kernel", .level = kDevice},
            {.name = "device.counted", .level = kDevice, .arguments = counted},
            {.name = "memory.free",
             .level = kOp,
             .kind = RecordKind::kAllocation,
             .arguments = {{"bytes", kInteger}}}};
  }
  static uint32_t TypeIndex(std::string_view name) {
    const std::vector<EventType> types = Types();
    return static_cast<uint32_t>(std::ranges::find(types, name, &EventType::name) - types.begin());
  }

  std::map<std::string, std::string> properties_;
  std::vector<std::string> missing_;
  std::vector<TestEvent> events_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_ANALYSES_TEST_PROFILE_H_
