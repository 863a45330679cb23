// Metrics of what the runtime really records: eager ops in both modes and orders, on CPUs and on a
// sim device whose streams take their time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/devices/sim/device/sim_device.h"
#include "lib/profiler/collect/record_stream.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/tracing/record.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {
namespace {

using eager::Context;
using eager::ExecutionMode;
using eager::ExecutionOrder;
using eager::HostArray;
using eager::Scope;
using eager::Tensor;
using testing::IsEmpty;

constexpr tracing::RecordType kStep = {.name = "step", .level = StackLevel::kModel};

struct Way {
  const char* name;
  ExecutionMode mode;
  ExecutionOrder order = ExecutionOrder::kDataflow;
};
constexpr Way kWays[] = {{"sync", ExecutionMode::kSync},
                         {"async dataflow", ExecutionMode::kAsync},
                         {"async fifo", ExecutionMode::kAsync, ExecutionOrder::kFifo}};

std::unique_ptr<Context> MakeContext(const std::string& device, ExecutionOrder order) {
  auto context = Context::Create({.devices = {"cpu:0", device},
                                  .register_devices =
                                      [](HostContext& host) {
                                        return sim::RegisterSimDevices(
                                            host, {.num_devices = 1, .memory_bytes = 16 << 20});
                                      },
                                  .order = order});
  EXPECT_TRUE(context.ok()) << context.status().message();
  return *std::move(context);
}

HostArray Square(double value) {
  const int64_t dims[] = {64, 64};
  return HostArray::Take(std::span<const int64_t>(dims), std::vector<double>(64 * 64, value));
}

constexpr int kNumLayers = 4;

// relu(x * y) some times over, and the result back on the host.
void RunStep(Context& context, const Way& way, const std::string& device) {
  tracing::RecordScope step(kStep, "step");
  Scope scope(context, {.mode = way.mode, .device = device});
  Tensor y = Tensor::FromArray(Square(0.25));
  Tensor x = Tensor::FromArray(Square(1));
  for (int i = 0; i < kNumLayers; ++i) x = eager::Relu(eager::MatMul(x, y));
  EXPECT_TRUE(x.Values<double>().ok());
  context.Wait();
}

Profile ProfileOf(tracing::Session& session) {
  ProfileBuilder builder;
  EventStream stream(&builder);
  RecordStream records(&stream);
  session.Drain([&](std::span<const tracing::Record> drained, const tracing::ProfileThread& from) {
    records.Add(drained, from);
  });
  return builder.Build();
}

class EagerRecordsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
  static std::unique_ptr<tracing::Session> Start(bool details = true) {
    auto session = tracing::Session::Start({.details = details, .buffer_bytes = 8 << 20});
    EXPECT_TRUE(session.ok()) << session.status().message();
    return *std::move(session);
  }
};

void CheckOps(const EagerStep& step, bool is_async, bool is_sim) {
  size_t num_calls = 0;
  for (const EagerOp& op : step.ops) {
    SCOPED_TRACE(op.name);
    EXPECT_LE(op.begin_ns, op.enqueued_ns);
    EXPECT_LE(op.enqueued_ns, op.dequeued_ns);
    EXPECT_LE(op.dequeued_ns, op.ready_ns);
    EXPECT_TRUE(Intersection(op.dequeue, Union(op.cpu, op.copies)).empty());
    if (!op.is_call) continue;
    ++num_calls;
    EXPECT_EQ(op.is_async, is_async);
    EXPECT_FALSE(op.enqueue.empty());
    EXPECT_FALSE(op.dequeue.empty());
    EXPECT_EQ(op.runs_on_cpu, !is_sim);
    EXPECT_EQ(op.runs_on_gpu, is_sim);
    EXPECT_EQ(op.device, is_sim ? "sim:0" : "cpu:1");
    EXPECT_EQ(op.launched_ns.has_value(), is_sim);
    if (is_sim) {
      EXPECT_GE(op.gpu.intervals()[0].begin, *op.launched_ns);
    }
  }
  EXPECT_EQ(num_calls, 2u * kNumLayers);
}

class EagerRecordsDetailsTest : public EagerRecordsTest,
                                public testing::WithParamInterface<bool> {};

