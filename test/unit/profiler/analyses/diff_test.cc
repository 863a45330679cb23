// Differences of experiments: what is one, and what is on one side alone.
#include "lib/profiler/analyses/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "test/unit/profiler/analyses/section_cells.h"
#include "test/unit/profiler/analyses/test_profile.h"

namespace tfrt::profiler {
namespace {

using testing::Contains;
using testing::HasSubstr;

Measurement Of(std::vector<double> samples) { return Measurement(std::move(samples)); }

TEST(DiffTest, ComparesRanks) {
  const Measurement quiet = Of({100, 101, 99, 100}), noisy = Of({60, 100, 140, 90, 110});
  EXPECT_EQ(CompareMeasurements(quiet, Of({110, 111, 109, 110})), Change::kSlower);
  EXPECT_EQ(CompareMeasurements(quiet, Of({90, 91, 89, 90})), Change::kFaster);
  EXPECT_EQ(CompareMeasurements(quiet, Of({100.5, 100.5, 100.5, 100.5})), Change::kNone);
  EXPECT_EQ(CompareMeasurements(quiet, noisy), Change::kNone);
  EXPECT_EQ(CompareMeasurements(noisy, Of({110, 111, 109, 110})), Change::kNone);
  // One that was disturbed does not hide the others.
  EXPECT_EQ(CompareMeasurements(quiet, Of({110, 111, 109, 900})), Change::kSlower);
  // Three runs of which two are equal have no deviation; they show nothing.
  EXPECT_EQ(CompareMeasurements(Of({100, 100, 130}), Of({102, 102, 90})), Change::kUnknown);
  EXPECT_EQ(CompareMeasurements(quiet, Of({50, 50})), Change::kUnknown);
  EXPECT_EQ(CompareMeasurements(quiet, Of({50, 50, 50}), {.min_runs = 4}), Change::kUnknown);
  EXPECT_EQ(CompareMeasurements(quiet, {}), Change::kGone);
  EXPECT_EQ(CompareMeasurements({}, quiet), Change::kNew);
  EXPECT_EQ(CompareMeasurements({}, {}), Change::kUnknown);
  EXPECT_EQ(ChangeName(Change::kUnknown), "too few runs");
}

TEST(DiffTest, ManyRunsShowASmallChange) {
  // Runs from 90 to 110 ms, and the same 3 % slower.
  std::vector<double> before, after;
  for (int i = 0; i < 100; ++i) {
    before.push_back(90 + (i * 37 % 100) * 0.2);
    after.push_back(before.back() * 1.03);
  }
  EXPECT_EQ(CompareMeasurements(Of(before), Of(after)), Change::kSlower);
  EXPECT_EQ(CompareMeasurements(Of(after), Of(before)), Change::kFaster);
  EXPECT_EQ(CompareMeasurements(Of(before), Of(before)), Change::kNone);
}

using Layers = std::vector<std::pair<std::string, double>>;

// Four runs at level kernel, each layer with a kernel of half its time.
Experiment FourRuns(const Layers& layers, std::string system = "s") {
  ExperimentBuilder builder;
  for (double noise : {0.0, 1.0, 1.0, 2.0}) {
    ModelRun run{.system = system, .model = "m", .level = Level::kKernel};
    for (const auto& [name, latency] : layers) {
      run.latency_ns += latency + noise;
      run.layers.push_back({.id = static_cast<int64_t>(run.layers.size()),
                            .name = name,
                            .op = "Op",
                            .latency_ns = latency + noise,
                            .kernels = {{.name = "k" + name, .latency_ns = latency / 2}}});
    }
    builder.AddRun(run);
  }
  return builder.Build();
}

TEST(DiffTest, ShowsLargestDifferencesFirst) {
  const Section section =
      DiffExperiments(FourRuns({{"a", 1000}, {"b", 2000}, {"c", 3000}}, "version 1"),
                      FourRuns({{"a", 1100}, {"b", 2000}, {"c", 2500}}, "version 2"));
  ExpectSound(section);
  ASSERT_EQ(section.tables.size(), 3u);
  const Table& layers = section.tables[1];
  ASSERT_EQ(layers.rows.size(), 3u);
  EXPECT_EQ(Text(layers, 0, "layer"), "c");
  EXPECT_NEAR(Real(layers, 0, "difference"), -500e-6, 1e-12);
  EXPECT_EQ(Text(layers, 0, "change"), "faster");
  EXPECT_EQ(Text(layers, 1, "layer"), "a");
  EXPECT_NEAR(Real(layers, 1, "relative"), 100.0 / 1001, 1e-9);
  EXPECT_EQ(Text(layers, 1, "change"), "slower");
  EXPECT_EQ(Text(layers, 2, "change"), "same");
  EXPECT_EQ(Text(section.tables[2], 0, "kernel"), "kc");
  EXPECT_EQ(Real(section.tables[2], 0, "runs before"), 4);
  EXPECT_EQ(Fact(section, "m, batch 1"), "0.006 ms to 0.006 ms (-6.7 %): faster");
}

TEST(DiffTest, ShowsWhatAppearedAndVanished) {
  const Section section = DiffExperiments(FourRuns({{"a", 1000}, {"old", 500}, {"b", 2000}}),
                                          FourRuns({{"a", 1000}, {"b", 2000}, {"new", 700}}));
  const Table& layers = section.tables.at(1);
  ASSERT_EQ(layers.rows.size(), 4u);
  EXPECT_EQ(Text(layers, 0, "layer"), "new");
  EXPECT_EQ(Text(layers, 0, "change"), "new");
  EXPECT_TRUE(std::isnan(Real(layers, 0, "before")));
  EXPECT_EQ(Text(layers, 1, "layer"), "old");
  EXPECT_EQ(Text(layers, 1, "change"), "gone");
  EXPECT_EQ(Text(layers, 2, "change"), "same");
  EXPECT_THAT(layers.doubts, Contains("other layers before and after: matched by name"));
  EXPECT_EQ(section.tables.at(2).rows.size(), 4u);

  // Whole models, too.
  const Section models = DiffExperiments(Experiment(), FourRuns({{"a", 1000}}));
  EXPECT_EQ(Text(models.tables.at(0), 0, "change"), "new");
  EXPECT_EQ(Fact(models, "m, batch 1"), "- to 0.001 ms: new");
  EXPECT_TRUE(DiffExperiments(Experiment(), Experiment()).tables.at(0).rows.empty());
}

TEST(DiffTest, SaysWhenLevelsDiffer) {
  ExperimentBuilder builder;
  builder.AddRun({.system = "s", .model = "m", .level = Level::kModel, .latency_ns = 10});
  const Section section = DiffExperiments(FourRuns({{"a", 1000}}), builder.Build());
  EXPECT_THAT(section.tables.at(0).doubts,
              Contains(HasSubstr("before of 4 runs at level kernel, after of 1 run at level model: "
                                 "not comparable")));
}

TEST(DiffTest, ProfilesAreExperimentsOfTheirOwn) {
  auto experiment = [](int64_t latency) {
    TestProfile profile;
    profile.Property("level", "layer").Property("model", "m");
    for (int64_t i = 0; i < 4; ++i) {
      const auto id = static_cast<uint64_t>(i * 2 + 1);
      const int64_t begin = i * 10000;
      profile.Add({"model.run", "m", begin, begin + latency + 5, id, 0, {int64_t{1}}});
      profile.Add({"layer", "l", begin, begin + latency, id + 1, id, {"Op", int64_t{0}}});
    }
    ExperimentBuilder builder;
    builder.AddProfile(profile.Build());
    return builder.Build();
  };
  const Section section = DiffExperiments(experiment(1000), experiment(2000));
  EXPECT_EQ(Text(section.tables.at(0), 0, "change"), "slower");
  EXPECT_EQ(Text(section.tables.at(1), 0, "change"), "slower");
  EXPECT_EQ(Real(section.tables.at(1), 0, "relative"), 1);
}

}  // namespace
}  // namespace tfrt::profiler
