// Graph ops that move elements and make tensors, beyond NumPy's cases.

#include <cstdint>
#include <vector>

#include "graph_op_runner.h"
#include "lib/ops/host_ops/graph_ops.h"
#include "lib/ops/op_call/run_op.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// A tensor that tells its elements apart.
TensorHandle Counted(GraphOpRunner& runner, TensorShape shape) {
  std::vector<float> elements(static_cast<size_t>(shape.num_elements()));
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  return runner.Dense<float>(std::move(shape), elements);
}

TEST(MovementGraphOpsTest, WhatStaysWhereItIsIsNotCopied) {
  GraphOpRunner runner;
  TensorHandle in = Counted(runner, {2, 1, 3});
  TensorHandle empty = runner.Floats({0, 1, 3});
  for (auto [op, arguments] : std::initializer_list<std::pair<const char*, Handles>>{
           {"graph.reshape", {in, I64s(runner, {3, 2})}},
           {"graph.expand_dims", {in, I64(runner, 0)}},
           {"graph.squeeze", {in}},
           {"graph.transpose", {in, I64s(runner, {1, 0, 2})}},
           {"graph.concat", {empty, in, I64(runner, 0)}},
           {"graph.broadcast_to", {in, I64s(runner, {1, 1})}},
           {"graph.tile", {in, I64s(runner, {1, 1, 1})}},
           {"graph.slice", {in, I64s(runner, {0, 0, 0}), I64s(runner, {-1, -1, -1})}},
           {"graph.pad", {in, runner.Zeros(DType::kI64, {3, 2})}}}) {
    TensorHandle out = runner.Run1(op, arguments);
    ASSERT_FALSE(out.IsError()) << out.ToString();
    EXPECT_EQ(DenseOf(out).data(), DenseOf(in).data()) << op;
  }
  // But a part is a copy.
  TensorHandle part =
      runner.Run1("graph.slice", {in, I64s(runner, {0, 0, 0}), I64s(runner, {1, 1, 3})});
  EXPECT_NE(DenseOf(part).data(), DenseOf(in).data());
}

