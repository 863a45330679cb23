// Gradients go through functions of arrays, slices and assigned items.

#include "tfrt/function/gradients.h"
#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

class ArrayGradientsTest : public ArraysTest {
 protected:
  void SetUp() override {
    if (!CanTrace()) GTEST_SKIP() << "no compiler";
  }

  // The gradient of a number that the body makes of x.
  std::string GradientOf(const Body& body) const {
    function::AnyFunction gradient = function::MakeGradFunction(
        "gradient",
        [&](std::span<const function::Argument> arguments) -> StatusOr<std::vector<Tensor>> {
          return std::vector<Tensor>{body(Tensor(FormRef(arguments[0].tensor.state())))};
        },
        {}, false);
    function::Argument arguments[] = {function::Argument::Of(x)};
    Tensor result;
    (void)gradient.Call(arguments, {&result, 1});
    return TextOf(result);
  }

  const Tensor x = Make<float>({2, 2}, {1, 2, 3, 6});
};

TEST_F(ArrayGradientsTest, OfItems) {
  EXPECT_EQ(
      GradientOf([](const Tensor& x) { return arrays::Sum(x.At({arrays::Slice(), -1}) * 3); }),
      "f32 [2, 2]: 0 3 0 3");
  EXPECT_EQ(GradientOf([](const Tensor& x) { return arrays::Sum(x.At(x > 2)); }),
            "f32 [2, 2]: 0 0 1 1");
  EXPECT_EQ(GradientOf([](const Tensor& x) {
              Tensor changed = x;
              changed.SetAt(0, x.At(1) * 2);
              return arrays::Sum(changed);
            }),
            "f32 [2, 2]: 0 0 3 3");
}

TEST_F(ArrayGradientsTest, OfFunctions) {
  EXPECT_EQ(GradientOf([](const Tensor& x) { return arrays::Var(x); }),
            "f32 [2, 2]: -1 -0.5 0 1.5");
  // Where all elements are equal, there is no slope.
  EXPECT_EQ(GradientOf([](const Tensor& x) { return arrays::Std(x * 0); }), "f32 [2, 2]: 0 0 0 0");
  EXPECT_EQ(GradientOf([](const Tensor& x) {
              return arrays::Sum(arrays::Roll(arrays::Concat({x, x}), 1) * arrays::Arange(2));
            }),
            "f32 [2, 2]: 2 0 2 0");
  EXPECT_EQ(GradientOf([](const Tensor& x) {
              return arrays::Sum(arrays::Where(x > 2, arrays::Matmul(x, x), 0));
            }),
            "f32 [2, 2]: 3 3 9 15");
}

TEST_F(ArrayGradientsTest, OfExtensions) {
  EXPECT_EQ(GradientOf([](const Tensor& x) {
              return arrays::linalg::Trace(arrays::linalg::MatrixPower(x, 2));
            }),
            "f32 [2, 2]: 2 6 4 12");
  EXPECT_EQ(GradientOf([](const Tensor& x) {
              return arrays::linalg::Det(x + arrays::Eye(2));  // {{2, 2}, {3, 7}}
            }),
            "f32 [2, 2]: 7 -3 -2 2");
  EXPECT_THAT(GradientOf([](const Tensor& x) {
                return arrays::Sum(arrays::fft::Irfft(arrays::fft::Rfft(x)));
              }),
              HasSubstr("gradients do not go through complex numbers"));
}

}  // namespace
}  // namespace tfrt::eager
