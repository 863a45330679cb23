// Products with matrices in panels against the definition.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "lib/ops/maths/contraction/panel_products.h"

namespace tfrt::contraction {
namespace {

using Floats = std::vector<float>;

Floats RandomFloats(int64_t count, unsigned seed) {
  std::minstd_rand random(seed);
  Floats values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(random() % 2001) / 1000 - 1;
  return values;
}

TEST(PackPanelsTest, PutsColumnsTogetherAndFillsUpWithZeros) {
  const int64_t columns = 66, depth = 20;
  const Floats b = RandomFloats(columns * depth, 1);
  Floats panels(static_cast<size_t>(PanelFloats(columns, depth)), NAN);
  ASSERT_EQ(panels.size(), 2u * 64 * 20);
  for (bool transposed : {false, true}) {
    PackPanels(b.data(), transposed ? 1 : columns, transposed ? depth : 1, columns, depth,
               panels.data());
    for (int64_t j = 0; j < 128; ++j) {
      for (int64_t k = 0; k < depth; ++k) {
        const float expected = j >= columns ? 0 : b[transposed ? j * depth + k : k * columns + j];
        ASSERT_EQ(panels[(j / 64 * depth + k) * 64 + j % 64], expected) << j << " " << k;
      }
    }
  }
}

class PanelProductsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!CanMultiplyPanels()) GTEST_SKIP() << "this CPU has no AVX-512";
  }
};

TEST_F(PanelProductsTest, AgreeWithTheDefinition) {
  struct Scale {
    float alpha, beta;
    bool has_bias;
  };
  constexpr int64_t kGap = 3;  // after each row of the output, which nobody writes
  for (int64_t rows : {1, 2, 5, 6, 7, 13, 24, 25, 97, 300}) {
    for (int64_t columns : {1, 17, 48, 64, 100, 192}) {
      for (int64_t depth : {1, 64, 1600}) {
        for (Scale s : {Scale{1, 0, true}, {1, 1, false}, {0.5f, 0, true}, {2, 0.25f, true}}) {
          const Floats a = RandomFloats(rows * depth, 1), b = RandomFloats(columns * depth, 2),
                       bias = RandomFloats(columns, 3);
          const Floats before = RandomFloats(rows * (columns + kGap), 4);
          Floats panels(static_cast<size_t>(PanelFloats(columns, depth))), out = before;
          PackPanels(b.data(), columns, 1, columns, depth, panels.data());
          MultiplyPanels({rows, columns, depth, a.data(), depth, panels.data(), out.data(),
                          columns + kGap, s.has_bias ? bias.data() : nullptr, s.alpha, s.beta},
                         nullptr, nullptr);
          for (int64_t i = 0; i < rows; i += 1 + rows / 7) {
            for (int64_t j = 0; j < columns + kGap; j += j < columns - 2 ? 1 + columns / 7 : 1) {
              const auto at = static_cast<size_t>(i * (columns + kGap) + j);
              double expected = before[at];
              if (j < columns) {
                double sum = 0;
                for (int64_t k = 0; k < depth; ++k) {
                  sum += double(a[i * depth + k]) * b[k * columns + j];
                }
                expected = s.alpha * sum + (s.has_bias ? bias[j] : 0) + s.beta * before[at];
              }
              ASSERT_NEAR(out[at], expected, 4e-6 * std::sqrt(depth) + 1e-6)
                  << rows << "x" << columns << "x" << depth << " at " << i << ", " << j;
            }
          }
        }
      }
    }
  }
}

TEST_F(PanelProductsTest, SayWhatIsComplete) {
  const int64_t rows = 300, columns = 100, depth = 1000;
  Floats a(rows * depth, 1.0f), panels(PanelFloats(columns, depth), 0.001f), out(rows * columns);
  struct Seen {
    const Floats* out;
    std::vector<int> times;
  } seen{&out, std::vector<int>(rows * columns)};
  MultiplyPanels(
      {rows, columns, depth, a.data(), depth, panels.data(), out.data(), columns, nullptr, 1, 0},
      [](const void* context, int64_t row, int64_t count, int64_t first, int64_t width) {
        auto& s = *const_cast<Seen*>(static_cast<const Seen*>(context));
        for (int64_t i = row; i < row + count; ++i) {
          for (int64_t j = first; j < first + width; ++j) {
            const int64_t at = i * columns + j;
            EXPECT_NEAR((*s.out)[at], 1, 1e-4);
            ++s.times[at];
          }
        }
      },
      &seen);
  EXPECT_EQ(seen.times, std::vector<int>(rows * columns, 1));
}

TEST_F(PanelProductsTest, Activate) {
  const int64_t rows = 3, columns = 50, stride = 55;
  for (Activation function : {Activation::kGelu, Activation::kGeluTanh}) {
    const Floats before = RandomFloats(rows * stride, 5);
    Floats data = before;
    for (float& x : data) x *= 8;
    data[7] = NAN;
    data[8] = INFINITY;
    data[9] = -INFINITY;
    ASSERT_TRUE(ActivatePanel(function, data.data(), rows, columns, stride));
    for (int64_t i = 0; i < rows * stride; ++i) {
      const double x = 8.0f * before[i];
      double expected = x;
      if (i % stride < columns) {
        expected = function == Activation::kGelu
                       ? x / 2 * std::erfc(-x / std::sqrt(2))
                       : x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      }
      if (i < 7 || i > 9) ASSERT_NEAR(data[i], expected, 1e-6) << i;
    }
    EXPECT_TRUE(std::isnan(data[7]));
    EXPECT_EQ(data[8], INFINITY);
    EXPECT_EQ(data[9], 0);
  }
  EXPECT_FALSE(ActivatePanel(Activation::kRelu, nullptr, rows, columns, stride));
}

}  // namespace
}  // namespace tfrt::contraction
