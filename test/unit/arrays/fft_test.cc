// Fourier transforms, with figures of NumPy.

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

namespace fft = arrays::fft;

// The real parts, then the imaginary ones.
Tensor Parts(const Tensor& x) { return Rounded(arrays::Stack({Real(x), Imag(x)})); }

class FftTest : public ArraysTest {
 protected:
  const Tensor x = Make<float>({4}, {1, 2, 3, 4});
  const Tensor y = Make<float>({3}, {1, 2, 3});
  const Tensor g = Make<float>({2, 2}, {1, 2, 3, 5});
  const Tensor r = Make<float>({2, 3}, {1, 2, 2, 2, 1, -2});
};

TEST_F(FftTest, OneAxis) {
  auto transform = [](fft::FftOptions options) {
    return [=](const Tensor& x) { return Parts(fft::Fft(x, options)); };
  };
  ExpectEverywhere(transform({}), x, "f32 [2, 4]: 10 -2 -2 -2 0 2 0 -2");
  ExpectEverywhere(transform({}), y, "f32 [2, 3]: 6 -1.5 -1.5 0 0.866 -0.866");
  ExpectEverywhere(transform({.n = 2}), x, "f32 [2, 2]: 3 -1 0 0");
  ExpectEverywhere(transform({.n = 6}), x,
                   "f32 [2, 6]: 10 -3.5 2.5 -2 2.5 -3.5 0 -4.33 0.866 0 -0.866 4.33");
  ExpectEverywhere(transform({.norm = "ortho"}), x, "f32 [2, 4]: 5 -1 -1 -1 0 1 0 -1");
  ExpectEverywhere(transform({.norm = "forward"}), x,
                   "f32 [2, 4]: 2.5 -0.5 -0.5 -0.5 0 0.5 0 -0.5");
  ExpectEverywhere(transform({.axis = 0}), r, "f32 [2, 2, 3]: 3 3 0 -1 1 4 0 0 0 0 0 0");
  EXPECT_EQ(TextOf(transform({})(arrays::AsType(x, DType::kF64))),
            "f64 [2, 4]: 10 -2 -2 -2 0 2 0 -2");
  EXPECT_EQ(TextOf(transform({})(arrays::Zeros({0, 2}))), "f32 [2, 0, 2]:");
}

TEST_F(FftTest, Inverses) {
  auto inverse = [](fft::FftOptions options) {
    return [=](const Tensor& x) { return Parts(fft::Ifft(x, options)); };
  };
  ExpectEverywhere(inverse({}), x, "f32 [2, 4]: 2.5 -0.5 -0.5 -0.5 0 -0.5 0 0.5");
  EXPECT_EQ(TextOf(inverse({.norm = "ortho"})(x)), "f32 [2, 4]: 5 -1 -1 -1 0 -1 0 1");
  EXPECT_EQ(TextOf(inverse({.norm = "forward"})(x)), "f32 [2, 4]: 10 -2 -2 -2 0 -2 0 2");
  EXPECT_EQ(TextOf(Parts(fft::Ifft(fft::Fft(y)))), "f32 [2, 3]: 1 2 3 0 0 0");
}

TEST_F(FftTest, RealNumbers) {
  auto half = [](fft::FftOptions options) {
    return [=](const Tensor& x) { return Parts(fft::Rfft(x, options)); };
  };
  ExpectEverywhere(half({}), x, "f32 [2, 3]: 10 -2 -2 0 2 0");
  ExpectEverywhere(half({}), y, "f32 [2, 2]: 6 -1.5 0 0.866");
  EXPECT_EQ(TextOf(half({.n = 3})(x)), "f32 [2, 2]: 6 -1.5 0 0.866");
  EXPECT_EQ(TextOf(half({.norm = "ortho"})(x)), "f32 [2, 3]: 5 -1 -1 0 1 0");

  auto inverse = [](fft::FftOptions options) {
    return [=](const Tensor& x) { return Rounded(fft::Irfft(x, options)); };
  };
  ExpectEverywhere(inverse({}), x, "f32 [6]: 2.5 -0.667 0 -0.167 0 -0.667");
  ExpectEverywhere(inverse({.n = 5}), x, "f32 [5]: 2.2 -0.524 -0.076 -0.076 -0.524");
  ExpectEverywhere(inverse({.norm = "forward"}), x, "f32 [6]: 15 -4 0 -1 0 -4");
  EXPECT_EQ(TextOf(inverse({.n = 3})(fft::Rfft(y))), "f32 [3]: 1 2 3");
  EXPECT_EQ(TextOf(inverse({.axis = 0})(arrays::AsType(g, DType::kF64))),
            "f64 [2, 2]: 2 3.5 -1 -1.5");
}

