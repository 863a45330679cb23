// M1 to M10 of profiles whose figures are computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "test/unit/profiler/eager/eager_profiles.h"
#include "tfrt/profiler/eager_metrics.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using QueuePoint = EagerMetrics::QueuePoint;
using Times = std::array<int64_t, kNumEagerActivities>;

EagerMetrics MetricsOf(const EagerProgram& program) {
  return ComputeEagerMetrics(MakeProfile(program));
}

int64_t Blame(const EagerMetrics& metrics, uint64_t op, EagerCause cause) {
  for (const EagerCulprit& culprit : metrics.culprits) {
    if (culprit.id == op) return culprit.by_cause[static_cast<size_t>(cause)];
  }
  return 0;
}

// Two ops, one completely behind the other:
//   caller    E1 0-10            E2 40-50
//   executor        D 12-14 C 14-24 D 24-26      D 52-54 C 54-60 D 60-61
TEST(EagerOracleTest, NothingOverlaps) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {0, 10},
                                         .enqueued = 10,
                                         .taken = 12,
                                         .kernel = {{14, 24}},
                                         .published = 26},
                                        {.id = 2,
                                         .call = {40, 50},
                                         .enqueued = 50,
                                         .taken = 52,
                                         .kernel = {{54, 60}},
                                         .published = 61}},
                              .steps = {{0, 100}},
                              .batch = 2});
  EXPECT_EQ(m.window_ns, 61);
  EXPECT_EQ(m.num_ops, 2u);
  EXPECT_EQ(m.num_executors, 1u);
  EXPECT_EQ(m.gpu_ns, 0);
  EXPECT_EQ(m.cpu_ns, 16);
  EXPECT_EQ(m.overhead_ns, 45);
  EXPECT_EQ(m.both_ns, 0);
  EXPECT_EQ(m.time_per_item_ns(), 30.5);
  EXPECT_EQ(m.enqueue.num_ops, 2u);
  EXPECT_EQ(m.enqueue.min_ns, 10);
  EXPECT_EQ(m.enqueue.max_ns, 10);
  EXPECT_EQ(m.dequeue.min_ns, 3);
  EXPECT_EQ(m.dequeue.max_ns, 4);
  EXPECT_EQ(m.dequeue.p50_ns, 3);
  EXPECT_EQ(m.dequeue.p95_ns, 4);
  EXPECT_EQ(m.dequeue.mean_ns, 3.5);
  EXPECT_EQ(m.cpu.mean_ns, 8);
  EXPECT_EQ(m.gpu.num_ops, 0u);
  EXPECT_THAT(m.queue, ElementsAre(QueuePoint{0, 0}, QueuePoint{10, 1}, QueuePoint{12, 0},
                                   QueuePoint{50, 1}, QueuePoint{52, 0}));
  EXPECT_EQ(m.while_empty.total_ns, 57);
  EXPECT_EQ(m.while_empty.ns, (Times{0, 16, 7, 0, 34}));
  EXPECT_EQ(m.while_not_empty.ns, (Times{0, 0, 0, 0, 4}));
  EXPECT_EQ(m.masked_by_kernel_ns, 0);
  EXPECT_EQ(m.masked_by_executor_ns, 0);
  EXPECT_EQ(m.exposed_ns, 38);
  EXPECT_EQ(m.exposed_empty_ns, 34);
  EXPECT_EQ(m.exposed_not_empty_ns, 4);
  EXPECT_EQ(Blame(m, 1, EagerCause::kEnqueue), 10);
  EXPECT_EQ(Blame(m, 2, EagerCause::kEnqueue), 10);
  EXPECT_EQ(Blame(m, 2, EagerCause::kProgram), 14);  // 26-40
  EXPECT_EQ(Blame(m, 1, EagerCause::kWakeUp), 2);
  EXPECT_EQ(Blame(m, 2, EagerCause::kWakeUp), 2);
  EXPECT_EQ(m.unattributed_ns, 0);
  ASSERT_EQ(m.culprits.size(), 2u);
  EXPECT_EQ(m.culprits[0].id, 2u) << "the worst first";
  EXPECT_EQ(m.culprits[0].host_ns, 13);
  EXPECT_EQ(m.culprits[0].queue_ns, 2);
  EXPECT_THAT(m.doubts, IsEmpty());
}

