// Rows on a GPU, or its double, beside the same rows on the CPU: what the cases of NumPy do not
// have. Elements of all sizes, many dimensions, odd places, indices that name nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "test/gpu/unit/ops/rows_fixture.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::Scope;
using eager::TensorArgument;
using testing::ElementsAre;
using testing::HasSubstr;

// Kernels that move elements know their size alone.
TEST_F(RowsTest, MovesTakeElementsOfAnySize) {
  for (DType dtype : {DType::kI8, DType::kUI8, DType::kI16, DType::kUI32, DType::kUI64,
                      DType::kBF16, DType::kQI32, DType::kComplex64, DType::kComplex128}) {
    SCOPED_TRACE(std::string(DTypeName(dtype)));
    const HostArray x = RandomBytes(dtype, {3, 5, 7}), y = RandomBytes(dtype, {3, 4, 7});
    Expect("transpose", {x, Integers({2, 0, 1})});
    Expect("transpose", {x, Integers({1, 0, 2})});
    Expect("transpose", {x, Integers({0, 1, 2})});
    Expect("slice", {x, Integers({1, 2, 3}), Integers({2, -1, 3})});
    Expect("slice", {x, Integers({1, 0, 0}), Integers({2, 5, 7})});
    Expect("strided_slice", {x, Integers({2, 4, 6}), Integers({-4, 0, 1}), Integers({-1, -2, -3})});
    Expect("concat", {x, y, x, Integer(1)});
    Expect("concat", {x, x, Integer(-1)});
    Expect("tile", {x, Integers({2, 1, 3})});
    Expect("broadcast_to", {RandomBytes(dtype, {5, 1}), Integers({3, 5, 7})});
    Expect("fill", {Integers({3, 4}), RandomBytes(dtype, {})});
    Expect("gather", {x, Integers({4, 0, -2}), Integer(1)});
    Expect("gather_nd", {x, HostArray({2, 2}, {int64_t{0}, int64_t{4}, int64_t{-1}, int64_t{1}})});
    Expect("gather_elements", {x, HostArray({1, 2, 1}, {int64_t{4}, int64_t{-5}})},
           [](OpAttrs& attrs) { attrs.Set("axis", int64_t{1}); });
    Expect("list_write", {x, Integer(5), RandomBytes(dtype, {5, 7})});
    Expect("list_write", {x, Integer(1), RandomBytes(dtype, {5, 7})});
    const HostArray image = RandomBytes(dtype, {2, 8, 4, 6});
    for (const char* row : {"depth_to_space", "space_to_depth"}) {
      Expect(row, {image}, [](OpAttrs& attrs) { attrs.Set("block", int64_t{2}); });
    }
    if (DTypeSize(dtype) > 8) continue;
    Expect("pad", {x, Integers({1, 2, 0, 3, -1, 4})});
    Expect("scatter_nd",
           {x, HostArray({2, 1}, {int64_t{2}, int64_t{0}}), RandomBytes(dtype, {2, 5, 7})});
    Expect("triangle", {x, Integer(-1)});
    Expect("reverse_sequence", {x, HostArray({5}, {3, 0, 1, 2, 3})});
    Expect("one_hot", {HostArray({3}, {4, -1, 0}), Integer(5), RandomBytes(dtype, {}),
                       RandomBytes(dtype, {})});
  }
}

TEST_F(RowsTest, WhatTheCasesOfNumpyDoNotHave) {
  const HostArray x = Random({4, 3});
  Expect("identity", {x});
  Expect("ensure_shape", {x}, [](OpAttrs& attrs) {
    const int64_t dims[] = {-1, 3};
    attrs.SetShape("shape", dims);
  });
  Expect("tf.Const", {}, [](OpAttrs& attrs) {
    const int64_t dims[] = {2, 3};
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
    attrs.SetDense("value", DType::kUI8, dims, bytes);
  });
  Expect("eye_like", {x}, [](OpAttrs& attrs) {
    attrs.SetType("dtype", DType::kI16);
    attrs.Set("diagonal", int64_t{-1});
  });
  Expect("bit_cast", {x}, [](OpAttrs& attrs) { attrs.SetType("dtype", DType::kUI32); });
  Expect("sum_to", {Random({2, 4, 3}), Integers({4, 1})});
}

