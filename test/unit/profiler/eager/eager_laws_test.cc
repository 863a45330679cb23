// The laws, of figures given by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/profiler/eager_metrics.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using Kind = EagerLaw::Kind;
using Verdict = EagerLaw::Verdict;

// A run of which the laws look at the kernels' part of the window and the median phases.
EagerRun RunWith(double batch, int64_t window, int64_t kernels, int64_t enqueue = 100,
                 int64_t dequeue = 200) {
  EagerRun run{.model = "lenet", .target = "cpu", .mode = "async", .metrics = {}};
  run.metrics.batch = batch;
  run.metrics.window_ns = window;
  run.metrics.cpu_ns = kernels;
  run.metrics.enqueue.num_ops = run.metrics.dequeue.num_ops = 3;
  run.metrics.enqueue.p50_ns = enqueue;
  run.metrics.dequeue.p50_ns = dequeue;
  return run;
}

EagerLaw LawOf(const std::vector<EagerRun>& runs, Kind kind, const std::string& phase = "") {
  for (EagerLaw& law : CheckEagerLaws(runs)) {
    if (law.kind == kind && law.phase == phase) return law;
  }
  ADD_FAILURE() << "no such law";
  return {};
}

TEST(EagerLawsTest, Hold) {
  // In whatever order.
  const std::vector<EagerRun> runs = {RunWith(64, 4000, 3000, 110, 239), RunWith(1, 1000, 50),
                                      RunWith(8, 1600, 400, 90, 160)};
  EagerLaw share = LawOf(runs, Kind::kKernelShareRises);
  EXPECT_EQ(share.verdict, Verdict::kHolds);
  EXPECT_THAT(share.batches, ElementsAre(1, 8, 64));
  EXPECT_THAT(share.values, ElementsAre(0.05, 0.25, 0.75));
  EXPECT_THAT(share.ties, ElementsAre(false, false, false));
  EXPECT_EQ(LawOf(runs, Kind::kHostPhasesStay, "enqueue").verdict, Verdict::kHolds);
  EXPECT_EQ(LawOf(runs, Kind::kHostPhasesStay, "dequeue").verdict, Verdict::kHolds);
  EagerLaw item = LawOf(runs, Kind::kTimePerItemFalls);
  EXPECT_EQ(item.verdict, Verdict::kHolds);
  EXPECT_THAT(item.values, ElementsAre(1000, 200, 62.5));
}

TEST(EagerLawsTest, Fail) {
  const std::vector<EagerRun> runs = {RunWith(1, 1000, 500, 100, 200),
                                      RunWith(2, 2100, 1000, 151, 301)};
  EagerLaw share = LawOf(runs, Kind::kKernelShareRises);
  EXPECT_EQ(share.verdict, Verdict::kFails);
  EXPECT_EQ(share.reason, "falls from batch 1 to 2");
  EagerLaw item = LawOf(runs, Kind::kTimePerItemFalls);
  EXPECT_EQ(item.verdict, Verdict::kFails);
  EXPECT_EQ(item.reason, "rises from batch 1 to 2");
  EagerLaw enqueue = LawOf(runs, Kind::kHostPhasesStay, "enqueue");
  EXPECT_EQ(enqueue.verdict, Verdict::kFails);
  EXPECT_EQ(enqueue.reason, "is 100 ns at batch 1 and 151 ns at batch 2");
}

TEST(EagerLawsTest, DifferencesOfTwoPercentAreTies) {
  // Shares 50 %, 49.1 %, 80 %; times per item 1000, 1019, 400.
  const std::vector<EagerRun> runs = {RunWith(1, 1000, 500), RunWith(2, 2038, 1001),
                                      RunWith(4, 1600, 1280)};
  EagerLaw share = LawOf(runs, Kind::kKernelShareRises);
  EXPECT_EQ(share.verdict, Verdict::kHoldsWithTies);
  EXPECT_THAT(share.ties, ElementsAre(false, true, false));
  EXPECT_EQ(LawOf(runs, Kind::kTimePerItemFalls).verdict, Verdict::kHoldsWithTies);
  const std::vector<EagerRun> more = {RunWith(1, 1000, 500), RunWith(2, 2042, 1001)};
  EXPECT_EQ(LawOf(more, Kind::kTimePerItemFalls).verdict, Verdict::kFails);
}

TEST(EagerLawsTest, RepetitionsCountByTheirMedian) {
  const std::vector<EagerRun> runs = {RunWith(1, 1000, 100), RunWith(1, 9000, 100),
                                      RunWith(1, 1100, 100), RunWith(2, 1000, 500),
                                      RunWith(2, 1200, 500)};
  EXPECT_THAT(LawOf(runs, Kind::kTimePerItemFalls).values, ElementsAre(1100, 550));
}

TEST(EagerLawsTest, GroupsAreJudgedApart) {
  std::vector<EagerRun> runs = {RunWith(1, 1000, 100), RunWith(2, 1000, 500)};
  runs.push_back(RunWith(2, 1000, 1));
  runs.back().mode = "sync";
  const std::vector<EagerLaw> laws = CheckEagerLaws(runs);
  ASSERT_EQ(laws.size(), 8u);
  EXPECT_EQ(laws[0].mode, "async");
  EXPECT_EQ(laws[0].verdict, Verdict::kHolds);
  EXPECT_EQ(laws[4].mode, "sync");
  EXPECT_EQ(laws[4].verdict, Verdict::kUnknown);
  EXPECT_EQ(laws[4].reason, "there are fewer than two batches");
}

TEST(EagerLawsTest, WhatIsNotKnownIsNotJudged) {
  EagerRun without = RunWith(0, 1000, 100);
  EXPECT_EQ(LawOf({without}, Kind::kTimePerItemFalls).reason, "a profile does not say its batch");
  std::vector<EagerRun> runs = {RunWith(1, 1000, 100), RunWith(2, 1000, 500)};
  runs[1].metrics.dequeue.num_ops = 0;
  EagerLaw dequeue = LawOf(runs, Kind::kHostPhasesStay, "dequeue");
  EXPECT_EQ(dequeue.verdict, Verdict::kUnknown);
  EXPECT_EQ(dequeue.reason, "batch 2 has no such figure");
  runs[1].metrics.window_ns = 0;
  EXPECT_EQ(LawOf(runs, Kind::kKernelShareRises).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace tfrt::profiler
