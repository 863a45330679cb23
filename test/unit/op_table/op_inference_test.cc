// Shape functions on sizes that are unknown or symbols; test/unit/host_ops has them on
// known ones. And the work of ops.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "inference_testing.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<ValueType> Infer(std::string_view op, const std::vector<ValueType>& arguments,
                          const Attrs& attrs = {}) {
  TFRT_ASSIGN_OR_RETURN(
      auto results, InferResults(*FindOpDescription(op), Pointers(arguments), MapReader(attrs), 1));
  return results[0];
}

TEST(OpInferenceTest, Broadcast) {
  EXPECT_EQ(Text("add", {F32({kBatch, 3}), F32({3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("add", {F32({kBatch, 3}), F32({kBatch, 1})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("add", {F32({kBatch}), F32({kLength})}), "f32 [?]");
  EXPECT_EQ(Text("add", {F32({kUnknown}), F32({kUnknown})}), "f32 [?]");
  // What is not 1 is the size, whatever the other is.
  EXPECT_EQ(Text("add", {F32({kUnknown}), F32({4})}), "f32 [4]");
  EXPECT_EQ(Text("add", {F32({1}), F32({kUnknown})}), "f32 [?]");
  EXPECT_EQ(Text("add", {F32(kScalar), F32({2})}), "f32 [2]");
  EXPECT_EQ(Text("less", {F32({kBatch}), {}}), "i1 [*]");
  EXPECT_EQ(Text("add", {F32({2}), F32({3})}), "add: Dimensions must be equal, but are 2 and 3");
  EXPECT_EQ(Text("add", {F32({2}), Ints({1, 2})}), "add: incompatible dtypes for binary operation");
}

TEST(OpInferenceTest, SlicesAtTheEndsOfTheNumbers) {
  const int64_t low = INT64_MIN, high = INT64_MAX;
  EXPECT_EQ(Text("slice", {F32({4}), Ints({low}), Ints({-1})}),
            StrCat("slice: nothing of size -1 from ", low, " lies in dimension 0 of [4]"));
  EXPECT_EQ(Text("slice", {F32({4}), Ints({high}), Ints({-1})}),
            StrCat("slice: nothing of size -1 from ", high, " lies in dimension 0 of [4]"));
  EXPECT_EQ(Text("slice", {F32({4}), Ints({low}), Ints({high})}),
            StrCat("slice: nothing of size ", high, " from ", low, " lies in dimension 0 of [4]"));
}

TEST(OpInferenceTest, Products) {
  EXPECT_EQ(Text("matmul", {F32({kBatch, 3}), F32({kUnknown, 5})}), "f32 [s0, 5]");
  EXPECT_EQ(Text("matmul", {F32({3, kBatch}), F32({5, 3})},
                 {{"transpose_a", true}, {"transpose_b", true}}),
            "f32 [s0, 5]");
  EXPECT_EQ(Text("matmul", {{}, F32({4, 5})}), "f32 [?, 5]");
  EXPECT_EQ(Text("matmul", {F32({2, 3}), F32({4, 5})}),
            "matmul arguments have incompatible shapes: In[0]: [2, 3], In[1]: [4, 5]. "
            "transpose_a: 0, transpose_b: 0");
  EXPECT_EQ(Text("matmul", {F32({kBatch, 3}), F32({4, kUnknown})}),
            "matmul arguments have incompatible shapes: In[0]: [s0, 3], In[1]: [4, ?]. "
            "transpose_a: 0, transpose_b: 0");
  EXPECT_EQ(Text("matmul", {F32({2, 3, 4}), {}}),
            "matmul: argument 0 of matmul op is not a rank-2 tensor. Actual rank is 3");
  EXPECT_EQ(Text("batch_matmul", {F32({kBatch, 1, 2, 3}), F32({4, 3, kLength})}),
            "f32 [s0, 4, 2, s1]");
  EXPECT_EQ(Text("matmul_bias", {F32({2, 3}), F32({3, kUnknown}), F32({5})}), "f32 [2, 5]");
}

TEST(OpInferenceTest, Rows) {
  EXPECT_EQ(Text("softmax", {F32({kBatch, 3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("softmax", {F32(kScalar)}), "softmax: a tensor of rank 0 has no last axis");
  // The vectors say how long a row is.
  EXPECT_EQ(Text("bias_add", {F32({kBatch, kUnknown}), F32({3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("bias_add", {F32({kBatch, 3}), {}}), "f32 [s0, 3]");
  EXPECT_EQ(Text("bias_add", {{}, F32({3})}), "f32 [*]");
  EXPECT_EQ(Text("bias_add", {F32({kBatch, 4}), F32({3})}),
            "bias_add: bias must has the size of the last dimension of value");
  EXPECT_EQ(Text("bias_add_grad", {F32({kBatch, kLength})}), "f32 [s1]");
  EXPECT_EQ(Text("bias_add_grad", {{}}), "? [?]");
  EXPECT_EQ(Text("layer_norm", {F32({kBatch, kUnknown}), {}, F32({3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("layer_norm", {F32({kBatch, 4}), F32({3}), {}}),
            "layer_norm: the scale is f32 [3], expected f32 [4]");
  EXPECT_EQ(Text("gelu_grad", {F32({kBatch, kUnknown}), F32({kUnknown, 3})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("gelu_grad", {F32({2}), F32({3})}),
            "gelu_grad: gradients is f32 [2], but features is f32 [3]");
  EXPECT_EQ(Text("softmax_cross_entropy", {F32({kUnknown, 5}), {DType::kI32, {kBatch}}}),
            "f32 [s0], f32 [s0, 5]");
  EXPECT_EQ(Text("softmax_cross_entropy", {F32({4, 5}), {DType::kI32, {3}}}),
            "softmax_cross_entropy: the labels have the shape [3], but the logits [4, 5]");
  EXPECT_EQ(Text("sgd_update", {F32({kBatch, kUnknown}), F32({2, 3}), F32(kScalar)}), "f32 [2, 3]");
  EXPECT_EQ(Text("sgd_update", {F32({2}), F32({2}), F32({3})}),
            "sgd_update: the learning rate has the shape [3], expected one element");
}

// Also of a call whose arguments are not known to the end.
TEST(OpInferenceTest, SeveralResults) {
  auto texts = [](std::string_view op, const std::vector<ValueType>& arguments, size_t count,
                  const Attrs& attrs = {}) {
    auto results =
        InferResults(*FindOpDescription(op), Pointers(arguments), MapReader(attrs), count);
    if (!results.ok()) return std::string(results.status().message());
    std::string text;
    for (const ValueType& result : *results) text += result.ToString() + "; ";
    return text;
  };
  const ValueType x = F32({kBatch, kLength}), three = F32({3});
  EXPECT_EQ(texts("layer_norm_grad", {x, x, three}, 3), "f32 [s0, 3]; f32 [3]; f32 [3]; ");
  EXPECT_EQ(texts("layer_norm_grad", {{}, {}, three}, 3), "f32 [*]; f32 [3]; f32 [3]; ");
  EXPECT_EQ(texts("batch_norm", {x, {}, {}, three, {}}, 6),
            "f32 [s0, s1]; ? [3]; ? [3]; ? [3]; ? [3]; ? [0]; ");
  // In training mean and variance may be empty, which says nothing of the scale.
  const Attrs training = {{"is_training", true}};
  EXPECT_EQ(texts("batch_norm", {x, {}, {}, F32({0}), {}}, 2, training), "f32 [s0, s1]; ? [*]; ");
  EXPECT_EQ(texts("batch_norm", {x, three, F32({2}), {}, {}}, 1),
            "batch_norm: Mean, variance, bias, and scale are expected to have the same shape");
  EXPECT_EQ(texts("softmax_cross_entropy", {F32({kUnknown, 5}), {}}, 2), "f32 [?]; f32 [?, 5]; ");
  EXPECT_EQ(texts("softmax_cross_entropy", {{}, {DType::kI32, {kBatch}}}, 2),
            "? [s0]; ? [s0, ?]; ");
  EXPECT_EQ(texts("batch_norm_grad", {x, x, three, {}, {}, {}}, 5),
            "f32 [s0, s1]; f32 [3]; f32 [3]; f32 [0]; f32 [0]; ");
}

TEST(OpInferenceTest, Windows) {
  const Attrs same = {{"padding", std::string("SAME")}};
  EXPECT_EQ(Text("conv2d", {F32({kBatch, kLength, 7, 3}), F32({3, 3, 3, 8})}, same),
            "f32 [s0, s1, 7, 8]");
  Attrs strided = same;
  strided.emplace("strides", std::vector<int64_t>{1, 2, 2, 1});
  EXPECT_EQ(Text("conv2d", {F32({kBatch, kLength, 7, 3}), F32({3, 3, 3, 8})}, strided),
            "f32 [s0, ?, 4, 8]");
  EXPECT_EQ(Text("conv2d", {F32({1, 9, 7, 3}), F32({3, kUnknown, 3, 8})},
                 {{"padding", std::string("VALID")}}),
            "f32 [1, 7, ?, 8]");
  EXPECT_EQ(Text("conv2d", {F32({1, 9, 7, 4}), F32({3, 3, 3, 8})}, same),
            "conv2d: sizes that must be equal are 4 and 3");
  EXPECT_EQ(Text("conv2d", {{}, {}}), "conv2d: the attribute 'padding' is needed");
  EXPECT_EQ(Text("conv2d", {{}, {}}, {{"padding", int64_t{1}}}),
            "conv2d: the attribute 'padding' is needed");
  EXPECT_EQ(Text("conv2d", {{}, {}}, {{"padding", std::string("half")}}),
            "conv2d: unknown padding type half");
  Attrs pool = strided;
  pool.emplace("ksize", std::vector<int64_t>{1, 2, 2, 1});
  EXPECT_EQ(Text("max_pool2d", {F32({kBatch, 8, 8, 3})}, pool), "f32 [s0, 4, 4, 3]");
  EXPECT_EQ(Text("global_average_pool", {F32({kBatch, kUnknown, 8, 3})}), "f32 [s0, 3]");
}

TEST(OpInferenceTest, Reductions) {
  EXPECT_EQ(Text("reduce_sum", {F32({kBatch, 3, 4}), Ints({-1})}), "f32 [s0, 3]");
  EXPECT_EQ(Text("reduce_sum", {F32({kBatch, 3, 4}), Ints({1})}, {{"keep_dims", true}}),
            "f32 [s0, 1, 4]");
  // Which one is not known.
  EXPECT_EQ(Text("reduce_sum", {F32({kBatch, 3, 4}), Ints({kUnknown})}), "f32 [?, ?]");
  EXPECT_EQ(Text("reduce_sum", {F32({kBatch, 3, 4}), {}}), "f32 [*]");
  EXPECT_EQ(Text("reduce_sum", {F32({2}), Ints({1})}),
            "reduce_sum: axis 1 is out of range for rank 1");
  EXPECT_EQ(Text("argmax", {F32({kBatch, 3}), Int(1)}), "i64 [s0]");
  EXPECT_EQ(Text("argmax", {F32({kBatch, 3}), Int(1)}, {{"dtype", DType::kI32}}), "i32 [s0]");
}

TEST(OpInferenceTest, Movement) {
  EXPECT_EQ(Text("transpose", {F32({kBatch, 3}), Ints({1, 0})}), "f32 [3, s0]");
  EXPECT_EQ(Text("transpose", {F32({kBatch, 3}), {}}), "f32 [?, ?]");
  EXPECT_EQ(Text("concat", {F32({kBatch, 3}), F32({kUnknown, 4}), Int(1)}), "f32 [s0, 7]");
  EXPECT_EQ(Text("concat", {F32({2, kBatch}), F32({2, 4}), Int(1)}), "f32 [2, ?]");
  EXPECT_EQ(Text("concat", {F32({2, 3}), F32({4, 3}), Int(1)}),
            "concat: sizes that must be equal are 2 and 4");
  EXPECT_EQ(Text("tile", {F32({kBatch, 3}), Ints({1, 2})}), "f32 [s0, 6]");
  EXPECT_EQ(Text("pad", {F32({kBatch, 3}), {DType::kI64, {2, 2}, {{0, 0, 1, 2}}}}), "f32 [s0, 6]");
  EXPECT_EQ(Text("gather", {F32({kBatch, 3}), {DType::kI32, {kLength}}, Int(0)}), "f32 [s1, 3]");
  EXPECT_EQ(Text("slice", {F32({kBatch, 3}), Ints({0, 1}), Ints({-1, -1})}), "f32 [s0, 2]");
  EXPECT_EQ(Text("slice", {F32({2, 3}), Ints({0, 1}), Ints({-1, 3})}),
            "slice: nothing of size 3 from 1 lies in dimension 1 of [2, 3]");
  EXPECT_EQ(Text("one_hot", {{DType::kI32, {kBatch}}, Int(10), F32(kScalar), F32(kScalar)}),
            "f32 [s0, 10]");
}

TEST(OpInferenceTest, Reshape) {
  EXPECT_EQ(Text("reshape", {F32({kBatch, 3, 4}), Ints({-1, 12})}), "f32 [s0, 12]");
  EXPECT_EQ(Text("reshape", {F32({kBatch, 3, 4}), Ints({kBatch, -1})}), "f32 [s0, 12]");
  EXPECT_EQ(Text("reshape", {F32({kBatch, 3}), Ints({-1, 2})}), "f32 [?, 2]");
  EXPECT_EQ(Text("reshape", {F32({4, 3}), Ints({2, -1})}), "f32 [2, 6]");
  EXPECT_EQ(Text("reshape", {F32({4, 3}), {DType::kI32, {3}}}), "f32 [?, ?, ?]");
  EXPECT_EQ(Text("reshape", {F32({4, 3}), {DType::kI32, {1 << 30}}}), "f32 [*]");
  EXPECT_EQ(Text("reshape", {F32({4, 3}), Ints({5, -1})}),
            "reshape: [4, 3] cannot become i64 [2] {5, -1}");
  EXPECT_EQ(Text("reshape", {F32({4, 3}), Ints({5})}), "reshape: [4, 3] cannot become [5]");
  EXPECT_EQ(Text("squeeze", {F32({kBatch, 1})}, {{"axes", std::vector<int64_t>{1}}}), "f32 [s0]");
  // The batch may be 1.
  EXPECT_EQ(Text("squeeze", {F32({kBatch, 1})}), "f32 [*]");
  EXPECT_EQ(Text("expand_dims", {F32({kBatch}), Int(-1)}), "f32 [s0, 1]");
}

// What exporters make of x.reshape(x.shape[0], -1) and of sizes that are computed.
TEST(OpInferenceTest, SizesAreFollowedThroughIntegerTensors) {
  const ValueType x = F32({kBatch, kLength, 3, 4});
  ValueType sizes = *Infer("shape_of", {x}, {{"dtype", DType::kI64}});
  EXPECT_EQ(sizes.ToString(), "i64 [4] {s0, s1, 3, 4}");
  ValueType batch = *Infer("gather", {sizes, Int(0), Int(0)});
  EXPECT_EQ(batch.ToString(), "i64 [] {s0}");
  batch = *Infer("expand_dims", {batch, Int(0)});
  ValueType rest = *Infer("slice", {sizes, Ints({2}), Ints({2})});
  EXPECT_EQ(rest.ToString(), "i64 [2] {3, 4}");
  ValueType wanted = *Infer("concat", {batch, Ints({-1}), rest, Int(0)});
  EXPECT_EQ(wanted.ToString(), "i64 [4] {s0, -1, 3, 4}");
  EXPECT_EQ(Text("reshape", {x, wanted}), "f32 [s0, s1, 3, 4]");

  ValueType twice = *Infer("mul", {rest, Ints({2})});
  EXPECT_EQ(twice.ToString(), "i64 [2] {6, 8}");
  EXPECT_EQ(Text("sub", {twice, rest}), "i64 [2] {3, 4}");
  EXPECT_EQ(Text("sub", {batch, batch}), "i64 [1] {0}");
  EXPECT_EQ(Text("cast", {wanted}, {{"dtype", DType::kI32}}), "i32 [4] {?, -1, 3, 4}");
  EXPECT_EQ(Text("cast", {Ints({int64_t{1} << 40})}, {{"dtype", DType::kI32}}), "i32 [1] {?}");
  EXPECT_EQ(Text("cast", {wanted}, {{"dtype", DType::kF32}}), "f32 [4]");
  EXPECT_EQ(Text("fill", {rest, F32(kScalar)}), "f32 [3, 4]");
  EXPECT_EQ(Text("fill", {Ints({2}), Int(7)}), "i64 [2] {7, 7}");
  const ValueType large{DType::kI32, {1}, {{INT32_MAX}}}, one{DType::kI32, {1}, {{1}}};
  EXPECT_EQ(Text("add", {large, one}), "i32 [1] {?}");
}

TEST(OpInferenceTest, OpsWithoutCasesOfNumpy) {
  const ValueType constant{DType::kI32, {2}, {{5, 6}}};
  EXPECT_EQ(Text("constant", {}, {{"value", constant}}), "i32 [2] {5, 6}");
  EXPECT_EQ(Text("zeros_like", {Ints({kBatch, 2})}, {{"dtype", DType::kF32}}), "f32 [2]");
  EXPECT_EQ(Text("fill", {{DType::kI32, {3}}, F32(kScalar)}), "f32 [?, ?, ?]");
  EXPECT_EQ(Text("fill", {Ints({2}), F32({3})}), "fill: the value has 3 elements, expected one");
  const Attrs fused = {{"fused_ops", std::vector<std::string>{"BiasAdd"}}};
  EXPECT_EQ(Text("fused_matmul", {F32({kBatch, 3}), F32({3, 5}), F32({5})}, fused), "f32 [s0, 5]");
  EXPECT_EQ(Text("fused_matmul", {F32({2, 3}), F32({3, 5})}, fused),
            "fused_matmul: FusedMatMul with BiasAdd takes a bias, but has 2 arguments");
  EXPECT_EQ(Text("fused_matmul", {{}, {}}, {{"fused_ops", std::vector<std::string>{}}}),
            "fused_matmul: FusedMatMul must specify fused operations");
  const ValueType scale = F32({3});
  EXPECT_EQ(Text("fused_batch_norm", {F32({kBatch, 3}), scale, scale, scale, scale}),
            "f32 [s0, 3], f32 [3], f32 [3], f32 [3], f32 [3], f32 [0]");
}

TEST(OpInferenceTest, ChecksPassTheirArgumentOn) {
  const ValueType sizes = Ints({kBatch, 2});
  const Attrs message = {{"message", std::string("m")}};
  EXPECT_EQ(Text("print", {sizes, F32({3})}), "i64 [2] {s0, 2}");
  EXPECT_EQ(Text("check_numerics", {F32({kBatch})}, message), "f32 [s0]");
  EXPECT_EQ(Text("check_numerics_v2", {F32({kBatch})}, message), "f32 [s0]");
  const Attrs shape = {{"shape", std::vector<int64_t>{-1, 3}}};
  EXPECT_EQ(Text("ensure_shape", {F32({kBatch, kUnknown})}, shape), "f32 [s0, 3]");
  EXPECT_EQ(Text("ensure_shape", {{}}, shape), "? [?, 3]");
  EXPECT_EQ(
      Text("ensure_shape", {F32({2, 2})}, shape),
      "ensure_shape: shape of tensor input [2, 2] is not compatible with expected shape [-1, 3]");
  // Of unknown rank: everything is right.
  EXPECT_EQ(Text("ensure_shape", {F32({2, 2})}), "f32 [2, 2]");
  const ValueType condition{DType::kI1, kScalar};
  const ValueType* const arguments[] = {&condition};
  EXPECT_TRUE(InferResults(*FindOpDescription("assert"), arguments, MapReader({}), 0).ok());
}

TEST(OpInferenceTest, PartsOfTensors) {
  const Attrs all_rows = {{"begin_mask", int64_t{1}}, {"end_mask", int64_t{1}}};
  EXPECT_EQ(Text("strided_slice", {F32({kBatch, 5}), Ints({0, 1}), Ints({0, -1}), Ints({1, 2})},
                 all_rows),
            "f32 [s0, 2]");
  EXPECT_EQ(Text("strided_slice", {F32({kBatch, 5}), Ints({0}), Ints({1}), Ints({1})},
                 {{"shrink_axis_mask", int64_t{1}}}),
            "f32 [5]");
  EXPECT_EQ(Text("strided_slice", {F32({5}), Ints({0}), Ints({kUnknown}), Ints({1})}), "f32 [?]");
  EXPECT_EQ(Text("strided_slice", {F32({5}), Ints({0}), Ints({3}), Ints({0})}),
            "strided_slice: a stride is 0");
  // As in Python, and not as in ONNX, a walk backwards that begins before the first element is
  // empty.
  EXPECT_EQ(Text("strided_slice", {F32({5}), Ints({-6}), Ints({-9}), Ints({-1})}), "f32 [0]");
  EXPECT_EQ(Text("strided_slice", {F32({5}), Ints({-5}), Ints({-9}), Ints({-1})}), "f32 [1]");
  EXPECT_EQ(Text("gather_nd", {F32({kBatch, 5}), {DType::kI32, {kLength, 1}}}), "f32 [s1, 5]");
  EXPECT_EQ(Text("gather", {F32({kBatch, 5}), {DType::kI32, {kUnknown, 2}}, Int(1)},
                 {{"batch_dims", int64_t{1}}}),
            "f32 [s0, 2]");
}

TEST(OpInferenceTest, SpellingsAreResolved) {
  const ValueType x = F32({kBatch, 3});
  const ValueType* const arguments[] = {&x};
  const Attrs perm = {{"perm", std::vector<int64_t>{1, 0}}};
  auto results = InferResults(*FindOpSpelling("_tf.Transpose"), arguments, MapReader(perm), 1);
  ASSERT_TRUE(results.ok());
  EXPECT_EQ((*results)[0].ToString(), "f32 [3, s0]");
  EXPECT_EQ(InferResults(*FindOpSpelling("_tf.Transpose"), arguments, MapReader({}), 1)
                .status()
                .message(),
            "'perm' attribute is not specified for Transpose op");
  const Attrs dtype = {{"DstT", DType::kI1}};
  results = InferResults(*FindOpSpelling("tf.Cast"), arguments, MapReader(dtype), 1);
  ASSERT_TRUE(results.ok());
  EXPECT_EQ((*results)[0].ToString(), "i1 [s0, 3]");
}

TEST(OpInferenceTest, CallsWithWrongCounts) {
  auto message = [](const std::vector<ValueType>& arguments, size_t num_results) {
    auto results =
        InferResults(*FindOpDescription("add"), Pointers(arguments), MapReader({}), num_results);
    return std::string(results.status().message());
  };
  EXPECT_EQ(message({{}}, 1), "add takes 2 arguments, but there are 1");
  EXPECT_EQ(message({{}, {}, {}}, 1), "add takes 2 arguments, but there are 3");
  EXPECT_EQ(message({{}, {}}, 2), "add has 1 results, but is asked for 2");
  const ValueType* const left_out[] = {nullptr, nullptr};
  EXPECT_EQ(InferResults(*FindOpDescription("add"), left_out, MapReader({}), 1).status().message(),
            "add: argument 0 is left out");
}

std::optional<OpWork> WorkOf(std::string_view op, const std::vector<ValueType>& arguments,
                             const Attrs& attrs = {}) {
  const OpDescription& description = *FindOpDescription(op);
  auto results = InferResults(description, Pointers(arguments), MapReader(attrs), 1);
  EXPECT_TRUE(results.ok());
  return EstimateWork(description, Pointers(arguments), *results);
}

TEST(OpWorkTest, FollowsFromShapes) {
  auto work = WorkOf("add", {F32({4, 3}), F32({3})});
  ASSERT_TRUE(work);
  EXPECT_EQ(work->flops, 12);
  EXPECT_EQ(work->bytes_read, 4 * (12 + 3));
  EXPECT_EQ(work->bytes_written, 4 * 12);
  EXPECT_EQ(WorkOf("matmul", {F32({2, 3}), F32({3, 5})})->flops, 2 * 2 * 3 * 5);
  EXPECT_EQ(WorkOf("matmul", {F32({3, 2}), F32({3, 5})}, {{"transpose_a", true}})->flops,
            2 * 2 * 3 * 5);
  EXPECT_EQ(
      WorkOf("conv2d", {F32({1, 4, 4, 3}), F32({3, 3, 3, 8})}, {{"padding", std::string("VALID")}})
          ->flops,
      2 * (2 * 2 * 8) * (3 * 3 * 3));
  EXPECT_EQ(WorkOf("reshape", {F32({4}), Ints({2, 2})})->flops, 0);
  // The filter has the channels of one of two groups.
  const Attrs conv = {{"channels_last", false},
                      {"dilations", std::vector<int64_t>{1, 1}},
                      {"groups", int64_t{2}},
                      {"padding", std::string("explicit")},
                      {"pads", std::vector<int64_t>{0, 0, 0, 0}},
                      {"strides", std::vector<int64_t>{1, 1}}};
  EXPECT_EQ(WorkOf("conv", {F32({1, 4, 5, 5}), F32({6, 2, 3, 3})}, conv)->flops,
            2 * (6 * 3 * 3) * (2 * 3 * 3));
  Attrs last = conv;
  last["channels_last"] = true;
  EXPECT_EQ(WorkOf("conv", {F32({1, 5, 5, 4}), F32({3, 3, 2, 6})}, last)->flops,
            2 * (6 * 3 * 3) * (2 * 3 * 3));
  // The filter has as many rows as the images, and as a filter with the channels first one channel.
  EXPECT_EQ(WorkOf("conv", {F32({1, 1, 1, 4}), F32({1, 1, 2, 6})}, last)->flops, 2 * 6 * 2);
}

TEST(OpWorkTest, NeedsKnownShapesAndAFormula) {
  EXPECT_FALSE(WorkOf("add", {F32({kBatch}), F32({kBatch})}));
  EXPECT_FALSE(WorkOf("add", {{}, {}}));
  EXPECT_FALSE(WorkOf("shape_of", {F32({2})}));
}

}  // namespace
}  // namespace tfrt
