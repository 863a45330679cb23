// Products with panels of 16-bit floats against the definition.
#include "lib/ops/maths/contraction/half_products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "lib/ops/maths/contraction/panel_products.h"
#include "tfrt/support/half.h"

namespace tfrt::contraction {
namespace {

template <typename Half>
void ExpectProducts(bool is_bf16) {
  std::minstd_rand random(1);
  auto number = [&] { return static_cast<float>(random() % 2001) / 1000 - 1; };
  const int64_t columns = 70;
  for (int64_t depth : {1, 2, 65, 700}) {
    std::vector<Half> b;
    for (int64_t i = 0; i < depth * columns; ++i) b.emplace_back(number());
    std::vector<uint16_t> panels(static_cast<size_t>(PanelFloats(columns, depth)));
    PackPanels(&b[0].bits, columns, 1, columns, depth, panels.data());
    const int64_t stride = depth + 3;
    std::vector<float> a(static_cast<size_t>(kRowsAtOnce * stride));
    for (float& each : a) each = number();
    for (int64_t rows = 1; rows <= kRowsAtOnce; ++rows) {
      for (int64_t panel = 0; panel < 2; ++panel) {
        std::vector<float> sums(static_cast<size_t>(kRowsAtOnce * kPanelColumns), NAN);
        MultiplyHalfPanel(a.data(), stride, rows, panels.data() + panel * depth * kPanelColumns,
                          depth, is_bf16, sums.data());
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < kPanelColumns; ++j) {
            const int64_t column = panel * kPanelColumns + j;
            double expected = 0;
            for (int64_t k = 0; k < depth && column < columns; ++k) {
              expected += double(a[static_cast<size_t>(i * stride + k)]) *
                          b[static_cast<size_t>(k * columns + column)].ToFloat();
            }
            ASSERT_NEAR(sums[static_cast<size_t>(i * kPanelColumns + j)], expected,
                        1e-6 * std::sqrt(depth) * 4)
                << rows << " rows of depth " << depth << " at " << i << ", " << column;
          }
        }
        // Rows that are not there stay as they are.
        for (int64_t i = rows * kPanelColumns; i < kRowsAtOnce * kPanelColumns; ++i) {
          ASSERT_TRUE(std::isnan(sums[static_cast<size_t>(i)]));
        }
      }
    }
  }
}

TEST(HalfProductsTest, AgreeWithTheDefinition) {
  if (!CanMultiplyHalves()) GTEST_SKIP() << "this CPU has no AVX2, FMA or F16C";
  ExpectProducts<Fp16>(false);
  ExpectProducts<Bf16>(true);
}

}  // namespace
}  // namespace tfrt::contraction