// Tensors of several blocks, in parts by two threads.
TEST(MovementGraphOpsTest, LargeTensorsInBlocks) {
  GraphOpRunner runner("mstd:2");
  constexpr int64_t kRows = 600, kColumns = 500;
  TensorHandle matrix = Counted(runner, {kRows, kColumns});
  auto expect = [&](const TensorHandle& out, TensorShape shape, auto&& source) {
    ASSERT_FALSE(out.IsError()) << out.ToString();
    ASSERT_EQ(DenseOf(out).shape(), shape);
    auto* data = static_cast<const float*>(DenseOf(out).data());
    for (int64_t i = 0; i < shape.dim(0); ++i) {
      for (int64_t j = 0; j < shape.dim(1); ++j) {
        ASSERT_EQ(data[i * shape.dim(1) + j], static_cast<float>(source(i, j))) << i << ", " << j;
      }
    }
  };
  expect(runner.Run1("graph.transpose", {matrix, I64s(runner, {1, 0})}), {kColumns, kRows},
         [](int64_t i, int64_t j) { return j * kColumns + i; });
  expect(runner.Run1("graph.tile", {matrix, I64s(runner, {2, 1})}), {2 * kRows, kColumns},
         [](int64_t i, int64_t j) { return i % kRows * kColumns + j; });
  expect(runner.Run1("graph.strided_slice", {matrix, I64s(runner, {-1, 499}),
                                             I64s(runner, {-601, 0}), I64s(runner, {-1, -2})}),
         {kRows, 250}, [](int64_t i, int64_t j) { return (599 - i) * kColumns + 499 - 2 * j; });
  // Before the first row there is nothing to begin at: Python's rule.
  expect(runner.Run1("graph.strided_slice", {matrix, I64s(runner, {-kRows - 1, 0}),
                                             I64s(runner, {INT64_MIN, 1}), I64s(runner, {-1, 1})}),
         {0, 1}, [](int64_t, int64_t) { return 0; });
  TensorHandle paddings = runner.Dense<int64_t>({2, 2}, {1, 1, 1, 0});
  expect(runner.Run1("graph.extend", {matrix, paddings}), {kRows + 2, kColumns + 1},
         [](int64_t i, int64_t j) {
           const int64_t row = i == 0 ? 1 : i == kRows + 1 ? kRows - 2 : i - 1;
           return row * kColumns + (j == 0 ? 1 : j - 1);
         });
  std::vector<int64_t> rows(5000);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i * 7 % kRows) - 300;
  auto row_of = [&](int64_t i) { return rows[i] < 0 ? rows[i] + kRows : rows[i]; };
  expect(runner.Run1("graph.gather", {matrix, I64s(runner, rows), I64(runner, 0)}),
         {5000, kColumns}, [&](int64_t i, int64_t j) { return row_of(i) * kColumns + j; });
  TensorHandle pairs = runner.Dense<int64_t>({5000, 1}, rows);
  expect(runner.Run1("graph.gather_nd", {matrix, pairs}), {5000, kColumns},
         [&](int64_t i, int64_t j) { return row_of(i) * kColumns + j; });
  std::vector<int64_t> columns(kRows * kColumns);
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<int64_t>(i % 1000) - 500;
  OpAttrs attrs;
  attrs.Set<int64_t>("axis", 1);
  expect(runner.Run1("graph.gather_elements",
                     {matrix, runner.Dense<int64_t>({kRows, kColumns}, columns)}, attrs),
         {kRows, kColumns}, [&](int64_t i, int64_t j) {
           const int64_t column = columns[static_cast<size_t>(i * kColumns + j)];
           return i * kColumns + (column < 0 ? column + kColumns : column);
         });
  TensorHandle value = runner.Dense<float>({}, {3});
  expect(runner.Run1("graph.fill", {I64s(runner, {kRows, kColumns}), value}), {kRows, kColumns},
         [](int64_t, int64_t) { return 3; });
}

// Indices that would lead outside of the tensor, were they believed.
TEST(MovementGraphOpsTest, IndicesOutsideAreErrors) {
  GraphOpRunner runner;
  OpAttrs attrs;
  attrs.Set<int64_t>("axis", 0);
  for (int64_t index : {INT64_MIN, int64_t{-5}, int64_t{4}, int64_t{1} << 32, INT64_MAX}) {
    TensorHandle indices = runner.Dense<int64_t>({1, 1}, {index});
    EXPECT_EQ(
        runner.Error("graph.gather", {runner.Floats({4}), indices, I64(runner, 0)}),
        StrCat("graph.gather: index ", index, " is out of range for axis 0 of the shape [4]"));
    EXPECT_EQ(runner.Error("graph.gather_elements", {runner.Floats({4, 1}), indices}, attrs),
              StrCat("graph.gather_elements: index ", index,
                     " is out of range for axis 0 of the shape [4, 1]"));
    EXPECT_EQ(
        runner.Error("graph.gather_nd", {runner.Floats({4}), indices}),
        StrCat("graph.gather_nd: row 0 of the indices, [", index, "], is not in the shape [4]"));
  }
  EXPECT_EQ(runner.Error("graph.gather_elements",
                         {runner.Floats({2, 2}), runner.Zeros(DType::kI64, {2, 3})}, attrs),
            "graph.gather_elements: indices of the shape [2, 3] are outside of the shape [2, 2] in "
            "dimension 1");
  EXPECT_EQ(runner.Error("graph.gather", {runner.Floats({4}), runner.Floats({1}), I64(runner, 0)}),
            "gather: indices is a tensor of f32, expected i32 or i64");
}

