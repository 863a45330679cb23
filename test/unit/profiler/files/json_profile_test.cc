// Our own profiles as Chrome JSON: exact, whatever is in them; and hostile files.
#include "lib/profiler/files/json_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Status Write(const std::string& path, uint32_t seed, int num_events) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileConsumer> writer, CreateChromeJsonWriter(path));
  TellRandomStream(seed, num_events, *writer);
  return writer->Finish();
}

Profile Expected(uint32_t seed, int num_events) {
  ProfileBuilder builder;
  TellRandomStream(seed, num_events, builder);
  return builder.Build();
}

TEST(JsonProfileTest, GivesBackWhatWasWritten) {
  const std::string path = TestPath("random.json");
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const int num_events = static_cast<int>(seed) * 2;
    ASSERT_EQ(Write(path, seed, num_events), OkStatus());
    StatusOr<Profile> profile = ReadWith(ReadJsonProfile, path);
    ASSERT_TRUE(profile.ok()) << profile.status().message();
    ASSERT_EQ(TextOf(*profile), TextOf(Expected(seed, num_events))) << seed;
  }
}

TEST(JsonProfileTest, IsTheSameEachTime) {
  const std::string path = TestPath("same.json");
  ASSERT_EQ(Write(path, 7, 80), OkStatus());
  const std::string first = ReadBytes(path);
  ASSERT_EQ(Write(path, 7, 80), OkStatus());
  EXPECT_EQ(ReadBytes(path), first);
  EXPECT_TRUE(LooksLikeJsonProfile(std::string_view(first).substr(0, 512)));
}

// What viewers ask for: valid JSON, in each row events that are apart or inside of each other, and
// arrows that begin before they go on.
TEST(JsonProfileTest, IsAsViewersWantIt) {
  const std::string path = TestPath("viewer.json");
  for (uint32_t seed = 100; seed < 120; ++seed) {
    ASSERT_EQ(Write(path, seed, 60), OkStatus());
    const nlohmann::json file = nlohmann::json::parse(ReadBytes(path), nullptr, false);
    ASSERT_FALSE(file.is_discarded());
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> rows;
    std::map<uint64_t, std::string> arrows;
    for (const nlohmann::json& event : file["traceEvents"]) {
      const std::string phase = event["ph"];
      const double ts = event.value("ts", 0.0);
      // Beyond 2^53 doubles say nothing of nanoseconds.
      if (phase == "X" && ts > 0 && ts < 5e12) {
        rows[{event["pid"], event["tid"]}].emplace_back(ts, ts + event["dur"].get<double>());
      }
      if (phase == "s" || phase == "t" || phase == "f") arrows[event["id"]] += phase;
    }
    for (const auto& [row, events] : rows) {
      for (size_t i = 0; i < events.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          const auto &a = events[i], &b = events[j];
          constexpr double kHalfNs = 0.0006;
          const bool are_apart = a.second <= b.first + kHalfNs || b.second <= a.first + kHalfNs;
          const bool is_inside = (a.first <= b.first + kHalfNs && b.second <= a.second + kHalfNs) ||
                                 (b.first <= a.first + kHalfNs && a.second <= b.second + kHalfNs);
          ASSERT_TRUE(are_apart || is_inside) << seed;
        }
      }
    }
    for (const auto& [id, steps] : arrows)
      EXPECT_THAT(steps, ::testing::MatchesRegex("st*f")) << id;
  }
}

TEST(JsonProfileTest, SurvivesEveryTruncation) {
  const std::string path = TestPath("whole.json"), cut = TestPath("cut.json");
  ASSERT_EQ(Write(path, 5, 1), OkStatus());
  const std::string whole = ReadBytes(path);
  const size_t num_events = ReadWith(ReadJsonProfile, path)->events().size();
  for (size_t size = 0; size + 3 < whole.size(); ++size) {
    WriteBytes(cut, std::string_view(whole).substr(0, size));
    StatusOr<Profile> profile = ReadWith(ReadJsonProfile, cut);
    if (!profile.ok()) {
      EXPECT_THAT(std::string(profile.status().message()), HasSubstr("no profile")) << size;
      continue;
    }
    ASSERT_LE(profile->events().size(), num_events);
    const Problem expected = {.kind = Problem::Kind::kTruncated,
                              .text = StrCat("the file ends in the middle, at byte ", size)};
    ASSERT_THAT(std::vector(profile->problems().begin(), profile->problems().end()),
                Contains(expected))
        << size;
  }
}

