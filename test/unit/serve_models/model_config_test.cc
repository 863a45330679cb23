#include "lib/serve/models/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tfrt::serve {
namespace {

using std::chrono::microseconds;
using testing::ElementsAre;

TEST(ModelConfigTest, ReadsAllFields) {
  StatusOr<ModelConfig> config = ParseModelConfig(R"(
# a comment
name: "bert"
platform: "onnxruntime_onnx"
max_batch_size: 32
input [ { name: "x" data_type: TYPE_FP32 dims: [ -1, 3 ] } ]
dynamic_batching {
  max_queue_delay_microseconds: 500
  default_queue_policy: < max_queue_size: 64, default_timeout_microseconds: 1000000; >
}
instance_group [ { count: 2 kind: KIND_CPU }, { count: 1 } ]
version_policy: { specific { versions: [1, 3] } }
)",
                                                  "bert");
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->max_batch_size, 32);
  EXPECT_EQ(config->max_queue_delay, microseconds(500));
  EXPECT_EQ(config->max_queue_size, 64);
  EXPECT_EQ(config->default_timeout, microseconds(1000000));
  EXPECT_EQ(config->num_sessions, 3);
  EXPECT_THAT(config->versions, ElementsAre(1, 3));
}

TEST(ModelConfigTest, ReadsPoliciesOfVersions) {
  EXPECT_TRUE(ParseModelConfig("version_policy { all {} }", "m")->all_versions);
  EXPECT_EQ(ParseModelConfig("version_policy: { latest: { num_versions: 2 } }", "m")->num_latest,
            2);
  EXPECT_EQ(ParseModelConfig("", "m")->num_latest, 1);
  EXPECT_FALSE(ParseModelConfig("", "m")->max_batch_size.has_value());
}

TEST(ModelConfigTest, NamesWhatItRefuses) {
  const struct {
    std::string text;
    const char* message;
  } cases[] = {
      {"name: 'other'", "config.pbtxt:1: name is 'other', but the folder is 'm'"},
      {"\nmax_batch_size: -1", "config.pbtxt:2: max_batch_size is -1, expected 0 to 1048576"},
      {"max_batch_size: many", "config.pbtxt:1: max_batch_size is 'many', expected an integer"},
      {"max_batch_size 3", "config.pbtxt:1: ':' is missing after max_batch_size"},
      {"max_batch_size: 99999999999999999999",
       "config.pbtxt:1: max_batch_size is '99999999999999999999', expected an integer"},
      {"ensemble_scheduling {}", "config.pbtxt:1: ensemble_scheduling is not supported"},
      {"dynamic_batching { priority_levels: 2 }",
       "config.pbtxt:1: priority_levels is not supported"},
      {"dynamic_batching { default_queue_policy { timeout_action: REJECT } }",
       "config.pbtxt:1: timeout_action is not supported"},
      {"max_batch_size: 0 dynamic_batching {}",
       "config.pbtxt: dynamic_batching needs max_batch_size above 0"},
      {"instance_group { kind: KIND_GPU }",
       "config.pbtxt:1: kind is KIND_GPU, expected KIND_CPU or KIND_AUTO"},
      {"instance_group { gpus: [0] }", "config.pbtxt:1: gpus is not supported"},
      {"instance_group [ { count: 1000 }, { count: 25 } ]",
       "config.pbtxt:1: count makes 1025 sessions, at most 1024 are possible"},
      {"version_policy {}", "config.pbtxt:1: version_policy needs one of latest, all and specific"},
      {"version_policy { specific {} }", "config.pbtxt:1: specific names no versions"},
      {"version_policy { newest {} }", "config.pbtxt:1: newest is not supported"},
      {"name: \"m", "config.pbtxt:1: a text has no end"},
      {"name: \"a\\nb\"", "config.pbtxt:1: texts with '\\' or line breaks are not supported"},
      {"input [ {", "config.pbtxt:1: '}' is missing"},
      {"input [ {} {} ]", "config.pbtxt:1: the list of input has no end"},
      {"name: }", "config.pbtxt:1: '}' where a word should be"},
      {"name:", "config.pbtxt:1: the text ends where a word should be"},
  };
  for (const auto& refused : cases) {
    EXPECT_EQ(ParseModelConfig(refused.text, "m").status(), InvalidArgumentError(refused.message))
        << refused.text;
  }
}

TEST(ModelConfigTest, SizeIsBounded) {
  EXPECT_TRUE(ParseModelConfig(std::string(1 << 20, ' '), "m").ok());
  EXPECT_EQ(ParseModelConfig(std::string((1 << 20) + 1, ' '), "m").status(),
            InvalidArgumentError("config.pbtxt has 1048577 bytes, but may have 1048576"));
}

TEST(ModelConfigTest, DepthIsBounded) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "input {";
  EXPECT_EQ(ParseModelConfig(text, "m").status(),
            InvalidArgumentError("config.pbtxt:1: more than 32 messages in each other"));
}

TEST(ModelConfigTest, EveryPrefixIsReadOrRefused) {
  const std::string text =
      "name: \"m\" instance_group [ { count: 2 } ] version_policy { specific { versions: [1] } }";
  for (size_t size = 0; size <= text.size(); ++size) {
    (void)ParseModelConfig(text.substr(0, size), "m").status();
  }
}

}  // namespace
}  // namespace tfrt::serve
