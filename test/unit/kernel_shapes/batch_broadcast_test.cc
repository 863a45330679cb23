#include "lib/ops/maths/shapes/batch_broadcast.h"

#include <gtest/gtest.h>

#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// "size:a_stride:b_stride" of each dimension.
std::string Dims(const BatchBroadcast& batch) {
  std::string text;
  for (const auto& dim : batch.dims) {
    text += StrCat(text.empty() ? "" : " ", dim.size, ":", dim.a_stride, ":", dim.b_stride);
  }
  return text;
}

TEST(BatchBroadcastTest, AsFewDimensionsAsPossible) {
  EXPECT_EQ(Dims({{2, 3}, {3, 4}}), "");
  EXPECT_EQ(Dims({{1, 1, 2, 3}, {3, 4}}), "");
  EXPECT_EQ(Dims({{5, 6, 2, 3}, {5, 6, 3, 4}}), "30:1:1");
  EXPECT_EQ(Dims({{5, 6, 2, 3}, {3, 4}}), "30:1:0");
  EXPECT_EQ(Dims({{2, 3}, {5, 1, 6, 3, 4}}), "30:0:1");
  EXPECT_EQ(Dims({{5, 1, 2, 3}, {6, 3, 4}}), "5:1:0 6:0:1");
  EXPECT_EQ(Dims({{5, 7, 1, 2, 3}, {5, 1, 6, 3, 4}}), "5:7:6 7:1:0 6:0:1");
  EXPECT_EQ(Dims({{0, 2, 3}, {1, 3, 4}}), "0:1:0");
}

TEST(BatchBroadcastTest, MatricesOfTheProduct) {
  const BatchBroadcast batch({5, 7, 1, 2, 3}, {5, 1, 6, 3, 4});
  EXPECT_EQ(batch.size(), 5 * 7 * 6);
  int64_t index = 0;
  for (int64_t i = 0; i < 5; ++i) {
    for (int64_t j = 0; j < 7; ++j) {
      for (int64_t k = 0; k < 6; ++k, ++index) {
        BatchBroadcast::Pair pair = batch.At(index);
        EXPECT_EQ(pair.a, i * 7 + j);
        EXPECT_EQ(pair.b, i * 6 + k);
      }
    }
  }
}

}  // namespace
}  // namespace tfrt
