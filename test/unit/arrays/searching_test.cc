// Where elements are, their order, and those that differ, with figures of NumPy.

#include <cmath>
#include <cstdint>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

class SearchingTest : public ArraysTest {
 protected:
  const Tensor x = Make<float>({2, 3}, {3, 1, 2, 1, 5, 5});
  const Tensor none = Make<float>({0}, {});
};

TEST_F(SearchingTest, LargestAndSmallest) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Argmax(x); }, x, "i64 []: 4");
  ExpectEverywhere([](const Tensor& x) { return arrays::Argmax(x, {.axis = -1}); }, x,
                   "i64 [2]: 0 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::Argmin(x, {.axis = 0}); }, x,
                   "i64 [3]: 1 0 0");
  EXPECT_EQ(TextOf(arrays::Argmin(x, {.keepdims = true})), "i64 [1, 1]: 1");
  EXPECT_EQ(TextOf(arrays::Argmax(x, {.axis = 1, .keepdims = true})), "i64 [2, 1]: 0 1");
  EXPECT_EQ(TextOf(arrays::Argmax(Make<float>({3}, {1, NAN, 3}))), "i64 []: 1");
  EXPECT_EQ(TextOf(arrays::Argmax(x > 2)), "i64 []: 0");
  EXPECT_EQ(TextOf(arrays::Argmax(Make<int8_t>({}, {4}))), "i64 []: 0");
  EXPECT_THAT(TextOf(arrays::Argmax(none)),
              AllOf(HasSubstr("searching_test.cc:"),
                    HasSubstr("argmax: axis 0 of the shape [0] has size 0")));
  EXPECT_THAT(TextOf(arrays::Argmin(x, {.axis = 2})), HasSubstr("argmin: axis 2 is out of range"));
}

TEST_F(SearchingTest, PlacesThatHold) {
  EXPECT_EQ(TextOf(arrays::Nonzero(x > 2)), "i64 [3]: 0 1 1 | i64 [3]: 0 1 2");
  EXPECT_EQ(TextOf(arrays::Nonzero(none)), "i64 [0]:");
  ExpectEverywhere([](const Tensor& x) { return arrays::Nonzero(x > 2)[1]; }, x, "i64 [3]: 0 1 2");
  EXPECT_THAT(TextOf(arrays::Nonzero(Make<float>({}, {1}))),
              HasSubstr("nonzero: x has 0 dimensions, but 1 or more are needed"));
}

TEST_F(SearchingTest, Choices) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Where(x > 2, x, 0); }, x,
                   "f32 [2, 3]: 3 0 0 0 5 5");
  // The number takes the dtype of what is beside it, whatever its side, and arrays meet.
  EXPECT_EQ(TextOf(arrays::Where(x > 2, 1.5, Make<int16_t>({3}, {7, 8, 9}))),
            "f32 [2, 3]: 1.5 8 9 7 1.5 1.5");
  EXPECT_EQ(TextOf(arrays::Where(x > 2, 1, 2)), "i32 [2, 3]: 1 2 2 2 1 1");
  EXPECT_EQ(TextOf(arrays::Where(x > 2, Make<int8_t>({}, {1}), Make<int32_t>({}, {2}))),
            "i32 [2, 3]: 1 2 2 2 1 1");
  EXPECT_THAT(TextOf(arrays::Where(x, 1, 2)), HasSubstr("where: condition is of bools, not f32"));
  EXPECT_THAT(TextOf(arrays::Where(x > 2, Make<int8_t>({}, {1}), 1000)), HasSubstr("1000"));
}

TEST_F(SearchingTest, PlacesInOrder) {
  const Tensor sorted = Make<int32_t>({4}, {1, 3, 3, 7});
  const Tensor wanted = Make<int32_t>({2, 2}, {0, 3, 4, 9});
  ExpectEverywhere([&](const Tensor& x) { return arrays::Searchsorted(sorted, x); }, wanted,
                   "i64 [2, 2]: 0 1 3 4");
  ExpectEverywhere(
      [&](const Tensor& x) { return arrays::Searchsorted(sorted, x, {.side = "right"}); }, wanted,
      "i64 [2, 2]: 0 3 3 4");
  EXPECT_EQ(TextOf(arrays::Searchsorted(sorted, 3)), "i64 []: 1");
  EXPECT_EQ(TextOf(arrays::Searchsorted(sorted, 3.5)), "i64 []: 3");
  const Tensor mixed = Make<int32_t>({3}, {5, 1, 3});
  EXPECT_EQ(TextOf(arrays::Searchsorted(mixed, 4, {.sorter = arrays::Argsort(mixed)})),
            "i64 []: 2");
  EXPECT_THAT(TextOf(arrays::Searchsorted(sorted, 3, {.side = "up"})),
              HasSubstr("searchsorted: side is left or right, not 'up'"));
  EXPECT_THAT(TextOf(arrays::Searchsorted(x, 3)), HasSubstr("x1 has 1 dimension, not 2"));
  EXPECT_THAT(TextOf(arrays::Searchsorted(sorted, 3, {.sorter = x})),
              HasSubstr("indices are integers, not f32"));
}

