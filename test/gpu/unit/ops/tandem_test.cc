// Copies beside ops: how far they run ahead, and which of them are spared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

using eager::ExecutionMode;
using eager::ExecutionOrder;
using eager::HostArray;
using eager::Relu;
using eager::Scope;
using testing::ElementsAre;
using testing::HasSubstr;

class GpuTandemTest : public GpuOpsTest {
 protected:
  uint64_t NumCalls(const char* function) { return GpuDouble::Get().NumCalls(function); }
  uint64_t NumUploads() { return NumCalls("cuMemcpyHtoDAsync_v2"); }
};

struct Way {
  const char* name;
  ExecutionMode mode;
  ExecutionOrder order;
};
constexpr Way kWays[] = {
    {"Sync", ExecutionMode::kSync, ExecutionOrder::kDataflow},
    {"AsyncDataflow", ExecutionMode::kAsync, ExecutionOrder::kDataflow},
    {"AsyncFifo", ExecutionMode::kAsync, ExecutionOrder::kFifo},
};

class GpuBackPressureTest : public GpuTandemTest, public testing::WithParamInterface<Way> {};

// The double runs nothing before somebody waits, so that nothing but the back-pressure keeps memory
// from growing with each round.
TEST_P(GpuBackPressureTest, ALoopThatReadsNothingNeedsNoMoreMemory) {
  constexpr size_t kBytes = kMiB / 4;
  constexpr int kRounds = 150;
  Init({.accelerator = {.max_in_flight = 8, .max_in_flight_bytes = 4 * kMiB},
        .order = GetParam().order});
  std::atomic<int> num_alive{0};
  int most_alive = 0;
  eager::Tensor last;
  {
    Scope scope(*context_, {.mode = GetParam().mode, .device = "gpu:0"});
    for (int round = 0; round < kRounds; ++round) {
      // An array of its own.
      auto numbers = std::make_shared<std::vector<float>>(kBytes / 4, static_cast<float>(round));
      ++num_alive;
      const int64_t dims[] = {static_cast<int64_t>(numbers->size())};
      last = Relu(eager::Tensor::FromArray(HostArray::Borrow(
          DType::kF32, dims, std::as_bytes(std::span(*numbers)), [&num_alive, numbers]() mutable {
            numbers.reset();
            --num_alive;
          })));
      most_alive = std::max(most_alive, num_alive.load());
    }
    auto values = last.Values<float>();
    ASSERT_TRUE(values.ok()) << values.status().ToString();
    EXPECT_EQ(values->front(), kRounds - 1);
  }
  context_->Wait();
  const DeviceMemoryStatistics memory = context_->memory_statistics("gpu:0").value();
  // Those in flight, their results, and what waits to be enqueued.
  EXPECT_LE(memory.peak_bytes_reserved, 12 * kMiB);
  EXPECT_LE(most_alive, 24);
  last = eager::Tensor();
}

TEST_P(GpuBackPressureTest, ManySmallCopiesNeedFewBlocks) {
  Init({.accelerator = {.max_in_flight = 8}, .order = GetParam().order});
  {
    Scope scope(*context_, {.mode = GetParam().mode, .device = "gpu:0"});
    for (int round = 0; round < 2000; ++round) {
      eager::Tensor x = Relu(HostArray({2}, {1.0f, static_cast<float>(round)}));
      if (round + 1 < 2000) continue;
      EXPECT_THAT(ValuesOf<float>(x), ElementsAre(1, 1999));
    }
  }
  context_->Wait();
  const DeviceMemoryStatistics memory = context_->memory_statistics("gpu:0").value();
  EXPECT_LE(memory.peak_bytes_in_use, 200u << 10);
  EXPECT_LE(memory.pinned_bytes, 200u << 10);
}

INSTANTIATE_TEST_SUITE_P(Ways, GpuBackPressureTest, testing::ValuesIn(kWays),
                         [](const auto& info) { return info.param.name; });

// Axes that a program makes on the device are read where they come from.
TEST_F(GpuTandemTest, AFewIntegersKeepTheirHostCopy) {
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    Init({.order = way.order});
    {
      Scope scope(*context_, {.mode = way.mode, .device = "gpu:0"});
      eager::Tensor x = eager::Tensor::FromArray(HostArray({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f}));
      eager::Tensor axis = eager::Tensor::FromArray(HostArray({1}, {0}));
      EXPECT_EQ(axis.device(), "gpu:0");
      EXPECT_EQ(axis.status(), OkStatus());
      GpuDouble::Get().ClearCalls();
      eager::Tensor sum = eager::Sum(x, axis);
      EXPECT_EQ(sum.device(), "gpu:0");
      EXPECT_EQ(sum.status(), OkStatus());
      EXPECT_EQ(NumCalls("cuMemcpyDtoHAsync_v2"), 0u);
      // Whoever drops copies drops this one, and gets it back by a copy.
      EXPECT_EQ(context_->DropCopies(), 1u);
      EXPECT_EQ(eager::Sum(x, axis).status(), OkStatus());
      EXPECT_EQ(NumCalls("cuMemcpyDtoHAsync_v2"), 1u);
      EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(4, 6));
      EXPECT_THAT(ValuesOf<int32_t>(axis), ElementsAre(0));
    }
    TearDown();
  }
}

