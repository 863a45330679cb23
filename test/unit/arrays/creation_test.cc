// Arrays from sizes, numbers and other arrays, with figures of NumPy.

#include <cmath>
#include <cstdint>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

using CreationTest = ArraysTest;

TEST_F(CreationTest, OfAShape) {
  EXPECT_EQ(TextOf(arrays::Zeros({2, 2})), "f32 [2, 2]: 0 0 0 0");
  EXPECT_EQ(TextOf(arrays::Ones(3, {.dtype = DType::kI64})), "i64 [3]: 1 1 1");
  EXPECT_EQ(TextOf(arrays::Full({2}, 7)), "i32 [2]: 7 7");
  EXPECT_EQ(TextOf(arrays::Full({2}, 2.5)), "f32 [2]: 2.5 2.5");
  EXPECT_EQ(TextOf(arrays::Full({1, 2}, true)), "i1 [1, 2]: 1 1");
  EXPECT_EQ(TextOf(arrays::Full({2}, 3, {.dtype = DType::kF16})), "f16 [2]: 3 3");
  EXPECT_EQ(TextOf(arrays::Full({1}, 2.75, {.dtype = DType::kI32})), "i32 [1]: 2");
  EXPECT_EQ(TextOf(arrays::Full({1}, 0.5, {.dtype = DType::kI1})), "i1 [1]: 1");
  EXPECT_EQ(TextOf(arrays::Empty({0, 3})), "f32 [0, 3]:");
  EXPECT_EQ(TextOf(arrays::Full({}, 4)), "i32 []: 4");
  EXPECT_EQ(TextOf(arrays::Zeros(Make<int64_t>({2}, {1, 2}))), "f32 [1, 2]: 0 0");
  EXPECT_EQ(arrays::Zeros({2}, {.device = "cpu:1"}).device(), "cpu:1");
}

