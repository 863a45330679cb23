// Profiles of anything: every analysis ends, and what it says is sound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "lib/profiler/analyses/diff.h"
#include "lib/profiler/analyses/experiment.h"
#include "lib/profiler/analyses/stack_analyses.h"
#include "test/unit/profiler/analyses/section_cells.h"
#include "test/unit/profiler/analyses/test_profile.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TestEvent RandomEvent(std::minstd_rand& random) {
  static const std::vector<TestEvent> kForms = {
      {.type = "model.run", .arguments = {int64_t{-1}}},
      {.type = "function"},
      {.type = "step"},
      {.type = "layer", .arguments = {"Conv", int64_t{3}}},
      {.type = "op"},
      {.type = "eager.call"},
      {.type = "graph.call", .arguments = {std::nan(""), int64_t{-5}, int64_t{7}, "f32"}},
      {.type = "graph.kernel"},
      {.type = "kernel", .arguments = {std::numeric_limits<int64_t>::min()}},
      {.type = "eager.kernel"},
      {.type = "parallel_for.block"},
      {.type = "memory.allocate", .arguments = {std::numeric_limits<int64_t>::max()}},
      {.type = "device.launch"},
      {.type = "device.kernel"},
      {.type = "device.counted", .arguments = {1e300, int64_t{1}, int64_t{0}, -3.0}}};
  TestEvent event = kForms[random() % kForms.size()];
  event.name = std::string(1, static_cast<char>('a' + random() % 3));
  event.begin = random() % 50;
  event.end = event.begin + random() % 50 - 2;
  event.id = random() % 20;
  event.parent = random() % 20;
  event.track = random() % 5;
  event.correlation = random() % 4;
  event.op = random() % 4;
  event.ready = random() % 3 == 0 ? 1 + random() % 100 : 0;
  return event;
}

TEST(HostileTest, AnythingGivesSoundSections) {
  std::minstd_rand random(3);
  for (int round = 0; round < 150; ++round) {
    ExperimentBuilder builder, other;
    for (const char* level : {"model", "layer", "kernel", "metrics", "nonsense"}) {
      TestProfile profile;
      profile.Property("level", level).Property("batch", "1e99").Property("num_threads", "inf");
      profile.Property("repetition", "-7").Property("peak_flops", "nan");
      for (unsigned i = 0, n = random() % 40; i < n; ++i) profile.Add(RandomEvent(random));
      builder.AddProfile(profile.Build());
      if (round % 2) other.AddProfile(profile.Build());
    }
    const Experiment experiment = builder.Build();
    for (const StackAnalysis& analysis : StackAnalyses()) {
      const Section section = analysis.Run(experiment);
      ExpectSound(section);
      for (const Table& table : section.tables) {
        for (size_t row = 0; row < table.rows.size() && section.id == "kernel-share"; ++row) {
          EXPECT_GE(Real(table, row, "share"), 0);
          EXPECT_LE(Real(table, row, "share"), 1);
        }
      }
    }
    ExpectSound(DiffExperiments(experiment, other.Build()));
  }
}

TEST(HostileTest, TimesThatCannotBeSubtractedAreLeftOut) {
  TestProfile profile;
  profile.Add({"model.run",
               "m",
               std::numeric_limits<int64_t>::min(),
               std::numeric_limits<int64_t>::max(),
               1,
               0,
               {int64_t{1}}});
  ExperimentBuilder builder;
  builder.AddProfile(profile.Build());
  const Experiment experiment = builder.Build();
  EXPECT_TRUE(experiment.subjects().empty());
  EXPECT_THAT(experiment.doubts(), ElementsAre(HasSubstr("further than 36 years from its zero")));
}

TEST(HostileTest, DoubtsOfProfilesAreKept) {
  TestProfile profile;
  profile.Add({"model.run", "m", 0, 10, 1, 99, {int64_t{1}}});
  ExperimentBuilder builder;
  builder.AddProfile(profile.Build());
  EXPECT_THAT(builder.Build().doubts(),
              ElementsAre("1 events are inside of others that are not there"));
}

}  // namespace
}  // namespace tfrt::profiler
