// The same elements in another shape or order, with figures of NumPy.

#include <cstdint>
#include <optional>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

class ManipulationTest : public ArraysTest {
 protected:
  const Tensor x = Make<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor none = Make<int32_t>({0, 3}, {});
};

TEST_F(ManipulationTest, Joins) {
  const Tensor y = Make<int32_t>({1, 3}, {7, 8, 9});
  ExpectEverywhere([&](const Tensor& x) { return arrays::Concat({x, y}); }, x,
                   "i32 [3, 3]: 1 2 3 4 5 6 7 8 9");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Concat({x, x}, -1); }, x,
                   "i32 [2, 6]: 1 2 3 1 2 3 4 5 6 4 5 6");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Concat({x, y}, std::nullopt); }, x,
                   "i32 [9]: 1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(TextOf(arrays::Concat({none, x})), "i32 [2, 3]: 1 2 3 4 5 6");
  // Dtypes meet.
  EXPECT_EQ(TextOf(arrays::Concat({x, Make<float>({1, 3}, {0.5, 1, 2})}, 0)),
            "f32 [3, 3]: 1 2 3 4 5 6 0.5 1 2");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Stack({x, x}, -1); }, y,
                   "i32 [1, 3, 2]: 7 7 8 8 9 9");
  EXPECT_EQ(TextOf(arrays::Stack({Make<int8_t>({}, {1}), Make<int16_t>({}, {300})})),
            "i16 [2]: 1 300");
}

TEST_F(ManipulationTest, Parts) {
  EXPECT_EQ(TextOf(arrays::Unstack(x)), "i32 [3]: 1 2 3 | i32 [3]: 4 5 6");
  EXPECT_EQ(TextOf(arrays::Unstack(x, -1)), "i32 [2]: 1 4 | i32 [2]: 2 5 | i32 [2]: 3 6");
  EXPECT_EQ(arrays::Unstack(none).size(), 0u);
  EXPECT_EQ(TextOf(arrays::Split(x, 3, 1)), "i32 [2, 1]: 1 4 | i32 [2, 1]: 2 5 | i32 [2, 1]: 3 6");
  EXPECT_EQ(TextOf(arrays::Split(x, {1}, 1)), "i32 [2, 1]: 1 4 | i32 [2, 2]: 2 3 5 6");
  ExpectTraced([](const Tensor& x) { return arrays::Split(x, 2)[1]; }, x, "i32 [1, 3]: 4 5 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::Split(x, {1, -1}, 1)[1]; }, x,
                   "i32 [2, 1]: 2 5");
}

TEST_F(ManipulationTest, Shapes) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Reshape(x, {3, -1}); }, x,
                   "i32 [3, 2]: 1 2 3 4 5 6");
  EXPECT_EQ(TextOf(arrays::Reshape(x, 6)), "i32 [6]: 1 2 3 4 5 6");
  EXPECT_EQ(TextOf(arrays::Reshape(x, Make<int64_t>({2}, {1, 6}))), "i32 [1, 6]: 1 2 3 4 5 6");
  EXPECT_EQ(TextOf(arrays::Reshape(none, {-1, 7})), "i32 [0, 7]:");
  EXPECT_EQ(TextOf(arrays::Reshape(Make<float>({1}, {5}), std::vector<int64_t>())), "f32 []: 5");
  ExpectEverywhere([](const Tensor& x) { return arrays::ExpandDims(x); }, x,
                   "i32 [1, 2, 3]: 1 2 3 4 5 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::ExpandDims(x, {0, -1}); }, x,
                   "i32 [1, 2, 3, 1]: 1 2 3 4 5 6");
  const Tensor thin = arrays::ExpandDims(x, {0, -1});
  EXPECT_EQ(TextOf(arrays::Squeeze(thin)), "i32 [2, 3]: 1 2 3 4 5 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::Squeeze(x, -1); }, thin,
                   "i32 [1, 2, 3]: 1 2 3 4 5 6");
}

TEST_F(ManipulationTest, OrdersOfAxes) {
  ExpectEverywhere([](const Tensor& x) { return arrays::PermuteDims(x, {1, 0}); }, x,
                   "i32 [3, 2]: 1 4 2 5 3 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::MatrixTranspose(x); }, x,
                   "i32 [3, 2]: 1 4 2 5 3 6");
  const Tensor cube = arrays::Reshape(arrays::Arange(8), {2, 2, 2});
  ExpectEverywhere([](const Tensor& x) { return arrays::Moveaxis(x, 0, -1); }, cube,
                   "i32 [2, 2, 2]: 0 4 1 5 2 6 3 7");
  ExpectEverywhere([](const Tensor& x) { return arrays::Moveaxis(x, {0, 1}, {2, 0}); }, cube,
                   "i32 [2, 2, 2]: 0 4 1 5 2 6 3 7");
}