// More than kernels have, when neighbours are merged.
TEST_F(RowsTest, ManyDimensions) {
  const HostArray x = Random({2, 3, 2, 3, 2, 3, 2});
  Expect("add", {x, Random({1, 3, 1, 3, 1, 3, 1})});
  Expect("add", {Random({2, 1, 2, 1, 2, 1, 2}), Random({1, 3, 1, 3, 1, 3, 1})});
  Expect("select", {HostArray({2, 1, 1, 1, 1, 1, 2}, {true, false, false, true}),
                    Random({2, 1, 2, 1, 2, 1, 2}), Random({1, 3, 1, 3, 1, 3, 1})});
  Expect("batch_matmul", {Random({2, 1, 2, 1, 2, 1, 2, 3}), Random({1, 3, 1, 3, 1, 3, 3, 2})});
  Expect("transpose", {x, Integers({6, 4, 2, 0, 5, 3, 1})});
  Expect("transpose", {x, Integers({5, 0, 4, 1, 3, 2, 6})});
  Expect("pad", {x, Integers({1, 0, 0, 0, 0, 2, 0, 0, 1, 1, 0, 0, -1, 3})});
  Expect("extend", {x, Integers({1, 0, 0, 1, 0, 2, 0, 0, 1, 1, 2, 0, 1, 3})});
  // Nine dimensions, of each of which every other element.
  const std::vector<int64_t> zeros(9, 0), ends(9, 3), steps(9, 2);
  Expect("strided_slice", {Random(ends), Integers(zeros), Integers(ends), Integers(steps)});
}

// Slices of whole rows are views. What follows takes them wherever they begin.
TEST_F(RowsTest, ViewsAtOddPlaces) {
  Scope scope(*context_, {.device = "gpu:0"});
  for (DType dtype : {DType::kF16, DType::kF32}) {
    std::vector<int32_t> numbers(9 * 7);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int32_t>(i);
    eager::Tensor whole =
        eager::Cast(eager::Tensor::FromArray(HostArray({9, 7}, numbers)).To("gpu:0"), dtype);
    ASSERT_TRUE(whole.status().ok());
    GpuDouble::Get().ClearCalls();
    const std::vector<int64_t> begin = {1, 0}, size = {8, 7};
    eager::Tensor part = eager::Slice(whole, HostArray({2}, begin), HostArray({2}, size));
    ASSERT_TRUE(part.status().ok()) << part.status().message();
    EXPECT_EQ(GpuDouble::Get().NumCalls("cuLaunchKernel"), 0u);
    eager::Tensor sum = eager::Sum(eager::AddV2(part, part), HostArray({1}, {int64_t{1}}));
    eager::Tensor swapped = eager::Transpose(part, HostArray({2}, {int64_t{1}, int64_t{0}}));
    eager::Tensor sums = eager::Cast(sum, DType::kF32);
    auto values = sums.Values<float>();
    ASSERT_TRUE(values.ok()) << values.status().message();
    for (size_t i = 0; i < 8; ++i) {
      EXPECT_EQ((*values)[i], static_cast<float>(2 * 7 * (7 * (i + 1) + 3)));
    }
    eager::Tensor wide = eager::Cast(swapped, DType::kF32);
    auto moved = wide.Values<float>();
    ASSERT_TRUE(moved.ok());
    EXPECT_EQ((*moved)[8 * 2 + 5], 7 * 6 + 2);
  }
}

