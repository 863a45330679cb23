// Rows on a GPU, or its double, beside the same rows on the CPU: what the cases of NumPy do not
// have. Elements of all sizes, many dimensions, odd places, indices that name nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/ops/host_ops/graph_ops.h"
#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "test/unit/host_ops/eager_op_of_case.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::Scope;
using eager::TensorArgument;
using testing::ElementsAre;
using testing::HasSubstr;

using SetAttrs = std::function<void(OpAttrs& attrs)>;

class RowsTest : public GpuOpsTest {
 protected:
  void SetUp() override { Init({.soft_placement = false}); }

  // A tensor of any dtype but i1; floats may be NaN.
  HostArray RandomBytes(DType dtype, std::vector<int64_t> dims) {
    size_t size = DTypeSize(dtype);
    for (int64_t dim : dims) size *= static_cast<size_t>(dim);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return HostArray(dtype, dims, bytes);
  }
  HostArray Random(std::vector<int64_t> dims) {
    int64_t size = 1;
    for (int64_t dim : dims) size *= dim;
    std::vector<float> values(static_cast<size_t>(size));
    for (float& value : values) value = static_cast<float>(random_() % 1000) / 8;
    return HostArray(std::span<const int64_t>(dims), values);
  }
  static HostArray Integers(std::vector<int64_t> values) {
    return HostArray({static_cast<int64_t>(values.size())}, values);
  }
  static HostArray Integer(int64_t value) { return HostArray({}, {value}); }

  StatusOr<std::vector<eager::Tensor>> Run(const char* device, std::string_view row,
                                           const std::vector<HostArray>& arrays,
                                           const SetAttrs& set_attrs, size_t num_results) {
    Scope scope(*context_, {.device = device});
    // A row, or a name with a dot as programs have it.
    const std::string_view prefix = row.find('.') != row.npos ? "" : kGraphOpPrefix;
    const OpDefinition* op = FindEagerOp(StrCat(prefix, row), *context_);
    if (!op) return NotFoundError(row);
    std::vector<TensorArgument> arguments;
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (op->description->is_host_value(i, arrays.size())) {
        arguments.emplace_back(arrays[i]);
      } else {
        arguments.emplace_back(eager::Tensor::FromArray(arrays[i]).To(device));
      }
    }
    OpAttrs attrs;
    if (set_attrs) set_attrs(attrs);
    std::vector<eager::Tensor> results(num_results);
    TFRT_RETURN_IF_ERROR(eager::Execute(*op, arguments, attrs, results));
    for (const eager::Tensor& result : results) EXPECT_EQ(result.device(), device);
    return results;
  }

  static std::string Bytes(const eager::Tensor& tensor) {
    auto elements = tensor.HostElements(Location());
    EXPECT_TRUE(elements.ok()) << elements.status().message();
    if (!elements.ok()) return "";
    return StrCat(
        (*elements)->metadata().ToString(), " ",
        std::string_view(static_cast<const char*>((*elements)->data()), (*elements)->size_bytes()));
  }

  // Both devices give the same bytes.
  void Expect(std::string_view row, const std::vector<HostArray>& arrays,
              const SetAttrs& attrs = {}, size_t num_results = 1) {
    SCOPED_TRACE(row);
    auto host = Run("cpu:0", row, arrays, attrs, num_results);
    auto gpu = Run("gpu:0", row, arrays, attrs, num_results);
    ASSERT_TRUE(host.ok()) << host.status().message();
    ASSERT_TRUE(gpu.ok()) << gpu.status().message();
    for (size_t i = 0; i < num_results; ++i) {
      EXPECT_TRUE(Bytes((*host)[i]) == Bytes((*gpu)[i])) << "result " << i;
    }
  }

  std::vector<float> Floats(std::string_view row, const std::vector<HostArray>& arrays,
                            const SetAttrs& attrs = {}) {
    auto results = Run("gpu:0", row, arrays, attrs, 1);
    EXPECT_TRUE(results.ok()) << results.status().message();
    if (!results.ok()) return {};
    auto values = (*results)[0].Values<float>();
    EXPECT_TRUE(values.ok()) << values.status().message();
    return values.ok() ? std::vector<float>(values->begin(), values->end()) : std::vector<float>();
  }

 private:
  std::mt19937 random_{1};
};

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
  EXPECT_THAT(error("top_k", {bytes, Integer(2)}, {}, 2),
              HasSubstr("gpu:0 has no kernel of tfrt.TopK for the dtypes u8, i64"));
  EXPECT_THAT(error("cumulative_sum", {bytes, Integer(0)}), HasSubstr("for the dtypes u8, i64"));
  EXPECT_THAT(error("pad", {RandomBytes(DType::kComplex128, {4}), Integers({1, 1})}),
              HasSubstr("for the dtypes complex128, i64"));
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
