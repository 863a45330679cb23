// Matrix products of graphs.

#include "graph_op_runner.h"
#include "image_reference.h"

namespace tfrt {
namespace {

// a [m,k] times b [k,n].
Doubles Multiply(const Doubles& a, const Doubles& b, int64_t m, int64_t k, int64_t n) {
  Doubles out(m * n);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t l = 0; l < k; ++l) out[i * n + j] += a[i * k + l] * b[l * n + j];
    }
  }
  return out;
}

template <typename T>
void CheckProducts(double tolerance, double scale = 1) {
  GraphOpRunner runner;
  auto make = [&](TensorShape shape, const Doubles& values) {
    std::vector<T> elements;
    for (double value : values) {
      elements.push_back(static_cast<T>(static_cast<float>(value * scale)));
    }
    return runner.Dense<T>(std::move(shape), elements);
  };
  auto expect = [&](const TensorHandle& result, const Doubles& expected) {
    ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
    ASSERT_EQ(DenseOf(result).num_elements(), static_cast<int64_t>(expected.size()));
    const T* actual = static_cast<const T*>(DenseOf(result).data());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(actual[i]), expected[i] * scale * scale, tolerance) << i;
    }
  };
  const Doubles a = RandomEighths(2 * 3 * 5, 1), b = RandomEighths(5 * 4, 2);
  expect(runner.Run1("graph.matmul", {make({6, 5}, a), make({5, 4}, b)}), Multiply(a, b, 6, 5, 4));
  expect(runner.Run1("graph.batch_matmul", {make({2, 3, 5}, a), make({5, 4}, b)}),
         Multiply(a, b, 6, 5, 4));
  OpAttrs attrs;
  attrs.Set("transpose_b", true);
  expect(runner.Run1("graph.batch_matmul",
                     {make({2, 3, 5}, a), make({1, 4, 5}, ChannelsLast(b, 1, 5))}, attrs),
         Multiply(a, b, 6, 5, 4));
}

TEST(ProductOpsTest, OfAllNumbers) {
  CheckProducts<float>(1e-6);
  CheckProducts<double>(1e-12);
  CheckProducts<Fp16>(0.01);
  CheckProducts<Bf16>(0.1);
  CheckProducts<int32_t>(0, 8);
  CheckProducts<int64_t>(0, 8);
}

TEST(ProductOpsTest, WithBias) {
  GraphOpRunner runner;
  OpAttrs attrs;
  attrs.SetString("activation", "relu");
  EXPECT_EQ(
      runner.Text("graph.matmul_bias",
                  {runner.Dense<float>({1, 2}, {1, 2}), runner.Dense<float>({2, 2}, {1, 2, 3, 4}),
                   runner.Dense<float>({2}, {-10, 1})},
                  attrs),
      "DenseHostTensor dtype = f32, shape = [1, 2], values = [0.000000e+00, 1.100000e+01]");
}

TEST(ProductOpsTest, OfBytesWithZeroPoints) {
  GraphOpRunner runner;
  TensorHandle a = runner.Dense<uint8_t>({2, 3}, {255, 0, 3, 4, 5, 200});
  TensorHandle b = runner.Dense<int8_t>({3, 2}, {-128, 2, 3, 4, 5, 127});
  EXPECT_EQ(runner.Text("graph.matmul_integer", {a, b}),
            "DenseHostTensor dtype = i32, shape = [2, 2], values = [-32625, 891, 503, 25428]");
  EXPECT_EQ(runner.Text("graph.matmul_integer", {a, b, runner.Dense<uint8_t>({2}, {10, 20}),
                                                 runner.Dense<int8_t>({2}, {1, -1})}),
            "DenseHostTensor dtype = i32, shape = [2, 2], values = [-31653, -211, 2754, 22917]");
  EXPECT_EQ(runner.Error("graph.matmul_integer", {a, b, runner.Dense<uint8_t>({3}, {1, 2, 3})}),
            "the zero points of the rows have the shape [3], expected one or 2");
  // Outside of the image there is the zero point.
  OpAttrs attrs;
  const int64_t pads[] = {1, 0};
  attrs.SetArray("pads", std::span<const int64_t>(pads));
  EXPECT_EQ(runner.Text("graph.conv_integer",
                        {runner.Dense<uint8_t>({1, 1, 3}, {5, 6, 7}),
                         runner.Dense<int8_t>({2, 1, 2}, {1, 2, -3, 4}),
                         runner.Dense<uint8_t>({}, {4}), runner.Dense<int8_t>({2}, {1, 0})},
                        attrs),
            "DenseHostTensor dtype = i32, shape = [1, 2, 3], values = [1, 2, 3, 4, 5, 6]");
}

TEST(ProductOpsTest, Refused) {
  GraphOpRunner runner;
  EXPECT_EQ(runner.Error("graph.batch_matmul",
                         {runner.Zeros(DType::kI1, {2, 2}), runner.Zeros(DType::kI1, {2, 2})}),
            "graph.batch_matmul: no matrix product of i1");
}

}  // namespace
}  // namespace tfrt
