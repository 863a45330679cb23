#include "gpu/device_code/steps.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace tfrt::gpu {
namespace {

using Dims = std::vector<int64_t>;

TEST(PlanBroadcastTest, EqualShapesAreOneDimension) {
  auto steps = PlanBroadcast(Dims{2, 3, 4, 5, 6, 7}, Dims{2, 3, 4, 5, 6, 7});
  ASSERT_TRUE(steps);
  EXPECT_TRUE(steps->is_flat());
  EXPECT_EQ(steps->sizes[3], 5040);
  EXPECT_EQ(steps->a[3], 1);
  EXPECT_EQ(steps->b[3], 1);
}

TEST(PlanBroadcastTest, AScalarRepeats) {
  auto steps = PlanBroadcast(Dims{}, Dims{2, 3});
  ASSERT_TRUE(steps && steps->is_flat());
  EXPECT_EQ(steps->sizes[3], 6);
  EXPECT_EQ(steps->a[3], 0);
  EXPECT_EQ(steps->b[3], 1);
  steps = PlanBroadcast(Dims{1, 1}, Dims{1});
  ASSERT_TRUE(steps && steps->is_flat());
  EXPECT_EQ(steps->sizes[3], 1);
}

TEST(PlanBroadcastTest, ABiasIsTwoDimensions) {
  auto steps = PlanBroadcast(Dims{8, 5, 5, 3}, Dims{3});
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->sizes, (FourDims{1, 1, 200, 3}));
  EXPECT_EQ(steps->a, (FourDims{0, 0, 3, 1}));
  EXPECT_EQ(steps->b, (FourDims{0, 0, 0, 1}));
}

TEST(PlanBroadcastTest, FiveKindsOfDimensionsAreTooMany) {
  EXPECT_TRUE(PlanBroadcast(Dims{2, 1, 2, 1}, Dims{1, 2, 1, 2}));
  EXPECT_FALSE(PlanBroadcast(Dims{2, 1, 2, 1, 2}, Dims{1, 2, 1, 2, 1}));
}

TEST(PlanBroadcastTest, EmptyShapesHaveNoElements) {
  auto steps = PlanBroadcast(Dims{3, 0}, Dims{3, 1});
  ASSERT_TRUE(steps);
  EXPECT_EQ(
      std::accumulate(steps->sizes.begin(), steps->sizes.end(), int64_t{1}, std::multiplies<>()),
      0);
}

// Element by element as NumPy's rule says it.
TEST(PlanBroadcastTest, RandomShapes) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const size_t rank = random() % 6;
    Dims a(rank), b(rank), out(rank);
    for (size_t i = 0; i < rank; ++i) {
      out[i] = static_cast<int64_t>(random() % 3) + 1;
      a[i] = random() % 3 == 0 ? 1 : out[i];
      b[i] = a[i] == 1 || random() % 3 != 0 ? out[i] : 1;
    }
    a.erase(a.begin(), std::find_if(a.begin(), a.end(), [](int64_t d) { return d != 1; }));
    auto steps = PlanBroadcast(a, b);
    if (!steps) continue;
    auto place_in = [&](const Dims& dims, int64_t i) {
      int64_t place = 0, step = 1;
      for (size_t d = 0; d < rank; ++d) {
        const int64_t at = i % out[rank - 1 - d];
        i /= out[rank - 1 - d];
        if (d >= dims.size()) continue;
        const int64_t size = dims[dims.size() - 1 - d];
        if (size != 1) place += at * step;
        step *= size;
      }
      return place;
    };
    const int64_t count = std::accumulate(out.begin(), out.end(), int64_t{1}, std::multiplies<>());
    int64_t i = 0;
    for (int64_t p = 0; p < steps->sizes[0]; ++p)
      for (int64_t q = 0; q < steps->sizes[1]; ++q)
        for (int64_t r = 0; r < steps->sizes[2]; ++r)
          for (int64_t s = 0; s < steps->sizes[3]; ++s, ++i) {
            auto at = [&](const FourDims& by) {
              return p * by[0] + q * by[1] + r * by[2] + s * by[3];
            };
            ASSERT_EQ(at(steps->a), place_in(a, i)) << "round " << round << " element " << i;
            ASSERT_EQ(at(steps->b), place_in(b, i)) << "round " << round << " element " << i;
          }
    ASSERT_EQ(i, count);
  }
}

TEST(PlanPermutationTest, Transposes) {
  auto steps = PlanPermutation(Dims{4, 7}, Dims{1, 0});
  ASSERT_TRUE(steps && steps->transpose);
  EXPECT_EQ(steps->transpose->batch, 1);
  EXPECT_EQ(steps->transpose->rows, 4);
  EXPECT_EQ(steps->transpose->columns, 7);

  // [N,H,W,C] -> [N,C,H,W]
  steps = PlanPermutation(Dims{2, 5, 6, 3}, Dims{0, 3, 1, 2});
  ASSERT_TRUE(steps && steps->transpose);
  EXPECT_EQ(steps->transpose->batch, 2);
  EXPECT_EQ(steps->transpose->rows, 30);
  EXPECT_EQ(steps->transpose->columns, 3);
}

TEST(PlanPermutationTest, NothingMoves) {
  auto steps = PlanPermutation(Dims{2, 3, 4}, Dims{0, 1, 2});
  ASSERT_TRUE(steps);
  EXPECT_FALSE(steps->transpose);
  EXPECT_EQ(steps->sizes, (FourDims{1, 1, 1, 24}));
  EXPECT_EQ(steps->steps, (FourDims{0, 0, 0, 1}));
}

TEST(PlanPermutationTest, NotATranspose) {
  auto steps = PlanPermutation(Dims{2, 3, 4}, Dims{2, 1, 0});
  ASSERT_TRUE(steps);
  EXPECT_FALSE(steps->transpose);
  EXPECT_EQ(steps->sizes, (FourDims{1, 4, 3, 2}));
  EXPECT_EQ(steps->steps, (FourDims{0, 1, 4, 12}));
  steps = PlanPermutation(Dims{2, 3, 4}, Dims{1, 0, 2});
  ASSERT_TRUE(steps);
  EXPECT_FALSE(steps->transpose);
  EXPECT_FALSE(PlanPermutation(Dims{2, 2, 2, 2, 2}, Dims{4, 3, 2, 1, 0}));
}

TEST(PlanPermutationTest, AllOfFourDimensions) {
  Dims permutation = {0, 1, 2, 3};
  const Dims dims = {2, 3, 1, 4};
  do {
    auto steps = PlanPermutation(dims, permutation);
    ASSERT_TRUE(steps);
    Dims in_steps = {12, 4, 4, 1};
    int64_t i = 0;
    for (int64_t p = 0; p < steps->sizes[0]; ++p)
      for (int64_t q = 0; q < steps->sizes[1]; ++q)
        for (int64_t r = 0; r < steps->sizes[2]; ++r)
          for (int64_t s = 0; s < steps->sizes[3]; ++s, ++i) {
            int64_t rest = i, expected = 0;
            for (size_t d = 4; d-- > 0;) {
              const auto from = static_cast<size_t>(permutation[d]);
              expected += rest % dims[from] * in_steps[from];
              rest /= dims[from];
            }
            ASSERT_EQ(p * steps->steps[0] + q * steps->steps[1] + r * steps->steps[2] +
                          s * steps->steps[3],
                      expected);
          }
    EXPECT_EQ(i, 24);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

}  // namespace
}  // namespace tfrt::gpu