TEST_F(CreationTest, InTheShapeOfAnother) {
  const Tensor x = Make<int16_t>({2, 1}, {5, 6});
  ExpectEverywhere([](const Tensor& x) { return arrays::ZerosLike(x); }, x, "i16 [2, 1]: 0 0");
  ExpectEverywhere([](const Tensor& x) { return arrays::OnesLike(x, {.dtype = DType::kI1}); }, x,
                   "i1 [2, 1]: 1 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::FullLike(x, 9); }, x, "i16 [2, 1]: 9 9");
  EXPECT_EQ(TextOf(arrays::FullLike(x, -0.0, {.dtype = DType::kF32})), "f32 [2, 1]: -0 -0");
  EXPECT_EQ(TextOf(arrays::EmptyLike(x)), "i16 [2, 1]: 0 0");
}

TEST_F(CreationTest, Ranges) {
  EXPECT_EQ(TextOf(arrays::Arange(4)), "i32 [4]: 0 1 2 3");
  EXPECT_EQ(TextOf(arrays::Arange(2, 5)), "i32 [3]: 2 3 4");
  EXPECT_EQ(TextOf(arrays::Arange(5, 0, -2)), "i32 [3]: 5 3 1");
  EXPECT_EQ(TextOf(arrays::Arange(0.0, 1.0, 0.25)), "f32 [4]: 0 0.25 0.5 0.75");
  EXPECT_EQ(TextOf(arrays::Arange(int64_t{1} << 40, (int64_t{1} << 40) + 1)),
            "i64 [1]: 1.09951e+12");
  EXPECT_EQ(TextOf(arrays::Arange(3, {.dtype = DType::kF64})), "f64 [3]: 0 1 2");
  EXPECT_EQ(TextOf(arrays::Arange(3, 1)), "i32 [0]:");
  EXPECT_THAT(TextOf(arrays::Arange(1, 5, 0)),
              AllOf(HasSubstr("creation_test.cc:"), HasSubstr("arange: step is 0")));
}

TEST_F(CreationTest, NumbersAtEqualDistances) {
  EXPECT_EQ(TextOf(arrays::Linspace(0, 1, 5)), "f32 [5]: 0 0.25 0.5 0.75 1");
  EXPECT_EQ(TextOf(arrays::Linspace(0, 1, 4, {.endpoint = false})), "f32 [4]: 0 0.25 0.5 0.75");
  EXPECT_EQ(TextOf(arrays::Linspace(3, 7, 1)), "f32 [1]: 3");
  EXPECT_EQ(TextOf(arrays::Linspace(3, 7, 0, {.dtype = DType::kF64})), "f64 [0]:");
  EXPECT_THAT(TextOf(arrays::Linspace(0, 1, -2)),
              HasSubstr("linspace: num is not below 0, but is -2"));
}

TEST_F(CreationTest, Matrices) {
  EXPECT_EQ(TextOf(arrays::Eye(2)), "f32 [2, 2]: 1 0 0 1");
  EXPECT_EQ(TextOf(arrays::Eye(2, {.n_cols = 3, .k = 1, .dtype = DType::kI32})),
            "i32 [2, 3]: 0 1 0 0 0 1");
  EXPECT_EQ(TextOf(arrays::Eye(2, {.k = INT64_MIN})), "f32 [2, 2]: 0 0 0 0");
  const Tensor x = Make<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  ExpectEverywhere([](const Tensor& x) { return arrays::Tril(x); }, x, "f32 [2, 3]: 1 0 0 4 5 0");
  ExpectEverywhere([](const Tensor& x) { return arrays::Triu(x, 1); }, x,
                   "f32 [2, 3]: 0 2 3 0 0 6");
  EXPECT_THAT(TextOf(arrays::Tril(Make<float>({2}, {1, 2}))),
              HasSubstr("tril: x has at least 2 dimensions, but it has 1"));
  EXPECT_THAT(TextOf(arrays::Eye(-1)), HasSubstr("eye: a matrix has sizes that are not below 0"));
}

TEST_F(CreationTest, Grids) {
  const Tensor x = Make<int32_t>({2}, {1, 2}), y = Make<int32_t>({3}, {4, 5, 6});
  EXPECT_EQ(TextOf(arrays::Meshgrid({x, y})), "i32 [3, 2]: 1 2 1 2 1 2 | i32 [3, 2]: 4 4 5 5 6 6");
  EXPECT_EQ(TextOf(arrays::Meshgrid({x, y}, {.indexing = "ij"})),
            "i32 [2, 3]: 1 1 1 2 2 2 | i32 [2, 3]: 4 5 6 4 5 6");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Meshgrid({x, y})[1]; }, x,
                   "i32 [3, 2]: 4 4 5 5 6 6");
  EXPECT_EQ(arrays::Meshgrid(std::vector<Tensor>()).size(), 0u);
  EXPECT_THAT(TextOf(arrays::Meshgrid({x}, {.indexing = "yx"})),
              HasSubstr("meshgrid: indexing is xy or ij, not 'yx'"));
  EXPECT_THAT(TextOf(arrays::Meshgrid({x, arrays::Eye(2)})),
              HasSubstr("meshgrid: arrays[1] is a vector, but has 2 dimensions"));
}

TEST_F(CreationTest, Errors) {
  EXPECT_THAT(TextOf(arrays::Zeros({2, -1})),
              AllOf(HasSubstr("creation_test.cc:"), HasSubstr("zeros: "),
                    HasSubstr("shape has -1: [2, -1]")));
  EXPECT_THAT(TextOf(arrays::Full({2}, 300, {.dtype = DType::kI8})), HasSubstr("300"));
  EXPECT_THAT(TextOf(arrays::ZerosLike(Tensor())), HasSubstr("zeros_like: this is not a tensor"));
  // Sizes that no tensor has are errors, too.
  for (const Tensor& large :
       {arrays::Zeros({INT64_MAX, 2}), arrays::Zeros({int64_t{1} << 50}), arrays::Arange(1e18),
        arrays::Linspace(0, 1, INT64_MAX), arrays::Eye(int64_t{1} << 40)}) {
    EXPECT_THAT(TextOf(large), AllOf(HasSubstr("error: "), HasSubstr("creation_test.cc:")));
  }
  // The error of an argument stays what it is.
  const Tensor wrong = arrays::Eye(-1);
  EXPECT_EQ(TextOf(arrays::OnesLike(wrong)), TextOf(wrong));
}

}  // namespace
}  // namespace tfrt::eager
