// Element-wise tapes give the bits of the ops that they are made of.

#include <cstring>
#include <random>

#include "graph_op_runner.h"
#include "lib/format/op_table/elementwise_tape.h"

namespace tfrt {
namespace {

using Kind = TapeOperand::Kind;

class TapeOpsTest : public testing::TestWithParam<const char*> {
 protected:
  TensorHandle Random(TensorShape shape, float scale = 3) {
    std::vector<float> elements(static_cast<size_t>(shape.num_elements()));
    std::normal_distribution<float> distribution(0, scale);
    for (float& each : elements) each = distribution(generator_);
    return runner_.Dense<float>(std::move(shape), elements);
  }
  TensorHandle Tape(const std::vector<TapeStep>& steps, const std::vector<float>& constants,
                    Handles arguments) {
    std::vector<int64_t> program;
    for (const TapeStep& step : steps) AppendTapeStep(step, &program);
    OpAttrs attrs;
    attrs.SetArray("program", std::span<const int64_t>(program));
    attrs.SetArray("constants", std::span<const float>(constants));
    return runner_.Run1("graph.elementwise_tape", std::move(arguments), attrs);
  }
  static void ExpectSameBits(const TensorHandle& a, const TensorHandle& b) {
    ASSERT_FALSE(a.IsError()) << a.ToString();
    ASSERT_FALSE(b.IsError()) << b.ToString();
    ASSERT_EQ(DenseOf(a).metadata(), DenseOf(b).metadata());
    EXPECT_EQ(std::memcmp(DenseOf(a).data(), DenseOf(b).data(), DenseOf(a).size_bytes()), 0);
  }

