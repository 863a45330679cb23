// Eager ops on a GPU make few calls of the driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

using eager::ExecutionMode;
using eager::ExecutionOrder;
using eager::HostArray;
using eager::Scope;
using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

class DriverCallsTest : public GpuOpsTest {
 protected:
  // How often each of the functions was called that were; "all" is their sum.
  std::map<std::string, uint64_t> Calls() {
    std::map<std::string, uint64_t> calls;
    for (const char* function :
         {"cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2",
          "cuMemcpyPeerAsync", "cuEventRecord", "cuStreamWaitEvent", "cuEventSynchronize"}) {
      if (uint64_t number = GpuDouble::Get().NumCalls(function)) calls[function] = number;
    }
    calls["all"] = GpuDouble::Get().NumCalls(nullptr);
    return calls;
  }

  static HostArray Square(double value) {
    const int64_t dims[] = {64, 64};
    return HostArray::Take(std::span<const int64_t>(dims), std::vector<double>(64 * 64, value));
  }
};

// The steps of EagerStepsTest.GoldenOrder on the driver: two copies to the device, each with a
// record, and one wait of the compute stream for both, whichever of them comes first.
TEST_F(DriverCallsTest, GoldenOrder) {
  Init({.order = ExecutionOrder::kFifo});
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "gpu:0"});
  for (bool is_first_later : {true, false}) {
    // The memory of a round comes back when the threads that wait for the device have dropped it,
    // which may be later than its values. A round that begins before allocates once more.
    std::map<std::string, uint64_t> calls;
    for (int round = 0; round < 20 && calls["all"] != 12; ++round) {
      GpuDouble::Get().ClearCalls();
      {
        eager::Tensor y = eager::Tensor::FromArray(Square(1)),
                      x = eager::Tensor::FromArray(Square(0.5));
        eager::Tensor product = is_first_later ? eager::MatMul(x, y, {.transpose_b = true})
                                               : eager::MatMul(y, x, {.transpose_b = true});
        eager::Tensor z = eager::Relu(product);
        auto values = z.Values<double>();
        ASSERT_TRUE(values.ok()) << values.status().ToString();
        EXPECT_EQ((*values)[64 * 64 - 1], 32);
      }
      context_->Wait();
      calls = Calls();
    }
    EXPECT_THAT(calls,
                UnorderedElementsAre(Pair("cuMemcpyHtoDAsync_v2", 2u), Pair("cuLaunchKernel", 2u),
                                     Pair("cuMemcpyDtoHAsync_v2", 1u), Pair("cuEventRecord", 4u),
                                     Pair("cuStreamWaitEvent", 2u), Pair("cuEventSynchronize", 1u),
                                     Pair("all", 12u)));
  }
}

// Once their kernels are loaded and blocks have come back, ops are launches and nothing else.
TEST_F(DriverCallsTest, AWarmOpIsOneLaunch) {
  Init({});
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x =
      eager::Tensor::FromArray(HostArray({16, 16}, std::vector<float>(256, 0.5f))).To("gpu:0");
  eager::Tensor row =
      eager::Tensor::FromArray(HostArray({16}, std::vector<float>(16, 2.0f))).To("gpu:0");
  auto relu = [&] { return eager::Relu(x); };
  auto sum = [&] { return eager::AddV2(x, row); };
  auto product = [&] { return eager::MatMul(x, x); };
  const HostArray begin({2}, {0, 3}), size({2}, {16, 5});
  auto columns = [&] { return eager::Slice(x, begin, size); };
  auto run = [&](auto op) {
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(op().valid());
    // The threads that wait for the device have nothing left to do.
    for (const eager::Tensor& each : {x, row, op()}) EXPECT_EQ(each.status(), OkStatus());
    context_->Wait();
    GpuDouble::Get().ClearCalls();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(op().valid());
    EXPECT_THAT(Calls(), UnorderedElementsAre(Pair("cuLaunchKernel", 1000u), Pair("all", 1000u)));
  };
  run(relu);
  run(sum);
  run(product);
  run(columns);
}

}  // namespace
}  // namespace tfrt::gpu
