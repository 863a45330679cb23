// Fourier transforms beyond NumPy's cases: of many lines on two threads, and what is refused.

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "graph_op_runner.h"

namespace tfrt {
namespace {

using Complex = std::complex<double>;

// Every line is a wave of one frequency, so its transform is the size there and 0 elsewhere.
TEST(FourierOpsTest, WavesOfManyLines) {
  GraphOpRunner runner("mstd:2");
  for (int64_t size : {64, 67, 210, 1009}) {
    constexpr int64_t kLines = 40, kInner = 3;
    std::vector<Complex> elements;
    for (int64_t line = 0; line < kLines; ++line) {
      for (int64_t k = 0; k < size; ++k) {
        for (int64_t i = 0; i < kInner; ++i) {
          const auto turns = static_cast<double>((line + i) * k % size) / double(size);
          elements.push_back(std::polar(1.0, 2 * std::numbers::pi * turns));
        }
      }
    }
    for (bool inverse : {false, true}) {
      OpAttrs attrs;
      attrs.Set<int64_t>("axis", 1);
      attrs.Set("inverse", inverse);
      TensorHandle in = runner.Dense<Complex>({kLines, size, kInner}, elements);
      TensorHandle out = runner.Run1("graph.dft", {in}, attrs.Freeze());
      ASSERT_FALSE(out.IsError()) << out.ToString();
      auto* y = static_cast<const Complex*>(DenseOf(out).data());
      for (int64_t line = 0; line < kLines; ++line) {
        for (int64_t k = 0; k < size; ++k) {
          for (int64_t i = 0; i < kInner; ++i) {
            const int64_t wave = (line + i) % size, at = inverse ? (size - wave) % size : wave;
            const Complex got = y[(line * size + k) * kInner + i];
            ASSERT_NEAR(std::abs(got - Complex(k == at ? double(size) : 0)), 0, 1e-9)
                << size << " " << line << " " << k << " " << i;
          }
        }
      }
    }
  }
}

TEST(FourierOpsTest, WhatIsRefused) {
  GraphOpRunner runner;
  const TensorHandle floats = runner.Floats({2, 3}), complex = runner.Zeros(DType::kComplex64, {4});
  for (const std::string op : {"dft", "real", "imag"}) {
    EXPECT_EQ(runner.Error("graph." + op, {floats}), op + ": elements of f32 are not complex");
  }
  OpAttrs axis;
  axis.Set<int64_t>("axis", 1);
  EXPECT_EQ(runner.Error("graph.dft", {complex}, axis.Freeze()),
            "dft: axis 1 is out of range for rank 1");
  EXPECT_EQ(runner.Error("graph.make_complex", {floats, runner.Floats({3, 2})}),
            "make_complex: shapes that must be equal are [2, 3] and [3, 2]");
  EXPECT_EQ(runner.Error("graph.make_complex", {floats, runner.Zeros(DType::kF64, {2, 3})}),
            "make_complex: incompatible dtypes f32 and f64");
  const TensorHandle ints = runner.Zeros(DType::kI32, {2});
  EXPECT_EQ(runner.Error("graph.make_complex", {ints, ints}),
            "make_complex: complex numbers are made of f32 or f64, not of i32");
}

}  // namespace
}  // namespace tfrt