  GraphOpRunner runner_{GetParam()};
  std::mt19937 generator_{7};
};

TEST_P(TapeOpsTest, OneStepIsTheOp) {
  const std::vector<float> parameters = {0.25f, 1.5f};
  const std::vector<TensorShape> shapes[] = {
      {{3, 700}, {700}, {3, 1}}, {{40, 7}, {7}, {40, 1}}, {{2000}, {}, {1}}, {{5}, {3, 5}, {3, 1}}};
  for (int number = 1; number <= static_cast<int>(ElementwiseOp::kFloorDivide); ++number) {
    const auto op = static_cast<ElementwiseOp>(number);
    const bool is_relation = op >= ElementwiseOp::kLess && op <= ElementwiseOp::kNotEqual;
    const bool is_truth = is_relation || op == ElementwiseOp::kSignbit;
    if (!IsTapeOp(op) || RowOf(op).empty()) continue;
    if (op == ElementwiseOp::kSelect || op == ElementwiseOp::kClip) continue;
    for (const auto& of_operands : shapes) {
      SCOPED_TRACE(std::string(RowOf(op)) + " of " + of_operands[0].ToString());
      const size_t num_arguments = OperandsOf(op) - ParametersOf(op);
      if (op == ElementwiseOp::kPRelu && of_operands[0].rank() == 1) continue;
      TapeStep step{op, 3, {}};
      Handles arguments;
      for (size_t i = 0; i < OperandsOf(op); ++i) {
        if (i < num_arguments) {
          step.operands[i] = {Kind::kArgument, static_cast<uint16_t>(i)};
          arguments.push_back(Random(of_operands[i]));
        } else {
          step.operands[i] = {Kind::kConstant, static_cast<uint16_t>(i - num_arguments)};
        }
      }
      OpAttrs attrs;
      const OpDescription& row = *FindOpDescription(RowOf(op));
      for (size_t i = 0; i < ParametersOf(op); ++i) {
        const OpAttrSpec& attr = row.attrs[i];
        if (attr.kind == OpAttrSpec::Kind::kBool) {
          attrs.Set(attr.name, parameters[i] != 0);
        } else {
          attrs.Set(attr.name, parameters[i]);
        }
      }
      if (op == ElementwiseOp::kGeluTanh) attrs.Set("approximate", true);
      TensorHandle expected = runner_.Run1("graph." + std::string(row.name), arguments, attrs);
      if (is_truth) {
        OpAttrs cast;
        cast.SetType("dtype", DType::kF32);
        expected = runner_.Run1("graph.cast", {expected}, cast);
      }
      ExpectSameBits(Tape({step}, parameters, arguments), expected);
    }
  }
}

// select(x * mask > 0.5, swish(x + bias), clip(x)), with a mask of i1.
TEST_P(TapeOpsTest, ChainsAreTheOpsOneAfterTheOther) {
  TensorHandle x = Random({30, 64, 9}), bias = Random({64, 1});
  std::vector<bool> truths(9 * 30);
  TensorHandle mask = runner_.Zeros(DType::kI1, {30, 1, 9});
  auto* bytes = static_cast<uint8_t*>(const_cast<void*>(DenseOf(mask).data()));
  for (size_t i = 0; i < truths.size(); ++i) bytes[i] = generator_() % 2;

  auto arg = [](uint16_t i) { return TapeOperand{Kind::kArgument, i}; };
  auto slot = [](uint16_t i) { return TapeOperand{Kind::kSlot, i}; };
  auto number = [](uint16_t i) { return TapeOperand{Kind::kConstant, i}; };
  const std::vector<TapeStep> steps = {
      {ElementwiseOp::kAdd, 0, {arg(0), arg(1)}},
      {ElementwiseOp::kSwish, 0, {slot(0), number(1)}},
      {ElementwiseOp::kMul, 1, {arg(0), arg(2)}},
      {ElementwiseOp::kGreater, 1, {slot(1), number(0)}},
      {ElementwiseOp::kClip, 15, {arg(0), number(2), number(0)}},
      {ElementwiseOp::kSelect, 0, {slot(1), slot(0), slot(15)}},
  };
  const std::vector<float> constants = {0.5f, 1.25f, -2};
  TensorHandle half = runner_.Dense<float>({}, {0.5f}), low = runner_.Dense<float>({}, {-2});
  OpAttrs swish, cast;
  swish.Set("alpha", 1.25f);
  cast.SetType("dtype", DType::kF32);
  TensorHandle sum = runner_.Run1("graph.add", {x, bias});
  TensorHandle product = runner_.Run1("graph.mul", {x, runner_.Run1("graph.cast", {mask}, cast)});
  TensorHandle expected =
      runner_.Run1("graph.select", {runner_.Run1("graph.greater", {product, half}),
                                    runner_.Run1("graph.swish", {sum}, swish),
                                    runner_.Run1("graph.clip", {x, low, half})});
  ExpectSameBits(Tape(steps, constants, {x, bias, mask}), expected);
  // In the memory of the first argument.
  Handles given = {std::move(x), bias, mask};
  const void* memory = DenseOf(given[0]).data();
  TensorHandle result = Tape(steps, constants, std::move(given));
  ExpectSameBits(result, expected);
  EXPECT_EQ(DenseOf(result).data(), memory);
}

// Bytes become bytes, as the ops for each step give them, with numbers that leave the range.
TEST_P(TapeOpsTest, QuantizedSums) {
  std::vector<uint8_t> x(5000), y(x.size());
  std::vector<int8_t> z(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<uint8_t>(generator_());
    y[i] = static_cast<uint8_t>(generator_());
    z[i] = static_cast<int8_t>(generator_());
  }
  const auto size = static_cast<int64_t>(x.size());
  const std::vector<float> constants = {0.05f, 131, 0.031f, 7, -5, 128};
  auto constant = [](uint16_t index) { return TapeOperand{Kind::kConstant, index}; };
  auto argument = [](uint16_t index) { return TapeOperand{Kind::kArgument, index}; };
  auto slot = [](uint16_t index) { return TapeOperand{Kind::kSlot, index}; };
  OpAttrs to_i8;
  to_i8.SetType("dtype", DType::kI8);
  for (bool is_signed : {false, true}) {
    const ElementwiseOp last = is_signed ? ElementwiseOp::kQuantizeI8 : ElementwiseOp::kQuantizeU8;
    const std::vector<TapeStep> steps = {
        {ElementwiseOp::kSub, 0, {argument(0), constant(1)}},
        {ElementwiseOp::kMul, 0, {slot(0), constant(0)}},
        is_signed ? TapeStep{ElementwiseOp::kMul, 1, {argument(1), constant(2)}}
                  : TapeStep{ElementwiseOp::kSub, 1, {argument(1), constant(3)}},
        {ElementwiseOp::kAdd, 0, {slot(0), slot(1)}},
        {last, 0, {slot(0), constant(2), constant(is_signed ? 4 : 5)}}};
    auto one = [&](float number) { return runner_.Dense<float>({}, {number}); };
    TensorHandle a = runner_.Dense<uint8_t>({size}, x);
    TensorHandle b =
        is_signed ? runner_.Dense<int8_t>({size}, z) : runner_.Dense<uint8_t>({size}, y);
    TensorHandle left =
        runner_.Run1("graph.dequantize", {a, one(0.05f), runner_.Dense<uint8_t>({}, {131})});
    TensorHandle right =
        is_signed ? runner_.Run1("graph.dequantize", {b, one(0.031f)})
                  : runner_.Run1("graph.dequantize", {b, one(1), runner_.Dense<uint8_t>({}, {7})});
    TensorHandle sum = runner_.Run1("graph.add", {left, right});
    TensorHandle zero =
        is_signed ? runner_.Dense<int8_t>({}, {-5}) : runner_.Dense<uint8_t>({}, {128});
    TensorHandle expected = runner_.Run1("graph.quantize", {sum, one(0.031f), zero}, to_i8);
    ExpectSameBits(Tape(steps, constants, {a, b}), expected);
    // In the memory of the first argument, if that has the result's dtype.
    Handles given = {std::move(a), b};
    ExpectSameBits(Tape(steps, constants, std::move(given)), expected);
  }
}

TEST_P(TapeOpsTest, ConstantsAreEnough) {
  TensorHandle result =
      Tape({{ElementwiseOp::kAdd, 0, {{{Kind::kConstant, 0}, {Kind::kConstant, 0}}}}}, {1.5f}, {});
  EXPECT_EQ(result.tensor()->ToString(),
            "DenseHostTensor dtype = f32, shape = [], values = [3.000000e+00]");
}

TEST_P(TapeOpsTest, WrongProgramsAreErrors) {
  OpAttrs attrs;
  const std::vector<int64_t> program = {1, 0, 0, 1001};
  attrs.SetArray("program", std::span<const int64_t>(program));
  attrs.SetArray("constants", std::span<const float>());
  EXPECT_EQ(runner_.Error("graph.elementwise_tape", {runner_.Floats({2})}, attrs),
            "elementwise_tape: step 0 reads slot 1, which no step before has written");
}

INSTANTIATE_TEST_SUITE_P(Queues, TapeOpsTest, testing::Values("s", "mstd:2"));

}  // namespace
}  // namespace tfrt