TEST_F(SearchingTest, SlicesByTheirPlaces) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Take(x, HostArray({2}, {2, -3}), 1); }, x,
                   "f32 [2, 2]: 2 3 5 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::Take(x, 4); }, x, "f32 []: 5");
  ExpectEverywhere(
      [](const Tensor& x) { return arrays::TakeAlongAxis(x, arrays::Argsort(x, {.axis = 1}), 1); },
      x, "f32 [2, 3]: 1 2 3 1 5 5");
  EXPECT_EQ(TextOf(arrays::TakeAlongAxis(x, Make<int8_t>({1, 1}, {1}), 0)), "f32 [1, 3]: 1 5 5");
  EXPECT_THAT(TextOf(arrays::Take(x, 6)), HasSubstr("6"));
  EXPECT_THAT(TextOf(arrays::Take(x, x, 0)), HasSubstr("take: indices are integers, not f32"));
  EXPECT_THAT(TextOf(arrays::TakeAlongAxis(x, Make<int32_t>({1}, {0}))),
              HasSubstr("x has 2 dimensions, but indices have 1"));
  EXPECT_THAT(
      TextOf(arrays::TakeAlongAxis(x, Make<int32_t>({3, 1}, {0, 0, 0}))),
      HasSubstr("indices of the shape [3, 1] are not broadcast with x of the shape [2, 3]"));
}

TEST_F(SearchingTest, Orders) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Sort(x); }, x, "f32 [2, 3]: 1 2 3 1 5 5");
  ExpectEverywhere([](const Tensor& x) { return arrays::Sort(x, {.axis = 0, .descending = true}); },
                   x, "f32 [2, 3]: 3 5 5 1 1 2");
  ExpectEverywhere([](const Tensor& x) { return arrays::Argsort(x, {.descending = true}); }, x,
                   "i64 [2, 3]: 0 2 1 1 2 0");
  EXPECT_EQ(TextOf(arrays::Sort(Make<float>({3}, {NAN, 2, 1}))), "f32 [3]: 1 2 nan");
  EXPECT_EQ(TextOf(arrays::Sort(x > 2)), "i1 [2, 3]: 0 0 1 0 1 1");
  EXPECT_EQ(TextOf(arrays::Argsort(x > 2)), "i64 [2, 3]: 1 2 0 0 1 2");
  EXPECT_EQ(TextOf(arrays::Sort(none)), "f32 [0]:");
  EXPECT_THAT(TextOf(arrays::Sort(Make<float>({}, {1}))),
              HasSubstr("sort: x has 0 dimensions, but 1 or more are needed"));
}

TEST_F(SearchingTest, Sets) {
  ExpectEverywhere([](const Tensor& x) { return arrays::UniqueValues(x); }, x, "f32 [4]: 1 2 3 5");
  EXPECT_EQ(TextOf(arrays::UniqueValues(none)), "f32 [0]:");
  EXPECT_EQ(TextOf(arrays::UniqueValues(x > 2)), "i1 [2]: 0 1");
  EXPECT_EQ(TextOf(arrays::UniqueValues(Make<float>({3}, {NAN, 1, NAN}))), "f32 [3]: 1 nan nan");
  auto [values, indices, inverse, counts] = arrays::UniqueAll(x);
  EXPECT_EQ(TextOf(values), "f32 [4]: 1 2 3 5");
  EXPECT_EQ(TextOf(indices), "i64 [4]: 1 2 0 4");
  EXPECT_EQ(TextOf(inverse), "i64 [2, 3]: 2 0 1 0 3 3");
  EXPECT_EQ(TextOf(counts), "i64 [4]: 2 1 1 2");
  ExpectEverywhere([](const Tensor& x) { return arrays::UniqueCounts(x).counts; }, x,
                   "i64 [4]: 2 1 1 2");
  ExpectEverywhere([](const Tensor& x) { return arrays::UniqueInverse(x).inverse_indices; }, x,
                   "i64 [2, 3]: 2 0 1 0 3 3");
  EXPECT_EQ(TextOf(arrays::UniqueCounts(x > 9).counts), "i64 [1]: 6");
  EXPECT_EQ(TextOf(arrays::UniqueCounts(x).values), "f32 [4]: 1 2 3 5");
  const Tensor wrong = arrays::Eye(-1);
  EXPECT_EQ(TextOf(arrays::UniqueAll(wrong).counts), TextOf(wrong));
  EXPECT_EQ(TextOf(arrays::UniqueCounts(wrong).values), TextOf(wrong));
}

TEST_F(SearchingTest, Members) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Isin(x, HostArray({2}, {2, 5})); }, x,
                   "i1 [2, 3]: 0 0 1 0 1 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::Isin(x, 5, {.invert = true}); }, x,
                   "i1 [2, 3]: 1 1 1 1 0 0");
  EXPECT_EQ(TextOf(arrays::Isin(x, none)), "i1 [2, 3]: 0 0 0 0 0 0");
  EXPECT_EQ(TextOf(arrays::Isin(Make<float>({1}, {NAN}), Make<float>({1}, {NAN}))), "i1 [1]: 0");
  EXPECT_EQ(TextOf(arrays::Isin(x > 2, true)), "i1 [2, 3]: 1 0 0 0 1 1");
}

}  // namespace
}  // namespace tfrt::eager
