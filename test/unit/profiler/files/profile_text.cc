#include "profile_text.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

std::string ArgumentsText(const Profile& profile, const Event& event) {
  std::string text;
  for (const EventType::Argument& argument : profile.TypeOf(event).arguments) {
    text += StrCat(" ", argument.name, "=");
    if (argument.type == ArgumentType::kName) {
      text += profile.Text(event, argument.name);
    } else if (argument.type == ArgumentType::kReal) {
      text += StrCat("bits ", std::bit_cast<uint64_t>(profile.Real(event, argument.name)));
    } else {
      text += StrCat(profile.Integer(event, argument.name));
    }
  }
  return text;
}

}  // namespace

std::string EventsText(const Profile& profile) {
  std::string text;
  for (const Event& event : profile.events()) {
    text += StrCat(profile.TypeOf(event).name, " ", profile.NameOf(event));
    if (const Event* parent = profile.ParentOf(event)) {
      text += StrCat(" in ", profile.TypeOf(*parent).name, " ", profile.NameOf(*parent));
    }
    text += StrCat(": ", event.begin_ns, "..", event.end_ns, ArgumentsText(profile, event), "\n");
  }
  return text;
}

std::string TextOf(const Profile& profile) {
  std::string text;
  for (const auto& [key, value] : profile.properties()) text += StrCat(key, " = ", value, "\n");
  for (const Problem& problem : profile.problems()) {
    text += StrCat("problem ", static_cast<int>(problem.kind), " ", problem.count, " ",
                   problem.text, "\n");
  }
  for (const Event& event : profile.events()) {
    const EventType& type = profile.TypeOf(event);
    const Track& track = profile.TrackOf(event);
    text += StrCat(type.name, "/", static_cast<int>(type.level), "/", static_cast<int>(type.kind),
                   "/", static_cast<int>(type.is_op), " ", profile.NameOf(event), " on ",
                   static_cast<int>(track.kind), " ", track.name, " ", track.process_id, " ",
                   track.number, ": ", event.id, " ", event.op_id, " ", event.correlation_id);
    const Event* parent = profile.ParentOf(event);
    text += StrCat(" in ", parent ? parent->id : 0, " ", event.begin_ns, "..", event.end_ns, " ",
                   event.ready_ns, event.is_ready_missing ? " missing" : "",
                   ArgumentsText(profile, event), "\n");
  }
  return text;
}

namespace {

const std::array<std::string, 12> kTexts = {
    "",
    "conv1",
    "with \"quotes\", \\ and \n\t\x01\x7f",
    std::string("zero\0inside", 11),
    "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
    "no UTF-8: \xFF\xC3 \xE2\x82 \xED\xA0\x80 \xC0\x80 \xF5",
    "\xEF\xBF\xBD"
    "41 is what is written for what is not",
    "</script>",
    "ids",
    "null",
    "1e5",
    std::string(100, 'x') + "\xFE",
};

}  // namespace

void TellRandomStream(uint32_t seed, int num_events, ProfileConsumer& consumer) {
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t n) { return random() % n; };
  auto any_text = [&] { return kTexts[below(kTexts.size())]; };
  for (const std::string& text : kTexts) consumer.AddString(text);
  const size_t num_types = 1 + below(4), num_tracks = 1 + below(3);
  std::vector<EventType> types;
  for (size_t i = 0; i < num_types; ++i) {
    EventType type{.name = any_text(),
                   .level = static_cast<StackLevel>(below(5)),
                   .kind = static_cast<RecordKind>(below(7)),
                   .is_op = below(2) == 0};
    for (size_t n = below(5); n > 0; --n) {
      type.arguments.push_back({any_text(), static_cast<ArgumentType>(1 + below(3))});
    }
    consumer.AddType(type);
    types.push_back(type);
  }
  for (size_t i = 0; i < num_tracks; ++i) {
    consumer.AddTrack({.kind = static_cast<Track::Kind>(below(2)),
                       .name = any_text(),
                       .process_id = static_cast<int64_t>(below(3)),
                       .number = static_cast<int64_t>(random())});
  }
  consumer.AddProperty("level", any_text());
  consumer.AddProperty("level", any_text());
  consumer.AddProblem(
      {.kind = static_cast<Problem::Kind>(below(9)), .count = below(9), .text = any_text()});
  const std::array<double, 7> reals = {
      0.0, -0.0, 0.1, -1e300, 4e-320, 12345678901234567.0, std::numeric_limits<double>::infinity()};
  for (int i = 0; i < num_events; ++i) {
    EventFields event;
    event.type = static_cast<TypeId>(below(num_types));
    event.name = static_cast<StringId>(below(kTexts.size()));
    event.track = static_cast<TrackId>(below(num_tracks));
    event.id = below(4) == 0 ? 0 : static_cast<uint64_t>(i) + 1;
    event.parent_id = below(3) == 0 ? below(static_cast<uint64_t>(num_events) + 5) : 0;
    event.op_id = below(2) == 0 ? random() : 0;
    event.correlation_id = below(2) == 0 ? below(6) : 0;
    event.begin_ns = below(20) == 0 ? static_cast<int64_t>(random())
                                    : static_cast<int64_t>(below(1000) + 4'000'000'000'000'000);
    event.end_ns =
        below(20) == 0
            ? static_cast<int64_t>(random())
            : static_cast<int64_t>(static_cast<uint64_t>(event.begin_ns) + below(3) * below(300));
    event.ready = static_cast<EventFields::Ready>(below(3));
    event.ready_ns = event.ready == EventFields::Ready::kAt ? static_cast<int64_t>(random()) : 0;
    std::vector<uint64_t> arguments;
    for (const EventType::Argument& argument : types[event.type].arguments) {
      arguments.push_back(argument.type == ArgumentType::kName ? below(kTexts.size())
                          : argument.type == ArgumentType::kReal
                              ? std::bit_cast<uint64_t>(reals[below(reals.size())])
                              : random());
    }
    event.arguments = arguments;
    consumer.AddEvent(event);
    if (below(4) == 0) consumer.AddReady(event.id, static_cast<int64_t>(random()));
  }
}

std::string TestPath(std::string_view name) {
  const std::string folder = StrCat("/tmp/tfrt_profiler_files_test.", getpid());
  static const bool is_made = [&] {
    std::filesystem::create_directories(folder);
    return std::atexit([] {
             std::error_code error;
             std::filesystem::remove_all(StrCat("/tmp/tfrt_profiler_files_test.", getpid()), error);
           }) == 0;
  }();
  (void)is_made;
  return StrCat(folder, "/", name);
}

void WriteBytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string ReadBytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace tfrt::profiler
