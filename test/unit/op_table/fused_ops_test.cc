// Shape functions of what passes put together, of packed weights and of products of integers.

#include <gtest/gtest.h>

#include "inference_testing.h"

namespace tfrt {
namespace {

ValueType U8(SymbolicShape shape) { return {DType::kUI8, std::move(shape)}; }
ValueType I8(SymbolicShape shape) { return {DType::kI8, std::move(shape)}; }

// With arguments that are left out.
std::string TextOf(std::string_view op, const std::vector<const ValueType*>& arguments,
                   const Attrs& attrs = {}) {
  auto results = InferResults(*FindOpDescription(op), arguments, MapReader(attrs), 1);
  return results.ok() ? (*results)[0].ToString() : std::string(results.status().message());
}

TEST(FusedOpsTest, Convolutions) {
  const ValueType image = F32({kBatch, 3, 8, 8}), filter = F32({4, 3, 3, 3});
  EXPECT_EQ(Text("fused_conv", {image, filter}), "f32 [s0, 4, 6, 6]");
  EXPECT_EQ(Text("fused_conv", {image, filter, F32({4}), F32({2, kUnknown, kUnknown, kUnknown})}),
            "f32 [2, 4, 6, 6]");
  const ValueType addend = F32({kBatch, 4, 6, 6}), wrong = F32({kBatch, 4, 6, 5});
  EXPECT_EQ(TextOf("fused_conv", {&image, &filter, nullptr, &addend}), "f32 [s0, 4, 6, 6]");
  EXPECT_EQ(TextOf("fused_conv", {&image, &filter, nullptr, &wrong}),
            "fused_conv: shapes that must be equal are [s0, 4, 6, 6] and [s0, 4, 6, 5]");
  EXPECT_EQ(Text("fused_conv", {image, filter, I64({4})}),
            "fused_conv: incompatible dtypes f32 and i64");
  EXPECT_EQ(Text("pack_filter", {filter}), "f32 [4, 3, 3, 3]");
}

TEST(FusedOpsTest, Products) {
  const ValueType a = F32({kBatch, 5, 3}), b = F32({3, 4}), bias = F32({4});
  EXPECT_EQ(Text("fused_batch_matmul", {a, b}), "f32 [s0, 5, 4]");
  EXPECT_EQ(Text("fused_batch_matmul", {a, F32({4, 3})}, {{"transpose_b", true}}),
            "f32 [s0, 5, 4]");
  EXPECT_EQ(Text("fused_batch_matmul", {a, F32({3, kUnknown}), bias, F32({5, 1})}),
            "f32 [s0, 5, 4]");
  EXPECT_EQ(Text("fused_batch_matmul", {a, b, F32({5})}),
            "fused_batch_matmul: sizes that must be equal are 4 and 5");
  EXPECT_EQ(Text("fused_batch_matmul", {a, b, bias, F32({2, 1, 5, 4})}),
            "fused_batch_matmul: the addend [2, 1, 5, 4] does not fit the product [s0, 5, 4]");
  EXPECT_EQ(Text("fused_batch_matmul", {a, F32({2, 4})}),
            "fused_batch_matmul: MatMul input tensors inner dimension mismatch: [s0, 5, 3] vs. "
            "[2, 4]");
  EXPECT_EQ(Text("pack_matrix", {b}), "f32 [3, 4]");
  const ValueType half{DType::kF16, SymbolicShape({3, 4})};
  EXPECT_EQ(Text("pack_matrix", {half}), "f16 [3, 4]");
  EXPECT_EQ(Text("pack_matrix", {half}, {{"widen", true}}), "f32 [3, 4]");
  EXPECT_EQ(Text("pack_matrix", {b}, {{"widen", true}}),
            "pack_matrix: nothing to widen: it is f32");
  const ValueType filter{DType::kBF16, SymbolicShape({3, 4, 5})};
  EXPECT_EQ(Text("pack_filter", {filter}, {{"widen", true}}), "f32 [3, 4, 5]");
}

TEST(FusedOpsTest, Attention) {
  const ValueType q = F32({kBatch, 8, kLength, 64}), k = F32({kBatch, 2, 10, 64}),
                  v = F32({kBatch, 2, 10, 32});
  EXPECT_EQ(Text("attention", {q, k, v}), "f32 [s0, 8, s1, 32]");
  EXPECT_EQ(Text("attention", {q, k, v, I1({kLength, 10})}), "f32 [s0, 8, s1, 32]");
  EXPECT_EQ(Text("attention", {F32({1, 5, 8, 64}), F32({1, 10, 2, 64}), F32({1, 10, 2, 32})},
                 {{"layout", std::string("bshd")}}),
            "f32 [1, 5, 8, 32]");
  EXPECT_EQ(Text("attention", {q, k, v, F32({kLength, 11})}),
            "attention: the shapes [s0, 8, s1, 10] and [s1, 11] cannot be broadcast together");
  EXPECT_EQ(Text("attention", {q, F32({kBatch, 3, 10, 64}), F32({kBatch, 3, 10, 32})}),
            "attention: 8 heads of q do not share 3 of k and v");
  EXPECT_EQ(Text("attention", {q, k, v}, {{"layout", std::string("sbhd")}}),
            "attention: unknown layout 'sbhd', expected bhsd or bshd");
}

TEST(FusedOpsTest, PackedAttention) {
  const Attrs heads = {{"heads", int64_t{8}}, {"kv_heads", int64_t{2}}};
  const ValueType packed = F32({kBatch, kLength, 12 * 32});
  EXPECT_EQ(Text("packed_attention", {packed}, heads), "f32 [s0, s1, 256]");
  EXPECT_EQ(Text("packed_attention", {packed, F32({kBatch, 1, 1, kLength})}, heads),
            "f32 [s0, s1, 256]");
  EXPECT_EQ(Text("packed_attention", {F32({1, 5, 384}), F32({5, 6})}, heads),
            "packed_attention: the shapes [1, 8, 5, 5] and [5, 6] cannot be broadcast together");
  EXPECT_EQ(Text("packed_attention", {F32({1, 5, 385})}, heads),
            "packed_attention: rows of 385 are not 12 heads");
  EXPECT_EQ(Text("packed_attention", {packed}, {{"heads", int64_t{8}}, {"kv_heads", int64_t{3}}}),
            "packed_attention: 8 heads of q do not share 3 of k and v");
}

TEST(FusedOpsTest, ProductsOfIntegers) {
  EXPECT_EQ(Text("conv_integer", {U8({1, 3, 8, 8}), I8({4, 3, 3, 3}), U8(kScalar), I8({4})}),
            "i32 [1, 4, 6, 6]");
  EXPECT_EQ(Text("matmul_integer", {U8({kBatch, 5, 3}), I8({3, 4})}), "i32 [s0, 5, 4]");
  EXPECT_EQ(Text("matmul_integer", {U8({5, 3}), I8({2, 4})}),
            "matmul_integer: MatMul input tensors inner dimension mismatch: [5, 3] vs. [2, 4]");
  EXPECT_EQ(Text("matmul_integer", {F32({5, 3}), I8({3, 4})}),
            "matmul_integer: argument 0 is f32, expected i8 or u8");
  EXPECT_EQ(Text("matmul_integer", {U8({5, 3}), I8({3, 4}), I8(kScalar)}),
            "matmul_integer: incompatible dtypes u8 and i8");
}

TEST(FusedOpsTest, QuantizedProducts) {
  const ValueType a = U8({kBatch, 5, 3}), b = I8({3, 4}), one = F32(kScalar), bias = F32({4}),
                  zero = U8(kScalar), addend = F32({5, 1}), scales = F32({4});
  const ValueType wrong_bias = F32({5}), i32_bias{DType::kI32, SymbolicShape({Dim(4)})};
  auto text = [](std::vector<const ValueType*> arguments, const Attrs& attrs = {}) {
    return TextOf("quantized_matmul", arguments, attrs);
  };
  const ValueType* const none = nullptr;
  EXPECT_EQ(text({&a, &b, &one, &one}), "f32 [s0, 5, 4]");
  EXPECT_EQ(text({&a, &b, &one, &scales, none, none, &i32_bias, &addend, &one}), "u8 [s0, 5, 4]");
  EXPECT_EQ(text({&a, &b, &one, &one, none, none, none, none, &one}, {{"dtype", DType::kI8}}),
            "i8 [s0, 5, 4]");
  EXPECT_EQ(text({&a, &b, &one, &one, &zero, none, none, none, &one, &zero}), "u8 [s0, 5, 4]");
  EXPECT_EQ(text({&a, &b, &one, &one, none, none, none, none, none, &zero}),
            "quantized_matmul: the result has a zero point, but no scale");
  EXPECT_EQ(text({&a, &b, &one, &one, none, none, none, none, &one, &one}),
            "quantized_matmul: a result with a scale is f32, expected i8 or u8");
  EXPECT_EQ(text({&a, &b, &scales, &one}),
            "quantized_matmul: the scale of the first factor has the shape [4], expected one "
            "element");
  EXPECT_EQ(text({&a, &b, &one, &wrong_bias}),
            "quantized_matmul: the scale of the second factor has the shape [5], expected one "
            "element or 4");
  EXPECT_EQ(text({&a, &b, &zero, &one}),
            "quantized_matmul: the scale of the first factor is u8, expected f32");
  EXPECT_EQ(text({&a, &b, &one, &one, none, &zero}),
            "quantized_matmul: incompatible dtypes i8 and u8");
  EXPECT_EQ(text({&a, &b, &one, &one, none, none, &wrong_bias}),
            "quantized_matmul: sizes that must be equal are 4 and 5");
  EXPECT_EQ(text({&a, &b, &one, &one, none, none, &zero}),
            "quantized_matmul: the bias, if it is not i32, is u8, expected f32");
  EXPECT_EQ(text({&a, &b, &one, &one, none, none, none, &wrong_bias}),
            "quantized_matmul: the shapes [s0, 5, 4] and [5] cannot be broadcast together");
  const ValueType image = U8({1, 3, 8, 8}), filter = I8({4, 3, 3, 3}), like = F32({1, 4, 6, 6});
  EXPECT_EQ(
      TextOf("quantized_conv", {&image, &filter, &one, &scales, none, none, &bias, &like, &one}),
      "u8 [1, 4, 6, 6]");
  EXPECT_EQ(TextOf("quantized_conv", {&image, &filter, &one, &one, none, none, none, &bias}),
            "quantized_conv: shapes that must be equal are [1, 4, 6, 6] and [4]");
  EXPECT_EQ(Text("dynamic_quantized_matmul", {F32({kBatch, 5, 3}), b, one, I8(kScalar), bias}),
            "f32 [s0, 5, 4]");
  EXPECT_EQ(Text("dynamic_quantized_matmul", {a, b, one}),
            "dynamic_quantized_matmul: the first factor is u8, expected f32");
}

TEST(FusedOpsTest, NothingKnownIsNoError) {
  for (const char* op :
       {"fused_conv", "fused_batch_matmul", "attention", "pack_filter", "conv_integer",
        "matmul_integer", "quantized_matmul", "quantized_conv", "dynamic_quantized_matmul"}) {
    std::vector<ValueType> arguments(FindOpDescription(op)->arguments.size());
    EXPECT_EQ(Text(op, arguments).find(op), std::string::npos) << op << ": " << Text(op, arguments);
  }
}

}  // namespace
}  // namespace tfrt
