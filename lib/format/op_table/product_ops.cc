// Matrix products.

#include "op_families.h"
#include "product_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

constexpr OpArgumentSpec kAB[] = {{"a"}, {"b"}};
constexpr OpArgumentSpec kABArgs[] = {{"a"}, {"b"}, {"args", OpArgumentSpec::Kind::kVariadic}};
constexpr OpArgumentSpec kABBias[] = {{"a"}, {"b"}, {"bias"}};
constexpr std::string_view kProduct[] = {"product"};
constexpr OpAttrSpec kTransposes[] = {{"transpose_a", AttrKind::kBool, "false"},
                                      {"transpose_b", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kFusedAttrs[] = {{"fused_ops", AttrKind::kStringArray},
                                      {"transpose_a", AttrKind::kBool, "false"},
                                      {"transpose_b", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kBiasAttrs[] = {{"activation", AttrKind::kString, "\"none\""},
                                     {"transpose_a", AttrKind::kBool, "false"},
                                     {"transpose_b", AttrKind::kBool, "false"}};
constexpr OpCostFormula kMatMulCost = {OpCostFormula::Kind::kMatMul};

constexpr OpDescription kProductOps[] = {
    {.name = "matmul",
     .summary = "The product of two matrices.",
     .arguments = kAB,
     .attrs = kTransposes,
     .results = kProduct,
     .cost = kMatMulCost,
     .shape = ShapeOf<MatMulRule>,
     .gradient = gradients::MatMul},
    {.name = "fused_matmul",
     .summary = "The product of two matrices and what `fused_ops` lists: BiasAdd, of a vector in "
                "`args`, and then perhaps Relu, Relu6 or Elu.",
     .arguments = kABArgs,
     .attrs = kFusedAttrs,
     .results = kProduct,
     .cost = kMatMulCost,
     .shape = ShapeOf<FusedMatMulRule>,
     .gradient = kMadeByPasses},
    {.name = "matmul_bias",
     .summary = "`activation(a * b + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh "
                "or sigmoid.",
     .arguments = kABBias,
     .attrs = kBiasAttrs,
     .results = kProduct,
     .cost = kMatMulCost,
     .shape = ShapeOf<MatMulBiasRule>,
     .gradient = gradients::MatMulBias},
    {.name = "batch_matmul",
     .summary = "The products of the matrices in the last two dimensions of `x` and `y`, whose "
                "other dimensions are broadcast.",
     .arguments = kXY,
     .attrs = kTransposes,
     .results = kOutput,
     .cost = kMatMulCost,
     .shape = ShapeOf<BatchMatMulRule>,
     .gradient = gradients::BatchMatMul},
};

constexpr OpSpelling::Rename kAdjoints[] = {BatchMatMulRule::kTransposeA,
                                            BatchMatMulRule::kTransposeB};

constexpr OpSpelling kProductSpellings[] = {
    {"tf.MatMul", "matmul"},
    {"tfrt_test.matmul", "matmul"},
    {"tf._FusedMatMul", "fused_matmul"},
    {"tfrt.MatMulBias", "matmul_bias"},
    {.name = "tf.BatchMatMulV2", .op = "batch_matmul", .attrs = kAdjoints},
};

}  // namespace

OpFamily ProductOps() { return {kProductOps, kProductSpellings}; }

}  // namespace tfrt
