// The section about a profile itself.
#include "lib/profiler/report/timeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "test/unit/profiler/report/sample_report.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {
namespace {

const Table* TableOf(const Section& section, const std::string& id) {
  for (const Table& table : section.tables) {
    if (table.id == id) return &table;
  }
  ADD_FAILURE() << "no table " << id;
  return nullptr;
}

// A thread "main" with the types 0 "run", 1 "kernel", 2 "wait" (a stall).
void AddNames(ProfileBuilder& builder) {
  for (const char* text : {"r", "k", ""}) builder.AddString(text);
  builder.AddType({.name = "run", .level = StackLevel::kModel});
  builder.AddType({.name = "kernel", .level = StackLevel::kKernel});
  builder.AddType({.name = "wait", .level = StackLevel::kOp, .kind = RecordKind::kStall});
  builder.AddTrack({.name = "main", .number = 7});
}

void Add(ProfileBuilder& builder, TypeId type, StringId name, int64_t begin, int64_t end,
         TrackId track = 0) {
  builder.AddEvent({.type = type, .name = name, .track = track, .begin_ns = begin, .end_ns = end});
}

TEST(TimelineTest, PlacesEventsBelowThoseThatAreOpen) {
  ProfileBuilder builder;
  AddNames(builder);
  Add(builder, 0, 0, 1'000'000, 5'000'000);
  Add(builder, 1, 1, 1'500'000, 2'000'000);
  Add(builder, 1, 2, 2'000'000, 6'000'000);  // overlaps the run without being inside of it
  Add(builder, 1, 1, 5'000'000, 5'500'000);
  const Section section = TimelineSection(builder.Build());
  const Table& table = *TableOf(section, "timeline");
  const auto row = [](const char* name, const char* type, const char* level, int64_t depth,
                      double begin, double end) {
    return std::vector<Cell>{name,  type, level,       "main (7)", depth,
                             begin, end,  end - begin, int64_t{1}};
  };
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0], row("r", "run", "model", 0, 0, 4));
  EXPECT_EQ(table.rows[1], row("k", "kernel", "kernel", 1, 0.5, 1));
  EXPECT_EQ(table.rows[2], row("kernel", "kernel", "kernel", 1, 1, 5));
  EXPECT_EQ(table.rows[3], row("k", "kernel", "kernel", 2, 4, 4.5));
  EXPECT_TRUE(table.doubts.empty());
}

TEST(TimelineTest, CountsBusyTimeOnceAndStallsNotAtAll) {
  ProfileBuilder builder;
  AddNames(builder);
  Add(builder, 0, 0, 0, 8'000'000);
  Add(builder, 1, 1, 1'000'000, 4'000'000);
  Add(builder, 2, 1, 2'000'000, 3'000'000);
  Add(builder, 1, 1, 9'000'000, 10'000'000);
  const Section section = TimelineSection(builder.Build());
  const Table& threads = *TableOf(section, "timeline-threads");
  ASSERT_EQ(threads.rows.size(), 1u);
  EXPECT_EQ(threads.rows[0], (std::vector<Cell>{"main (7)", int64_t{4}, 8.0, 0.8}));
  const Table& types = *TableOf(section, "timeline-types");
  ASSERT_EQ(types.rows.size(), 3u);
  EXPECT_EQ(types.rows[2],
            (std::vector<Cell>{"kernel", "kernel", "scope", int64_t{2}, 4.0, 0.4, 3.0}));
}

TEST(TimelineTest, MergesShortEventsAndSaysSo) {
  ProfileBuilder builder;
  AddNames(builder);
  for (TrackId track = 1; track < 3; ++track) builder.AddTrack({.name = "worker"});
  for (int64_t i = 0; i < 4000; ++i) Add(builder, i % 2, 1, i * 100, i * 100 + 60, i % 3);
  Add(builder, 0, 0, 500'000, 900'000);
  const Profile profile = builder.Build();
  const Section section = TimelineSection(profile, {.max_rows = 120, .max_lanes = 2});
  const Table& table = *TableOf(section, "timeline");
  EXPECT_LE(table.rows.size(), 120u);
  ASSERT_EQ(table.doubts.size(), 2u);
  EXPECT_EQ(table.doubts[0],
            "1 threads and streams with the fewest events (1333 in all) are left out of the "
            "timeline");
  EXPECT_EQ(table.doubts[1],
            "2667 of 4001 events, each shorter than 256 ns, are merged with those beside them");
  EXPECT_EQ(table.rows.back()[0], Cell("r"));
  EXPECT_EQ(table.rows[0][0], Cell("1334 x several"));
}

TEST(TimelineTest, ListsProblemsAndTheLongestEventsOfEachLevel) {
  const Profile profile = SampleProfile(3);
  const Section section = TimelineSection(profile, {.num_longest = 2});
  const Table& problems = *TableOf(section, "timeline-problems");
  ASSERT_EQ(problems.rows.size(), 1u);
  EXPECT_EQ(problems.rows[0][0], Cell("dropped"));
  EXPECT_EQ(problems.rows[0][1], Cell(int64_t{12}));
  const Table& longest = *TableOf(section, "timeline-longest");
  EXPECT_EQ(longest.rows.size(), 8u);  // of four levels
  EXPECT_GE(std::get<double>(longest.rows[0][5]), std::get<double>(longest.rows[1][5]));
}

TEST(TimelineTest, OfNoEventsSaysSo) {
  const Section section = TimelineSection(Profile());
  EXPECT_EQ(section.text, "The profile has no events.");
  EXPECT_TRUE(section.tables.empty());
  EXPECT_TRUE(section.charts.empty());
}

TEST(TimelineTest, SurvivesTimesThatAreTooFarApart) {
  ProfileBuilder builder;
  AddNames(builder);
  constexpr int64_t kMost = ProfileBuilder::kMaxTimeNs, kLeast = -kMost;
  Add(builder, 0, 0, kLeast, kLeast + 1);
  Add(builder, 1, 1, kMost - 1, kMost);
  const Section section = TimelineSection(builder.Build(), {.max_rows = 1, .max_lanes = 0});
  EXPECT_EQ(TableOf(section, "timeline-longest")->rows.size(), 2u);
}

TEST(TimelineTest, IsTheSameForTheSameProfile) {
  Report a, b;
  a.sections = {TimelineSection(SampleProfile(20), {.max_rows = 500})};
  b.sections = {TimelineSection(SampleProfile(20), {.max_rows = 500})};
  EXPECT_EQ(ReportJson(a), ReportJson(b));
}

}  // namespace
}  // namespace tfrt::profiler
