// A context of eager ops with GPUs: its devices, their options and memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::Relu;
using eager::Scope;
using testing::ElementsAre;
using testing::HasSubstr;

class GpuContextTest : public GpuOpsTest {
 protected:
  DeviceMemoryStatistics memory(std::string_view device = "gpu:0") {
    return context_->memory_statistics(device).value();
  }
  // Floats, all 1.
  static HostArray Ones(int64_t count) {
    const int64_t dims[] = {count};
    return HostArray::Take(std::span<const int64_t>(dims),
                           std::vector<float>(static_cast<size_t>(count), 1));
  }
};

TEST_F(GpuContextTest, AllOfThem) {
  Init({.devices = {"cpu:0", "gpu:*"}});
  EXPECT_THAT(context_->devices(), ElementsAre("cpu:0", "gpu:0", "gpu:1"));
}

TEST_F(GpuContextTest, MemoryIsCountedAndTrimmed) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x = eager::Tensor::FromArray(Ones(3 * kMiB));
  EXPECT_EQ(memory().bytes_in_use, 12 * kMiB);
  EXPECT_GE(memory().pinned_bytes, 4 * kMiB);
  {
    eager::Tensor y = Relu(x);
    EXPECT_EQ(y.status(), OkStatus());
    EXPECT_EQ(memory().bytes_in_use, 24 * kMiB);
  }
  EXPECT_EQ(memory().bytes_in_use, 12 * kMiB);
  EXPECT_EQ(memory().bytes_cached, 20 * kMiB);
  EXPECT_EQ(memory().limit_bytes, 0u);
  EXPECT_EQ(context_->TrimMemory("gpu:0"), OkStatus());
  // The segment is needed for the tensor.
  EXPECT_EQ(memory().bytes_cached, 20 * kMiB);
  x = eager::Tensor();
  EXPECT_EQ(context_->TrimMemory("gpu:0"), OkStatus());
  EXPECT_EQ(memory().bytes_in_use, 0u);
  EXPECT_EQ(memory().bytes_cached, 0u);
  EXPECT_EQ(memory().peak_bytes_in_use, 24 * kMiB);
  EXPECT_EQ(memory().peak_bytes_reserved, 32 * kMiB);
}

TEST_F(GpuContextTest, OutOfMemoryIsAnErrorOfTheLine) {
  Init({.accelerator = {.memory_limit_bytes = 32 * kMiB}});
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x = eager::Tensor::FromArray(Ones(5 * kMiB));
  ASSERT_EQ(x.status(), OkStatus());
  const uint32_t line = std::source_location::current().line() + 1;
  eager::Tensor y = Relu(x);
  EXPECT_EQ(y.status().code(), StatusCode::kResourceExhausted);
  const std::string message(y.status().message());
  EXPECT_THAT(message, HasSubstr("context_test.cc:" + std::to_string(line) +
                                 ": tf.Relu: Out of memory trying to allocate 20.00MiB ("));
  EXPECT_THAT(message, HasSubstr(" on GPU 0 (CUDA). In use: 20.00MiB, cached: 12.00MiB, limit: "
                                 "32.00MiB: 20971520 bytes for f32 [5242880]"));
  // The other device has its own limit, and everything goes on.
  EXPECT_EQ(memory().limit_bytes, 32 * kMiB);
  EXPECT_EQ(x.status(), OkStatus());
  x = y = eager::Tensor();
  EXPECT_EQ(Relu(eager::Tensor::FromArray(Ones(2 * kMiB))).status(), OkStatus());
  // A copy that does not fit, too.
  eager::Tensor large = eager::Tensor::FromArray(Ones(9 * kMiB));
  EXPECT_THAT(std::string(large.status().message()),
              HasSubstr("Copy: Out of memory trying to allocate 36.00MiB ("));
}

}  // namespace
}  // namespace tfrt::gpu
