#include "lib/format/op_table/elementwise_tape.h"

#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

using Kind = TapeOperand::Kind;

std::string Decoded(const Numbers& program, size_t num_arguments = 2, size_t num_constants = 1) {
  auto steps = DecodeTape(program, num_arguments, num_constants);
  if (!steps.ok()) return std::string(steps.status().message());
  std::string text;
  for (const TapeStep& step : *steps) {
    text += std::to_string(step.destination) + "=" + std::string(RowOf(step.op));
    for (size_t i = 0; i < OperandsOf(step.op); ++i) {
      text += std::string(1, " asc"[1 + static_cast<int>(step.operands[i].kind)]) +
              std::to_string(step.operands[i].index);
    }
    text += ";";
  }
  return text;
}

// The numbers are in files: a new op gets a new one.
TEST(ElementwiseTapeTest, NumbersStayWhatTheyAre) {
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kAdd), 1);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kSelect), 15);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kExp), 23);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kRelu), 41);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kGeluTanh), 53);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kIsInf), 66);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kReluGrad), 67);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kQuantizeI8), 69);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kExpm1), 70);
  EXPECT_EQ(static_cast<int>(ElementwiseOp::kFloorDivide), 81);
}

TEST(ElementwiseTapeTest, OpsAreRowsOfTheTable) {
#define TFRT_CHECK(number, name, row, operands, parameters, in_tapes)           \
  {                                                                             \
    const OpDescription* op = FindOpDescription(row);                           \
    ASSERT_TRUE(op) << row;                                                     \
    EXPECT_EQ(op->arguments.size(), size_t{operands} - parameters) << row;      \
    if (parameters > 0) EXPECT_EQ(op->attrs.size(), size_t{parameters}) << row; \
    EXPECT_EQ(RowOf(ElementwiseOp::name), row);                                 \
    EXPECT_EQ(IsTapeOp(ElementwiseOp::name), in_tapes);                         \
    if (number != 53) EXPECT_EQ(FindElementwiseOp(row), ElementwiseOp::name);   \
  }
  TFRT_ELEMENTWISE_OPS(TFRT_CHECK)
#undef TFRT_CHECK
  EXPECT_FALSE(FindElementwiseOp("matmul"));
}

TEST(ElementwiseTapeTest, ProgramsAreWrittenAndRead) {
  std::vector<int64_t> program;
  AppendTapeStep({ElementwiseOp::kSwish, 3, {{{Kind::kArgument, 0}, {Kind::kConstant, 0}}}},
                 &program);
  AppendTapeStep({ElementwiseOp::kMul, 0, {{{Kind::kSlot, 3}, {Kind::kArgument, 1}}}}, &program);
  EXPECT_EQ(program, (Numbers{45, 3, 0, 2000, 3, 0, 1003, 1}));
  EXPECT_EQ(Decoded(program), "3=swisha0c0;0=muls3a1;");
}

TEST(ElementwiseTapeTest, WrongProgramsAreErrors) {
  EXPECT_EQ(Decoded({}), "the program has no steps");
  EXPECT_EQ(Decoded({0, 0, 0}), "step 0 has the op 0, which is none of a tape");
  EXPECT_EQ(Decoded({67, 0, 0}), "step 0 has the op 67, which is none of a tape");
  EXPECT_EQ(Decoded({58, 0, 0}), "step 0 has the op 58, which is none of a tape");
  EXPECT_EQ(Decoded({82, 0, 0}), "step 0 has the op 82, which is none of a tape");
  EXPECT_EQ(Decoded({-1}), "step 0 has the op -1, which is none of a tape");
  EXPECT_EQ(Decoded({1, 0, 0}), "step 0 ends after 2 of 3 numbers");
  EXPECT_EQ(Decoded({1, 16, 0, 0}), "step 0 writes slot 16 of 16");
  EXPECT_EQ(Decoded({1, -1, 0, 0}), "step 0 writes slot -1 of 16");
  EXPECT_EQ(Decoded({1, 0, 0, 2}), "step 0 reads argument 2 of 2");
  EXPECT_EQ(Decoded({1, 0, 0, -2}), "step 0 reads the operand -2, which is nothing");
  EXPECT_EQ(Decoded({1, 0, 0, 2001}), "step 0 reads the operand 2001, which is nothing");
  EXPECT_EQ(Decoded({17, 1, 0, 17, 2, 1002}),
            "step 1 reads slot 2, which no step before has written");
  EXPECT_EQ(Decoded({17, 1, 1001}), "step 0 reads slot 1, which no step before has written");
  EXPECT_EQ(Decoded({17, 1, 1999}), "step 0 reads slot 999, which no step before has written");
  EXPECT_EQ(Decoded({42, 0, 0, 1}), "step 0 has an operand 1 of leaky_relu that is no constant");
  EXPECT_EQ(Decoded({17, 0, 0}, 17), "there are 17 arguments, at most 16 fit");
  EXPECT_EQ(Decoded({17, 0, 0}, 1, 70000), "there are 70000 constants");
  Numbers steps;
  for (size_t i = 0; i <= kMaxTapeSteps; ++i) steps.insert(steps.end(), {17, 0, 0});
  EXPECT_EQ(Decoded(steps), "the program has more than 256 steps");
}

TEST(ElementwiseTapeTest, TheResultIsBroadcast) {
  Attrs attrs = {{"program", Numbers{1, 0, 0, 1}}, {"constants", std::vector<float>()}};
  EXPECT_EQ(Text("elementwise_tape", {F32({kBatch, 1}), I1({3})}, attrs), "f32 [s0, 3]");
  EXPECT_EQ(Text("elementwise_tape", {F32({2}), I64({2})}, attrs),
            "elementwise_tape: argument 1 is i64, expected f32, i1, i8 or u8");
  EXPECT_EQ(Text("elementwise_tape", {F32({2})}, attrs),
            "elementwise_tape: step 0 reads argument 1 of 1");
  EXPECT_EQ(Text("elementwise_tape", {ValueType(), ValueType()}, attrs), "f32 [*]");
}

}  // namespace
}  // namespace tfrt
