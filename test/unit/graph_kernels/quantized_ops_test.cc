// Quantised products and convolutions against exact integers and one rounding.

#include <cmath>
#include <limits>

#include "graph_op_runner.h"
#include "image_reference.h"
#include "lib/ops/maths/contraction/byte_operands.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Numbers of a call; the sums are those of `quantized_matmul` without its scales.
struct Quantized {
  DType a = DType::kUI8, b = DType::kI8, out = DType::kF32;
  bool per_column = true, has_bias = true, integer_bias = false, has_addend = false;
  std::string activation = "none";
};

double Low(DType dtype) { return dtype == DType::kI8 ? -128 : 0; }

// Bytes with the extreme ones, as numbers.
Doubles RandomByteValues(int64_t count, DType dtype, uint32_t seed) {
  std::mt19937 random(seed);
  Doubles values(static_cast<size_t>(count));
  for (double& value : values) {
    const uint32_t byte = random() % 8 == 0 ? (random() % 2) * 255 : random() % 256;
    value = Low(dtype) + byte;
  }
  return values;
}

class QuantizedOpsTest : public testing::TestWithParam<const char*> {
 protected:
  TensorHandle Bytes(DType dtype, TensorShape shape, const Doubles& values) {
    if (dtype == DType::kI8) return Make<int8_t>(std::move(shape), values);
    return Make<uint8_t>(std::move(shape), values);
  }
  template <typename T>
  TensorHandle Make(TensorShape shape, const Doubles& values) {
    std::vector<T> elements;
    for (double value : values) elements.push_back(static_cast<T>(value));
    return runner_.Dense<T>(std::move(shape), elements);
  }

  // The exact sums [.., outputs, inner] become these numbers in f32.
  std::vector<float> Finish(const Quantized& q, const Doubles& sums, int64_t outputs, int64_t inner,
                            const Doubles& addend) {
    const Doubles bias = Bias(q, outputs);
    const std::vector<float> scales = BScales(q, outputs);
    std::vector<float> results;
    for (size_t i = 0; i < sums.size(); ++i) {
      const size_t column = i / static_cast<size_t>(inner) % static_cast<size_t>(outputs);
      double sum = sums[i];
      if (q.has_bias && q.integer_bias) sum += bias[column];
      auto x = static_cast<float>(static_cast<int32_t>(sum));
      x *= kAScale * scales[q.per_column ? column : 0];
      if (q.has_bias && !q.integer_bias) x += static_cast<float>(bias[column]);
      if (q.has_addend) x += static_cast<float>(addend[i]);
      if (q.activation == "relu") x = std::max(x, 0.0f);
      if (q.out != DType::kF32) {
        x = std::nearbyint(x / kOutScale) + kOutZero;
        x = std::min(std::max(x, static_cast<float>(Low(q.out))),
                     static_cast<float>(Low(q.out) + 255));
      }
      results.push_back(x);
    }
    return results;
  }

  void Expect(const TensorHandle& result, const Quantized& q, const std::vector<float>& expected) {
    ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
    const DenseHostTensor& dense = DenseOf(result);
    ASSERT_EQ(dense.dtype(), q.out);
    ASSERT_EQ(dense.num_elements(), static_cast<int64_t>(expected.size()));
    for (size_t i = 0; i < expected.size(); ++i) {
      const float actual = q.out == DType::kF32  ? static_cast<const float*>(dense.data())[i]
                           : q.out == DType::kI8 ? static_cast<const int8_t*>(dense.data())[i]
                                                 : static_cast<const uint8_t*>(dense.data())[i];
      ASSERT_EQ(actual, expected[i]) << i;
    }
  }

