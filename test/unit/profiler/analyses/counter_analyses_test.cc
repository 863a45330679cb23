// Counters of kernels: whose they are, and what is made of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/analyses/experiment.h"
#include "lib/profiler/analyses/stack_analyses.h"
#include "section_cells.h"
#include "test_profile.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Counted {
  int64_t cycles, instructions, cache_misses, branch_misses, page_faults, context_switches;
};

class CountedProfile {
 public:
  CountedProfile() {
    profile_.Property("model", "net").Property("producer", "ours").Property("level", "metrics");
    profile_.Add({.type = "model.run",
                  .name = "net",
                  .begin = 0,
                  .end = 10'000,
                  .id = 1,
                  .arguments = {int64_t{1}}});
  }
  // A scope, and what its thread counted from its begin to its end.
  CountedProfile& Add(const char* type, const char* name, int64_t begin, int64_t end, uint64_t id,
                      uint64_t parent, uint32_t track, const Counted& counted) {
    std::vector<Argument> arguments;
    if (std::string_view(type) == "kernel") arguments = {int64_t{0}};
    profile_.Add({.type = type,
                  .name = name,
                  .begin = begin,
                  .end = end,
                  .id = id,
                  .parent = parent,
                  .arguments = std::move(arguments),
                  .track = track});
    if (has_hardware) {
      profile_.Add({.type = "cpu.counters",
                    .name = name,
                    .begin = end,
                    .end = end,
                    .id = id + 1000,
                    .parent = id,
                    .arguments = {counted.cycles, counted.instructions, counted.cache_misses,
                                  counted.branch_misses},
                    .track = track});
    }
    profile_.Add({.type = "cpu.system",
                  .name = name,
                  .begin = end,
                  .end = end,
                  .id = id + 2000,
                  .parent = id,
                  .arguments = {counted.page_faults, counted.context_switches},
                  .track = track});
    return *this;
  }
  Profile Build(Disguise disguise = {}) const { return profile_.Build(disguise); }

  void Lacks(const char* text) { profile_.Lacks(text); }

  bool has_hardware = true;

 private:
  TestProfile profile_;
};

Section Analyze(const std::vector<Profile>& profiles) {
  ExperimentBuilder builder;
  for (const Profile& profile : profiles) builder.AddProfile(profile);
  Section section = RunAnalysis("kernel-counters", builder.Build());
  ExpectSound(section);
  return section;
}
Section Analyze(const Profile& profile) {
  ExperimentBuilder builder;
  builder.AddProfile(profile);
  Section section = RunAnalysis("kernel-counters", builder.Build());
  ExpectSound(section);
  return section;
}