TEST_P(EagerRecordsDetailsTest, OpsAreJoinedFromTheirRecords) {
  for (const Way& way : kWays) {
    for (const std::string device : {"cpu:1", "sim:0"}) {
      SCOPED_TRACE(std::string(way.name) + " on " + device);
      auto context = MakeContext(device, way.order);
      auto session = Start(/*details=*/GetParam());
      RunStep(*context, way, device);  // finds nothing in caches
      RunStep(*context, way, device);
      session->Stop();
      Profile profile = ProfileOf(*session);
      EXPECT_THAT(profile.problems(), IsEmpty());
      const bool is_async = way.mode == ExecutionMode::kAsync, is_sim = device == "sim:0";
      EagerStep step = ExtractEagerStep(profile);
      EXPECT_THAT(step.doubts, IsEmpty());
      std::erase_if(step.ops, [](const EagerOp& op) { return !op.is_in_step; });
      CheckOps(step, is_async, is_sim);
      EXPECT_EQ(step.num_executors == 0, !is_async);
      if (way.order == ExecutionOrder::kFifo) {
        EXPECT_EQ(step.num_executors, 1u);
      }
      EXPECT_FALSE(step.copies.empty()) << "there, and back";

      profile.SetProperty(property::kBatch, "64");
      const EagerRun run = ComputeEagerRun(profile);
      const EagerMetrics& m = run.metrics;
      EXPECT_EQ(run.mode, is_async ? "async" : "sync");
      EXPECT_EQ(run.target, is_sim ? "cpu and device" : "cpu");
      EXPECT_EQ(m.num_ops, 2u * kNumLayers);
      EXPECT_EQ(m.gpu_ns + m.cpu_ns + m.overhead_ns, m.window_ns);
      EXPECT_EQ(m.gpu_ns > 0, is_sim);
      EXPECT_EQ(m.enqueue.num_ops, m.num_ops);
      EXPECT_EQ(m.dequeue.num_ops, m.num_ops);
      EXPECT_EQ(m.gpu.num_ops + m.cpu.num_ops, m.num_ops);
      EXPECT_EQ(m.while_not_empty.total_ns > 0, is_async);
      for (const auto& point : m.queue) EXPECT_GE(point.depth, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Details, EagerRecordsDetailsTest, testing::Bool());

// Calls of few elements, which end with their kernels.
TEST_F(EagerRecordsTest, ShortCallsAreMeasuredWithoutDetails) {
  auto context = MakeContext("cpu:1", ExecutionOrder::kDataflow);
  Scope scope(*context, {.device = "cpu:1"});
  Tensor x = eager::AddV2(Tensor::FromArray(HostArray({1}, {1.0f})), HostArray({1}, {2.0f}));
  x = eager::AddV2(x, x);
  constexpr size_t kCalls = 100;
  auto session = Start(/*details=*/false);
  {
    tracing::RecordScope step(kStep, "step");
    for (size_t i = 0; i < kCalls; ++i) x = eager::AddV2(x, x);
  }
  session->Stop();
  const EagerRun run = ComputeEagerRun(ProfileOf(*session), {.batch = 1});
  EXPECT_THAT(run.metrics.doubts, IsEmpty());
  EXPECT_EQ(run.mode, "sync");
  EXPECT_EQ(run.metrics.num_ops, kCalls);
  EXPECT_EQ(run.metrics.enqueue.num_ops, kCalls);
  EXPECT_EQ(run.metrics.cpu.num_ops, kCalls);
  EXPECT_GT(run.metrics.enqueue.mean_ns, 0);
  EXPECT_EQ(run.metrics.cpu_ns + run.metrics.overhead_ns, run.metrics.window_ns);
}

void SetDelay(sim::Stream& stream, int microseconds) {
  stream.set_delay({.at_least = std::chrono::microseconds(microseconds)});
}

constexpr int kCopyUs = 30'000;

// Three steps each of batches of 1, 8 and 64, whose kernels take 1, 8 and 64 ms.
std::vector<EagerRun> RunBatches(Context& context, const Way& way) {
  const std::string device = "sim:0";
  RCReference<Device> sim = context.host()->device_manager().GetDevice(device);
  sim::Accelerator& accelerator = static_cast<sim::SimDevice&>(*sim).accelerator();
  SetDelay(accelerator.h2d(), kCopyUs);
  SetDelay(accelerator.d2h(), kCopyUs);
  std::vector<EagerRun> runs;
  for (auto [batch, kernel_us] : {std::pair(1, 1000), std::pair(8, 8000), std::pair(64, 64'000)}) {
    SetDelay(accelerator.compute(), kernel_us);
    for (int repetition = 0; repetition < 3; ++repetition) {
      auto session = tracing::Session::Start({.details = true, .buffer_bytes = 8 << 20});
      EXPECT_TRUE(session.ok()) << session.status().message();
      RunStep(context, way, device);
      (*session)->Stop();
      Profile profile = ProfileOf(**session);
      profile.SetProperty(property::kBatch, std::to_string(batch));
      runs.push_back(ComputeEagerRun(profile));
      const EagerMetrics& m = runs.back().metrics;
      EXPECT_THAT(m.doubts, IsEmpty());
      EXPECT_GE(m.gpu.min_ns, kernel_us * 1000);
      EXPECT_GE(m.gpu_ns, 2 * kNumLayers * kernel_us * 1000);
      EXPECT_GE(m.window_ns, m.gpu_ns + kCopyUs * 1000) << "the copy back is behind the kernels";
    }
  }
  return runs;
}

// What does not hold, a line each.
std::string BrokenLaws(const std::vector<EagerRun>& runs) {
  std::string broken;
  for (const EagerLaw& law : CheckEagerLaws(runs)) {
    EXPECT_EQ(law.values.size(), 3u) << law.reason;
    // Microseconds, of which a test must not say more than that they do not grow as kernels do.
    const bool holds = law.kind == EagerLaw::Kind::kHostPhasesStay
                           ? law.values.size() == 3 && law.values[2] < 64e6
                           : law.verdict == EagerLaw::Verdict::kHolds;
    if (!holds) broken += law.phase + " " + law.reason + "\n";
  }
  return broken;
}

// The laws on a device whose kernels and copies take their time: what the host takes is far less
// than what makes the batches differ, and of three steps the middle one counts. A machine that is
// busy otherwise can stop the host for longer than that, but not each time.
TEST_F(EagerRecordsTest, TheLawsHoldOnADeviceWithConfiguredDelays) {
  constexpr int kTries = 4;
  for (const Way& way : {kWays[0], kWays[2]}) {
    SCOPED_TRACE(way.name);
    auto context = MakeContext("sim:0", way.order);
    RunStep(*context, way, "sim:0");
    std::string broken = BrokenLaws(RunBatches(*context, way));
    for (int i = 1; i < kTries && !broken.empty(); ++i) {
      broken = BrokenLaws(RunBatches(*context, way));
    }
    EXPECT_EQ(broken, "");
  }
}

}  // namespace
}  // namespace tfrt::profiler
