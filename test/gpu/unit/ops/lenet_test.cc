// LeNet-5 op by op on a GPU, or its double, beside what JAX and NumPy computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
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
    auto data = lenet::ReadData(FolderOf("TFRT_LENET_DATA", TFRT_LENET_DATA),
                                FolderOf("TFRT_DIGITS_DATA", TFRT_DIGITS_DATA));
    ASSERT_TRUE(data.ok()) << data.status().ToString();
    data_ = *std::move(data);
    Init({.work_queue = "mstd:2", .order = ExecutionOrder::kFifo});
  }
  // Where the tests run on another machine than they were built on, a variable says where it is.
  static std::string FolderOf(const char* variable, const char* folder) {
    const char* other = std::getenv(variable);
    return other ? other : folder;
  }
  // The double takes a minute for all images, and several for all steps.
  static bool IsWhole() {
    return std::getenv("TFRT_LENET_WHOLE") != nullptr || !GpuDouble::Get().is_double();
  }
  eager::Tensor Images(size_t count) const {
    return eager::Tensor::FromSpan({static_cast<int64_t>(count), lenet::kSide, lenet::kSide, 1},
                                   std::span<const float>(data_.images).first(count * kPixels));
  }
  eager::Tensor Labels(size_t count) const {
    return eager::Tensor::FromSpan({static_cast<int64_t>(count)},
                                   std::span<const int32_t>(data_.labels).first(count));
  }
  // The losses of lenet_losses.py.
  static std::vector<double> Losses() {
    std::vector<double> losses;
    std::ifstream file(FolderOf("TFRT_LENET_LOSSES", TFRT_LENET_LOSSES));
    for (double loss; file >> loss;) losses.push_back(loss);
    return losses;
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
  const std::vector<double> losses = Losses();
  ASSERT_EQ(losses.size(), 20u);
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "gpu:0"});
  auto network = lenet::EagerNetwork::Create(lenet::InitialWeights());
  ASSERT_TRUE(network.ok()) << network.status().ToString();
  eager::Tensor images = Images(lenet::kTrainBatch), labels = Labels(lenet::kTrainBatch);
  // The second loss is the first that an update of the weights has changed.
  const size_t steps = IsWhole() ? losses.size() : 2;
  for (size_t i = 0; i < steps; ++i) {
    auto loss = network->TrainStep(images, labels).Item<float>();
    ASSERT_TRUE(loss.ok()) << loss.status().ToString();
    EXPECT_NEAR(*loss, losses[i], 1e-4) << "step " << i;
  }
}

// Prints a hash of the losses of some steps, and of what the network says then. lenet_bits.py
// compares those of several runs.
TEST_F(LenetTest, Bits) {
  // Small batches: nine runs of all steps with the whole batch take the double an hour.
  const size_t count = IsWhole() ? 8 : 2, steps = IsWhole() ? 20 : 2;
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "gpu:0"});
  auto network = lenet::EagerNetwork::Create(lenet::InitialWeights());
  ASSERT_TRUE(network.ok()) << network.status().ToString();
  eager::Tensor images = Images(count), labels = Labels(count);
  std::vector<eager::Tensor> results;
  for (size_t i = 0; i < steps; ++i) results.push_back(network->TrainStep(images, labels));
  results.push_back(network->Logits(images));
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const eager::Tensor& result : results) {
    auto values = result.Values<float>();
    ASSERT_TRUE(values.ok()) << values.status().ToString();
    for (std::byte byte : std::as_bytes(*values)) {
      hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
    }
  }
  std::printf("bits %016" PRIx64 "\n", hash);
}

}  // namespace
}  // namespace tfrt::gpu
