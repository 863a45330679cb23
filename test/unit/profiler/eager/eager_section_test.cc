// Figures as tables and charts: every chart's columns exist, shares name their base, doubts come
// along.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "test/unit/profiler/eager/eager_profiles.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

EagerRun RunOf(const EagerProgram& program, std::string mode = "async") {
  Profile profile = MakeProfile(program);
  profile.SetProperty("model", "lenet");
  profile.SetProperty("target", "cpu");
  profile.SetProperty("mode", mode);
  return ComputeEagerRun(profile);
}

EagerProgram Program(double batch, int64_t kernel_ns) {
  return {.async = {{.id = 1,
                     .call = {0, 1000},
                     .enqueued = 1000,
                     .taken = 1500,
                     .kernel = Interval{2000, 2000 + kernel_ns},
                     .published = 2500 + kernel_ns}},
          .copies = {{0, {200, 300}}},
          .stalls = {{0, {1000, 2500 + kernel_ns}, kCaller}},
          .steps = {{0, 1'000'000}},
          .batch = batch};
}

const Table& TableOf(const Section& section, std::string_view id) {
  static const Table none;
  auto found = std::ranges::find(section.tables, id, &Table::id);
  EXPECT_NE(found, section.tables.end()) << id;
  return found == section.tables.end() ? none : *found;
}

bool HasColumn(const Table& table, const std::string& name) {
  return std::ranges::find(table.columns, name, &Column::name) != table.columns.end();
}

const Cell& CellOf(const Table& table, size_t row, std::string_view column) {
  auto found = std::ranges::find(table.columns, column, &Column::name);
  return table.rows.at(row).at(static_cast<size_t>(found - table.columns.begin()));
}

void CheckTable(const Table& table) {
  SCOPED_TRACE(table.id);
  std::set<std::string> names;
  for (const Column& column : table.columns) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name << " is there twice";
    EXPECT_EQ(column.kind == Column::Kind::kShare, !column.base.empty()) << column.name;
  }
  for (const std::vector<Cell>& row : table.rows) {
    ASSERT_EQ(row.size(), table.columns.size());
    for (size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].kind != Column::Kind::kShare) continue;
      if (std::holds_alternative<std::monostate>(row[i])) continue;
      ASSERT_TRUE(std::holds_alternative<double>(row[i])) << table.columns[i].name;
      EXPECT_GE(std::get<double>(row[i]), 0);
      EXPECT_LE(std::get<double>(row[i]), 1 + 1e-9);
    }
  }
}

void CheckSection(const Section& section) {
  std::set<std::string> ids;
  for (const Table& table : section.tables) {
    EXPECT_TRUE(ids.insert(table.id).second) << table.id;
    CheckTable(table);
  }
  for (const Chart& chart : section.charts) {
    SCOPED_TRACE(chart.title);
    const Table& table = TableOf(section, chart.table);
    std::vector<std::string> columns = chart.more;
    for (const std::string& name : {chart.x, chart.y, chart.group, chart.size, chart.until}) {
      if (!name.empty()) columns.push_back(name);
    }
    for (const std::string& name : columns) EXPECT_TRUE(HasColumn(table, name)) << name;
  }
}