TEST_F(FftTest, ConjugateHalves) {
  ExpectEverywhere([](const Tensor& x) { return Rounded(fft::Hfft(x)); }, x,
                   "f32 [6]: 15 -4 0 -1 0 -4");
  EXPECT_EQ(TextOf(Rounded(fft::Hfft(x, {.n = 5}))), "f32 [5]: 11 -2.618 -0.382 -0.382 -2.618");
  using Number = std::complex<float>;
  EXPECT_EQ(TextOf(Rounded(fft::Hfft(Make<Number>({3}, {1, Number(2, 1), 3})))),
            "f32 [4]: 8 0 0 -4");
  ExpectEverywhere([](const Tensor& x) { return Parts(fft::Ihfft(x)); }, x,
                   "f32 [2, 3]: 2.5 -0.5 -0.5 0 -0.5 0");
  EXPECT_EQ(TextOf(Parts(fft::Ihfft(Make<double>({3}, {1, 5, 2})))),
            "f64 [2, 2]: 2.667 -0.833 0 0.866");
}

TEST_F(FftTest, SeveralAxes) {
  ExpectEverywhere([](const Tensor& x) { return Parts(fft::Fftn(x)); }, g,
                   "f32 [2, 2, 2]: 11 -3 -5 1 0 0 0 0");
  ExpectEverywhere([](const Tensor& x) { return Parts(fft::Fftn(x, {.s = {2, 4}})); }, r,
                   "f32 [2, 2, 4]: 6 3 0 3 4 -5 2 -5 0 -3 0 3 0 -1 0 1");
  EXPECT_EQ(TextOf(Parts(fft::Fftn(r, {.s = {2}}))), "f32 [2, 2, 2]: 3 -1 3 1 0 0 0 0");
  EXPECT_EQ(TextOf(Parts(fft::Fftn(r, {.s = {2}, .axes = 1}))), "f32 [2, 2, 2]: 3 -1 3 1 0 0 0 0");
  EXPECT_EQ(TextOf(Parts(fft::Ifftn(g))), "f32 [2, 2, 2]: 2.75 -0.75 -1.25 0.25 0 0 0 0");
  ExpectEverywhere([](const Tensor& x) { return Parts(fft::Rfftn(x)); }, r,
                   "f32 [2, 2, 2]: 6 1.5 4 -3.5 0 -2.598 0 2.598");
  ExpectEverywhere([](const Tensor& x) { return Rounded(fft::Irfftn(x)); }, r,
                   "f32 [2, 4]: 1.125 0.375 -0.375 0.375 0.625 -0.625 0.125 -0.625");
  EXPECT_EQ(TextOf(Rounded(fft::Irfftn(fft::Rfftn(r), {.s = {2, 3}, .axes = {0, 1}}))),
            "f32 [2, 3]: 1 2 2 2 1 -2");
}

TEST_F(FftTest, Frequencies) {
  EXPECT_EQ(TextOf(fft::Fftfreq(5)), "f32 [5]: 0 0.2 0.4 -0.4 -0.2");
  EXPECT_EQ(TextOf(fft::Fftfreq(4, {.d = 0.5, .dtype = DType::kF64})), "f64 [4]: 0 0.5 -1 -0.5");
  EXPECT_EQ(TextOf(fft::Fftfreq(1)), "f32 [1]: 0");
  EXPECT_EQ(TextOf(fft::Rfftfreq(5)), "f32 [3]: 0 0.2 0.4");
  EXPECT_EQ(TextOf(fft::Rfftfreq(4, {.d = 0.5})), "f32 [3]: 0 0.5 1");
  EXPECT_EQ(fft::Rfftfreq(4, {.device = "cpu:1"}).device(), "cpu:1");
}

