// Shape rules (lib/format/op_table/shape_inference.h) of matrix products.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_PRODUCT_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_PRODUCT_RULES_H_

#include "shape_inference.h"
#include "shape_rules.h"

namespace tfrt {

// True for the dtypes of quantised factors.
inline bool IsByte(DType dtype) { return dtype == DType::kI8 || dtype == DType::kUI8; }

// The optional argument `index` is broadcast to a product of this shape: their sum is as large.
inline Status UniteAddend(const OpShapeCall& call, size_t index, SymbolicShape& product) {
  if (!call.has_argument(index) || !product.has_rank()) return OkStatus();
  const SymbolicShape& addend = call.argument(index).shape;
  TFRT_ASSIGN_OR_RETURN(SymbolicShape both, Broadcast(call, product, addend));
  if (!both.has_rank()) return OkStatus();
  auto unified = UnifyShapes(call, product, both);
  if (!unified.ok()) {
    return ShapeError(call, "the addend ", addend.ToString(), " does not fit the product ",
                      product.ToString());
  }
  product = *std::move(unified);
  return OkStatus();
}

namespace internal {

// dtype and rank of both matrices.
template <typename Call>
Status CheckMatrices(const Call& call, DType* dtype) {
  const auto &a = call.argument(0), &b = call.argument(1);
  *dtype = a.dtype;
  if (!Unite(dtype, b.dtype)) [[unlikely]] {
    return InvalidArgumentError(StrCat("incompatible dtypes for MatMul: In[0]: ",
                                       DTypeName(a.dtype), ", In[1]: ", DTypeName(b.dtype)));
  }
  for (size_t i = 0; i < 2; ++i) {
    const auto& shape = call.argument(i).shape;
    if (!HasRank(shape) || shape.rank() == 2) continue;
    return InvalidArgumentError(StrCat(
        "argument ", i, " of matmul op is not a rank-2 tensor. Actual rank is ", shape.rank()));
  }
  return OkStatus();
}

// The product of two matrices.
template <typename Call>
Status InferProduct(const Call& call, bool transpose_a, bool transpose_b,
                    typename Call::Value& result) {
  const auto &a = call.argument(0).shape, &b = call.argument(1).shape;
  if (DimIfRanked(a, transpose_a ? 0 : 1).Contradicts(DimIfRanked(b, transpose_b ? 1 : 0)))
      [[unlikely]] {
    return InvalidArgumentError(
        StrCat("matmul arguments have incompatible shapes: In[0]: ", a.ToString(),
               ", In[1]: ", b.ToString(), ". transpose_a: ", transpose_a ? 1 : 0,
               ", transpose_b: ", transpose_b ? 1 : 0));
  }
  typename Call::Dims dims;
  dims.push_back(DimIfRanked(a, transpose_a ? 1 : 0));
  dims.push_back(DimIfRanked(b, transpose_b ? 0 : 1));
  return call.MakeShape(std::move(dims), &result.shape);
}

// The bias has an element for each column of the product.
template <typename Call>
Status UniteBias(const typename Call::Value& bias, typename Call::Value& product) {
  const DType dtype = product.dtype;
  if (!Unite(&product.dtype, bias.dtype)) {
    return InvalidArgumentError(StrCat("incompatible dtypes for MatMul: In[0]: ", DTypeName(dtype),
                                       ", bias: ", DTypeName(bias.dtype)));
  }
  if (!HasRank(bias.shape)) return OkStatus();
  if (bias.shape.rank() != 1) return InvalidArgumentError("Bias tensor must a vector");
  auto size = DimOf(bias.shape, 0);
  if (Unite(&product.shape, 1, &size)) return OkStatus();
  return InvalidArgumentError(StrCat("The number of bias elements ", size.ToString(),
                                     " doesn't match output inner dimension ",
                                     DimOf(product.shape, 1).ToString()));
}

}  // namespace internal

struct MatMulRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    TFRT_RETURN_IF_ERROR(internal::CheckMatrices(call, &results[0].dtype));
    std::optional<bool> transpose_a = call.template Attr<bool>("transpose_a");
    std::optional<bool> transpose_b = call.template Attr<bool>("transpose_b");
    if (!transpose_a) return call.Lacks("transpose_a", "MatMul");
    if (!transpose_b) return call.Lacks("transpose_b", "MatMul");
    return internal::InferProduct(call, *transpose_a, *transpose_b, results[0]);
  }
};