  // All arguments after the factors.
  Handles Numbers(const Quantized& q, int64_t outputs, TensorHandle addend) {
    Handles handles;
    handles.push_back(runner_.Dense<float>({}, {kAScale}));
    const std::vector<float> scales = BScales(q, outputs);
    handles.push_back(runner_.Dense<float>(ColumnShape(q, outputs), scales));
    handles.push_back(Bytes(q.a, {}, {AZero(q)}));
    handles.push_back(Bytes(q.b, ColumnShape(q, outputs), BZeros(q, outputs)));
    if (!q.has_bias) {
      handles.emplace_back();
    } else if (q.integer_bias) {
      handles.push_back(Make<int32_t>({outputs}, Bias(q, outputs)));
    } else {
      handles.push_back(Make<float>({outputs}, Bias(q, outputs)));
    }
    handles.push_back(std::move(addend));
    if (q.out != DType::kF32) {
      handles.push_back(runner_.Dense<float>({}, {kOutScale}));
      handles.push_back(Bytes(q.out, {}, {kOutZero}));
    }
    return handles;
  }

  static TensorShape ColumnShape(const Quantized& q, int64_t outputs) {
    return q.per_column ? TensorShape{outputs} : TensorShape{};
  }
  static std::vector<float> BScales(const Quantized& q, int64_t outputs) {
    std::vector<float> scales(static_cast<size_t>(q.per_column ? outputs : 1));
    for (size_t i = 0; i < scales.size(); ++i) scales[i] = 0.003f + 0.0007f * (i % 11);
    return scales;
  }
  static double AZero(const Quantized& q) { return q.a == DType::kI8 ? -5 : 131; }
  static Doubles BZeros(const Quantized& q, int64_t outputs) {
    return RandomByteValues(q.per_column ? outputs : 1, q.b, 9);
  }
  static Doubles Bias(const Quantized& q, int64_t outputs) {
    Doubles bias = RandomEighths(static_cast<size_t>(outputs), 8);
    for (double& value : bias) value *= q.integer_bias ? 8000 : 40;
    return bias;
  }

