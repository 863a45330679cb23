// The families of the op table, one per source file.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_OP_FAMILIES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_OP_FAMILIES_H_

#include <span>
#include <string_view>

#include "lib/format/op_table/gradients/gradient_families.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt {

// Arguments and results that ops of several families have.
inline constexpr OpArgumentSpec kX[] = {{"x"}};
inline constexpr OpArgumentSpec kXY[] = {{"x"}, {"y"}};
inline constexpr OpArgumentSpec kInput[] = {{"input"}};
inline constexpr std::string_view kY[] = {"y"};
inline constexpr std::string_view kZ[] = {"z"};
inline constexpr std::string_view kOutput[] = {"output"};
inline constexpr std::string_view kBackprops[] = {"backprops"};

// Attributes of an op and its gradient.
inline constexpr OpAttrSpec kGeluAttrs[] = {{"approximate", OpAttrSpec::Kind::kBool, "false"}};
inline constexpr OpAttrSpec kLayerNormAttrs[] = {{"epsilon", OpAttrSpec::Kind::kF32, "1e-5f"}};
inline constexpr OpAttrSpec kBiasAddAttrs[] = {
    {"data_format", OpAttrSpec::Kind::kString, "\"NHWC\""}};

// A required argument whose value shape functions may read: numbers, or integers alone.
constexpr OpArgumentSpec HostNumber(std::string_view name) {
  return {.name = name, .host_value = OpArgumentSpec::HostValue::kYes, .is_index = true};
}
constexpr OpArgumentSpec HostArgument(std::string_view name) {
  OpArgumentSpec argument = HostNumber(name);
  argument.is_integer = true;
  return argument;
}
constexpr OpArgumentSpec IndexArgument(std::string_view name) {
  return {.name = name, .is_index = true, .is_integer = true};
}

// Why ops have no gradient.
inline constexpr OpGradient kNoFloats("its results are no floats");
inline constexpr OpGradient kNoFloatArguments("its results do not depend on floats");
inline constexpr OpGradient kIntegers("it is about integers, or rounds to them");
inline constexpr OpGradient kMadeByPasses("passes of the compiler make it after gradients");
inline constexpr OpGradient kComposed("only its form of simpler ops and loops has one");
inline constexpr OpGradient kNoAdjoint("no op of the table brings its gradient back");
inline constexpr OpGradient kNoRuleYet("no rule is written for it");
// Why the work is not known.
inline constexpr OpCostFormula kManyProducts = UnknownCost("it is several products");
inline constexpr OpCostFormula kDependsOnElements = UnknownCost("it depends on the elements");

// Named by the compiler's message about a row that lacks a fact.
void RowWithoutResultsHasNoSideEffects();
void RowHasNoShape();
void RowHasNoCostAndNoReason();
void RowHasNoGradientAndNoReason();

struct OpFamily {
  consteval OpFamily(std::span<const OpDescription> ops, std::span<const OpSpelling> spellings)
      : ops(ops), spellings(spellings) {
    for (const OpDescription& op : ops) {
      if (op.results.empty() && !op.has_side_effects()) RowWithoutResultsHasNoSideEffects();
      if (!op.shape) RowHasNoShape();
      if (op.cost.kind == OpCostFormula::Kind::kUnknown && op.cost.why_unknown.empty()) {
        RowHasNoCostAndNoReason();
      }
      if (!op.gradient.rule && op.gradient.why_none.empty()) RowHasNoGradientAndNoReason();
    }
  }
  std::span<const OpDescription> ops;
  std::span<const OpSpelling> spellings;
};

OpFamily BinaryOps();          // add, less, relu_grad, ...
OpFamily UnaryOps();           // relu, cast, identity, ...
OpFamily ProductOps();         // matmul, batch_matmul, ...
OpFamily ConvolutionOps();     // conv2d, its gradients, ...
OpFamily PoolingOps();         // max_pool2d, ...
OpFamily NormalizationOps();   // softmax, batch_norm, bias_add, ...
OpFamily ReductionOps();       // reduce_sum, argmax, ...
OpFamily ConstantOps();        // constant, shape_of, fill, ...
OpFamily ReshapeOps();         // reshape, expand_dims, squeeze
OpFamily MovementOps();        // transpose, concat, tile, pad, ...
OpFamily SelectionOps();       // gather, one_hot, slice
OpFamily GradientOps();        // gelu_grad, layer_norm_grad, ...
OpFamily CheckOps();           // print, assert, ensure_shape, ...
OpFamily ElementwiseOps();     // abs, pow, select, ...
OpFamily WindowOps();          // conv, average_pool, ...
OpFamily FourierOps();         // dft, make_complex, real, imag
OpFamily FusedOps();           // fused_conv, attention, pack_filter, ...
OpFamily RecurrentOps();       // lstm, gru, rnn
OpFamily IntegerProductOps();  // matmul_integer, quantized_conv, ...
OpFamily PlacementOps();       // range, resize, broadcast_to, ...
OpFamily IndexOps();           // gather_elements, scatter_nd, top_k, ...
OpFamily LinearAlgebraOps();   // cholesky, svd, solve, ...
OpFamily ListOps();            // list_write, sum_to
OpFamily SamplingOps();        // grid_sample, unique, reverse_sequence, ...
OpFamily SortingOps();         // sort, argsort, search_sorted
OpFamily QuantizationOps();    // quantize, dequantize, dynamic_quantize
OpFamily TapeOps();            // elementwise_tape
OpFamily TrainingOps();        // softmax_cross_entropy, sgd_update

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_OP_FAMILIES_H_