TEST_F(ManipulationTest, OrdersOfElements) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Flip(x); }, x, "i32 [2, 3]: 6 5 4 3 2 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::Flip(x, -1); }, x,
                   "i32 [2, 3]: 3 2 1 6 5 4");
  ExpectEverywhere([](const Tensor& x) { return arrays::Roll(x, 1); }, x,
                   "i32 [2, 3]: 6 1 2 3 4 5");
  ExpectEverywhere([](const Tensor& x) { return arrays::Roll(x, -1, 1); }, x,
                   "i32 [2, 3]: 2 3 1 5 6 4");
  ExpectEverywhere([](const Tensor& x) { return arrays::Roll(x, {1, 4}, {0, 1}); }, x,
                   "i32 [2, 3]: 6 4 5 3 1 2");
  ExpectEverywhere([](const Tensor& x) { return arrays::Roll(x, 2, 0); }, none, "i32 [0, 3]:");
  EXPECT_EQ(TextOf(arrays::Flip(Make<float>({}, {3}))), "f32 []: 3");
}

TEST_F(ManipulationTest, Repetitions) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Repeat(x, 2, 1); }, x,
                   "i32 [2, 6]: 1 1 2 2 3 3 4 4 5 5 6 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::Repeat(x, 2); }, x,
                   "i32 [12]: 1 1 2 2 3 3 4 4 5 5 6 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::Repeat(x, HostArray({2}, {0, 2}), 0); }, x,
                   "i32 [2, 3]: 4 5 6 4 5 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::Tile(x, 2); }, x,
                   "i32 [2, 6]: 1 2 3 1 2 3 4 5 6 4 5 6");
  ExpectEverywhere([](const Tensor& x) { return arrays::Tile(x, {2, 1, 1}); }, x,
                   "i32 [2, 2, 3]: 1 2 3 4 5 6 1 2 3 4 5 6");
  EXPECT_EQ(TextOf(arrays::Tile(x, {0, 1})), "i32 [0, 3]:");
}

TEST_F(ManipulationTest, Broadcasts) {
  const Tensor row = Make<float>({3}, {1, 2, 3}), column = Make<float>({2, 1}, {4, 5});
  ExpectEverywhere([](const Tensor& x) { return arrays::BroadcastTo(x, {2, 3}); }, row,
                   "f32 [2, 3]: 1 2 3 1 2 3");
  EXPECT_EQ(TextOf(arrays::BroadcastArrays({row, column})),
            "f32 [2, 3]: 1 2 3 1 2 3 | f32 [2, 3]: 4 4 4 5 5 5");
  ExpectEverywhere([&](const Tensor& x) { return arrays::BroadcastArrays({x, column})[1]; }, row,
                   "f32 [2, 3]: 4 4 4 5 5 5");
}

