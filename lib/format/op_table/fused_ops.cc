// Layers as the passes over graphs put them together, and weights packed for them.

#include "conv_shapes.h"
#include "op_families.h"
#include "product_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;
using ArgumentKind = OpArgumentSpec::Kind;

// Argument `index` has the result's dtype, if it is there.
Status UniteDType(const OpShapeCall& call, size_t index, ValueType& result) {
  if (!call.has_argument(index)) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(result.dtype, UnifyDTypes(call, result.dtype, call.argument(index).dtype));
  return OkStatus();
}

// Arguments: input, filter, bias, addend.
Status FusedConvShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(ConvShape(call, results));
  if (!call.has_argument(3)) return OkStatus();
  TFRT_RETURN_IF_ERROR(UniteDType(call, 3, results[0]));
  TFRT_ASSIGN_OR_RETURN(results[0].shape,
                        UnifyShapes(call, results[0].shape, call.argument(3).shape));
  return OkStatus();
}

// Arguments: a, b, bias, addend.
Status FusedBatchMatMulShape(const OpShapeCall& call, std::span<ValueType> results) {
  Status status = BatchMatMulRule::Infer(SymbolicCall(call), results);
  if (!status.ok()) return internal::NameOp(call, status);
  for (size_t i : {2, 3}) TFRT_RETURN_IF_ERROR(UniteDType(call, i, results[0]));
  SymbolicShape& shape = results[0].shape;
  if (call.has_argument(2)) {
    TFRT_ASSIGN_OR_RETURN(SymbolicShape bias, OfRank(call, call.argument(2).shape, 1, "the bias"));
    if (shape.has_rank()) {
      std::vector<Dim> dims(shape.dims().begin(), shape.dims().end());
      TFRT_ASSIGN_OR_RETURN(dims.back(), UnifyDims(call, dims.back(), bias.dim(0)));
      shape = SymbolicShape(std::move(dims));
    }
  }
  return UniteAddend(call, 3, shape);
}

// The optional argument i: bools, or numbers of the scores' dtype, that are broadcast to the
// scores.
Status CheckMask(const OpShapeCall& call, size_t i, const ValueType& scores) {
  if (!call.has_argument(i)) return OkStatus();
  const ValueType& mask = call.argument(i);
  if (mask.dtype != DType::kI1) {
    TFRT_RETURN_IF_ERROR(UnifyDTypes(call, scores.dtype, mask.dtype).status());
  }
  TFRT_ASSIGN_OR_RETURN(SymbolicShape both, Broadcast(call, scores.shape, mask.shape));
  if (!both.has_rank() || UnifyShapes(call, scores.shape, both).ok()) return OkStatus();
  return ShapeError(call, "the mask ", mask.shape.ToString(), " does not fit the scores ",
                    scores.shape.ToString());
}