  void CheckMatMul(const Quantized& q, int64_t batch, int64_t rows, int64_t depth, int64_t columns,
                   bool transposed, bool packs, bool batched_b = false) {
    SCOPED_TRACE(StrCat(DTypeName(q.a), DTypeName(q.b), DTypeName(q.out), " ", batch, " ", rows,
                        "x", depth, "x", columns, transposed, packs));
    const int64_t b_batch = batched_b ? batch : 1;
    const Doubles a = RandomByteValues(batch * rows * depth, q.a, 1),
                  b = RandomByteValues(b_batch * depth * columns, q.b, 2);
    const Doubles zeros = BZeros(q, columns);
    Doubles sums;
    for (int64_t i = 0; i < batch * rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k) {
          const int64_t at = (batched_b ? i / rows * depth * columns : 0) +
                             (transposed ? j * depth + k : k * columns + j);
          sum += (a[size_t(i * depth + k)] - AZero(q)) *
                 (b[size_t(at)] - zeros[q.per_column ? size_t(j) : 0]);
        }
        sums.push_back(sum);
      }
    }
    const Doubles row = RandomEighths(static_cast<size_t>(columns), 4);
    Doubles addend;
    for (size_t i = 0; i < sums.size(); ++i) addend.push_back(row[i % row.size()]);
    OpAttrs attrs;
    attrs.Set("transpose_b", transposed);
    const int64_t first = transposed ? columns : depth, second = transposed ? depth : columns;
    TensorHandle right =
        Bytes(q.b, batched_b ? TensorShape{batch, first, second} : TensorShape{first, second}, b);
    if (packs) {
      right = runner_.Run1("graph.pack_matrix", {right}, attrs);
      ASSERT_FALSE(right.IsError()) << right.async_tensor()->GetError().message();
      ASSERT_EQ(right.tensor()->tensor_type(), kPackedMatrixTensorType);
    }
    attrs.SetString("activation", q.activation);
    Handles arguments = {Bytes(q.a, {batch, rows, depth}, a), right};
    for (TensorHandle& handle :
         Numbers(q, columns, q.has_addend ? Make<float>({columns}, row) : TensorHandle())) {
      arguments.push_back(std::move(handle));
    }
    Expect(runner_.Run1("graph.quantized_matmul", std::move(arguments), attrs), q,
           Finish(q, sums, columns, 1, addend));
  }

  void CheckConv(const Quantized& q, const ImageCase& c) {
    const int64_t per_group = c.inputs / c.groups, places = c.Product(c.out_sizes());
    const Doubles image = RandomByteValues(c.batch * c.inputs * c.Product(c.in), q.a, 1);
    const Doubles filter = RandomByteValues(c.outputs * per_group * c.Product(c.kernel), q.b, 2);
    const Doubles zeros = BZeros(q, c.outputs);
    Doubles x = image, w = filter;
    for (double& value : x) value -= AZero(q);
    for (size_t i = 0; i < w.size(); ++i) {
      w[i] -= zeros[q.per_column ? i / (w.size() / static_cast<size_t>(c.outputs)) : 0];
    }
    const Doubles sums = c.Convolve(x, w, Doubles(static_cast<size_t>(c.outputs)));
    const Doubles addend = RandomEighths(static_cast<size_t>(c.batch * c.outputs * places), 4);
    const std::vector<float> finished = Finish(q, sums, c.outputs, places, addend);
    const Doubles expected(finished.begin(), finished.end());
    for (bool last : {false, true}) {
      for (bool packs : {false, true}) {
        SCOPED_TRACE(StrCat(DTypeName(q.a), DTypeName(q.b), DTypeName(q.out), last ? " last" : "",
                            packs ? " packed" : "", " ", c.in[0], " ", c.inputs, " ", c.outputs,
                            " ", c.groups));
        tfrt::Numbers filter_dims = c.kernel;
        filter_dims.insert(last ? filter_dims.end() : filter_dims.begin(),
                           {last ? per_group : c.outputs, last ? c.outputs : per_group});
        TensorHandle weights = Bytes(q.b, *TensorShape::Create(filter_dims),
                                     last ? FilterLast(filter, c.outputs, per_group) : filter);
        OpAttrs attrs;
        attrs.Set("channels_last", last);
        attrs.Set("groups", c.groups);
        attrs.SetString("padding", c.padding);
        attrs.SetArray("strides", std::span<const int64_t>(c.strides));
        attrs.SetArray("dilations", std::span<const int64_t>(c.dilations));
        attrs.SetArray("pads", std::span<const int64_t>(c.pads));
        if (packs) weights = runner_.Run1("graph.pack_filter", {weights}, attrs);
        ASSERT_FALSE(weights.IsError()) << weights.async_tensor()->GetError().message();
        attrs.SetString("activation", q.activation);
        auto moved = [&](const Doubles& values, int64_t channels) {
          return last ? ChannelsLast(values, c.batch, channels) : values;
        };
        Handles arguments = {
            Bytes(q.a, ShapeWith(c.in, c.batch, c.inputs, last), moved(image, c.inputs)), weights};
        for (TensorHandle& handle :
             Numbers(q, c.outputs,
                     q.has_addend ? Make<float>(ShapeWith(c.out_sizes(), c.batch, c.outputs, last),
                                                moved(addend, c.outputs))
                                  : TensorHandle())) {
          arguments.push_back(std::move(handle));
        }
        const Doubles wanted = moved(expected, c.outputs);
        Expect(runner_.Run1("graph.quantized_conv", std::move(arguments), attrs), q,
               std::vector<float>(wanted.begin(), wanted.end()));
        if (HasFatalFailure()) return;
      }
    }
  }

  static constexpr float kAScale = 0.02f, kOutScale = 0.7f, kOutZero = 17;
  GraphOpRunner runner_{GetParam()};
};