// The kernel of a device runs from the launch of the first op until the end; all else is under it.
TEST(EagerOracleTest, EverythingUnderADevicesKernel) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {0, 4},
                                         .enqueued = 4,
                                         .taken = 4,
                                         .kernel = {{5, 7}},
                                         .published = 8,
                                         .device = "sim:0"},
                                        {.id = 2,
                                         .call = {4, 12},
                                         .enqueued = 10,
                                         .taken = 11,
                                         .kernel = {{12, 20}},
                                         .published = 22,
                                         .device = "cpu:0"}},
                              .gpu = {{1, {6, 30}}, {2, {0, 6}}},
                              .steps = {{0, 100}}});
  EXPECT_EQ(m.window_ns, 30);
  EXPECT_EQ(m.gpu_ns, 30);
  EXPECT_EQ(m.cpu_ns, 0);
  EXPECT_EQ(m.both_ns, 8);
  EXPECT_EQ(m.overhead_ns, 0);
  EXPECT_EQ(m.exposed_ns, 0);
  EXPECT_EQ(m.masked_by_kernel_ns, 14 + 0);  // E 0-12; D 4-8, 11-12, 20-22: their union
  EXPECT_EQ(m.masked_by_executor_ns, 0);
  EXPECT_EQ(m.while_empty.ns, (Times{29, 0, 0, 0, 0}));
  EXPECT_EQ(m.while_not_empty.ns, (Times{1, 0, 0, 0, 0}));
  ASSERT_EQ(m.culprits.size(), 2u);
  EXPECT_EQ(m.culprits[0].launch_delay_ns, std::nullopt) << "its kernel is a CPU's";
  EXPECT_EQ(m.culprits[1].launch_delay_ns, 1) << "launched at 5, began at 6";
  EXPECT_EQ(m.dequeue.max_ns, 4) << "what a launch takes is time of the host";
}

// The caller waits from 10 to 40 for what the executor computes from 15 to 35.
TEST(EagerOracleTest, AKernelInsideAStall) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {0, 10},
                                         .enqueued = 8,
                                         .taken = 12,
                                         .kernel = {{15, 35}},
                                         .published = 38},
                                        {.id = 2,
                                         .call = {40, 44},
                                         .enqueued = 44,
                                         .taken = 44,
                                         .kernel = {{44, 46}},
                                         .published = 46}},
                              .stalls = {{1, {10, 40}, kCaller}},
                              .steps = {{0, 100}}});
  EXPECT_EQ(m.window_ns, 46);
  EXPECT_EQ(m.cpu_ns, 22);
  EXPECT_THAT(m.stalls, ElementsAre(Interval{10, 40}));
  EXPECT_EQ(m.exposed_ns, 46 - 22 - 6);  // D 12-15, 35-38
  EXPECT_EQ(m.exposed_empty_ns, 14);     // 0-8, 38-44
  EXPECT_EQ(m.exposed_empty_stalled_ns, 2);
  EXPECT_EQ(m.exposed_not_empty_ns, 4);  // 8-12
  EXPECT_EQ(m.exposed_not_empty_copying_ns, 0);
  EXPECT_EQ(Blame(m, 1, EagerCause::kStall), 2);
  EXPECT_EQ(Blame(m, 1, EagerCause::kEnqueue), 8);
  EXPECT_EQ(Blame(m, 1, EagerCause::kWakeUp), 4);
  EXPECT_EQ(Blame(m, 2, EagerCause::kEnqueue), 4);
}

TEST(EagerOracleTest, TheQueueIsNeverEmpty) {
  EagerProgram program{.steps = {{0, 100}}};
  // Three ops enqueued at once at the window's begin; the last one is never taken.
  for (uint64_t id : {1, 2, 3}) {
    const int64_t at = static_cast<int64_t>(id) * 10;
    program.async.push_back({.id = id,
                             .call = {0, 0},
                             .enqueued = 0,
                             .taken = at,
                             .kernel = {{at, at + 10}},
                             .published = at + 10});
  }
  std::vector<MadeEvent> events = EventsOf(program);
  std::erase_if(events, [](const MadeEvent& e) {
    return e.op_id == 3 && (e.type != "eager.call" && e.type != "eager.enqueue");
  });
  EagerMetrics m = ComputeEagerMetrics(MakeProfile(events, program));
  EXPECT_EQ(m.window_ns, 30);
  EXPECT_EQ(m.while_empty.total_ns, 0);
  EXPECT_EQ(m.while_not_empty.ns, (Times{0, 20, 0, 0, 10}));
  EXPECT_THAT(m.queue, ElementsAre(QueuePoint{0, 3}, QueuePoint{10, 2}, QueuePoint{20, 1}));
  EXPECT_EQ(Blame(m, 1, EagerCause::kWakeUp), 10) << "the first in the queue";
  EXPECT_THAT(m.doubts, ElementsAre(EagerDoubt{"M4 to M6", "1 op never left the queue"}));
}

