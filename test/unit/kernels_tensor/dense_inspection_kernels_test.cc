#include <cmath>
#include <complex>
#include <limits>

#include "test/unit/kernels_tensor/kernel_runner.h"

namespace tfrt {
namespace {

class DenseInspectionKernelsTest : public testing::Test {
 protected:
  bool Compare(std::string_view kernel, RCReference<AsyncValue> a, RCReference<AsyncValue> b) {
    Values results = runner_.Run(kernel, {std::move(a), std::move(b), ChainValue()}, 2);
    EXPECT_TRUE(results[1]->IsType<Chain>());
    return results[0]->get<bool>();
  }
  template <typename T>
  RCReference<AsyncValue> Vector(std::vector<T> elements) {
    return runner_.Tensor<T>({static_cast<int64_t>(elements.size())}, elements);
  }
  KernelRunner runner_;
};

TEST_F(DenseInspectionKernelsTest, PrintsTensorsAndTheirShapes) {
  auto tensor = runner_.Tensor<int32_t>({2, 1}, {7, -8});
  testing::internal::CaptureStdout();
  runner_.Run("tfrt_dht.print_tensor", {tensor, ChainValue()});
  runner_.Run("tfrt_dht.print_tensor_shape", {tensor, ChainValue()});
  runner_.Run("tfrt_dht.no_op_ht", {tensor});
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "DenseHostTensor dtype = i32, shape = [2, 1], values = [7, -8]\n[2, 1]\n");
  EXPECT_EQ(runner_.Run("tfrt_dht.get_tensor_shape", {tensor})[0]->get<TensorShape>(),
            (TensorShape{2, 1}));
}

TEST_F(DenseInspectionKernelsTest, EqualComparesDTypeShapeAndElements) {
  auto a = Vector<int32_t>({1, 2});
  EXPECT_TRUE(Compare("tfrt_dht.tensor_equal.i32", a, a));
  EXPECT_TRUE(Compare("tfrt_dht.tensor_equal.i32", a, Vector<int32_t>({1, 2})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_equal.i32", a, Vector<int32_t>({1, 3})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_equal.i32", a, runner_.Tensor<int32_t>({2, 1}, {1, 2})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_equal.i32", a, Vector<float>({1, 2})));
  EXPECT_TRUE(Compare("tfrt_dht.tensor_equal.bool", Vector<bool>({true}), Vector<bool>({true})));
  EXPECT_EQ(runner_.Error("tfrt_dht.tensor_equal.f32", {a, a, ChainValue()}),
            "the compared tensor is a tensor of i32, expected f32");
}

TEST_F(DenseInspectionKernelsTest, AllCloseAllowsTheNamedNumberOfUlps) {
  const float one = 1;
  const float off = 1 + 4 * std::numeric_limits<float>::epsilon();  // 2 of abs(x + y) * eps
  const float far = 1 + 8 * std::numeric_limits<float>::epsilon();  // 4
  auto a = Vector<float>({one});
  EXPECT_TRUE(Compare("tfrt_dht.tensor_allclose.f32", a, Vector<float>({off})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_allclose.f32", a, Vector<float>({far})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_allclose.3ulp.f32", a, Vector<float>({far})));
  EXPECT_TRUE(Compare("tfrt_dht.tensor_allclose.1000ulp.f32", a, Vector<float>({far})));
  EXPECT_TRUE(Compare("tfrt_dht.tensor_allclose.2000ulp.f32", a, Vector<float>({far})));
  EXPECT_TRUE(Compare("tfrt_dht.tensor_allclose.100000ulp.f32", a, Vector<float>({1.01f})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_allclose.100000ulp.f32", a, Vector<float>({1.1f})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_allclose.f32", a, Vector<float>({std::nanf("")})));
  EXPECT_TRUE(Compare("tfrt_dht.tensor_allclose.f32", Vector<float>({0}), Vector<float>({1e-39f})));
}

TEST_F(DenseInspectionKernelsTest, AllCloseIsExactForIntegersAndPerPartForComplex) {
  EXPECT_FALSE(Compare("tfrt_dht.tensor_allclose.i64", Vector<int64_t>({1000000000000}),
                       Vector<int64_t>({1000000000001})));
  using Complex = std::complex<double>;
  const double close = 1 + 4e-16;
  EXPECT_TRUE(Compare("tfrt_dht.tensor_allclose.complex128", Vector<Complex>({{1, 1}}),
                      Vector<Complex>({{close, 1}})));
  EXPECT_FALSE(Compare("tfrt_dht.tensor_allclose.complex128", Vector<Complex>({{1e9, 1}}),
                       Vector<Complex>({{1e9, 1.1}})));
}

TEST_F(DenseInspectionKernelsTest, ArgumentsAreChecked) {
  EXPECT_NE(runner_.Error("tfrt_dht.print_tensor", {Scalar<int32_t>(1)}), "(no error)");
}

TEST_F(DenseInspectionKernelsTest, BoolsThatWereNeverSetCanBeCompared) {
  auto make = [&](uint8_t byte) {
    auto tensor = runner_.Tensor<bool>({1}, {false});
    *static_cast<uint8_t*>(*tensor->get<DenseHostTensor>().MutableData()) = byte;
    return tensor;
  };
  auto equal = [&](uint8_t a, uint8_t b) {
    return runner_.Run("tfrt_dht.tensor_equal.bool", {make(a), make(b), ChainValue()}, 2)[0]
        ->get<bool>();
  };
  EXPECT_TRUE(equal(7, 1));
  EXPECT_TRUE(equal(0, 0));
  EXPECT_FALSE(equal(7, 0));
}

}  // namespace
}  // namespace tfrt