TEST_P(QuantizedOpsTest, ProductsOfEachDType) {
  for (DType a : {DType::kUI8, DType::kI8}) {
    for (DType b : {DType::kUI8, DType::kI8}) {
      for (DType out : {DType::kF32, DType::kUI8, DType::kI8}) {
        for (bool packs : {false, true}) {
          CheckMatMul({.a = a, .b = b, .out = out, .per_column = packs}, 1, 7, 67, 21, packs,
                      packs);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(QuantizedOpsTest, ProductsWithEachTail) {
  for (DType out : {DType::kF32, DType::kUI8}) {
    for (int bits = 0; bits < 16; ++bits) {
      Quantized q{.out = out,
                  .has_bias = (bits & 1) != 0,
                  .integer_bias = (bits & 2) != 0,
                  .has_addend = (bits & 4) != 0};
      if ((bits & 8) != 0) q.activation = "relu";
      CheckMatMul(q, 2, 5, 40, 70, false, bits % 3 == 0);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(QuantizedOpsTest, ProductsOfManySizes) {
  CheckMatMul({.out = DType::kUI8}, 1, 110, 70, 130, false, true);
  CheckMatMul({.has_addend = true}, 3, 17, 33, 65, true, false, true);
  CheckMatMul({.b = DType::kUI8, .per_column = false}, 4, 20, 64, 24, false, false, true);
  CheckMatMul({}, 1, 1, 500, 200, false, true);
  CheckMatMul({}, 1, 4, 0, 5, false, false);
  CheckMatMul({}, 2, 3, 0, 4, false, false);
  CheckMatMul({.out = DType::kUI8, .has_addend = true}, 2, 3, 0, 4, false, false, true);
  CheckMatMul({}, 0, 4, 3, 5, false, true);
}

// Each of many rows is written though there is nothing to add up; empty results have no columns to
// prepare, however many they are.
TEST_P(QuantizedOpsTest, EmptyFactors) {
  TensorHandle long_one = runner_.Zeros(DType::kUI8, {2, 3, 0}), zero = Bytes(DType::kI8, {}, {3});
  TensorHandle scale = runner_.Dense<float>({}, {0.5f});
  EXPECT_EQ(runner_.Text("graph.matmul_integer", {long_one, runner_.Zeros(DType::kI8, {0, 4})}),
            runner_.Text("graph.matmul_integer", {runner_.Zeros(DType::kUI8, {2, 3, 1}),
                                                  runner_.Zeros(DType::kI8, {1, 4})}));
  constexpr int64_t kHuge = int64_t{1} << 40;
  TensorHandle wide = runner_.Zeros(DType::kI8, {0, kHuge});
  TensorHandle none = runner_.Zeros(DType::kUI8, {0, 0});
  TensorHandle packed = runner_.Run1("graph.pack_matrix", {wide});
  EXPECT_EQ(packed.tensor()->ToString(), wide.tensor()->ToString());
  for (const TensorHandle& b : {wide, packed}) {
    TensorHandle product =
        runner_.Run1("graph.quantized_matmul", {none, b, scale, scale, TensorHandle(), zero});
    ASSERT_FALSE(product.IsError()) << product.async_tensor()->GetError().message();
    EXPECT_EQ(DenseOf(product).shape(), (TensorShape{0, kHuge}));
    product = runner_.Run1("graph.matmul_integer", {none, b, TensorHandle(), zero});
    ASSERT_FALSE(product.IsError()) << product.async_tensor()->GetError().message();
  }
  for (const char* op : {"graph.conv_integer", "graph.quantized_conv"}) {
    Handles arguments = {runner_.Zeros(DType::kUI8, {0, kHuge, 1 << 20}),
                         runner_.Zeros(DType::kI8, {0, kHuge, 1 << 20})};
    if (std::string_view(op) == "graph.quantized_conv") {
      arguments.push_back(scale);
      arguments.push_back(scale);
    }
    TensorHandle result = runner_.Run1(op, std::move(arguments));
    ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
    EXPECT_EQ(DenseOf(result).shape(), (TensorShape{0, 0, 1}));
  }
}

// Packing is for products that may be: the sum of a longer column might leave 32 bits.
TEST_P(QuantizedOpsTest, LongColumnsStayUnpacked) {
  for (int64_t depth : {131'071, 131'072}) {
    TensorHandle matrix = runner_.Zeros(DType::kI8, {depth, 1});
    TensorHandle filter = runner_.Zeros(DType::kI8, {1, depth, 1});
    const bool is_long = depth > 131'071;
    for (TensorHandle packed : {runner_.Run1("graph.pack_matrix", {matrix}),
                                runner_.Run1("graph.pack_filter", {filter})}) {
      ASSERT_FALSE(packed.IsError()) << packed.async_tensor()->GetError().message();
      EXPECT_EQ(packed.tensor()->tensor_type() == kDenseHostTensorType, is_long);
    }
  }
}

TEST_P(QuantizedOpsTest, ConvolutionsOfEachKind) {
  const ImageCase cases[] = {
      {.in = {6, 7}, .kernel = {3, 3}, .inputs = 5, .outputs = 7, .pads = {1, 0, 2, 1}},
      {.in = {20}, .kernel = {3}, .batch = 2, .inputs = 16, .outputs = 16, .strides = {2}},
      {.in = {12, 12},
       .kernel = {3, 3},
       .batch = 2,
       .inputs = 68,
       .outputs = 68,
       .groups = 68,
       .padding = "same_upper"},
      {.in = {12, 12}, .kernel = {3, 3}, .inputs = 8, .outputs = 16, .groups = 4},
      {.in = {5, 150},
       .kernel = {3, 4},
       .batch = 2,
       .inputs = 3,
       .outputs = 3,
       .groups = 3,
       .strides = {1, 2},
       .dilations = {1, 3},
       .pads = {2, 11, 2, 10}},
      {.in = {3, 20, 67},
       .kernel = {2, 3, 2},
       .inputs = 2,
       .outputs = 2,
       .groups = 2,
       .strides = {2, 1, 1},
       .pads = {1, 0, 2, 0, 2, 1}},
      {.in = {3, 20}, .kernel = {1, 1}, .batch = 2, .inputs = 48, .outputs = 70},
      {.in = {4, 9, 9},
       .kernel = {2, 2, 2},
       .inputs = 8,
       .outputs = 16,
       .pads = {1, 1, 1, 0, 0, 0}},
      {.in = {9, 9},
       .kernel = {3, 2},
       .inputs = 4,
       .outputs = 6,
       .strides = {2, 1},
       .dilations = {2, 3},
       .pads = {2, 3, 2, 3}},
      {.in = {5, 5},
       .kernel = {5, 5},
       .inputs = 6,
       .outputs = 12,
       .groups = 6,
       .pads = {2, 2, 2, 2}},
  };
  for (const ImageCase& c : cases) {
    CheckConv({.out = DType::kUI8, .has_addend = true, .activation = "relu"}, c);
    CheckConv({.a = DType::kI8, .b = DType::kUI8, .per_column = false, .integer_bias = true}, c);
    if (HasFatalFailure()) return;
  }
}

// The product of the results of dynamic_quantize.
TEST_P(QuantizedOpsTest, DynamicProducts) {
  const int64_t rows = 9, depth = 70, columns = 33;
  for (bool packs : {false, true}) {
    TensorHandle x = Make<float>({3, 3, depth}, RandomEighths(rows * depth, 3));
    TensorHandle b =
        Bytes(DType::kI8, {depth, columns}, RandomByteValues(depth * columns, DType::kI8, 4));
    TensorHandle b_scale = runner_.Dense<float>({}, {0.02f});
    TensorHandle bias = Make<float>({columns}, RandomEighths(columns, 5));
    Handles quantized = runner_.Run("graph.dynamic_quantize", {x}, {}, 3);
    TensorHandle right = packs ? runner_.Run1("graph.pack_matrix", {b}) : b;
    TensorHandle expected =
        runner_.Run1("graph.quantized_matmul",
                     {quantized[0], b, quantized[1], b_scale, quantized[2], TensorHandle(), bias});
    TensorHandle result =
        runner_.Run1("graph.dynamic_quantized_matmul", {x, right, b_scale, TensorHandle(), bias});
    ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
    EXPECT_EQ(DenseOf(result).shape(), (TensorShape{3, 3, columns}));
    EXPECT_EQ(
        std::memcmp(DenseOf(result).data(), DenseOf(expected).data(), DenseOf(result).size_bytes()),
        0);
  }
  // Infinities make the scale infinite, and the result no number.
  TensorHandle infinite = runner_.Dense<float>({1, 2}, {1, std::numeric_limits<float>::infinity()});
  TensorHandle result = runner_.Run1(
      "graph.dynamic_quantized_matmul",
      {infinite, runner_.Dense<int8_t>({2, 1}, {1, 1}), runner_.Dense<float>({}, {1})});
  ASSERT_FALSE(result.IsError());
  EXPECT_TRUE(std::isnan(*static_cast<const float*>(DenseOf(result).data())));
}

// Sums in i32 read packed factors, too.
TEST_P(QuantizedOpsTest, SumsOfPackedFactors) {
  TensorHandle a = Bytes(DType::kUI8, {5, 40}, RandomByteValues(200, DType::kUI8, 1));
  TensorHandle b = Bytes(DType::kUI8, {40, 20}, RandomByteValues(800, DType::kUI8, 2));
  TensorHandle packed = runner_.Run1("graph.pack_matrix", {b});
  EXPECT_EQ(packed.tensor()->ToString(), "PackedMatrix tensor dtype = u8, shape = [40, 20]");
  EXPECT_EQ(runner_.Text("graph.matmul_integer", {a, packed}),
            runner_.Text("graph.matmul_integer", {a, b}));
  TensorHandle image = Bytes(DType::kI8, {1, 4, 6}, RandomByteValues(24, DType::kI8, 1));
  TensorHandle filter = Bytes(DType::kI8, {3, 4, 2}, RandomByteValues(24, DType::kI8, 2));
  EXPECT_EQ(
      runner_.Text("graph.conv_integer", {image, runner_.Run1("graph.pack_filter", {filter})}),
      runner_.Text("graph.conv_integer", {image, filter}));
}

// Scales that are computed of tiny or infinite numbers give zeros, or no numbers.
TEST_P(QuantizedOpsTest, ScalesOfAnyFactor) {
  TensorHandle a = Bytes(DType::kUI8, {1, 1}, {3}), b = Bytes(DType::kI8, {1, 1}, {2});
  TensorHandle image = Bytes(DType::kUI8, {1, 1, 1}, {3});
  TensorHandle filter = Bytes(DType::kI8, {1, 1, 1}, {2});
  TensorHandle half = runner_.Dense<float>({}, {0.5f});
  for (float scale : {0.0f, std::numeric_limits<float>::infinity(),
                      std::numeric_limits<float>::quiet_NaN(), 0.25f}) {
    TensorHandle given = runner_.Dense<float>({}, {scale});
    for (const TensorHandle& result :
         {runner_.Run1("graph.quantized_matmul", {a, b, given, half}),
          runner_.Run1("graph.quantized_conv", {image, filter, given, half})}) {
      const float number = *static_cast<const float*>(DenseOf(result).data());
      EXPECT_TRUE(std::isnan(scale) ? std::isnan(number) : number == 3 * scale) << number;
    }
  }
}

// A bias of i32 that sums in 32 bits have no room for is added to their numbers.
TEST_P(QuantizedOpsTest, BiasesLargerThanTheSums) {
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
  TensorHandle a = runner_.Dense<uint8_t>({1, 2}, {10, 20});
  TensorHandle b = runner_.Dense<int8_t>({2, 2}, {1, -2, 3, -4});
  const TensorHandle half = runner_.Dense<float>({}, {0.5f}), none;
  TensorHandle bias = runner_.Dense<int32_t>({2}, {4, kLeast});
  const TensorHandle result =
      runner_.Run1("graph.quantized_matmul", {a, b, half, half, none, none, bias});
  ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
  const auto* values = static_cast<const float*>(DenseOf(result).data());
  EXPECT_EQ(values[0], 0.25f * (70 + 4));
  EXPECT_EQ(values[1], 0.25f * -100 + 0.25f * static_cast<float>(kLeast));
}

TEST_P(QuantizedOpsTest, Refused) {
  auto floats = [&](const std::vector<float>& values) {
    return runner_.Dense<float>({static_cast<int64_t>(values.size())}, values);
  };
  TensorHandle a = runner_.Zeros(DType::kUI8, {2, 3}), b = runner_.Zeros(DType::kI8, {3, 2});
  TensorHandle one = floats({1});
  auto error = [&](Handles arguments) {
    return runner_.Error("graph.quantized_matmul", std::move(arguments));
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (auto [value, text] : {std::pair{0.0f, "0.000000"}, {-1.0f, "-1.000000"}, {kNan, "nan"}}) {
    const std::string rows =
        StrCat("the scale of the rows is ", text, ", expected a positive finite number");
    EXPECT_EQ(error({a, b, floats({value}), one, TensorHandle(), TensorHandle(), TensorHandle(),
                     TensorHandle(), one}),
              rows);
    if (value < 0) EXPECT_EQ(error({a, b, floats({value}), one}), rows);
    EXPECT_EQ(error({a, b, one, floats({1, value})}),
              StrCat("the scale of the columns is ", text, ", expected a positive finite number"));
    EXPECT_EQ(error({a, b, one, one, TensorHandle(), TensorHandle(), TensorHandle(), TensorHandle(),
                     floats({value})}),
              StrCat("the scale of the result is ", text, ", expected a positive finite number"));
  }
  for (auto [value, text] : {std::pair{1e-30f, "0.000000"}, {1e-20f, "0.000000"}, {1e30f, "inf"}}) {
    EXPECT_EQ(error({a, b, floats({value}), floats({1, value}), TensorHandle(), TensorHandle(),
                     TensorHandle(), TensorHandle(), one}),
              StrCat("the scales of the rows and the columns have the product ", text,
                     ", expected a normal finite number"));
  }
  EXPECT_EQ(error({runner_.Zeros(DType::kUI8, {1, 40'000}), runner_.Zeros(DType::kUI8, {40'000, 1}),
                   one, one, runner_.Zeros(DType::kUI8, {}), runner_.Zeros(DType::kUI8, {})}),
            "sums of 40000 products of up to 255 * 255 may leave 32 bits");
  EXPECT_EQ(runner_.Error("graph.conv_integer", {runner_.Zeros(DType::kUI8, {1, 40'000, 1}),
                                                 runner_.Zeros(DType::kUI8, {1, 40'000, 1})}),
            "sums of 40000 products of up to 255 * 255 may leave 32 bits");
  // Packed for something else.
  OpAttrs transposed;
  transposed.Set("transpose_b", true);
  TensorHandle square = runner_.Zeros(DType::kI8, {3, 3});
  TensorHandle packed = runner_.Run1("graph.pack_matrix", {square}, transposed);
  EXPECT_EQ(error({a, packed, one, one}),
            "the packed matrix [3, 3] is not packed for this product");
  EXPECT_EQ(error({a, runner_.Run1("graph.pack_filter", {runner_.Floats({3, 2, 1})}), one, one}),
            "quantized_matmul: argument 1 is f32, expected i8 or u8");
  TensorHandle image = runner_.Zeros(DType::kUI8, {1, 4, 3});
  TensorHandle filter = runner_.Zeros(DType::kI8, {4, 2, 1});
  OpAttrs groups;
  groups.Set<int64_t>("groups", 2);
  EXPECT_EQ(runner_.Error("graph.quantized_conv",
                          {image, runner_.Run1("graph.pack_filter", {filter}), one, one}, groups),
            "the filter [4, 2, 1] is not packed for this convolution");
  EXPECT_EQ(runner_.Error("graph.pack_filter", {runner_.Zeros(DType::kI8, {3, 2, 1})}, groups),
            "a filter of 3 outputs cannot be in 2 groups");
  EXPECT_EQ(runner_.Error("graph.pack_filter", {runner_.Zeros(DType::kI8, {3})}),
            "the filter to pack has the shape [3], expected at least rank 2");
  EXPECT_EQ(runner_.Error("graph.pack_matrix", {runner_.Zeros(DType::kI8, {3})}),
            "the matrix to pack has the shape [3], expected rank 2");
  EXPECT_EQ(runner_.Error("graph.fused_batch_matmul", {runner_.Floats({2, 3}), packed}),
            "fused_batch_matmul: incompatible dtypes for BatchMatMul: In[0]: f32, In[1]: i8");
}

INSTANTIATE_TEST_SUITE_P(Queues, QuantizedOpsTest, testing::Values("s", "mstd:3"),
                         [](const auto& info) {
                           return std::string(info.index == 0 ? "OneThread" : "Threads");
                         });

}  // namespace
}  // namespace tfrt