TEST(EagerOracleTest, MomentsHaveNoLength) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {5, 5},
                                         .enqueued = 5,
                                         .taken = 5,
                                         .kernel = {{5, 5}},
                                         .published = 5}},
                              .sync = {{.id = 2, .call = {5, 5}, .kernel = {5, 5}}},
                              .gpu = {{1, {5, 5}}},
                              .copies = {{0, {5, 5}}},
                              .stalls = {{0, {5, 5}, kCaller}},
                              .steps = {{5, 5}}});
  EXPECT_EQ(m.window_ns, 0);
  EXPECT_EQ(m.num_ops, 2u);
  EXPECT_EQ(m.gpu_ns + m.cpu_ns + m.overhead_ns, 0);
  EXPECT_EQ(m.kernel_share(), 0);
  EXPECT_EQ(m.enqueue.num_ops, 2u) << "calls in which the clock did not move";
  EXPECT_EQ(m.enqueue.max_ns, 0);
  EXPECT_EQ(m.cpu.num_ops, 2u);
  EXPECT_EQ(m.gpu.num_ops, 1u);
  EXPECT_EQ(m.gpu.max_ns, 0);
  EXPECT_THAT(m.queue, IsEmpty());
  EXPECT_THAT(m.culprits, IsEmpty());
}

// Both run kernels from 10 to 20; what one dequeues while the other computes is hidden.
TEST(EagerOracleTest, TwoExecutors) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {0, 2},
                                         .enqueued = 2,
                                         .taken = 3,
                                         .kernel = {{5, 20}},
                                         .published = 22},
                                        {.id = 2,
                                         .call = {2, 4},
                                         .enqueued = 4,
                                         .taken = 4,
                                         .kernel = {{10, 30}},
                                         .published = 33,
                                         .executor = kSecondExecutor},
                                        {.id = 3,
                                         .call = {4, 26},
                                         .enqueued = 24,
                                         .taken = 25,
                                         .kernel = {{26, 28}},
                                         .published = 29}},
                              .steps = {{0, 100}}});
  EXPECT_EQ(m.num_executors, 2u);
  EXPECT_EQ(m.window_ns, 33);
  EXPECT_EQ(m.cpu_ns, 25);                // 5-30
  EXPECT_EQ(m.masked_by_executor_ns, 2);  // E and D 3-5
  // E 5-26; D of one 20-22, 25-26, 28-29, of the other 5-10.
  EXPECT_EQ(m.masked_by_kernel_ns, 21 + 1);
  EXPECT_EQ(m.exposed_ns, 3);  // 0-3
  EXPECT_EQ(m.dequeue.max_ns, 9);
  EXPECT_EQ(m.while_not_empty.total_ns, 2);  // 2-3, 24-25
}

//   caller: E 0-10, C 10-30, h 30-33, handle 33-35, h 35-36; device op E 40-44, launch 44-47, h -48
//   device: X 40-46, G 46-60; the caller stalls 48-64, copies back 60-64
TEST(EagerOracleTest, SyncCalls) {
  EagerMetrics m =
      MetricsOf({.sync = {{.id = 1, .call = {0, 36}, .kernel = {10, 30}, .handle = {{33, 35}}},
                          {.id = 2, .call = {40, 48}, .kernel = {44, 47}, .device = "sim:0"}},
                 .gpu = {{2, {46, 60}}},
                 .copies = {{2, {40, 46}}, {0, {60, 64}}},
                 .stalls = {{0, {48, 64}, kCaller}},
                 .steps = {{0, 100}}});
  EXPECT_EQ(m.window_ns, 64);
  EXPECT_EQ(m.num_executors, 0u);
  EXPECT_EQ(m.gpu_ns, 14);
  EXPECT_EQ(m.cpu_ns, 20);
  EXPECT_EQ(m.overhead_ns, 30);
  EXPECT_EQ(m.enqueue.min_ns, 4);
  EXPECT_EQ(m.enqueue.max_ns, 12);
  EXPECT_EQ(m.dequeue.min_ns, 2) << "44-48 without the copy";
  EXPECT_EQ(m.dequeue.max_ns, 4) << "30-33, 35-36";
  EXPECT_EQ(m.while_not_empty.total_ns, 0);
  EXPECT_EQ(m.while_empty.ns, (Times{14, 20, 4, 10, 16}));
  EXPECT_EQ(m.while_empty.waiting_with_copies_ns(), 26);
  EXPECT_THAT(m.queue, ElementsAre(QueuePoint{0, 0}));
  EXPECT_EQ(m.exposed_ns, 26);  // 0-10, 33-35, 36-46, 60-64
  EXPECT_EQ(m.exposed_empty_stalled_ns, 4);
  EXPECT_EQ(Blame(m, 1, EagerCause::kEnqueue), 12);
  EXPECT_EQ(Blame(m, 2, EagerCause::kProgram), 4);  // 36-40
  EXPECT_EQ(Blame(m, 2, EagerCause::kEnqueue), 4);
  EXPECT_EQ(Blame(m, 2, EagerCause::kCopy), 2);
  EXPECT_EQ(m.unattributed_ns, 4) << "behind the last op";
}