TEST(MovementGraphOpsTest, Errors) {
  GraphOpRunner runner;
  TensorHandle matrix = runner.Floats({2, 3});
  EXPECT_EQ(runner.Error("graph.transpose", {matrix, I64s(runner, {0, 0})}),
            "transpose: i64 [2] {0, 0} is not a permutation");
  EXPECT_EQ(runner.Error("graph.transpose", {runner.Floats({}), runner.Zeros(DType::kI64, {256})}),
            "transpose: 256 numbers are not a permutation");
  EXPECT_EQ(runner.Error("graph.reshape", {matrix, I64s(runner, {4, -1})}),
            "reshape: [2, 3] cannot become i64 [2] {4, -1}");
  EXPECT_EQ(runner.Error("graph.pad", {matrix, runner.Dense<int64_t>({2, 2}, {0, 0, -2, -2})}),
            "pad: a dimension of 3 cannot be padded by -2 and -2");
  OpAttrs mode;
  mode.SetString("mode", "mirror");
  TensorHandle none = runner.Zeros(DType::kI64, {2, 2});
  EXPECT_EQ(runner.Error("graph.extend", {matrix, none}, mode), "pad: unknown mode 'mirror'");
  EXPECT_EQ(runner.Error("graph.extend",
                         {runner.Floats({0, 1}), runner.Dense<int64_t>({2, 2}, {1, 0, 0, 0})}),
            "pad: nothing of a dimension of 0 is left to take what is around it from");
  EXPECT_EQ(runner.Error("graph.tile", {matrix, I64s(runner, {1, -1})}),
            "tile: a dimension cannot be repeated -1 times");
  EXPECT_EQ(runner.Error("graph.transpose", {runner.Strings({1}, {"a"}), I64s(runner, {0})}),
            "Cannot implictly convert StringHost to DenseHost");
  auto f32 = [&](float x) { return runner.Dense<float>({}, {x}); };
  EXPECT_EQ(runner.Error("graph.range", {f32(0), f32(1), f32(0)}), "graph.range: the step is 0");
  EXPECT_EQ(runner.Error("graph.range", {f32(0), f32(1e30f), f32(1)}),
            "graph.range: there are too many numbers");
  EXPECT_EQ(runner.Error("graph.one_hot",
                         {runner.Zeros(DType::kI1, {1}), I64(runner, 2), f32(1), f32(0)}),
            "graph.one_hot: the indices are a tensor of i1, expected real numbers");
  EXPECT_EQ(runner.Error("graph.one_hot",
                         {I64s(runner, {1}), I64(runner, 2), runner.Floats({2}), f32(0)}),
            "one_hot: on_value has 2 elements, expected one");
}

// Compiled programs hold what they like, and nobody converts it.
TEST(MovementGraphOpsTest, TensorsOfOtherKinds) {
  GraphOpRunner runner;
  const TensorHandle scalar = runner.Scalar<float>({2, 3}, 1), axis = runner.Scalar<int64_t>({}, 0);
  const TensorHandle zero = I64s(runner, {0, 0}), one = I64s(runner, {1, 1}),
                     two = I64s(runner, {6});
  const TensorHandle number = runner.Dense<float>({}, {1});
  auto error = [&](std::string_view name, const Handles& given) {
    std::vector<AsyncValue*> arguments;
    for (const TensorHandle& each : given) arguments.push_back(each.tensor().GetAsyncValue());
    RCReference<AsyncValue> result;
    return std::string(RunOp(*GraphOps().Find(name), runner.exec_ctx(), runner.host().allocator(),
                             arguments, 0, {}, {}, {&result, 1})
                           .error.message());
  };
  auto refused = [](std::string_view name, int i) {
    return StrCat(name, ": argument ", i, " is a ScalarHost tensor, which the op does not take");
  };
  EXPECT_EQ(error("graph.reshape", {scalar, two}), refused("graph.reshape", 0));
  EXPECT_EQ(error("graph.tile", {scalar, one}), refused("graph.tile", 0));
  EXPECT_EQ(error("graph.slice", {scalar, zero, one}), refused("graph.slice", 0));
  EXPECT_EQ(error("graph.concat", {scalar, scalar, I64(runner, 0)}), refused("graph.concat", 0));
  EXPECT_EQ(error("graph.concat", {number, number, axis}), refused("graph.concat", 2));
}

}  // namespace
}  // namespace tfrt
