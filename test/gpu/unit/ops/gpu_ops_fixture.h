// GpuOpsTest: the fixture of tests of eager ops on the test double.
#ifndef TFRT_TEST_GPU_UNIT_OPS_GPU_OPS_FIXTURE_H_
#define TFRT_TEST_GPU_UNIT_OPS_GPU_OPS_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/ops/gpu_op_devices.h"
#include "test/gpu/support/gpu_double.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::gpu {

inline constexpr size_t kMiB = size_t{1} << 20;

// The elements; none, and a failure, for an error.
template <typename T>
std::vector<T> ValuesOf(const eager::Tensor& tensor) {
  auto values = tensor.Values<T>();
  EXPECT_TRUE(values.ok()) << values.status().ToString();
  return values.ok() ? std::vector<T>(values->begin(), values->end()) : std::vector<T>();
}

// A context with the devices cpu:0 and gpu:0, or those that the test names. A report of the double,
// and what is left on it, is the test's failure.
class GpuOpsTest : public testing::Test {
 protected:
  void Init(eager::ContextOptions options = {}) {
    if (options.devices.size() < 2) options.devices = {"cpu:0", "gpu:0"};
    options.register_devices = [](HostContext& host) {
      return RegisterGpuOpDevices(host, {.driver = &GpuDouble::Get().driver()});
    };
    auto context = eager::Context::Create(std::move(options));
    ASSERT_TRUE(context.ok()) << context.status().ToString();
    context_ = *std::move(context);
  }
  void TearDown() override {
    context_.reset();
    EXPECT_THAT(GpuDouble::Get().TakeReports(), testing::IsEmpty());
    for (const char* kind : {"streams", "events", "modules", "allocations", "pinned"}) {
      EXPECT_EQ(GpuDouble::Get().NumLive(kind), 0u) << kind;
    }
  }

  std::unique_ptr<eager::Context> context_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_OPS_GPU_OPS_FIXTURE_H_
