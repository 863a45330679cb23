// Casts and quantisation: what NumPy's cases do not show.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graph_op_runner.h"

namespace tfrt {
namespace {

template <typename T>
std::vector<T> ElementsOf(const TensorHandle& handle) {
  if (handle.IsError()) {
    ADD_FAILURE() << handle.async_tensor()->GetError().message();
    return {};
  }
  const DenseHostTensor tensor = DenseOf(handle).ShareBuffer();
  const auto* data = static_cast<const T*>(tensor.data());
  return {data, data + tensor.num_elements()};
}

TEST(ConversionGraphOpsTest, ACastToTheSameIsTheArgument) {
  GraphOpRunner runner;
  OpAttrs attrs;
  attrs.SetType("dtype", DType::kI32);
  TensorHandle in = runner.Ints({1, 2});
  EXPECT_EQ(DenseOf(runner.Run1("graph.cast", {in}, attrs)).data(), DenseOf(in).data());
}

// Rows of all lengths, so that elements are in vectors and behind them.
TEST(ConversionGraphOpsTest, QuantizesAsOneElementAfterTheOther) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kSpecial[] = {
      kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), 1e30f, -0.0f, 0.125f, 0.375f};
  GraphOpRunner runner;
  for (int64_t columns : {1, 2, 7, 16, 31, 67}) {
    for (int64_t axis : {-1, 0, 1}) {
      const int64_t rows = 5, count = axis < 0 ? 1 : axis == 0 ? rows : columns;
      std::vector<float> x, scales, wide;
      std::vector<uint8_t> zeros, expected;
      for (int64_t i = 0; i < count; ++i) {
        scales.push_back(0.25f * static_cast<float>(1 + i % 3));
        zeros.push_back(static_cast<uint8_t>(i * 37 % 256));
      }
      for (int64_t i = 0; i < rows * columns; ++i) {
        // Halves of the scales, too.
        x.push_back(i % 11 < 7 ? static_cast<float>(i * 91 % 1021 - 500) * 0.125f
                               : kSpecial[static_cast<size_t>(i) % std::size(kSpecial)]);
        const auto at = static_cast<size_t>(axis < 0 ? 0 : axis == 0 ? i / columns : i % columns);
        float y = std::nearbyint(x.back() / scales[at]) + static_cast<float>(zeros[at]);
        if (std::isnan(y)) y = zeros[at];
        expected.push_back(static_cast<uint8_t>(std::clamp(y, 0.0f, 255.0f)));
        wide.push_back(static_cast<float>(expected.back() - zeros[at]) * scales[at]);
      }
      OpAttrs attrs;
      attrs.Set<int64_t>("axis", std::max<int64_t>(axis, 0));
      TensorHandle scale = runner.Dense<float>({count}, scales),
                   zero = runner.Dense<uint8_t>({count}, zeros);
      TensorHandle q = runner.Run1("graph.quantize",
                                   {runner.Dense<float>({rows, columns}, x), scale, zero}, attrs);
      EXPECT_EQ(ElementsOf<uint8_t>(q), expected) << columns << " columns, axis " << axis;
      EXPECT_EQ(ElementsOf<float>(runner.Run1("graph.dequantize", {q, scale, zero}, attrs)), wide)
          << columns << " columns, axis " << axis;
    }
  }
}

// Several parts, and a rest; with threads.
TEST(ConversionGraphOpsTest, DynamicQuantizationFindsTheRangeOfAllParts) {
  for (const char* queue : {"s", "mstd:4"}) {
    GraphOpRunner runner(queue);
    std::vector<float> x(100'003, 0.5f);
    x[70'001] = 3.0f;
    x.back() = -1.25f;
    x[5] = std::numeric_limits<float>::quiet_NaN();
    auto results = runner.Run("graph.dynamic_quantize",
                              {runner.Dense<float>({static_cast<int64_t>(x.size())}, x)}, {}, 3);
    const float scale = 4.25f / 255.0f;
    EXPECT_EQ(ElementsOf<float>(results[1]), std::vector<float>{scale});
    EXPECT_EQ(ElementsOf<uint8_t>(results[2]), std::vector<uint8_t>{75});
    const auto y = ElementsOf<uint8_t>(results[0]);
    EXPECT_EQ(y[70'001], 255);
    EXPECT_EQ(y.back(), 0);
    EXPECT_EQ(y[5], 75);
    EXPECT_EQ(y[6], 105);
  }
}

TEST(ConversionGraphOpsTest, Errors) {
  GraphOpRunner runner;
  OpAttrs to_string, to_i32, axis_0;
  axis_0.Set<int64_t>("axis", 0);
  to_string.SetType("dtype", DType::kString);
  to_i32.SetType("dtype", DType::kI32);
  TensorHandle x = runner.Floats({2}), scale = runner.Floats({});
  EXPECT_EQ(runner.Error("graph.cast", {x}, to_string), "cast: cannot cast a tensor of f32 to str");
  EXPECT_EQ(runner.Error("graph.cast", {runner.Zeros(DType::kComplex64, {2})}, to_i32),
            "cannot cast a tensor of complex64 to i32");
  EXPECT_EQ(runner.Error("graph.quantize", {x, scale}, to_i32),
            "graph.quantize: no conversion from f32 to i32 with a scale of f32");
  EXPECT_EQ(runner.Error("graph.quantize", {x, runner.Zeros(DType::kF16, {})}),
            "graph.quantize: no conversion from f32 to u8 with a scale of f16");
  EXPECT_EQ(runner.Error("graph.dequantize", {x, scale}),
            "graph.dequantize: no conversion from f32 to f32 with a scale of f32");
  EXPECT_EQ(runner.Error("graph.quantize", {x, runner.Zeros(DType::kF32, {})}),
            "graph.quantize: scale 0 is 0.000000, expected a positive finite one");
  TensorHandle pair = runner.Dense<float>({2}, {1, 2});
  TensorHandle bytes = runner.Zeros(DType::kUI8, {2});
  for (float scale :
       {-0.5f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    TensorHandle bad = runner.Dense<float>({2}, {1, scale});
    EXPECT_NE(
        runner.Error("graph.quantize", {pair, bad}, axis_0).find("expected a positive finite"),
        std::string::npos);
    EXPECT_NE(runner.Error("graph.dequantize", {bytes, bad}, axis_0).find("scale 1 is "),
              std::string::npos);
  }
  EXPECT_EQ(runner.Error("graph.dynamic_quantize", {runner.Ints({1})}, {}, 3),
            "graph.dynamic_quantize: unsupported dtype i32");
}

}  // namespace
}  // namespace tfrt