// The executor has taken the op and waits from 12 to 30 for a copy, which is there from 14 to 28.
TEST(EagerOracleTest, CopiesExplainWaitingWhileTheQueueIsNotEmpty) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {0, 10},
                                         .enqueued = 10,
                                         .taken = 11,
                                         .kernel = {{31, 35}},
                                         .published = 36},
                                        {.id = 2,
                                         .call = {10, 16},
                                         .enqueued = 16,
                                         .taken = 36,
                                         .kernel = {{37, 39}},
                                         .published = 40}},
                              .copies = {{1, {14, 28}}},
                              .stalls = {{0, {12, 30}, kExecutor}},
                              .steps = {{0, 100}}});
  EXPECT_THAT(m.stalls, IsEmpty()) << "no caller stalled";
  EXPECT_THAT(m.copies, ElementsAre(Interval{14, 28}));
  EXPECT_EQ(m.dequeue.max_ns, 3);         // 11-12, 30-31, 35-36
  EXPECT_EQ(m.exposed_not_empty_ns, 15);  // 10-11, 16-30
  EXPECT_EQ(m.exposed_not_empty_copying_ns, 12);
  EXPECT_EQ(m.while_not_empty.ns, (Times{0, 4, 2, 12, 3}));
  EXPECT_EQ(Blame(m, 1, EagerCause::kCopy), 14);
  EXPECT_EQ(Blame(m, 1, EagerCause::kArgument), 4);  // 12-14, 28-30
  EXPECT_EQ(m.while_not_empty.waiting_ns(), 3);
  EXPECT_EQ(m.while_not_empty.waiting_with_copies_ns(), 15);
}

// A caller that waits runs tasks: then it is an executor, and not stalled.
TEST(EagerOracleTest, ACallerRunsOpsWhileItWaits) {
  EagerMetrics m = MetricsOf({.async = {{.id = 1,
                                         .call = {0, 10},
                                         .enqueued = 9,
                                         .taken = 14,
                                         .kernel = {{15, 20}},
                                         .published = 22,
                                         .executor = kCaller}},
                              .stalls = {{0, {10, 30}, kCaller}},
                              .steps = {{0, 100}}});
  EXPECT_EQ(m.window_ns, 22);
  EXPECT_THAT(m.stalls, ElementsAre(Interval{10, 14}));
  EXPECT_EQ(m.dequeue.max_ns, 3);
}

// What an op's function calls has its own phases.
TEST(EagerOracleTest, CallsInsideOfKernels) {
  EagerMetrics m = MetricsOf({.sync = {{.id = 1, .call = {0, 40}, .kernel = {5, 35}},
                                       {.id = 2, .call = {10, 30}, .kernel = {15, 25}}},
                              .steps = {{0, 100}}});
  EXPECT_EQ(m.cpu_ns, 30);
  EXPECT_EQ(m.enqueue.min_ns, 5);
  EXPECT_EQ(m.enqueue.max_ns, 5);
  EXPECT_EQ(m.dequeue.max_ns, 5);
  EXPECT_EQ(m.overhead_ns, 10);
  EXPECT_EQ(m.masked_by_kernel_ns, 10);
}

