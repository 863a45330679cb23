#include "labels.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace file_types {
namespace {

constexpr const char* kConfig = R"({
  "beg_size": 4, "end_size": 4, "block_size": 16, "padding_token": 256, "min_file_size_for_dl": 3,
  "medium_confidence_threshold": 0.5, "target_labels_space": ["c", "png", "noise"],
  "thresholds": {"c": 0.9}, "overwrite_map": {"noise": "unknown"}})";
constexpr const char* kTypes = R"({"c": {"is_text": true}, "png": {"is_text": false}})";

class LabelsTest : public testing::Test {
 protected:
  ~LabelsTest() override {
    std::remove(config_.c_str());
    std::remove(types_.c_str());
  }
  tfrt::StatusOr<Labels> Read(const std::string& config, const std::string& types) {
    std::ofstream(config_) << config;
    std::ofstream(types_) << types;
    return Labels::Read(config_, types_);
  }
  std::string config_ = testing::TempDir() + "/config" + std::to_string(getpid());
  std::string types_ = testing::TempDir() + "/types" + std::to_string(getpid());
};

TEST_F(LabelsTest, NamesTheMostProbableType) {
  auto labels = Read(kConfig, kTypes);
  ASSERT_TRUE(labels.ok()) << labels.status().ToString();
  EXPECT_EQ(labels->num_outputs(), 3u);
  EXPECT_EQ(labels->feature_sizes().padding_token, 256);
  auto name = [&](std::vector<float> scores) { return labels->Name(scores).label; };
  EXPECT_EQ(name({0.95f, 0.05f, 0}), "c");
  EXPECT_EQ(name({0.8f, 0.2f, 0}), "txt") << "its own threshold is 0.9";
  EXPECT_EQ(name({0.1f, 0.6f, 0.3f}), "png");
  EXPECT_EQ(name({0.3f, 0.4f, 0.3f}), "unknown");
  EXPECT_EQ(name({0, 0.1f, 0.9f}), "unknown") << "is written over";
  EXPECT_FLOAT_EQ(static_cast<float>(labels->Name(std::vector<float>{0, 0.75f, 0}).score), 0.75f);
}

TEST_F(LabelsTest, NamesSmallFilesByTheirBytes) {
  EXPECT_EQ(Labels::NameSmall({0, "", ""}).label, "empty");
  EXPECT_EQ(Labels::NameSmall({2, "ab", "ab"}).label, "txt");
  EXPECT_EQ(Labels::NameSmall({2, "\xff\xfe", "\xff\xfe"}).label, "unknown");
}

TEST_F(LabelsTest, SaysWhatIsMissing) {
  EXPECT_EQ(Read("[]", kTypes).status().message(), config_ + " is not a JSON object");
  EXPECT_EQ(Read("{}", kTypes).status().message(), "the configuration lacks 'block_size'");
  EXPECT_EQ(Read(kConfig, "{").status().message(), types_ + " is not a JSON object");
  EXPECT_EQ(Labels::Read("/there/is/none", types_).status().message(),
            "cannot open /there/is/none");
}

}  // namespace
}  // namespace file_types
