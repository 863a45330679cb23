#include "lenet.h"

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace lenet {
namespace {

class LenetTest : public testing::TestWithParam<const char*> {
 protected:
  LenetTest() {
    auto data = ReadData(TFRT_LENET_DATA, TFRT_DIGITS_DATA);
    EXPECT_TRUE(data.ok()) << data.status().ToString();
    if (data.ok()) data_ = *std::move(data);
  }
  std::unique_ptr<Network> MakeNetwork(std::span<const float> weights) {
    auto image = tfrt::BefImage::FromFile(TFRT_LENET_BEF);
    EXPECT_TRUE(image.ok()) << image.status().ToString();
    auto network = Network::Create(*std::move(image), weights, GetParam());
    EXPECT_TRUE(network.ok()) << network.status().ToString();
    return network.ok() ? *std::move(network) : nullptr;
  }
  // The answers for images [first, first + count).
  void ExpectAnswers(Network* network, size_t first, size_t count) {
    auto answers =
        network->Classify(std::span(data_.images).subspan(first * kPixels, count * kPixels));
    ASSERT_TRUE(answers.ok()) << answers.status().ToString();
    ASSERT_EQ(answers->classes.size(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(answers->classes[i], data_.classes[first + i]) << "image " << first + i;
    }
    for (size_t i = 0; i < count * kNumClasses; ++i) {
      ASSERT_NEAR(answers->logits[i], data_.logits[first * kNumClasses + i], 1e-4);
    }
  }
  Data data_;
};
INSTANTIATE_TEST_SUITE_P(Queues, LenetTest, testing::Values("s", "mstd:4"),
                         [](const auto& info) { return info.index == 0 ? "one" : "four"; });

TEST_P(LenetTest, AnswersAsJaxDoesInBatchesOfAnySize) {
  auto network = MakeNetwork(data_.weights);
  ASSERT_NE(network, nullptr);
  ExpectAnswers(network.get(), 0, kNumImages);
  for (size_t first = 0; first + 64 <= kNumImages; first += 64) {
    ExpectAnswers(network.get(), first, 64);
  }
  for (size_t first = 0; first < kNumImages; ++first) ExpectAnswers(network.get(), first, 1);
}

TEST_P(LenetTest, TrainsAsJaxDoes) {
  auto network = MakeNetwork(InitialWeights());
  ASSERT_NE(network, nullptr);
  for (size_t i = 0; i < kTrainSteps; ++i) {
    auto loss = network->TrainStep(std::span(data_.images).first(kTrainBatch * kPixels),
                                   std::span(data_.labels).first(kTrainBatch));
    ASSERT_TRUE(loss.ok()) << loss.status().ToString();
    EXPECT_NEAR(*loss, data_.losses[i], 1e-5) << "step " << i;
  }
}

TEST_P(LenetTest, ReportsWhatItCannotUse) {
  auto network = MakeNetwork(data_.weights);
  ASSERT_NE(network, nullptr);
  EXPECT_EQ(network->Classify(std::span(data_.images).first(2 * kPixels)).status().message(),
            "couldn't find function classify_2");
  EXPECT_EQ(network->Classify(std::span(data_.images).first(kPixels + 1)).status().message(),
            "785 elements for a tensor of the shape [1, 28, 28, 1]");
  auto image = tfrt::BefImage::FromFile(TFRT_LENET_BEF);
  EXPECT_EQ(
      Network::Create(*std::move(image), std::span(data_.weights).first(7), "s").status().message(),
      "7 weights, expected 61706");
  EXPECT_EQ(ReadData("/nowhere", TFRT_DIGITS_DATA).status().message(),
            "cannot open /nowhere/classes.i32");
  std::string folder = testing::TempDir() + "lenet_short_" + GetParam();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/classes.i32") << "short";
  EXPECT_EQ(ReadData(folder, TFRT_DIGITS_DATA).status().message(),
            folder + "/classes.i32 has 5 bytes, expected 1800");
}

}  // namespace
}  // namespace lenet