TEST(EagerSectionTest, HasAllFigures) {
  const std::vector<EagerRun> runs = {RunOf(Program(1, 1500)), RunOf(Program(8, 7500))};
  const Section section = EagerSection(runs);
  CheckSection(section);
  ASSERT_EQ(section.facts.size(), 2u);
  EXPECT_EQ(section.facts[0].first, "kernels' share of lenet cpu async x1");
  EXPECT_EQ(section.facts[0].second, "37.5 %");

  const Table& steps = TableOf(section, "eager-runs");
  ASSERT_EQ(steps.rows.size(), 2u);
  EXPECT_EQ(CellOf(steps, 1, "run"), Cell("lenet cpu async x8"));
  EXPECT_EQ(CellOf(steps, 0, "time per item"), Cell(4.0));
  EXPECT_EQ(CellOf(steps, 1, "speed-up"), Cell(3.2));
  EXPECT_EQ(CellOf(steps, 0, "queue empty"), Cell(0.875));
  EXPECT_THAT(steps.doubts, IsEmpty());

  const Table& shares = TableOf(section, "eager-shares");
  ASSERT_EQ(shares.rows.size(), 6u);
  double sum = 0;
  for (size_t row = 0; row < 3; ++row) sum += std::get<double>(CellOf(shares, row, "share"));
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(CellOf(shares, 1, "part"), Cell("cpu"));
  EXPECT_EQ(CellOf(shares, 1, "share"), Cell(0.375));

  const Table& phases = TableOf(section, "eager-phases");
  ASSERT_EQ(phases.rows.size(), 6u) << "no gpu";
  EXPECT_EQ(CellOf(phases, 0, "p50"), Cell(1.0));
  EXPECT_EQ(CellOf(phases, 1, "phase"), Cell("dequeue"));

  const Table& queue = TableOf(section, "eager-queue-1");
  ASSERT_EQ(queue.rows.size(), 3u);
  EXPECT_EQ(CellOf(queue, 1, "time"), Cell(0.001));
  EXPECT_EQ(CellOf(queue, 1, "ops"), Cell(int64_t{1}));
  const Table& bands = TableOf(section, "eager-bands-1");
  ASSERT_EQ(bands.rows.size(), 2u);
  EXPECT_EQ(CellOf(bands, 0, "what"), Cell("copy"));
  auto steps_chart = std::ranges::find(section.charts, Chart::Kind::kSteps, &Chart::kind);
  ASSERT_NE(steps_chart, section.charts.end());
  ASSERT_EQ(steps_chart->bands.size(), 2u);
  EXPECT_EQ(steps_chart->bands[1].name, "stall");

  EXPECT_EQ(TableOf(section, "eager-conditional").rows.size(), 2u * 2 * kNumEagerActivities);
  const Table& waiting = TableOf(section, "eager-waiting");
  ASSERT_EQ(waiting.rows.size(), 4u);
  EXPECT_EQ(CellOf(waiting, 0, "waiting"), Cell(0.0009));
  EXPECT_EQ(CellOf(waiting, 0, "waiting and copies"), Cell(0.001));
  const Table& scenarios = TableOf(section, "eager-scenarios");
  EXPECT_EQ(CellOf(scenarios, 0, "exposed"), Cell(0.0015));
  EXPECT_EQ(CellOf(scenarios, 0, "copying"), Cell(0.0));
  const Table& culprits = TableOf(section, "eager-culprits");
  ASSERT_EQ(culprits.rows.size(), 2u);
  EXPECT_EQ(CellOf(culprits, 0, "share"), Cell(1.0));
  EXPECT_EQ(CellOf(culprits, 0, "wake-up"), Cell(0.5));
  EXPECT_EQ(CellOf(culprits, 0, "launch delay"), Cell());

  const Table& laws = TableOf(section, "eager-laws");
  ASSERT_EQ(laws.rows.size(), 4u);
  EXPECT_EQ(CellOf(laws, 0, "by batch"), Cell("1: 37.5 % -> 8: 75.0 %"));
  EXPECT_EQ(CellOf(laws, 0, "verdict"), Cell("holds"));
  EXPECT_EQ(CellOf(laws, 1, "by batch"), Cell("1: 1.000 us = 8: 1.000 us"));
}

