// Tensor::At and Tensor::SetAt, with figures of NumPy.

#include <cstdint>

#include "test/unit/arrays/arrays_fixture.h"
#include "tfrt/eager/variable.h"

namespace tfrt::eager {
namespace {

using arrays::kEllipsis;
using arrays::kNewAxis;

class IndexingTest : public ArraysTest {
 protected:
  const Tensor x = arrays::Reshape(arrays::Arange(12), {3, 4});
  const Tensor cube = arrays::Reshape(arrays::Arange(8), {2, 2, 2});
  static arrays::Slice All() { return {}; }
  static arrays::Slice Part(arrays::Bound begin, arrays::Bound end, int64_t step = 1) {
    return {std::move(begin), std::move(end), step};
  }
};

TEST_F(IndexingTest, IntegersAndSlices) {
  ExpectEverywhere([](const Tensor& x) { return x.At(1); }, x, "i32 [4]: 4 5 6 7");
  ExpectEverywhere([](const Tensor& x) { return x.At(-1); }, x, "i32 [4]: 8 9 10 11");
  ExpectEverywhere([](const Tensor& x) { return x.At({2, -1}); }, x, "i32 []: 11");
  ExpectEverywhere([](const Tensor& x) { return x.At(Part(1, {})); }, x,
                   "i32 [2, 4]: 4 5 6 7 8 9 10 11");
  ExpectEverywhere([](const Tensor& x) { return x.At({All(), Part(1, 3)}); }, x,
                   "i32 [3, 2]: 1 2 5 6 9 10");
  ExpectEverywhere([](const Tensor& x) { return x.At({Part({}, {}, -1), 0}); }, x,
                   "i32 [3]: 8 4 0");
  ExpectEverywhere([](const Tensor& x) { return x.At({1, Part({}, -1, 2)}); }, x, "i32 [2]: 4 6");
  // Bounds beyond an axis are its ends.
  ExpectEverywhere([](const Tensor& x) { return x.At(Part(2, 100)); }, x, "i32 [1, 4]: 8 9 10 11");
  EXPECT_EQ(TextOf(x.At(Part(3, 1))), "i32 [0, 4]:");
  EXPECT_EQ(TextOf(x.At(arrays::IndexList({}))), TextOf(x));
}

TEST_F(IndexingTest, NewAxesAndEllipsis) {
  ExpectEverywhere([](const Tensor& x) { return x.At({kEllipsis, 0}); }, cube,
                   "i32 [2, 2]: 0 2 4 6");
  ExpectEverywhere([](const Tensor& x) { return x.At({0, kEllipsis, 1}); }, cube, "i32 [2]: 1 3");
  ExpectEverywhere([](const Tensor& x) { return x.At({kNewAxis, 0, kEllipsis, kNewAxis}); }, x,
                   "i32 [1, 4, 1]: 0 1 2 3");
  EXPECT_EQ(TextOf(x.At({0, 0, kEllipsis})), "i32 []: 0");
  EXPECT_EQ(TextOf(Make<float>({}, {4}).At(kNewAxis)), "f32 [1]: 4");
  EXPECT_EQ(TextOf(Make<float>({}, {4}).At(kEllipsis)), "f32 []: 4");
}

TEST_F(IndexingTest, Masks) {
  ExpectEverywhere([](const Tensor& x) { return x.At(x > 8); }, x, "i32 [3]: 9 10 11");
  const Tensor rows = Make<int32_t>({3}, {1, 0, 1}) > 0;
  ExpectEverywhere([&](const Tensor& x) { return x.At(rows); }, x, "i32 [2, 4]: 0 1 2 3 8 9 10 11");
  ExpectEverywhere([&](const Tensor& x) { return x.At({rows, Part(2, {})}); }, x,
                   "i32 [2, 2]: 2 3 10 11");
  const Tensor of_two = Make<int32_t>({2, 2}, {0, 1, 1, 0}) > 0;
  EXPECT_EQ(TextOf(cube.At(of_two)), "i32 [2, 2]: 2 3 4 5");
  EXPECT_EQ(TextOf(cube.At({0, of_two})), "i32 [2]: 1 2");
  EXPECT_EQ(TextOf(x.At(x > 100)), "i32 [0]:");
  EXPECT_EQ(TextOf(Make<int32_t>({2}, {1, 2}).At(HostArray({}, {true}))), "i32 [1, 2]: 1 2");
}

TEST_F(IndexingTest, TensorsOfIntegers) {
  const Tensor places = Make<int64_t>({2}, {2, -3});
  ExpectEverywhere([&](const Tensor& x) { return x.At(places); }, x,
                   "i32 [2, 4]: 8 9 10 11 0 1 2 3");
  ExpectEverywhere([](const Tensor& x) { return x.At(HostArray({1, 2}, {0, 1})).At(0); }, x,
                   "i32 [2, 4]: 0 1 2 3 4 5 6 7");
  ExpectEverywhere([&](const Tensor& x) { return x.At({places, HostArray({2}, {1, 3})}); }, x,
                   "i32 [2]: 9 3");
  // They broadcast, and come where the first one is unless something lies between them.
  EXPECT_EQ(TextOf(x.At({Make<int8_t>({2, 1}, {0, 2}), HostArray({2}, {1, 3})})),
            "i32 [2, 2]: 1 3 9 11");
  EXPECT_EQ(TextOf(cube.At({All(), HostArray({1}, {1}), HostArray({1}, {0})})), "i32 [2, 1]: 2 6");
  EXPECT_EQ(TextOf(cube.At({HostArray({1}, {1}), All(), HostArray({1}, {0})})), "i32 [1, 2]: 4 6");
  EXPECT_EQ(TextOf(cube.At({1, All(), HostArray({2}, {1, 0})})), "i32 [2, 2]: 5 7 4 6");
  EXPECT_EQ(TextOf(x.At({All(), HostArray({2}, {3, 0})})), "i32 [3, 2]: 3 0 7 4 11 8");
  // Without dimensions they are integers; in a trace, too.
  ExpectEverywhere([](const Tensor& i) { return arrays::Arange(4).At(i); }, Make<int32_t>({}, {2}),
                   "i32 []: 2");
  ExpectEverywhere([](const Tensor& i) { return arrays::Arange(4).At(Part(i, {})); },
                   Make<int32_t>({}, {2}), "i32 [2]: 2 3");
}

TEST_F(IndexingTest, Assignment) {
  auto with = [](arrays::IndexList index, Operand value) {
    return [index = std::move(index), value = std::move(value)](const Tensor& x) {
      Tensor copy = x;
      copy.SetAt(index, value);
      return copy;
    };
  };
  ExpectEverywhere(with(1, 0), x, "i32 [3, 4]: 0 1 2 3 0 0 0 0 8 9 10 11");
  ExpectEverywhere(with({All(), -1}, HostArray({3}, {7, 8, 9})), x,
                   "i32 [3, 4]: 0 1 2 7 4 5 6 8 8 9 10 9");
  ExpectEverywhere(with({Part({}, {}, 2), Part(1, 3)}, -1), x,
                   "i32 [3, 4]: 0 -1 -1 3 4 5 6 7 8 -1 -1 11");
  ExpectEverywhere(with(kEllipsis, 5), cube, "i32 [2, 2, 2]: 5 5 5 5 5 5 5 5");
  ExpectEverywhere(with(HostArray({2}, {0, -1}), HostArray({2, 1}, {1, 2})), x,
                   "i32 [3, 4]: 1 1 1 1 4 5 6 7 2 2 2 2");
  ExpectEverywhere(
      [](const Tensor& x) {
        Tensor copy = x;
        return copy.SetAt(x > 8, 0);
      },
      x, "i32 [3, 4]: 0 1 2 3 4 5 6 7 8 0 0 0");
  EXPECT_EQ(TextOf(with(x > 9, HostArray({2}, {7, 8}))(x)), "i32 [3, 4]: 0 1 2 3 4 5 6 7 8 9 7 8");
  EXPECT_EQ(TextOf(with(Part(0, 0), 3)(x)), TextOf(x));
  EXPECT_EQ(TextOf(with(HostArray({}, {true}), 3)(Make<float>({2}, {1, 2}))), "f32 [2]: 3 3");
  // An integer becomes a float, and a bool a number.
  EXPECT_EQ(TextOf(with(0, Make<int8_t>({}, {3}))(Make<float>({2}, {1, 2}))), "f32 [2]: 3 2");
  EXPECT_EQ(TextOf(with(0, true)(Make<float>({2}, {5, 2}))), "f32 [2]: 1 2");
  // No other tensor changes that shares the elements.
  EXPECT_EQ(TextOf(x), "i32 [3, 4]: 0 1 2 3 4 5 6 7 8 9 10 11");
}

TEST_F(IndexingTest, LargestNumbers) {
  const Tensor most = Make<int64_t>({}, {INT64_MAX}), least = Make<int64_t>({}, {INT64_MIN});
  for (int64_t place : {INT64_MAX, INT64_MIN}) {
    EXPECT_THAT(TextOf(x.At(place)), HasSubstr("is out of range for axis 0 with size 3"));
    if (!CanTrace()) continue;
    EXPECT_THAT(OpenError([&](const Tensor& x) { return x.At(place); }, x), HasSubstr("error: "));
  }
  EXPECT_EQ(TextOf(x.At({0, Part(INT64_MIN, INT64_MAX, INT64_MAX)})), "i32 [1]: 0");
  EXPECT_EQ(TextOf(x.At({0, Part(most, least, INT64_MIN)})), "i32 [1]: 3");
}

TEST_F(IndexingTest, UnsignedIndicesDoNotWrap) {
  for (uint64_t place : {uint64_t{1} << 63, UINT64_MAX}) {
    const Tensor one = Make<uint64_t>({}, {place}), some = Make<uint64_t>({2}, {0, place});
    EXPECT_THAT(TextOf(x.At(one)), HasSubstr("is out of range for axis 0 with size 3"));
    EXPECT_THAT(TextOf(x.At(some)), HasSubstr("is out of range for axis 0"));
    EXPECT_EQ(TextOf(x.At({0, Part(3, one)})), "i32 [1]: 3");
    Tensor copy = x;
    EXPECT_THAT(TextOf(copy.SetAt(some, 1)), HasSubstr("is out of range for axis 0"));
    EXPECT_THAT(TextOf(arrays::Take(x, some, 1)), HasSubstr("is out of range for axis 1"));
    EXPECT_THAT(TextOf(arrays::TakeAlongAxis(arrays::Arange(2), some)),
                HasSubstr("is out of range for axis 0"));
  }
  EXPECT_EQ(TextOf(x.At({0, Part(2, SIZE_MAX)})), "i32 [2]: 2 3");
  EXPECT_THAT(TextOf(x.At(SIZE_MAX)), HasSubstr("is out of range for axis 0 with size 3"));
  ExpectEverywhere([](const Tensor& x) { return x.At(Make<uint64_t>({2}, {2, 0})); },
                   arrays::Arange(3), "i32 [2]: 2 0");
}

TEST_F(IndexingTest, Errors) {
  EXPECT_THAT(TextOf(x.At({0, 4})),
              AllOf(HasSubstr("indexing_test.cc:"),
                    HasSubstr("at: index 4 is out of range for axis 1 with size 4")));
  EXPECT_THAT(TextOf(x.At({0, 0, 0})),
              HasSubstr("an index of 3 axes is for a tensor of 2 dimensions"));
  EXPECT_THAT(TextOf(x.At({kEllipsis, kEllipsis})),
              HasSubstr("an index has at most one kEllipsis, but this one has 2"));
  EXPECT_THAT(TextOf(x.At(Part(0, 1, 0))), HasSubstr("the step of a slice is 0"));
  EXPECT_THAT(TextOf(x.At(Part(Make<float>({}, {1}), {}))),
              HasSubstr("a bound of a slice is one integer, not f32 of the shape []"));
  EXPECT_THAT(TextOf(x.At(Make<float>({1}, {1}))),
              HasSubstr("an index is of integers or bools, not of f32"));
  EXPECT_THAT(TextOf(x.At(Make<int32_t>({2}, {0, 1}) > 0)),
              HasSubstr("a mask of size 2 along its axis 0 is for axis 0 with size 3"));
  EXPECT_THAT(TextOf(x.At(HostArray({1}, {3}))), HasSubstr("indexing_test.cc:"));
  EXPECT_THAT(TextOf(x.At({HostArray({2}, {0, 1}), HostArray({3}, {0, 1, 2})})),
              HasSubstr("indexing_test.cc:"));
  Tensor copy = x;
  EXPECT_THAT(TextOf(copy.SetAt(0, 1.5)),
              HasSubstr("set_at: value has elements of f32, but the tensor has i32"));
  copy = x;
  EXPECT_THAT(TextOf(copy.SetAt(0, HostArray({3}, {1, 2, 3}))),
              HasSubstr("value of the shape [3] is not broadcast to items of the shape [4]"));
  copy = x;
  EXPECT_THAT(TextOf(copy.SetAt(3, 0)),
              HasSubstr("set_at: index 3 is out of range for axis 0 with size 3"));
}

}  // namespace
}  // namespace tfrt::eager