TEST_F(RowsTest, IndicesThatNameNothing) {
  const HostArray x = HostArray({3}, {1.0f, 2.0f, 3.0f});
  const HostArray outside = HostArray({3}, {int64_t{3}, int64_t{-1}, int64_t{-4}});
  auto axis = [](OpAttrs& attrs) { attrs.Set("axis", int64_t{0}); };
  EXPECT_THAT(Floats("gather", {x, outside, Integer(0)}), ElementsAre(0, 3, 0));
  EXPECT_THAT(Floats("gather_elements", {x, outside}, axis), ElementsAre(0, 3, 0));
  EXPECT_THAT(Floats("scatter_elements", {x, outside, HostArray({3}, {7.0f, 8.0f, 9.0f})}),
              ElementsAre(1, 2, 8));
  const HostArray rows = HostArray({2, 1}, {5, 1});
  EXPECT_THAT(Floats("gather_nd", {x, rows}), ElementsAre(0, 2));
  EXPECT_THAT(Floats("scatter_nd", {x, rows, HostArray({2}, {7.0f, 8.0f})}), ElementsAre(1, 8, 3));
}

TEST_F(RowsTest, WithoutElementsThereAreNoLaunches) {
  const HostArray none = Random({0, 3});
  struct Case {
    const char* row;
    std::vector<HostArray> arguments;
    size_t num_results = 1;
  };
  const Case cases[] = {
      {"transpose", {none, Integers({1, 0})}},
      {"slice", {Random({2, 3}), Integers({2, 0}), Integers({0, 3})}},
      {"concat", {none, none, Integer(0)}},
      {"tile", {none, Integers({2, 2})}},
      {"pad", {none, Integers({0, 0, 1, 1})}},
      {"gather", {Random({3}), HostArray({0}, std::vector<int32_t>()), Integer(0)}},
      {"gather_nd", {Random({3}), HostArray({0, 1}, std::vector<int32_t>())}},
      {"cumulative_sum", {none, Integer(0)}},
      {"top_k", {none, Integer(0)}, 2},
      {"triangle", {none, Integer(0)}},
      {"sin", {none}},
      {"clip", {none}},
      {"fill", {Integers({0}), HostArray({}, {1.0f})}}};
  for (const Case& each : cases) {
    GpuDouble::Get().ClearCalls();
    Expect(each.row, each.arguments, {}, each.num_results);
    EXPECT_EQ(GpuDouble::Get().NumCalls("cuLaunchKernel"), 0u) << each.row;
  }
}

TEST_F(RowsTest, Errors) {
  auto error = [&](std::string_view row, const std::vector<HostArray>& arguments,
                   const SetAttrs& attrs = {}, size_t num_results = 1) {
    auto results = Run("gpu:0", row, arguments, attrs, num_results);
    EXPECT_FALSE(results.ok());
    return std::string(results.status().message());
  };
  const HostArray bytes = RandomBytes(DType::kUI8, {4});
  EXPECT_THAT(error("top_k", {bytes, Integer(2)}, {}, 2), HasSubstr("has no kernel"));
  EXPECT_THAT(error("cumulative_sum", {bytes, Integer(0)}), HasSubstr("has no kernel"));
  EXPECT_THAT(error("pad", {RandomBytes(DType::kComplex128, {4}), Integers({1, 1})}),
              HasSubstr("has no kernel"));
  EXPECT_THAT(error("gather_elements", {Random({2, 2}), HostArray({1, 3}, {0, 0, 0})},
                    [](OpAttrs& attrs) { attrs.Set("axis", int64_t{0}); }),
              HasSubstr("indices of the shape [1, 3] are outside of the shape [2, 2] in dimension "
                        "1"));
  EXPECT_THAT(error("extend", {Random({2}), Integers({-2, 3})}),
              HasSubstr("nothing of a dimension of 2 is left"));
  const std::vector<int64_t> many(9, 1);
  EXPECT_THAT(error("gather_nd", {Random(many), HostArray({1, 9}, std::vector<int32_t>(9))}),
              HasSubstr("9 indices for each slice, where GPUs have up to 8"));
  EXPECT_THAT(error("gather_elements", {Random(many), HostArray(many, std::vector<int32_t>(1))},
                    [](OpAttrs& attrs) { attrs.Set("axis", int64_t{0}); }),
              HasSubstr("where GPUs have rank 8 at most"));
  EXPECT_THAT(error("scatter_elements", {Random({2}), HostArray({1}, {0}), HostArray({1}, {1.0f})},
                    [](OpAttrs& attrs) { attrs.SetString("reduction", "mean"); }),
              HasSubstr("unknown reduction 'mean'"));
  EXPECT_THAT(
      error("bit_cast", {bytes}, [](OpAttrs& attrs) { attrs.SetType("dtype", DType::kI1); }),
      HasSubstr("bytes of u8 are not always those of i1"));
}

