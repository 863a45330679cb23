#include <memory>
#include <span>
#include <string>

#include "gtest/gtest.h"
#include "network.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"

namespace lenet {
namespace {

using namespace tfrt::eager;

struct Way {
  const char* name;
  const char* queue;
  ScopeOptions scope;
  ExecutionOrder order = ExecutionOrder::kDataflow;
};

class EagerLenetTest : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    auto data = ReadData(TFRT_LENET_DATA, TFRT_DIGITS_DATA);
    ASSERT_TRUE(data.ok()) << data.status().ToString();
    data_ = *std::move(data);
    auto context = Context::Create(
        {.work_queue = GetParam().queue, .devices = {"cpu:0", "cpu:1"}, .order = GetParam().order});
    ASSERT_TRUE(context.ok()) << context.status().ToString();
    context_ = *std::move(context);
    scope_ = std::make_unique<Scope>(*context_, GetParam().scope);
  }
  Tensor Images(size_t first, size_t count) const {
    auto pixels = std::span(data_.images).subspan(first * kPixels, count * kPixels);
    return Tensor::FromSpan({static_cast<int64_t>(count), kSide, kSide, 1}, pixels);
  }
  // The logits for images [first, first + count).
  void ExpectLogits(const Tensor& logits, size_t first, size_t count) {
    auto values = logits.Values<float>();
    ASSERT_TRUE(values.ok()) << values.status().ToString();
    EXPECT_LE(
        LargestDifference(
            *values, std::span(data_.logits).subspan(first * kNumClasses, count * kNumClasses)),
        kLogitTolerance)
        << "from image " << first;
  }

  Data data_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<Scope> scope_;
};
INSTANTIATE_TEST_SUITE_P(
    Ways, EagerLenetTest,
    testing::Values(
        Way{"Sync", "s", {}}, Way{"SyncFourThreads", "mstd:4", {}},
        Way{"Async", "mstd:4", {.mode = ExecutionMode::kAsync}},
        Way{"AsyncOneThread", "s", {.mode = ExecutionMode::kAsync}},
        Way{"AsyncInOrder", "mstd:2", {.mode = ExecutionMode::kAsync}, ExecutionOrder::kFifo},
        Way{"AnotherDevice", "mstd:2", {.mode = ExecutionMode::kAsync, .device = "cpu:1"}}),
    [](const auto& info) { return info.param.name; });

TEST_P(EagerLenetTest, AnswersAsJaxDoes) {
  auto network = EagerNetwork::Create(data_.weights);
  ASSERT_TRUE(network.ok()) << network.status().ToString();
  ExpectLogits(network->Logits(Images(0, kNumImages)), 0, kNumImages);
  ExpectLogits(network->Logits(Images(3, 1)), 3, 1);
  Tensor logits = network->Logits(Images(64, 64));
  ExpectLogits(logits, 64, 64);
  EXPECT_EQ(logits.device(), GetParam().scope.device.empty() ? "cpu:0" : "cpu:1");
}

TEST_P(EagerLenetTest, TrainsAsJaxDoes) {
  auto network = EagerNetwork::Create(InitialWeights());
  ASSERT_TRUE(network.ok()) << network.status().ToString();
  Tensor images = Images(0, kTrainBatch);
  Tensor labels =
      Tensor::FromSpan({kTrainBatch}, std::span<const int32_t>(data_.labels).first(kTrainBatch));
  for (size_t i = 0; i < kTrainSteps; ++i) {
    auto loss = network->TrainStep(images, labels).Item<float>();
    ASSERT_TRUE(loss.ok()) << loss.status().ToString();
    EXPECT_NEAR(*loss, data_.losses[i], kLossTolerance) << "step " << i;
  }
}

TEST_P(EagerLenetTest, ReportsWhatItCannotUse) {
  EXPECT_EQ(EagerNetwork::Create(std::span(data_.weights).first(7)).status().message(),
            "7 weights, expected 61706");
  auto network = EagerNetwork::Create(data_.weights);
  ASSERT_TRUE(network.ok());
  // The error names the op that does not take them, though others follow it.
  Tensor color = Tensor::FromArray(HostArray({1, 1, 2, 3}, {1.f, 2.f, 3.f, 4.f, 5.f, 6.f}));
  std::string message(network->Logits(color).status().message());
  EXPECT_NE(message.find("network.cc:"), std::string::npos) << message;
  EXPECT_NE(message.find("tfrt.Conv2DBias"), std::string::npos) << message;
}

}  // namespace
}  // namespace lenet
