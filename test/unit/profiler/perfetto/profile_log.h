// ProfileLog: all that a consumer was told, as text, in order. RandomProfile: tells it something.
#ifndef TFRT_TEST_UNIT_PROFILER_PERFETTO_PROFILE_LOG_H_
#define TFRT_TEST_UNIT_PROFILER_PERFETTO_PROFILE_LOG_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

class ProfileLog final : public ProfileConsumer {
 public:
  std::vector<std::string> lines;
  std::vector<Problem> problems;
  Status finish_status;
  int num_finished = 0;
  size_t num_events = 0;

  void AddProperty(std::string_view key, std::string_view value) override {
    lines.push_back(StrCat("property ", key, '=', value));
  }
  void AddString(std::string_view text) override { lines.push_back(StrCat("string ", text)); }
  void AddType(const EventType& type) override {
    std::string line = StrCat("type ", type.name, ' ', static_cast<int>(type.level), ' ',
                              static_cast<int>(type.kind), ' ', static_cast<int>(type.is_op));
    for (const auto& argument : type.arguments) {
      line += StrCat(' ', argument.name, ':', static_cast<int>(argument.type));
    }
    lines.push_back(line);
  }
  void AddTrack(const Track& track) override {
    lines.push_back(StrCat("track ", static_cast<int>(track.kind), ' ', track.name, ' ',
                           track.process_id, ' ', track.number));
  }
  void AddEvent(const EventFields& e) override {
    ++num_events;
    std::string line = StrCat("event ", e.type, ' ', e.name, ' ', e.track, ' ', e.id, ' ',
                              e.parent_id, ' ', e.op_id);
    line += StrCat(' ', e.correlation_id, ' ', e.begin_ns, ' ', e.end_ns, ' ',
                   static_cast<int>(e.ready));
    if (e.ready == EventFields::Ready::kAt) line += StrCat('@', e.ready_ns);
    for (uint64_t bits : e.arguments) line += StrCat(' ', bits);
    lines.push_back(line);
  }
  void AddReady(uint64_t id, int64_t ready_ns) override {
    lines.push_back(StrCat("ready ", id, ' ', ready_ns));
  }
  void AddProblem(const Problem& problem) override {
    problems.push_back(problem);
    lines.push_back(
        StrCat("problem ", static_cast<int>(problem.kind), ' ', problem.count, ' ', problem.text));
  }
  Status Finish() override {
    ++num_finished;
    return finish_status;
  }
};

// Tells several consumers the same.
inline void TellRandomProfile(uint64_t seed, size_t num_events,
                              const std::vector<ProfileConsumer*>& consumers) {
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t n) { return random() % n; };
  auto any = [&] {  // numbers of all sizes
    const uint64_t bits = random() >> below(64);
    return below(4) == 0 ? ~bits : bits;
  };
  auto all = [&](auto function) {
    for (ProfileConsumer* consumer : consumers) function(*consumer);
  };
  uint32_t num_strings = 0, num_tracks = 0;
  std::vector<EventType> types;
  int64_t now = static_cast<int64_t>(below(1000)) - 200;
  auto add_one = [&](uint64_t what) {
    if (what == 0) {
      const std::string text = StrCat("name ", std::string(below(40), 'n'), num_strings++);
      all([&](auto& c) { c.AddString(text); });
    } else if (what == 1) {
      EventType type{.name = StrCat("type", types.size()),
                     .level = static_cast<StackLevel>(below(5)),
                     .kind = static_cast<RecordKind>(below(7)),
                     .is_op = below(2) == 0};
      constexpr std::string_view kNames[] = {"depth", "in_use", "grid", "block", "a", "b"};
      const uint64_t num_arguments = below(8) == 0 ? kMaxEventArguments : below(4);
      for (uint64_t i = 0; i < num_arguments; ++i) {
        type.arguments.push_back(
            {std::string(kNames[below(6)]), static_cast<ArgumentType>(below(4))});
      }
      types.push_back(type);
      all([&](auto& c) { c.AddType(type); });
    } else {
      ++num_tracks;
      const Track track = {.kind = static_cast<Track::Kind>(below(2)),
                           .name = below(2) == 0 ? "" : "named",
                           .process_id = below(3) == 0 ? static_cast<int64_t>(any()) : 7,
                           .number = below(3) == 0 ? static_cast<int64_t>(any()) : 12};
      all([&](auto& c) { c.AddTrack(track); });
    }
  };
  for (uint64_t what = 0; what < 3; ++what) add_one(what);
  for (size_t i = 0; i < num_events; ++i) {
    while (below(8) == 0) add_one(below(3));
    if (below(50) == 0) all([&](auto& c) { c.AddProperty("key", "value"); });
    const uint64_t id = any();
    const int64_t ready_ns = static_cast<int64_t>(any());
    if (below(10) == 0) all([&](auto& c) { c.AddReady(id, ready_ns); });
    if (below(60) == 0) {
      all([&](auto& c) { c.AddProblem({Problem::Kind::kDropped, id, "some records"}); });
    }
    EventFields event;
    event.type = static_cast<TypeId>(below(types.size()));
    event.name = static_cast<StringId>(below(num_strings));
    event.track = static_cast<TrackId>(below(num_tracks));
    event.id = any();
    event.parent_id = below(3) == 0 ? 0 : below(3) == 0 ? any() : event.id - below(100);
    event.op_id = below(2) == 0 ? 0 : any();
    event.correlation_id = below(2) == 0 ? 0 : any();
    now += static_cast<int64_t>(below(4));
    // Nested, overlapping, of no length, in and out of order, and ends before begins.
    event.begin_ns = now - static_cast<int64_t>(below(3) == 0 ? below(60) : 0);
    event.end_ns = event.begin_ns + static_cast<int64_t>(below(2) == 0 ? 0 : below(20));
    if (below(40) == 0) event.end_ns -= static_cast<int64_t>(below(30));
    if (below(200) == 0) event.begin_ns = static_cast<int64_t>(any());
    if (below(200) == 0) event.end_ns = std::numeric_limits<int64_t>::max();
    event.ready = static_cast<EventFields::Ready>(below(3));
    if (event.ready == EventFields::Ready::kAt) event.ready_ns = static_cast<int64_t>(any());
    std::array<uint64_t, kMaxEventArguments> arguments;
    const auto& specs = types[event.type].arguments;
    for (size_t j = 0; j < specs.size(); ++j) {
      arguments[j] = specs[j].type == ArgumentType::kName ? below(num_strings) : any();
    }
    event.arguments = {arguments.data(), specs.size()};
    all([&](auto& c) { c.AddEvent(event); });
  }
}

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_PERFETTO_PROFILE_LOG_H_