// Images [N,C,H,W], which rows of the host do not take, beside the same images as [N,H,W,C].
class ChannelsFirstTest : public RowsTest {
 protected:
  struct Images {
    std::vector<int64_t> dims;  // [N,H,W,C]
    std::vector<float> values;

    HostArray ChannelsLast() const { return HostArray(std::span<const int64_t>(dims), values); }
    HostArray ChannelsFirst() const {
      return HostArray({dims[0], dims[3], dims[1], dims[2]}, MovedValues());
    }
    // The elements of [N,C,H,W].
    std::vector<float> MovedValues() const {
      const int64_t n = dims[0], h = dims[1], w = dims[2], c = dims[3];
      std::vector<float> moved;
      for (int64_t i = 0; i < n * c * h * w; ++i) {
        const int64_t place = i % (h * w), channel = i / (h * w) % c, image = i / (c * h * w);
        moved.push_back(values[static_cast<size_t>((image * h * w + place) * c + channel)]);
      }
      return moved;
    }
  };
  static Images Numbered(std::vector<int64_t> dims) {
    Images images{std::move(dims), {}};
    int64_t size = 1;
    for (int64_t dim : images.dims) size *= dim;
    for (int64_t i = 0; i < size; ++i) {
      images.values.push_back(static_cast<float>(i * 37 % 64 - 20) / 4);
    }
    return images;
  }
  // Attributes whose four numbers are in the order of the images.
  static SetAttrs Windows(bool channels_last, int64_t rows, int64_t columns,
                          std::string_view padding, bool has_ksize) {
    return [=](OpAttrs& attrs) {
      const std::vector<int64_t> strides =
          channels_last ? std::vector<int64_t>{1, 2, 1, 1} : std::vector<int64_t>{1, 1, 2, 1};
      const std::vector<int64_t> ksize = channels_last ? std::vector<int64_t>{1, rows, columns, 1}
                                                       : std::vector<int64_t>{1, 1, rows, columns};
      attrs.SetString("data_format", channels_last ? "NHWC" : "NCHW");
      attrs.SetString("padding", padding);
      attrs.SetArray("strides", std::span<const int64_t>(strides));
      if (has_ksize) attrs.SetArray("ksize", std::span<const int64_t>(ksize));
    };
  }
  // The first result of both orders has the same elements.
  void ExpectSame(std::string_view row, const std::vector<Images>& images,
                  const std::vector<HostArray>& others, const SetAttrs& last_attrs,
                  const SetAttrs& first_attrs, size_t num_results = 1) {
    SCOPED_TRACE(row);
    std::vector<HostArray> last, first;
    for (const Images& each : images) {
      last.push_back(each.ChannelsLast());
      first.push_back(each.ChannelsFirst());
    }
    last.insert(last.end(), others.begin(), others.end());
    first.insert(first.end(), others.begin(), others.end());
    auto expected = Run("gpu:0", row, last, last_attrs, num_results);
    auto actual = Run("gpu:0", row, first, first_attrs, num_results);
    ASSERT_TRUE(expected.ok()) << expected.status().message();
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    const auto values = (*expected)[0].Values<float>(), moved = (*actual)[0].Values<float>();
    const TensorShape shape = *(*expected)[0].shape();
    ASSERT_TRUE(values.ok() && moved.ok());
    const Images result{{shape.dim(0), shape.dim(1), shape.dim(2), shape.dim(3)},
                        {values->begin(), values->end()}};
    EXPECT_EQ(*(*actual)[0].shape(),
              (TensorShape{shape.dim(0), shape.dim(3), shape.dim(1), shape.dim(2)}));
    EXPECT_THAT(result.MovedValues(), testing::ElementsAreArray(moved->begin(), moved->end()));
    for (size_t i = 1; i < num_results; ++i) {
      EXPECT_TRUE(Bytes((*expected)[i]) == Bytes((*actual)[i])) << "result " << i;
    }
  }
};