TEST(EagerSectionTest, DoubtsComeWithTheTablesThatTheySpeakOf) {
  EagerRun run = RunOf(Program(1, 1500));
  run.metrics.doubts = {{.figures = "M3, M5 to M7", .reason = "of a range"},
                        {.figures = "M10", .reason = "of one"}};
  const std::vector<EagerRun> runs = {run, run};
  const Section section = EagerSection(runs);
  CheckSection(section);
  EXPECT_THAT(TableOf(section, "eager-phases").doubts,
              ElementsAre("lenet cpu async x1: of a range", "lenet cpu async x1 #2: of a range"));
  EXPECT_THAT(TableOf(section, "eager-scenarios").doubts,
              ElementsAre(HasSubstr("of a range"), HasSubstr("of a range")));
  EXPECT_THAT(TableOf(section, "eager-culprits").doubts,
              ElementsAre(HasSubstr("of one"), HasSubstr("of one")));
  EXPECT_THAT(TableOf(section, "eager-shares").doubts, IsEmpty());
  EXPECT_THAT(TableOf(section, "eager-queue-1").doubts, IsEmpty());
}

TEST(EagerSectionTest, RunsAreSortedAndThoseWithoutAQueueHaveNoPictureOfIt) {
  EagerProgram sync{.sync = {{.id = 1, .call = {0, 1000}, .kernel = {200, 900}}},
                    .steps = {{0, 2000}},
                    .batch = 2};
  const std::vector<EagerRun> runs = {RunOf(sync, "sync"), RunOf(Program(16, 1500)),
                                      RunOf(Program(4, 1500))};
  const Section section = EagerSection(runs);
  CheckSection(section);
  const Table& steps = TableOf(section, "eager-runs");
  EXPECT_EQ(CellOf(steps, 0, "run"), Cell("lenet cpu async x4"));
  EXPECT_EQ(CellOf(steps, 1, "run"), Cell("lenet cpu async x16"));
  EXPECT_EQ(CellOf(steps, 2, "run"), Cell("lenet cpu sync x2"));
  auto has = [&](std::string_view id) {
    return std::ranges::find(section.tables, id, &Table::id) != section.tables.end();
  };
  EXPECT_TRUE(has("eager-queue-2"));
  EXPECT_FALSE(has("eager-queue-3"));
  EXPECT_FALSE(has("eager-bands-3"));
  EXPECT_FALSE(has("eager-both")) << "there is no device";
}

TEST(EagerSectionTest, NothingIsASectionToo) {
  CheckSection(EagerSection({}));
  const std::vector<EagerRun> runs = {ComputeEagerRun(Profile())};
  const Section section = EagerSection(runs);
  CheckSection(section);
  EXPECT_EQ(CellOf(TableOf(section, "eager-runs"), 0, "run"), Cell("program cpu sync x?"));
  EXPECT_EQ(CellOf(TableOf(section, "eager-shares"), 0, "share"), Cell());
  EXPECT_THAT(TableOf(section, "eager-shares").doubts[0],
              HasSubstr("the profile has no eager ops"));
}

TEST(EagerSectionTest, LongQueuesAreThinned) {
  EagerRun run = RunOf(Program(1, 1500));
  run.metrics.window_ns = 100'000;
  run.metrics.queue.clear();
  for (int64_t i = 0; i < 50'000; ++i) {
    run.metrics.queue.push_back({.time_ns = 2 * i, .depth = i == 25'001 ? 9 : i % 2});
    run.metrics.copies.push_back({2 * i, 2 * i + 1});
  }
  const std::vector<EagerRun> runs = {run};
  const Section section = EagerSection(runs);
  const Table& queue = TableOf(section, "eager-queue-1");
  EXPECT_LE(queue.rows.size(), 20'001u);
  EXPECT_THAT(queue.doubts, ElementsAre(HasSubstr("of 50000 changes")));
  EXPECT_TRUE(
      std::ranges::any_of(queue.rows, [](const auto& row) { return row[1] == Cell(int64_t{9}); }));
  const Table& bands = TableOf(section, "eager-bands-1");
  EXPECT_EQ(bands.rows.size(), 1000u);
  EXPECT_THAT(bands.doubts, ElementsAre("of 50002 the longest 1000 are here"));
}

}  // namespace
}  // namespace tfrt::profiler