TEST_F(FftTest, Shifts) {
  const Tensor z = arrays::Arange(5);
  ExpectEverywhere([](const Tensor& x) { return fft::Fftshift(x); }, z, "i32 [5]: 3 4 0 1 2");
  ExpectEverywhere([](const Tensor& x) { return fft::Ifftshift(x); }, z, "i32 [5]: 2 3 4 0 1");
  EXPECT_EQ(TextOf(fft::Fftshift(r)), "f32 [2, 3]: -2 2 1 2 1 2");
  EXPECT_EQ(TextOf(fft::Fftshift(r, {.axes = 1})), "f32 [2, 3]: 2 1 2 -2 2 1");
  EXPECT_EQ(TextOf(fft::Ifftshift(r)), "f32 [2, 3]: 1 -2 2 2 2 1");
  EXPECT_EQ(TextOf(fft::Fftshift(arrays::Zeros({0, 3}))), "f32 [0, 3]:");
}

TEST_F(FftTest, Errors) {
  EXPECT_THAT(
      TextOf(fft::Fft(arrays::Arange(4))),
      AllOf(HasSubstr("fft_test.cc:"),
            HasSubstr("fft: x has elements of f32, f64, complex64 or complex128, not i32")));
  EXPECT_THAT(TextOf(fft::Rfft(fft::Fft(x))),
              HasSubstr("rfft: x has elements of f32 or f64, not complex64"));
  EXPECT_THAT(TextOf(fft::Ihfft(x > 2)), HasSubstr("ihfft: x has elements of f32 or f64, not i1"));
  EXPECT_THAT(TextOf(fft::Fft(x, {.n = 0})), HasSubstr("fft: n is 1 or more, not 0"));
  EXPECT_THAT(TextOf(fft::Fft(x, {.axis = 1})),
              HasSubstr("fft: axis 1 is out of range for an array of 1 dimension"));
  EXPECT_THAT(TextOf(fft::Ifft(x, {.norm = "no"})),
              HasSubstr("ifft: norm is 'backward', 'ortho' or 'forward', not 'no'"));
  EXPECT_THAT(TextOf(fft::Hfft(Make<float>({1}, {1}))),
              HasSubstr("hfft: a transform has 1 point or more, but of axis 0 it has 0"));
  EXPECT_THAT(TextOf(fft::Fft(arrays::Zeros({2, 0}))),
              HasSubstr("fft: a transform has 1 point or more, but of axis 1 it has 0"));
  EXPECT_THAT(TextOf(fft::Fftn(r, {.s = {1, 2, 3}})), HasSubstr("fftn: s has 3 sizes for 2 axes"));
  EXPECT_THAT(TextOf(fft::Rfftn(r, {.s = {1}, .axes = {0, 1}})),
              HasSubstr("rfftn: s has 1 sizes for 2 axes"));
  EXPECT_THAT(TextOf(fft::Irfftn(r, {.axes = {0, 2}})),
              HasSubstr("irfftn: axes 2 is out of range"));
  EXPECT_THAT(TextOf(fft::Fftn(x.At(0))), HasSubstr("fftn: there is no axis"));
  EXPECT_THAT(TextOf(fft::Fftfreq(0)), HasSubstr("fftfreq: n is 1 or more, not 0"));
  EXPECT_THAT(TextOf(fft::Fftfreq(3, {.d = 0})), HasSubstr("fftfreq: d is a distance, not 0"));
  EXPECT_THAT(TextOf(fft::Rfftfreq(3, {.dtype = DType::kI32})),
              HasSubstr("rfftfreq: dtype is one of floats, not i32"));
  EXPECT_THAT(TextOf(fft::Fftshift(x, {.axes = {0, -1}})),
              HasSubstr("fftshift: axes -1 names an axis twice"));
  // Sizes that no memory has.
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(TextOf(fft::Fft(x, {.n = most})), HasSubstr("error: "));
  EXPECT_THAT(TextOf(fft::Irfft(x, {.n = most})), HasSubstr("error: "));
  EXPECT_THAT(TextOf(fft::Fftfreq(most)), HasSubstr("error: "));
}

}  // namespace
}  // namespace tfrt::eager
