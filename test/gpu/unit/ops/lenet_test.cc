// LeNet-5 op by op on a GPU, or its double, beside what JAX computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "network.h"
#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

using eager::ExecutionMode;
using eager::ExecutionOrder;
using eager::Scope;
using lenet::kNumClasses;
using lenet::kNumImages;
using lenet::kPixels;

class LenetTest : public GpuOpsTest {
 protected:
  void SetUp() override {
    auto data = lenet::ReadData(TFRT_LENET_DATA, TFRT_DIGITS_DATA);
    ASSERT_TRUE(data.ok()) << data.status().ToString();
    data_ = *std::move(data);
    Init({.work_queue = "mstd:2", .order = ExecutionOrder::kFifo});
  }
  // The double takes a minute for all images, and several for all steps.
  static bool IsWhole() { return std::getenv("TFRT_LENET_WHOLE") != nullptr; }
  eager::Tensor Images(size_t count) const {
    return eager::Tensor::FromSpan({static_cast<int64_t>(count), lenet::kSide, lenet::kSide, 1},
                                   std::span<const float>(data_.images).first(count * kPixels));
  }
  static size_t ClassOf(std::span<const float> logits) {
    return static_cast<size_t>(std::ranges::max_element(logits) - logits.begin());
  }

  lenet::Data data_;
};

TEST_F(LenetTest, ClassifiesImages) {
  const size_t count = IsWhole() ? kNumImages : 48;
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "gpu:0"});
  auto network = lenet::EagerNetwork::Create(data_.weights);
  ASSERT_TRUE(network.ok()) << network.status().ToString();
  eager::Tensor logits = network->Logits(Images(count));
  auto values = logits.Values<float>();
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(logits.device(), "gpu:0");
  size_t same = 0;
  for (size_t i = 0; i < count; ++i) {
    same += ClassOf(values->subspan(i * kNumClasses, kNumClasses)) ==
            ClassOf(std::span<const float>(data_.logits).subspan(i * kNumClasses, kNumClasses));
  }
  EXPECT_EQ(same, count);
}

TEST_F(LenetTest, Trains) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "gpu:0"});
  auto network = lenet::EagerNetwork::Create(lenet::InitialWeights());
  ASSERT_TRUE(network.ok()) << network.status().ToString();
  eager::Tensor images = Images(lenet::kTrainBatch);
  eager::Tensor labels = eager::Tensor::FromSpan(
      {lenet::kTrainBatch}, std::span<const int32_t>(data_.labels).first(lenet::kTrainBatch));
  // The second loss is the first that an update of the weights has changed.
  const size_t steps = IsWhole() ? lenet::kTrainSteps : 2;
  for (size_t i = 0; i < steps; ++i) {
    auto loss = network->TrainStep(images, labels).Item<float>();
    ASSERT_TRUE(loss.ok()) << loss.status().ToString();
    EXPECT_NEAR(*loss, data_.losses[i], 1e-4) << "step " << i;
  }
}

}  // namespace
}  // namespace tfrt::gpu