// Arguments: q, k, v, mask. Heads of k and v may be fewer: each is for as many of q.
Status AttentionShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &q = call.argument(0), &k = call.argument(1), &v = call.argument(2);
  TFRT_ASSIGN_OR_RETURN(auto layout, call.Attr<std::string>("layout"));
  if (layout != "bhsd" && layout != "bshd") {
    return ShapeError(call, "unknown layout '", layout, "', expected bhsd or bshd");
  }
  const size_t heads = layout == "bhsd" ? 1 : 2, steps = 3 - heads;
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, q.dtype, k.dtype));
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, results[0].dtype, v.dtype));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape queries, OfRank(call, q.shape, 4, "q"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape keys, OfRank(call, k.shape, 4, "k"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape values, OfRank(call, v.shape, 4, "v"));
  TFRT_RETURN_IF_ERROR(UnifyDims(call, queries.dim(3), keys.dim(3)).status());
  TFRT_RETURN_IF_ERROR(UnifyDims(call, keys.dim(steps), values.dim(steps)).status());
  TFRT_ASSIGN_OR_RETURN(Dim kv_heads, UnifyDims(call, keys.dim(heads), values.dim(heads)));
  std::vector<Dim> dims(4);
  TFRT_ASSIGN_OR_RETURN(dims[0], UnifyDims(call, keys.dim(0), values.dim(0)));
  TFRT_ASSIGN_OR_RETURN(dims[0], UnifyDims(call, dims[0], queries.dim(0)));
  dims[heads] = queries.dim(heads);
  dims[steps] = queries.dim(steps);
  dims[3] = values.dim(3);
  if (kv_heads.is_known() && dims[heads].is_known() && !dims[heads].is(0) &&
      (kv_heads.is(0) || dims[heads].value() % kv_heads.value() != 0)) {
    return ShapeError(call, dims[heads].value(), " heads of q do not share ", kv_heads.value(),
                      " of k and v");
  }
  TFRT_RETURN_IF_ERROR(CheckMask(
      call, 3,
      {results[0].dtype, SymbolicShape({dims[0], dims[heads], dims[steps], keys.dim(steps)})}));
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// Arguments: q, k and v side by side, [B,S,(heads + 2 * kv_heads) * D]; mask.
Status PackedAttentionShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& packed = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(int64_t heads, call.Attr<int64_t>("heads"));
  TFRT_ASSIGN_OR_RETURN(int64_t kv_heads, call.Attr<int64_t>("kv_heads"));
  constexpr int64_t kMaxHeads = 1 << 20;
  if (heads < 1 || heads > kMaxHeads || kv_heads < 1 || heads % kv_heads != 0) {
    return ShapeError(call, heads, " heads of q do not share ", kv_heads, " of k and v");
  }
  TFRT_ASSIGN_OR_RETURN(SymbolicShape rows, OfRank(call, packed.shape, 3, "the argument"));
  std::vector<Dim> dims(rows.dims().begin(), rows.dims().end());
  const int64_t all = heads + 2 * kv_heads;
  if (dims[2].is_known()) {
    if (dims[2].value() % all != 0) {
      return ShapeError(call, "rows of ", dims[2].value(), " are not ", all, " heads");
    }
    dims[2] = dims[2].value() / all * heads;
  } else {
    dims[2] = Dim();
  }
  TFRT_RETURN_IF_ERROR(
      CheckMask(call, 1, {packed.dtype, SymbolicShape({dims[0], heads, dims[1], dims[1]})}));
  results[0] = {packed.dtype, SymbolicShape(std::move(dims))};
  return OkStatus();
}

constexpr OpArgumentSpec kFusedConv[] = {
    {"input"}, {"filter"}, {"bias", ArgumentKind::kOptional}, {"addend", ArgumentKind::kOptional}};
constexpr OpArgumentSpec kFusedProduct[] = {
    {"a"}, {"b"}, {"bias", ArgumentKind::kOptional}, {"addend", ArgumentKind::kOptional}};
constexpr OpArgumentSpec kAttention[] = {{"q"}, {"k"}, {"v"}, {"mask", ArgumentKind::kOptional}};
constexpr OpArgumentSpec kPackedAttention[] = {{"qkv"}, {"mask", ArgumentKind::kOptional}};
constexpr OpArgumentSpec kFilter[] = {{"filter"}};
constexpr OpArgumentSpec kMatrix[] = {{"matrix"}};
constexpr std::string_view kPacked[] = {"packed"};

constexpr OpAttrSpec kActivation = {"activation", AttrKind::kString, "\"none\""};
constexpr OpAttrSpec kAlpha = {"alpha", AttrKind::kF32, "0"};
constexpr OpAttrSpec kBeta = {"beta", AttrKind::kF32, "0"};
constexpr OpAttrSpec kScale = {"scale", AttrKind::kF32, "1"};
constexpr OpAttrSpec kTransposeA = {"transpose_a", AttrKind::kBool, "false"};
constexpr OpAttrSpec kTransposeB = {"transpose_b", AttrKind::kBool, "false"};

constexpr OpAttrSpec kFusedConvAttrs[] = {kActivation, kAlpha,   kBeta, kChannelsLast, kDilations,
                                          kGroups,     kPadding, kPads, kStrides};
constexpr OpAttrSpec kFusedProductAttrs[] = {kActivation, kAlpha,      kBeta,
                                             kScale,      kTransposeA, kTransposeB};
constexpr OpAttrSpec kAttentionAttrs[] = {{"causal", AttrKind::kBool, "false"},
                                          {"causal_at_end", AttrKind::kBool, "false"},
                                          {"layout", AttrKind::kString, "\"bhsd\""},
                                          {"masked_rows_are_zero", AttrKind::kBool, "false"},
                                          kScale};
constexpr OpAttrSpec kPackedAttentionAttrs[] = {{"causal", AttrKind::kBool, "false"},
                                                {"causal_at_end", AttrKind::kBool, "false"},
                                                {"heads", AttrKind::kI64},
                                                {"kv_heads", AttrKind::kI64},
                                                {"masked_rows_are_zero", AttrKind::kBool, "false"},
                                                kScale};
constexpr OpAttrSpec kWiden = {"widen", AttrKind::kBool, "false"};
constexpr OpAttrSpec kPackFilterAttrs[] = {
    kChannelsLast, kDilations, kGroups,  {"input_shape", AttrKind::kI64Array, "{}"},
    kPadding,      kPads,      kStrides, kWiden};
