#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

TEST(RecurrentOpsTest, Layers) {
  const ValueType x = F32({kLength, kBatch, 3});
  EXPECT_EQ(Text("lstm", {x, F32({1, 20, 3}), F32({1, 20, 5})}),
            "f32 [s1, 1, s0, 5], f32 [1, s0, 5], f32 [1, s0, 5]");
  EXPECT_EQ(Text("gru", {x, F32({2, 15, 3}), F32({2, 15, 5}), F32({2, 30})},
                 {{"direction", std::string("bidirectional")}}),
            "f32 [s1, 2, s0, 5], f32 [2, s0, 5]");
  EXPECT_EQ(Text("rnn", {x, F32({1, 5, 3}), F32({1, 5, 5})}, {{"batch_first", true}}),
            "f32 [s1, s0, 1, 5], f32 [s1, 1, 5]");
  std::vector<ValueType> all = {x,
                                F32({1, 20, 3}),
                                F32({1, 20, 5}),
                                F32({1, 40}),
                                {DType::kI32, {kBatch}},
                                F32({1, kBatch, 5}),
                                F32({1, kBatch, 5}),
                                F32({1, 15})};
  EXPECT_EQ(Text("lstm", all), "f32 [s1, 1, s0, 5], f32 [1, s0, 5], f32 [1, s0, 5]");
  all[7] = F32({1, 20});
  EXPECT_EQ(Text("lstm", all), "lstm: peepholes has the shape [1, 20], expected [1, 15]");
}

TEST(RecurrentOpsTest, Errors) {
  const ValueType x = F32({4, 2, 3});
  EXPECT_EQ(Text("rnn", {x, F32({1, 4, 3}), F32({1, 5, 5})}),
            "rnn: w has the shape [1, 4, 3], expected [1, 5, 3]");
  EXPECT_EQ(Text("rnn", {x, F32({1, 5, 3}), F32({1, 5, 5})}, {{"direction", std::string("up")}}),
            "rnn: unknown direction 'up', expected forward, reverse or bidirectional");
  EXPECT_EQ(Text("gru", {x, F32({2, 15, 3}), F32({2, 15, 5})}),
            "gru: w has the shape [2, 15, 3], expected [1, 15, 3]");
}

TEST(RecurrentOpsTest, WeightsOfBytes) {
  const std::vector<ValueType> all = {F32({kLength, kBatch, 3}), {DType::kI8, {1, 3, 20}},
                                      {DType::kI8, {1, 5, 20}},  F32({1}),
                                      {DType::kI8, {1}},         F32({1, 20}),
                                      {DType::kI8, {1, 20}},     F32({1, 40})};
  auto text = [&](size_t index, ValueType argument) {
    std::vector<ValueType> changed = all;
    changed[index] = std::move(argument);
    return Text("dynamic_quantized_lstm", changed);
  };
  EXPECT_EQ(text(0, all[0]), "f32 [s1, 1, s0, 5], f32 [1, s0, 5], f32 [1, s0, 5]");
  EXPECT_EQ(text(1, F32({1, 3, 20})), "dynamic_quantized_lstm: w is f32, expected i8 or u8");
  EXPECT_EQ(text(1, {DType::kI8, {1, 20, 3}}),
            "dynamic_quantized_lstm: w has the shape [1, 20, 3], expected [1, 3, 20]");
  EXPECT_EQ(text(3, F32({1, 5})),
            "dynamic_quantized_lstm: the scales of w have the shape [1, 5], expected [1] or [1, "
            "20]");
  EXPECT_EQ(text(6, {DType::kI8, {2}}),
            "dynamic_quantized_lstm: the zero points of r have the shape [2], expected [1] or [1, "
            "20]");
  EXPECT_EQ(text(4, {DType::kUI8, {1}}), "dynamic_quantized_lstm: incompatible dtypes i8 and u8");
  EXPECT_EQ(text(7, F32({1, 20})),
            "dynamic_quantized_lstm: the bias has the shape [1, 20], expected [1, 40]");
}

TEST(RecurrentOpsTest, NothingKnownIsNoError) {
  for (const char* op : {"lstm", "gru", "rnn", "dynamic_quantized_lstm"}) {
    std::vector<ValueType> arguments(FindOpDescription(op)->arguments.size());
    EXPECT_EQ(Text(op, arguments).find(op), std::string::npos) << op << ": " << Text(op, arguments);
  }
}

}  // namespace
}  // namespace tfrt