TEST_F(GpuTandemTest, AConstantIsCopiedOnce) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  const HostArray few({2}, {1.0f, 2.0f});
  auto constant = [](const HostArray& value) { return eager::Const(value); };
  EXPECT_THAT(ValuesOf<float>(constant(few)), ElementsAre(1, 2));
  const uint64_t before = NumUploads();
  for (int i = 0; i < 10; ++i) {
    eager::Tensor again = constant(few);
    EXPECT_EQ(again.device(), "gpu:0");
    // The result of an op in its memory would change it.
    EXPECT_THAT(ValuesOf<float>(Relu(std::move(again))), ElementsAre(1, 2));
    EXPECT_THAT(ValuesOf<float>(eager::Neg(constant(few))), ElementsAre(-1, -2));
  }
  EXPECT_EQ(NumUploads(), before);
  // Other bytes are other constants.
  EXPECT_THAT(ValuesOf<float>(constant(HostArray({2}, {1.0f, 3.0f}))), ElementsAre(1, 3));
}

TEST_F(GpuTandemTest, FromOneGpuToAnother) {
  Init({.devices = {"cpu:0", "gpu:*"}});
  eager::Tensor x;
  {
    Scope scope(*context_, {.device = "gpu:0"});
    x = Relu(HostArray({2}, {-1.0f, 2.0f}));
  }
  Scope scope(*context_, {.device = "gpu:1"});
  GpuDouble::Get().ClearCalls();
  eager::Tensor y = eager::Neg(x);
  EXPECT_EQ(y.device(), "gpu:1");
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(-0.0f, -2));
  EXPECT_EQ(NumCalls("cuMemcpyPeerAsync"), 1u);
  EXPECT_EQ(NumCalls("cuCtxEnablePeerAccess"), 1u);
  EXPECT_EQ(NumUploads(), 0u);
  // The copy is remembered, and the driver is asked once about the peer.
  EXPECT_THAT(ValuesOf<float>(eager::Neg(x)), ElementsAre(-0.0f, -2));
  context_->DropCopies();
  EXPECT_THAT(ValuesOf<float>(eager::Neg(x)), ElementsAre(-0.0f, -2));
  EXPECT_EQ(NumCalls("cuMemcpyPeerAsync"), 2u);
  EXPECT_EQ(NumCalls("cuCtxEnablePeerAccess"), 1u);
}

TEST_F(GpuTandemTest, OneStreamGivesTheSameResults) {
  Init({.accelerator = {.single_stream = true}});
  Scope scope(*context_, {.device = "gpu:0"});
  GpuDouble::Get().ClearCalls();
  EXPECT_THAT(ValuesOf<float>(Relu(HostArray({2}, {-1.0f, 2.0f}))), ElementsAre(0, 2));
  EXPECT_EQ(NumCalls("cuStreamWaitEvent"), 0u);
}

// A copy of the elements that fails on the device, and an op.
TEST_F(GpuTandemTest, LaunchBlockingFindsTheLine) {
  for (bool is_blocking : {true, false}) {
    Init({.accelerator = {.launch_blocking = is_blocking}});
    {
      Scope scope(*context_, {.device = "gpu:0"});
      eager::Tensor x = Relu(HostArray({2}, {-1.0f, 2.0f}));
      ASSERT_EQ(x.status(), OkStatus());
      ASSERT_EQ(GpuDouble::Get().Inject("fault=relu_f32:2:700:context"), 0);
      const uint32_t line = std::source_location::current().line() + 2;
      eager::Tensor before = Relu(x);
      eager::Tensor bad = Relu(before), after = eager::Neg(bad);
      const std::string message(after.status().message());
      if (is_blocking) {
        EXPECT_TRUE(bad.IsError());
        EXPECT_THAT(message, HasSubstr("tandem_test.cc:" + std::to_string(line) + ": tf.Relu"));
        EXPECT_THAT(message, testing::Not(HasSubstr("one of")));
      } else {
        EXPECT_FALSE(bad.state()->value()->IsError());
        EXPECT_THAT(message, HasSubstr("one of: tf.Relu"));
        EXPECT_THAT(message, HasSubstr("launch_blocking names it"));
      }
    }
    context_.reset();
    (void)GpuDouble::Get().TakeReports();
    EXPECT_EQ(GpuDouble::Get().Inject(""), 0);
  }
}

// A forked process has neither the driver's state nor the threads that wait for the device.
TEST_F(GpuTandemTest, AForkGetsErrors) {
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer wants a fork to execute another program";
#endif
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x = Relu(HostArray({2}, {-1.0f, 2.0f}));
  ASSERT_EQ(x.status(), OkStatus());
  eager::Tensor in_flight = eager::Neg(x);
  GpuDouble::Get().ClearCalls();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // ends a child that hangs
    const auto says_so = [](const Status& status) {
      return status.message().find("was forked from") != std::string_view::npos;
    };
    // In the scope that the parent made, and in one of its own.
    bool is_right = says_so(Relu(x).status()) && says_so(in_flight.status()) &&
                    says_so(x.Values<float>().status()) && says_so(context_->TrimMemory("gpu:0")) &&
                    says_so(Relu(HostArray({1}, {1.0f})).status());
    {
      Scope own(*context_, {.device = "gpu:0"});
      is_right = is_right && says_so(own.status()) && says_so(Relu(x).status());
    }
    auto host = eager::Context::Create(
        {.devices = {"gpu:0"}, .register_devices = [](HostContext& h) {
           return RegisterGpuOpDevices(h, {.driver = &GpuDouble::Get().driver()});
         }});
    is_right = is_right && says_so(host.status());
    is_right = is_right && GpuDouble::Get().NumCalls(nullptr) == 0;
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(ValuesOf<float>(in_flight), ElementsAre(-0.0f, -2));
}

}  // namespace
}  // namespace tfrt::gpu
