// Matrix products.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// a [...,m,k] * b [...,k,n]; the last two sizes lie the other way round if transposed.
StatusOr<ValueType> ProductOf(const OpShapeCall& call, bool batched) {
  const ValueType &a = call.argument(0), &b = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(bool transpose_a, call.Attr<bool>("transpose_a"));
  TFRT_ASSIGN_OR_RETURN(bool transpose_b, call.Attr<bool>("transpose_b"));
  ValueType result;
  TFRT_ASSIGN_OR_RETURN(result.dtype, UnifyDTypes(call, a.dtype, b.dtype));
  SymbolicShape x = a.shape, y = b.shape;
  if (!batched) {
    TFRT_ASSIGN_OR_RETURN(x, OfRank(call, a.shape, 2, "a"));
    TFRT_ASSIGN_OR_RETURN(y, OfRank(call, b.shape, 2, "b"));
  }
  for (const SymbolicShape* each : {&x, &y}) {
    if (each->has_rank() && each->rank() < 2) {
      return ShapeError(call, "a matrix has the shape ", each->ToString());
    }
  }
  if (!x.has_rank() || !y.has_rank()) return result;
  const size_t p = x.rank() - 2, q = y.rank() - 2;
  TFRT_RETURN_IF_ERROR(
      UnifyDims(call, x.dim(transpose_a ? p : p + 1), y.dim(transpose_b ? q + 1 : q)).status());
  auto leading = [](const SymbolicShape& shape) {
    return SymbolicShape({shape.dims().begin(), shape.dims().end() - 2});
  };
  TFRT_ASSIGN_OR_RETURN(SymbolicShape batch, Broadcast(call, leading(x), leading(y)));
  std::vector<Dim> dims(batch.dims().begin(), batch.dims().end());
  dims.push_back(x.dim(transpose_a ? p + 1 : p));
  dims.push_back(y.dim(transpose_b ? q : q + 1));
  result.shape = SymbolicShape(std::move(dims));
  return result;
}

Status MatMulShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0], ProductOf(call, /*batched=*/false));
  return OkStatus();
}

Status BatchMatMulShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0], ProductOf(call, /*batched=*/true));
  return OkStatus();
}

// The bias is argument 2.
Status MatMulBiasShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(MatMulShape(call, results));
  if (!call.has_argument(2)) return ShapeError(call, "there is no bias");
  const ValueType& bias = call.argument(2);
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, results[0].dtype, bias.dtype));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape vector, OfRank(call, bias.shape, 1, "the bias"));
  Dim rows = results[0].shape.dim(0);
  TFRT_ASSIGN_OR_RETURN(Dim columns, UnifyDims(call, results[0].shape.dim(1), vector.dim(0)));
  results[0].shape = {rows, columns};
  return OkStatus();
}

Status FusedMatMulShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(auto fused, call.Attr<std::vector<std::string>>("fused_ops"));
  if (fused.empty()) return ShapeError(call, "fused_ops is empty");
  return MatMulBiasShape(call, results);
}

constexpr OpArgumentSpec kAB[] = {{"a"}, {"b"}};
constexpr OpArgumentSpec kABArgs[] = {{"a"}, {"b"}, {"args", OpArgumentSpec::Kind::kVariadic}};
constexpr OpArgumentSpec kABBias[] = {{"a"}, {"b"}, {"bias"}};
constexpr OpArgumentSpec kXY[] = {{"x"}, {"y"}};
constexpr std::string_view kProduct[] = {"product"};
constexpr std::string_view kOutput[] = {"output"};
constexpr OpAttrSpec kTransposes[] = {{"transpose_a", AttrKind::kBool, "false"},
                                      {"transpose_b", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kFusedAttrs[] = {{"fused_ops", AttrKind::kStringArray},
                                      {"transpose_a", AttrKind::kBool, "false"},
                                      {"transpose_b", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kBiasAttrs[] = {{"activation", AttrKind::kString, "\"none\""},
                                     {"transpose_a", AttrKind::kBool, "false"},
                                     {"transpose_b", AttrKind::kBool, "false"}};
constexpr OpCostFormula kMatMulCost = {OpCostFormula::Kind::kMatMul};

constexpr OpDescription kOps[] = {
    {.name = "matmul",
     .summary = "The product of two matrices.",
     .arguments = kAB,
     .attrs = kTransposes,
     .results = kProduct,
     .cost = kMatMulCost,
     .shape = MatMulShape},
    {.name = "fused_matmul",
     .summary = "The product of two matrices and what `fused_ops` lists: BiasAdd, of a vector in "
                "`args`, and then perhaps Relu, Relu6 or Elu.",
     .arguments = kABArgs,
     .attrs = kFusedAttrs,
     .results = kProduct,
     .cost = kMatMulCost,
     .shape = FusedMatMulShape},
    {.name = "matmul_bias",
     .summary = "`activation(a * b + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh "
                "or sigmoid.",
     .arguments = kABBias,
     .attrs = kBiasAttrs,
     .results = kProduct,
     .cost = kMatMulCost,
     .shape = MatMulBiasShape},
    {.name = "batch_matmul",
     .summary = "The products of the matrices in the last two dimensions of `x` and `y`, whose "
                "other dimensions are broadcast.",
     .arguments = kXY,
     .attrs = kTransposes,
     .results = kOutput,
     .cost = kMatMulCost,
     .shape = BatchMatMulShape},
};

constexpr OpSpelling::Rename kAdjoints[] = {{"adj_x", "transpose_a"}, {"adj_y", "transpose_b"}};

constexpr OpSpelling kSpellings[] = {
    {"tf.MatMul", "matmul"},
    {"tfrt_test.matmul", "matmul"},
    {"tf._FusedMatMul", "fused_matmul"},
    {"tfrt.MatMulBias", "matmul_bias"},
    {.name = "tf.BatchMatMulV2", .op = "batch_matmul", .attrs = kAdjoints},
};

}  // namespace

OpFamily ProductOps() { return {kOps, kSpellings}; }

}  // namespace tfrt