TEST_F(ChannelsFirstTest, Windows) {
  const Images x = Numbered({2, 5, 4, 3});
  const HostArray filter = Numbered({3, 2, 3, 5}).ChannelsLast();
  for (std::string_view padding : {"SAME", "VALID"}) {
    ExpectSame("conv2d", {x}, {filter}, Windows(true, 3, 2, padding, false),
               Windows(false, 3, 2, padding, false));
    for (const char* row : {"max_pool2d", "avg_pool2d"}) {
      ExpectSame(row, {x}, {}, Windows(true, 3, 2, padding, true),
                 Windows(false, 3, 2, padding, true));
    }
    // Its second argument is no result of the first, but that of both orders.
    const Images y = Numbered({2, padding == "SAME" ? 3 : 2, padding == "SAME" ? 4 : 3, 3});
    ExpectSame("max_pool2d_grad", {x, y, y}, {}, Windows(true, 3, 2, padding, true),
               Windows(false, 3, 2, padding, true));
  }
}

TEST_F(ChannelsFirstTest, BatchNorm) {
  const Images x = Numbered({2, 3, 4, 5});
  const HostArray vector = HostArray({5}, {1.0f, -2.0f, 0.5f, 3.0f, 4.0f});
  const HostArray variance = HostArray({5}, {1.0f, 2.0f, 0.5f, 3.0f, 4.0f});
  for (bool is_training : {false, true}) {
    const auto attrs = [&](std::string_view format) {
      return [=](OpAttrs& attrs) {
        attrs.SetString("data_format", format);
        attrs.Set("is_training", is_training);
      };
    };
    ExpectSame("batch_norm", {x}, {vector, vector, vector, variance}, attrs("NHWC"), attrs("NCHW"),
               6);
  }
  ExpectSame("batch_norm", {Numbered({2, 0, 4, 5})}, {vector, vector, vector, variance}, {},
             [](OpAttrs& attrs) { attrs.SetString("data_format", "NCHW"); });
}

// The rule compares the vectors of channels with each other alone, so the op has to with x.
TEST_F(RowsTest, ErrorsOfBatchNorm) {
  auto error = [&](std::string_view row, const std::vector<HostArray>& arguments,
                   size_t num_results) {
    auto results = Run("gpu:0", row, arguments, {}, num_results);
    EXPECT_FALSE(results.ok());
    return std::string(results.status().message());
  };
  const HostArray x = Random({2, 3}), three = Random({3}), four = Random({4});
  EXPECT_THAT(error("batch_norm", {x, four, four, four, four}, 6),
              HasSubstr("argument 1 is f32 [4], expected [3]"));
  EXPECT_THAT(error("batch_norm", {Random({}), three, three, three, three}, 6),
              HasSubstr("x is f32 [], expected [...,C]"));
  EXPECT_THAT(error("batch_norm_grad", {x, x, four, four, four, four}, 5),
              HasSubstr("argument 2 is f32 [4], expected [3]"));
  EXPECT_THAT(error("tf._FusedBatchNormEx", {x, three, three, three, three, Random({3})}, 6),
              HasSubstr("side_input is f32 [3], and x is f32 [2, 3]"));
  EXPECT_THAT(error("tf._FusedBatchNormEx", {x, three, three, three, three, x, x}, 6),
              HasSubstr("more than one side_input"));
}

}  // namespace
}  // namespace tfrt::gpu