CountedProfile TwoKernels() {
  CountedProfile profile;
  profile.Add("kernel", "conv", 100, 200, 2, 1, 0, {3'000'000, 6'000'000, 6000, 12'000, 7, 1});
  profile.Add("kernel", "relu", 200, 300, 3, 1, 0, {500'000, 250'000, 1000, 0, 0, 0});
  profile.Add("kernel", "relu", 300, 400, 4, 1, 0, {500'000, 250'000, 1000, 0, 2, 0});
  return profile;
}

TEST(CounterAnalysesTest, SumsByNameAndSaysWhatItMeans) {
  // However events are numbered and wherever times begin.
  for (const Disguise& disguise : {Disguise{}, Disguise{.seed = 3, .shift = -5000}}) {
    const Section section = Analyze(TwoKernels().Build(disguise));
    const Table& table = section.tables.at(0);
    EXPECT_EQ(table.title, "Counters of the kernels of net, batch 1, ours");
    EXPECT_EQ(table.source, "1 run with counters");
    EXPECT_THAT(table.doubts, IsEmpty());
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(Text(table, 0, "kernel"), "conv");
    EXPECT_EQ(Real(table, 0, "calls"), 1);
    EXPECT_EQ(Real(table, 0, "cycles"), 3);
    EXPECT_EQ(Real(table, 0, "share"), 0.75);
    EXPECT_EQ(Real(table, 0, "instructions"), 6);
    EXPECT_EQ(Real(table, 0, "instructions per cycle"), 2);
    EXPECT_EQ(Real(table, 0, "cache misses"), 6000);
    EXPECT_EQ(Real(table, 0, "cache misses per 1,000"), 1);
    EXPECT_EQ(Real(table, 0, "branch misses"), 12'000);
    EXPECT_EQ(Real(table, 0, "branch misses per 1,000"), 2);
    EXPECT_EQ(Real(table, 0, "page faults"), 7);
    EXPECT_EQ(Real(table, 0, "context switches"), 1);
    EXPECT_EQ(Text(table, 1, "kernel"), "relu");
    EXPECT_EQ(Real(table, 1, "calls"), 2);
    EXPECT_EQ(Real(table, 1, "instructions per cycle"), 0.5);
    EXPECT_EQ(Real(table, 1, "cache misses per 1,000"), 4);
    EXPECT_EQ(Real(table, 1, "page faults"), 2);
    EXPECT_EQ(section.charts.at(0).y, "cycles");
  }
}

// A kernel's blocks on other threads count for it, those on its own are in what it counted.
TEST(CounterAnalysesTest, BlocksCountOnceForTheirKernel) {
  CountedProfile profile;
  profile.Add("kernel", "conv", 100, 500, 2, 1, 0, {1000, 1000, 0, 0, 10, 0});
  profile.Add("parallel_for.block", "block", 110, 200, 3, 2, 0, {400, 400, 0, 0, 4, 0});
  profile.Add("parallel_for.block", "block", 200, 300, 4, 2, 0, {500, 500, 0, 0, 5, 0});
  profile.Add("parallel_for.block", "block", 150, 450, 5, 2, 1, {700, 2400, 0, 0, 6, 3});
  const Table table = Analyze(profile.Build()).tables.at(0);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(Real(table, 0, "calls"), 1);
  EXPECT_DOUBLE_EQ(Real(table, 0, "cycles"), 1700e-6);
  EXPECT_EQ(Real(table, 0, "instructions per cycle"), 2);
  EXPECT_EQ(Real(table, 0, "page faults"), 16);
  EXPECT_EQ(Real(table, 0, "context switches"), 3);
}

// A kernel that waits takes another one's block, and a kernel is inside of another one: each has
// what it did itself.
TEST(CounterAnalysesTest, WhatRunsInsideCountsForItself) {
  CountedProfile profile;
  profile.Add("kernel", "waits", 100, 500, 2, 1, 0, {1000, 1000, 0, 0, 10, 0});
  profile.Add("kernel", "other", 100, 600, 3, 1, 1, {5000, 5000, 0, 0, 0, 0});
  profile.Add("parallel_for.block", "block", 200, 400, 4, 3, 0, {800, 800, 0, 0, 9, 0});
  profile.Add("kernel", "inner", 410, 420, 5, 2, 0, {150, 150, 0, 0, 0, 0});
  const Table table = Analyze(profile.Build()).tables.at(0);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(Text(table, 0, "kernel"), "other");
  EXPECT_DOUBLE_EQ(Real(table, 0, "cycles"), 5800e-6);
  EXPECT_EQ(Real(table, 0, "page faults"), 9);
  EXPECT_EQ(Text(table, 1, "kernel"), "inner");
  EXPECT_DOUBLE_EQ(Real(table, 1, "cycles"), 150e-6);
  EXPECT_EQ(Text(table, 2, "kernel"), "waits");
  EXPECT_DOUBLE_EQ(Real(table, 2, "cycles"), 50e-6);
  EXPECT_EQ(Real(table, 2, "page faults"), 1);
}

TEST(CounterAnalysesTest, LeavesOutWhatWasNotCollectedAndSaysSo) {
  CountedProfile profile;
  profile.has_hardware = false;
  profile.Add("kernel", "conv", 100, 200, 2, 1, 0, {0, 0, 0, 0, 7, 1});
  profile.Lacks("counters of kernels: no cycles: a reason; a remedy");
  profile.Lacks("cupti: no driver");
  const Section section = Analyze(profile.Build());
  const Table& table = section.tables.at(0);
  std::vector<std::string> columns;
  for (const Column& column : table.columns) columns.push_back(column.name);
  EXPECT_THAT(columns, ElementsAre("kernel", "calls", "page faults", "context switches"));
  EXPECT_THAT(table.doubts,
              ElementsAre("not collected: cycles, instructions, cache_misses, branch_misses",
                          "counters of kernels: no cycles: a reason; a remedy"));
  EXPECT_EQ(Real(table, 0, "page faults"), 7);
  EXPECT_EQ(section.charts.at(0).y, "page faults");
}

// Counts are of one run in the mean, however many there are.
TEST(CounterAnalysesTest, CountsAreOfOneRun) {
  std::vector<Profile> profiles;
  profiles.push_back(TwoKernels().Build());
  profiles.push_back(TwoKernels().Build());
  const Section section = Analyze(profiles);
  const Table& table = section.tables.at(0);
  EXPECT_EQ(table.source, "2 runs with counters");
  EXPECT_EQ(Real(table, 0, "calls"), 1);
  EXPECT_EQ(Real(table, 0, "cycles"), 3);
  EXPECT_EQ(Real(table, 0, "page faults"), 7);
  EXPECT_EQ(Real(table, 0, "share"), 0.75);
}

TEST(CounterAnalysesTest, SaysWhatIsOfNoKernel) {
  CountedProfile profile = TwoKernels();
  profile.Add("parallel_for.block", "block", 500, 600, 9, 1, 0, {400, 400, 0, 0, 4, 0});
  const Table table = Analyze(profile.Build()).tables.at(0);
  EXPECT_THAT(table.doubts, ElementsAre("1 counted scopes are of no kernel of a run: left out"));
  EXPECT_EQ(Real(table, 0, "cycles"), 3);
}

// Files may hold anything.
TEST(CounterAnalysesTest, TakesNoCountThatCannotBe) {
  CountedProfile profile;
  profile.Add("kernel", "conv", 100, 200, 2, 1, 0, {-5, INT64_MAX, INT64_MAX, -1, 3, INT64_MIN});
  profile.Add("kernel", "conv", 100, 200, 3, 1, 0, {0, INT64_MAX, 0, 0, 3, 0});
  const Table table = Analyze(profile.Build()).tables.at(0);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_TRUE(std::isnan(Real(table, 0, "instructions per cycle")));
}

TEST(CounterAnalysesTest, SaysThatItNeedsCounters) {
  TestProfile profile;
  profile.Property("level", "kernel");
  profile.Add(
      {.type = "kernel", .name = "conv", .begin = 1, .end = 2, .id = 1, .arguments = {int64_t{0}}});
  const Section section = Analyze(profile.Build());
  EXPECT_THAT(section.tables, IsEmpty());
  EXPECT_THAT(section.text, HasSubstr("it needs runs at level metrics."));
  EXPECT_THAT(section.charts, IsEmpty());
}

}  // namespace
}  // namespace tfrt::profiler