constexpr OpAttrSpec kPackMatrixAttrs[] = {{"rows", AttrKind::kI64, "0"}, kTransposeB, kWiden};

Status PackedShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(SameAsFirst(call, results));
  TFRT_ASSIGN_OR_RETURN(bool widen, call.Attr<bool>("widen"));
  if (!widen) return OkStatus();
  const DType dtype = results[0].dtype;
  if (dtype != DType::kF16 && dtype != DType::kBF16 && dtype != DType::kUnsupported) {
    return ShapeError(call, "nothing to widen: it is ", DTypeName(dtype));
  }
  results[0].dtype = DType::kF32;
  return OkStatus();
}

constexpr OpDescription kFusedOps[] = {
    {.name = "fused_conv",
     .summary = "`activation(conv + bias + addend)`, the addend being like the result, in whose "
                "memory that may come. The filter may be packed. Activations, some with the "
                "numbers alpha and beta: none, relu, leaky_relu(alpha), clip(alpha to beta), gelu, "
                "gelu_tanh, sigmoid, tanh, hard_sigmoid(alpha, beta), hard_swish, swish(alpha), "
                "elu(alpha), softplus, mish.",
     .arguments = kFusedConv,
     .attrs = kFusedConvAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .may_overwrite = 0b1000,
     .cost = PerFilterTap(1, OpCostFormula::kResult),
     .shape = FusedConvShape,
     .gradient = kMadeByPasses},
    {.name = "fused_batch_matmul",
     .summary = "`activation(scale * batch_matmul + bias + addend)`, the bias being a vector for "
                "each row, and the addend broadcast to the result, in whose memory that may come "
                "if it is as large. The second factor may be packed, if it is one matrix. "
                "Activations as those of `fused_conv`.",
     .arguments = kFusedProduct,
     .attrs = kFusedProductAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .may_overwrite = 0b1000,
     .cost = {OpCostFormula::Kind::kMatMul, 0, 0, OpCostFormula::kResult},
     .shape = FusedBatchMatMulShape,
     .gradient = kMadeByPasses},
    {.name = "attention",
     .summary = "`softmax(scale * q * k + mask) * v` for each head, q being [B,H,S,D] or, with the "
                "layout bshd, [B,S,H,D], and so on; heads of k and v may be fewer, each for some "
                "of q. A mask of i1 says which scores count; `causal` lets row i see the keys "
                "0 to i or, with `causal_at_end`, those but the S - 1 - i last. Rows that see no "
                "key become 0 with `masked_rows_are_zero`, NaN without.",
     .arguments = kAttention,
     .attrs = kAttentionAttrs,
     .results = kOutput,
     .cost = kManyProducts,
     .shape = AttentionShape,
     .gradient = gradients::Attention},
    {.name = "packed_attention",
     .summary = "`attention` of queries, keys and values that lie side by side in each row: "
                "[B,S,(heads + 2 * kv_heads) * D] becomes [B,S,heads * D].",
     .arguments = kPackedAttention,
     .attrs = kPackedAttentionAttrs,
     .results = kOutput,
     .cost = kManyProducts,
     .shape = PackedAttentionShape,
     .gradient = gradients::PackedAttention},
    {.name = "pack_filter",
     .summary = "The filter of `conv` and `fused_conv` with these attributes in the layout that "
                "they read fastest, for those ops alone; `input_shape` says of which images, -1 "
                "where a size is not known. It has the dtype and the shape of the filter. If "
                "`widen`, one of f16 or bf16 is a factor of products in f32, or in bf16 where the "
                "processor multiplies these faster.",
     .arguments = kFilter,
     .attrs = kPackFilterAttrs,
     .results = kPacked,
     .cost = PerResultElement(0),
     .shape = PackedShape,
     .gradient = kMadeByPasses},
    {.name = "pack_matrix",
     .summary = "The second matrix of `fused_batch_matmul` in the layout that it reads fastest, "
                "for that op alone, products being of so many rows, 0 if that is not known. It "
                "has the dtype and the shape of the matrix. If `widen`, one of f16 or bf16 is a "
                "factor of products as for `pack_filter`.",
     .arguments = kMatrix,
     .attrs = kPackMatrixAttrs,
     .results = kPacked,
     .cost = PerResultElement(0),
     .shape = PackedShape,
     .gradient = kMadeByPasses},
};

}  // namespace

OpFamily FusedOps() { return {kFusedOps, {}}; }

}  // namespace tfrt