TEST(EagerOracleTest, TheMedianOfStepsIsTheWindowUnlessOneIsChosen) {
  EagerProgram program{.sync = {{.id = 1, .call = {10, 17}, .kernel = {12, 15}},
                                {.id = 2, .call = {60, 65}, .kernel = {61, 64}},
                                {.id = 3, .call = {90, 96}, .kernel = {91, 95}}},
                       .steps = {{0, 50}, {55, 89}, {89, 124}}};
  EXPECT_EQ(MetricsOf(program).window_ns, 6);
  // Of equal ones the last.
  program.steps = {{0, 40}, {50, 90}, {90, 130}};
  EXPECT_EQ(MetricsOf(program).window_ns, 6);
}

TEST(EagerOracleTest, OneOfTwoStepsIsTheWindow) {
  EagerProgram program{.sync = {{.id = 1, .call = {10, 40}, .kernel = {20, 40}},
                                {.id = 2, .call = {60, 70}, .kernel = {61, 69}}},
                       .steps = {{0, 50}, {55, 90}}};
  Profile profile = MakeProfile(program);
  EXPECT_EQ(ComputeEagerMetrics(profile).window_ns, 10);
  EXPECT_EQ(ComputeEagerMetrics(profile).num_ops, 1u);
  EXPECT_EQ(ComputeEagerMetrics(profile, {.step = 0}).window_ns, 30);
  EagerMetrics beyond = ComputeEagerMetrics(profile, {.step = 2, .batch = 10});
  EXPECT_EQ(beyond.window_ns, 10);
  EXPECT_EQ(beyond.time_per_item_ns(), 1);
  EXPECT_THAT(
      beyond.doubts,
      ElementsAre(EagerDoubt{"M1 to M10", "there is no step 2, only 2: the last one is shown"}));
  program.steps.clear();
  EagerMetrics whole = MetricsOf(program);
  EXPECT_EQ(whole.window_ns, 60);
  EXPECT_THAT(whole.doubts,
              ElementsAre(EagerDoubt{"M1 to M10",
                                     "there is no scope of type step: the window is the whole "
                                     "profile, with all that its ops do for the first time"}));
}

TEST(EagerOracleTest, WhatIsMissingIsSaid) {
  EagerProgram program{
      .async = {{.id = 1,
                 .call = {0, 10},
                 .enqueued = 8,
                 .taken = 12,
                 .kernel = {{14, 20}},
                 .published = 22},
                {.id = 2,
                 .call = {20, 30},
                 .enqueued = 28,
                 .taken = 32,
                 .kernel = {{34, 40}},
                 .published = 42}},
      .gpu = {{7, {30, 31}}},
      .steps = {{0, 100}},
      .problems = {{.kind = Problem::Kind::kDropped, .count = 3, .text = "3 records are lost"},
                   {.kind = Problem::Kind::kUnavailable, .text = "no driver"}},
      .batch = 0};
  std::vector<MadeEvent> events = EventsOf(program);
  std::erase_if(events, [](const MadeEvent& e) {
    return (e.op_id == 1 && (e.type == "eager.publish" || e.type == "eager.call")) ||
           (e.op_id == 2 && (e.type == "eager.enqueue" || e.type == "eager.dequeue"));
  });
  events.push_back({.type = "eager.schedule", .op_id = 2, .time = {25, 29}});
  EagerMetrics m = ComputeEagerMetrics(MakeProfile(events, program));
  std::vector<std::string> doubts;
  for (const EagerDoubt& doubt : m.doubts) doubts.push_back(doubt.figures + ": " + doubt.reason);
  EXPECT_THAT(
      doubts,
      ElementsAre("M1 to M10: 3 records are lost", "M1, M3, M5, M7, M10: no driver",
                  "M3, M5, M7: 1 op began and never published results: dropped, or not over",
                  "M3, M10: 1 op ran without a call: dropped, or made before the profile",
                  "M3 to M6: 1 op did not say when leaving the queue: the kernel does",
                  "M4 to M6: 1 op did not say when it was in the queue: the last known "
                  "phase does",
                  "M3, M10: 1 kernel of a device belongs to no op",
                  "M2: the profile does not say how many items the step has"));
  EXPECT_EQ(m.window_ns, 34);
  EXPECT_EQ(m.num_ops, 1u);
  EXPECT_THAT(MetricsOf({.steps = {{0, 1}}}).doubts,
              ElementsAre(EagerDoubt{"M1 to M10", "the profile has no eager ops"}));
}

}  // namespace
}  // namespace tfrt::profiler