TEST_F(ManipulationTest, Errors) {
  EXPECT_THAT(TextOf(arrays::Concat(std::vector<Tensor>())),
              HasSubstr("concat: arrays has no array, but needs one"));
  EXPECT_THAT(TextOf(arrays::Concat({x, Make<int32_t>({3}, {1, 2, 3})})),
              HasSubstr("arrays[0] has 2 dimensions, but arrays[1] has 1"));
  EXPECT_THAT(
      TextOf(arrays::Concat({x, Make<int32_t>({1, 2}, {1, 2})})),
      HasSubstr(
          "arrays[0] has the shape [2, 3], but arrays[1] has [1, 2], which differs in axis 1"));
  EXPECT_THAT(
      TextOf(arrays::Concat({Make<int32_t>({}, {1})})),
      HasSubstr("arrays[0] has 0 dimensions, but 1 or more are needed; Stack makes an axis"));
  EXPECT_THAT(TextOf(arrays::Concat({x, x}, 2)),
              HasSubstr("concat: axis 2 is out of range for an array of 2 dimensions"));
  EXPECT_THAT(TextOf(arrays::Stack({x, none})),
              HasSubstr("stack: arrays[0] has the shape [2, 3], but arrays[1] has [0, 3]"));
  EXPECT_THAT(TextOf(arrays::Split(x, 2, 1)),
              HasSubstr("split: axis 1 of size 3 is not divided into 2 equal parts"));
  EXPECT_THAT(
      TextOf(arrays::Reshape(none, {0, -1})),
      HasSubstr("x of the shape [0, 3] has no elements, so -1 in shape [0, -1] may be any size"));
  EXPECT_THAT(TextOf(arrays::Reshape(x, {4})), HasSubstr("manipulation_test.cc:"));
  EXPECT_THAT(TextOf(arrays::Squeeze(x, 1)),
              HasSubstr("squeeze: axis 1 of x is squeezed, but its size is 3, not 1"));
  EXPECT_THAT(TextOf(arrays::ExpandDims(x, {0, 0})), HasSubstr("names an axis twice"));
  EXPECT_THAT(TextOf(arrays::ExpandDims(x, arrays::Axes())), HasSubstr("axis names no axis"));
  EXPECT_THAT(TextOf(arrays::PermuteDims(x, {0})),
              HasSubstr("permute_dims: axes [0] are 1 for an array of 2 dimensions"));
  EXPECT_THAT(TextOf(arrays::MatrixTranspose(Make<float>({1}, {1}))),
              HasSubstr("x has at least 2 dimensions, but it has 1"));
  EXPECT_THAT(TextOf(arrays::Moveaxis(x, {0, 1}, 0)),
              HasSubstr("source has 2 axes, but destination has 1"));
  EXPECT_THAT(TextOf(arrays::Flip(x, -3)),
              HasSubstr("flip: axis -3 is out of range for an array of 2 dimensions"));
  EXPECT_THAT(TextOf(arrays::Roll(x, {1, 2, 3}, {0, 1})),
              HasSubstr("roll: shift has 3 numbers, but axis has 2"));
  EXPECT_THAT(TextOf(arrays::Repeat(x, -1)), HasSubstr("repeat: repeats are 0 or more, not -1"));
  EXPECT_THAT(TextOf(arrays::Repeat(x, 1.5)), HasSubstr("repeats are integers, not f32"));
  EXPECT_THAT(TextOf(arrays::Repeat(x, HostArray({3}, {1, 2, 3}), 0)),
              HasSubstr("repeats has 3 numbers, but axis 0 has the size 2"));
  EXPECT_THAT(TextOf(arrays::Repeat(x, HostArray({2}, {1, -2}), 0)),
              HasSubstr("repeats[1] is -2, but repeats are 0 or more"));
  EXPECT_THAT(TextOf(arrays::Repeat(x, HostArray({1, 2}, {1, 2}), 0)),
              HasSubstr("repeats have 0 or 1 dimensions, not 2"));
  EXPECT_THAT(TextOf(arrays::Tile(x, -1)),
              HasSubstr("tile: repetitions are 0 or more, but [-1] has -1"));
  EXPECT_THAT(
      TextOf(arrays::BroadcastTo(x, {3, 3})),
      HasSubstr("broadcast_to: x of the shape [2, 3] is not broadcast to the shape [3, 3]"));
  EXPECT_THAT(TextOf(arrays::BroadcastArrays({x, arrays::Zeros({4})})),
              HasSubstr("shapes [2, 3] and [4] are not broadcast together: 3 is not 4"));
}

TEST_F(ManipulationTest, SizesThatNoTensorHas) {
  for (const Tensor& large :
       {arrays::Repeat(x, INT64_MAX, 0), arrays::Repeat(x, INT64_MAX),
        arrays::Tile(x, {INT64_MAX, INT64_MAX}), arrays::BroadcastTo(x, {INT64_MAX, 2, 3})}) {
    EXPECT_THAT(TextOf(large), AllOf(HasSubstr("error: "), HasSubstr("manipulation_test.cc:")));
  }
  EXPECT_EQ(TextOf(arrays::Roll(x, INT64_MIN)), "i32 [2, 3]: 3 4 5 6 1 2");
  EXPECT_THAT(TextOf(arrays::Roll(x, {INT64_MAX, 1})), HasSubstr("adds up to more than 64 bits"));
}

TEST_F(ManipulationTest, OpenSizesThatAreNeeded) {
  if (!CanTrace()) GTEST_SKIP() << "no compiler";
  EXPECT_THAT(OpenError([](const Tensor& x) { return arrays::Unstack(x)[0]; }, x),
              AllOf(HasSubstr("manipulation_test.cc:"),
                    HasSubstr("unstack: needs the size of axis 0 of the shape")));
  EXPECT_THAT(OpenError([](const Tensor& x) { return arrays::Squeeze(x); }, x),
              HasSubstr("squeeze: needs an axis where a size is open"));
}

}  // namespace
}  // namespace tfrt::eager