TEST(JsonProfileTest, SurvivesChangedBytes) {
  const std::string path = TestPath("whole.json"), changed = TestPath("changed.json");
  ASSERT_EQ(Write(path, 6, 2), OkStatus());
  const std::string whole = ReadBytes(path);
  for (size_t i = 0; i < whole.size(); i += 23) {
    for (char byte : {'\0', '\xFF', '"', '{', '9'}) {
      std::string bytes = whole;
      bytes[i] = byte;
      WriteBytes(changed, bytes);
      StatusOr<Profile> profile = ReadWith(ReadJsonProfile, changed);
      if (!profile.ok()) EXPECT_FALSE(profile.status().message().empty());
    }
  }
}

// What is read of a file with these bytes, or its error.
std::string Outcome(std::string_view bytes) {
  const std::string path = TestPath("hostile.json");
  WriteBytes(path, bytes);
  StatusOr<Profile> profile = ReadWith(ReadJsonProfile, path);
  if (!profile.ok()) return StrCat("error: ", profile.status().message());
  std::string text = StrCat(profile->events().size(), " events");
  for (const Problem& problem : profile->problems()) text += StrCat("; ", problem.text);
  return text;
}

TEST(JsonProfileTest, SaysWhatIsNoProfile) {
  const std::string path = TestPath("hostile.json");
  const std::string start =
      StrCat("error: ", path,
             ": no profile: neither an array of events nor an object with \"traceEvents\"");
  EXPECT_EQ(Outcome(""), start + " (the file ends in the middle, at byte 0)");
  EXPECT_EQ(Outcome("17"), start);
  EXPECT_EQ(Outcome("{}"), start);
  EXPECT_EQ(Outcome("{\"traceEvents\": 5}"), start);
  EXPECT_EQ(Outcome("hello"), start + " (byte 1: no JSON; what follows is not read)");
  EXPECT_EQ(Outcome("[]"), "0 events");
  EXPECT_EQ(Outcome("[1, \"a\", null, [], {}, true, -1, 1.5]"),
            "0 events; 8 events are of kinds that are not read: 8 without a phase");
}

TEST(JsonProfileTest, StandsHostileContents) {
  const std::string event = R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":2})";
  EXPECT_EQ(Outcome("[" + event + "]"), "1 events");
  // Duplicate keys: the first counts.
  EXPECT_EQ(Outcome(R"([{"ph":"X","ph":"M","name":"a","ts":1,"ts":"x","dur":2}])"), "1 events");
  EXPECT_EQ(Outcome("[" + event + ",{\"name\":\"\xFF\"}]"),
            "1 events; byte 64: no JSON; what follows is not read");
  EXPECT_EQ(Outcome("[" + event + R"(,{"ts":1e999}])"),
            "1 events; byte 66: no JSON; what follows is not read");
  for (std::string_view time : {"1e300", "9223372036854775807", "-9223372036854775808", "\"x\"",
                                "null", "[1]", "99999999999999999999999"}) {
    EXPECT_EQ(Outcome(StrCat("[", R"({"ph":"X","name":"a","ts":)", time, R"(,"dur":1}])")),
              "0 events; 1 events have no time, or one that cannot be")
        << time;
  }
  EXPECT_EQ(Outcome(R"([{"ph":"X","name":"a","ts":9223372036854775.8,"dur":1}])"),
            "0 events; 1 events have no time, or one that cannot be");
  EXPECT_EQ(Outcome(R"([{"ph":"X","name":"a","ts":5,"dur":-1}])"),
            "1 events; 1 events end before they begin");
  EXPECT_EQ(Outcome("[" + std::string(1000, '[')),
            "0 events; byte 65: more than 64 objects and arrays inside of each other; what follows "
            "is not read");
  // Wrong kinds of everything.
  EXPECT_EQ(Outcome(R"([{"ph":1,"name":2},{"ph":"X","name":{},"ts":1,"dur":1,"args":7,"pid":[]}])"),
            "1 events; 1 events are of kinds that are not read: 1 without a phase");
}