// More arguments: first the bias.
struct FusedMatMulRule : MatMulRule {
  static constexpr bool kTakesMore = true;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    TFRT_RETURN_IF_ERROR(MatMulRule::Infer(call, results));
    if (call.NumStrings("fused_ops") == 0) {
      return InvalidArgumentError("FusedMatMul must specify fused operations");
    }
    if (call.num_arguments() == 2) {
      return InvalidArgumentError("FusedMatMul with BiasAdd takes a bias, but has 2 arguments");
    }
    return internal::UniteBias<Call>(call.argument(2), results[0]);
  }
};

struct MatMulBiasRule : ShapeRule {
  static constexpr size_t kArguments = 3;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    TFRT_RETURN_IF_ERROR(internal::CheckMatrices(call, &results[0].dtype));
    TFRT_RETURN_IF_ERROR(internal::InferProduct(
        call, call.template Attr<bool>("transpose_a").value_or(false),
        call.template Attr<bool>("transpose_b").value_or(false), results[0]));
    return internal::UniteBias<Call>(call.argument(2), results[0]);
  }
};

// a [...,m,k] * b [...,k,n]; the last two sizes lie the other way round if transposed.
struct BatchMatMulRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  static constexpr OpSpelling::Rename kTransposeA = {"adj_x", "transpose_a"};
  static constexpr OpSpelling::Rename kTransposeB = {"adj_y", "transpose_b"};
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &a = call.argument(0), &b = call.argument(1);
    auto& result = results[0];
    result.dtype = a.dtype;
    if (!Unite(&result.dtype, b.dtype)) {
      return InvalidArgumentError(StrCat("incompatible dtypes for BatchMatMul: In[0]: ",
                                         DTypeName(a.dtype), ", In[1]: ", DTypeName(b.dtype)));
    }
    for (size_t i = 0; i < 2; ++i) {
      const auto& shape = call.argument(i).shape;
      if (!HasRank(shape) || shape.rank() >= 2) continue;
      return InvalidArgumentError(StrCat("the ", i == 0 ? "first" : "second",
                                         " matmul input has the shape ", shape.ToString(),
                                         ", expected at least rank 2"));
    }
    if (!HasRank(a.shape) || !HasRank(b.shape)) return OkStatus();
    const bool transpose_a = call.template Attr<bool>(kTransposeA).value_or(false);
    const bool transpose_b = call.template Attr<bool>(kTransposeB).value_or(false);
    const size_t p = a.shape.rank() - 2, q = b.shape.rank() - 2;
    typename Call::Dims dims;
    if (AppendBroadcast(a.shape, p, b.shape, q, &dims)) {
      return InvalidArgumentError(StrCat("the leading dimensions of a batch matmul do not fit: ",
                                         a.shape.ToString(), " * ", b.shape.ToString()));
    }
    if (DimOf(a.shape, transpose_a ? p : p + 1)
            .Contradicts(DimOf(b.shape, transpose_b ? q + 1 : q))) {
      return InvalidArgumentError(StrCat("MatMul input tensors inner dimension mismatch: ",
                                         a.shape.ToString(), " vs. ", b.shape.ToString()));
    }
    dims.push_back(DimOf(a.shape, transpose_a ? p + 1 : p));
    dims.push_back(DimOf(b.shape, transpose_b ? q : q + 1));
    return call.MakeShape(std::move(dims), &result.shape);
  }
};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_PRODUCT_RULES_H_