TEST(JsonProfileTest, BoundsWhatOneEventTakes) {
  std::string large = "[{\"name\":\"a\",\"args\":[";
  for (int i = 0; i < 200'000; ++i) large += "1,";
  large += R"(1]},{"ph":"X","name":"b","ts":1,"dur":2}])";
  EXPECT_EQ(Outcome(large), "1 events; 1 events are too large and left out");
  EXPECT_EQ(Outcome("[{\"name\":\"" + std::string(size_t{17} << 20, 'a') + "\"}]"),
            "0 events; byte 8: a text or number of more than 16 MiB; what follows is not read");
}

TEST(JsonProfileTest, StandsHostileProfilesOfItsOwn) {
  auto own = [](std::string_view events) {
    return StrCat(R"({"tfrt_trace":1,"traceEvents":[)", events, "]}");
  };
  constexpr std::string_view kBad = "0 events; 1 events are not as this version writes them";
  EXPECT_EQ(Outcome(own("")), "0 events");
  EXPECT_EQ(Outcome(own(R"({"ph":"X","name":"a","ts":1,"args":{}})")), kBad);
  EXPECT_EQ(Outcome(own(R"({"ph":"X","args":{"ids":{"type":0,"track":0}}})")), kBad);
  EXPECT_EQ(Outcome(own(R"({"ph":"M","name":"tfrt_type","args":{"name":"t"}})")), kBad);
  EXPECT_EQ(Outcome(own(R"({"ph":"M","name":"tfrt_track","args":{"kind":"rail"}})")), kBad);
  EXPECT_EQ(Outcome(own(R"({"ph":"M","name":"tfrt_problem","args":{"kind":"?"}})")), kBad);
  EXPECT_EQ(Outcome(R"({"tfrt_trace":2,"traceEvents":[]})"),
            "0 events; the file is of version 2, what is read is version 1: what is new in it is "
            "not read");
}

TEST(JsonProfileTest, ReadsPackedFiles) {
  EXPECT_TRUE(LooksLikeJsonProfile("  [ {\"name\""));
  EXPECT_TRUE(LooksLikeJsonProfile("{\"a"));
  EXPECT_FALSE(LooksLikeJsonProfile("{a"));
  EXPECT_FALSE(LooksLikeJsonProfile(""));
  EXPECT_FALSE(LooksLikeJsonProfile("SQLite format 3"));
  const std::string packed = ReadBytes(TFRT_TRACES_DIR "/pytorch.json.gz");
  EXPECT_TRUE(LooksLikeJsonProfile(std::string_view(packed).substr(0, 512)));
  EXPECT_THAT(Outcome(std::string_view(packed).substr(0, packed.size() / 2)),
              HasSubstr("what gzip packed ends or is broken behind byte"));
}

TEST(JsonProfileTest, SaysWhatCannotBeOpenedOrWritten) {
  Status status = ReadWith(ReadJsonProfile, "/no/such/file").status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "cannot read '/no/such/file': No such file or directory");
  EXPECT_EQ(ReadWith(ReadJsonProfile, "/tmp").status().message(),
            "cannot read '/tmp': Is a directory");
  EXPECT_EQ(CreateChromeJsonWriter("/no/such/folder/t.json").status().message(),
            "cannot write '/no/such/folder/t.json': No such file or directory");
}

TEST(JsonProfileTest, LeavesOutEventsOfNothing) {
  const std::string path = TestPath("nothing.json");
  StatusOr<std::unique_ptr<ProfileConsumer>> writer = CreateChromeJsonWriter(path);
  ASSERT_TRUE(writer.ok());
  (*writer)->AddEvent({.type = 3});
  ASSERT_EQ((*writer)->Finish(), OkStatus());
  StatusOr<Profile> profile = ReadWith(ReadJsonProfile, path);
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->problems().size(), 1u);
  EXPECT_EQ(profile->problems()[0].text,
            "1 events speak of names, types or threads that are not there");
}

}  // namespace
}  // namespace tfrt::profiler
