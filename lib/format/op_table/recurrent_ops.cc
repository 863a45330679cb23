// Recurrent layers, whose steps each see the state that the one before has left.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;
using ArgumentKind = OpArgumentSpec::Kind;

constexpr ArgumentKind kOptional = ArgumentKind::kOptional;
constexpr OpArgumentSpec kByteArguments[] = {{"x"},
                                             {"w"},
                                             {"r"},
                                             {"w_scale"},
                                             {"w_zero"},
                                             {"r_scale"},
                                             {"r_zero"},
                                             {"bias", kOptional},
                                             {"lengths", kOptional},
                                             {"initial_h", kOptional},
                                             {"initial_c", kOptional},
                                             {"peepholes", kOptional}};

// The argument `weights` is i8 or u8, with scales at `scale` and zero points behind them: one for
// each direction, or one for each of its columns.
Status CheckByteWeights(const OpShapeCall& call, size_t weights, size_t scale, Dim directions,
                        Dim columns) {
  const std::string_view name = kByteArguments[weights].name;
  const DType dtype = call.argument(weights).dtype;
  if (dtype != DType::kI8 && dtype != DType::kUI8 && dtype != DType::kUnsupported) {
    return ShapeError(call, name, " is ", DTypeName(dtype), ", expected i8 or u8");
  }
  const ValueType &scales = call.argument(scale), &zeros = call.argument(scale + 1);
  TFRT_RETURN_IF_ERROR(UnifyDTypes(call, dtype, zeros.dtype).status());
  TFRT_RETURN_IF_ERROR(UnifyDTypes(call, DType::kF32, scales.dtype).status());
  const SymbolicShape each({directions}), all({directions, columns});
  for (const ValueType* numbers : {&scales, &zeros}) {
    if (UnifyShapes(call, numbers->shape, each).ok()) continue;
    if (UnifyShapes(call, numbers->shape, all).ok()) continue;
    return ShapeError(call, numbers == &scales ? "the scales of " : "the zero points of ", name,
                      " have the shape ", numbers->shape.ToString(), ", expected ", each.ToString(),
                      " or ", all.ToString());
  }
  return OkStatus();
}

// Arguments: x [T,B,I], w [D,gates*H,I], r [D,gates*H,H], bias [D,2*gates*H], lengths [B],
// initial_h [D,B,H], and, for a layer with a cell, initial_c [D,B,H] and peepholes [D,3*H].
// Results: y [T,D,B,H], last_h [D,B,H], last_c [D,B,H]. With batch_first the batch comes first in
// all of them but w, r, bias and peepholes. Weights of 8 bits are w [D,I,gates*H] and
// r [D,H,gates*H]; their scales and zero points are behind them, [D] or [D,gates*H].
template <int64_t gates, bool has_cell, bool has_bytes = false>
Status RecurrentShape(const OpShapeCall& call, std::span<ValueType> results) {
  constexpr size_t kBias = has_bytes ? 7 : 3;
  TFRT_ASSIGN_OR_RETURN(auto direction, call.Attr<std::string>("direction"));
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return ShapeError(call, "unknown direction '", direction,
                      "', expected forward, reverse or bidirectional");
  }
  TFRT_ASSIGN_OR_RETURN(bool batch_first, call.Attr<bool>("batch_first"));
  Dim directions = direction == "bidirectional" ? 2 : 1;
  TFRT_ASSIGN_OR_RETURN(SymbolicShape x, OfRank(call, call.argument(0).shape, 3, "the input"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape w, OfRank(call, call.argument(1).shape, 3, "w"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape r, OfRank(call, call.argument(2).shape, 3, "r"));
  Dim hidden = r.dim(has_bytes ? 1 : 2), steps = x.dim(batch_first ? 1 : 0),
      batch = x.dim(batch_first ? 0 : 1);
  DType dtype = call.argument(0).dtype;
  auto expect = [&](size_t index, std::string_view name, std::initializer_list<Dim> sizes) {
    if (!call.has_argument(index)) return OkStatus();
    const ValueType& argument = call.argument(index);
    if (index != kBias + 1 && (!has_bytes || index >= kBias)) {
      TFRT_ASSIGN_OR_RETURN(dtype, UnifyDTypes(call, dtype, argument.dtype));
    }
    SymbolicShape expected{std::vector<Dim>(sizes)};
    if (UnifyShapes(call, argument.shape, expected).ok()) return OkStatus();
    return ShapeError(call, name, " has the shape ", argument.shape.ToString(), ", expected ",
                      expected.ToString());
  };
  const Dim rows = Product(hidden, gates);
  if constexpr (has_bytes) {
    TFRT_RETURN_IF_ERROR(expect(1, "w", {directions, x.dim(2), rows}));
    TFRT_RETURN_IF_ERROR(expect(2, "r", {directions, hidden, rows}));
    for (size_t i = 1; i <= 2; ++i) {
      TFRT_RETURN_IF_ERROR(CheckByteWeights(call, i, 1 + 2 * i, directions, rows));
    }
  } else {
    TFRT_RETURN_IF_ERROR(expect(1, "w", {directions, rows, x.dim(2)}));
    TFRT_RETURN_IF_ERROR(expect(2, "r", {directions, rows, hidden}));
  }
  TFRT_RETURN_IF_ERROR(expect(kBias, "the bias", {directions, Product(rows, 2)}));
  TFRT_RETURN_IF_ERROR(expect(kBias + 1, "lengths", {batch}));
  const Dim first = batch_first ? batch : directions, second = batch_first ? directions : batch;
  TFRT_RETURN_IF_ERROR(expect(kBias + 2, "initial_h", {first, second, hidden}));
  if constexpr (has_cell) {
    TFRT_RETURN_IF_ERROR(expect(kBias + 3, "initial_c", {first, second, hidden}));
    TFRT_RETURN_IF_ERROR(expect(kBias + 4, "peepholes", {directions, Product(hidden, 3)}));
  }
  if (results.empty()) return OkStatus();
  results[0] = {dtype, batch_first ? SymbolicShape({batch, steps, directions, hidden})
                                   : SymbolicShape({steps, directions, batch, hidden})};
  for (ValueType& last : results.subspan(1)) last = {dtype, SymbolicShape({first, second, hidden})};
  return OkStatus();
}

constexpr OpArgumentSpec kRecurrentArguments[] = {{"x"},
                                                  {"w"},
                                                  {"r"},
                                                  {"bias", ArgumentKind::kOptional},
                                                  {"lengths", ArgumentKind::kOptional},
                                                  {"initial_h", ArgumentKind::kOptional},
                                                  {"initial_c", ArgumentKind::kOptional},
                                                  {"peepholes", ArgumentKind::kOptional}};
constexpr std::string_view kRecurrentResults[] = {"y", "last_h", "last_c"};
constexpr OpAttrSpec kAlphas = {"activation_alpha", AttrKind::kF32Array, "{}"};
constexpr OpAttrSpec kBetas = {"activation_beta", AttrKind::kF32Array, "{}"};
constexpr OpAttrSpec kActivations = {"activations", AttrKind::kStringArray, "{}"};
constexpr OpAttrSpec kBatchFirst = {"batch_first", AttrKind::kBool, "false"};
constexpr OpAttrSpec kCellClip = {"clip", AttrKind::kF32, "0"};
constexpr OpAttrSpec kDirection = {"direction", AttrKind::kString, "\"forward\""};
constexpr OpAttrSpec kLstmAttrs[] = {kAlphas,
                                     kBetas,
                                     kActivations,
                                     kBatchFirst,
                                     kCellClip,
                                     kDirection,
                                     {"input_forget", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kGruAttrs[] = {kAlphas,
                                    kBetas,
                                    kActivations,
                                    kBatchFirst,
                                    kCellClip,
                                    kDirection,
                                    {"linear_before_reset", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kRnnAttrs[] = {kAlphas,     kBetas,    kActivations,
                                    kBatchFirst, kCellClip, kDirection};

constexpr OpDescription kRecurrentOps[] = {
    {.name = "lstm",
     .summary = "A layer of long short-term memory as ONNX defines it, gates in the order i, o, f, "
                "c; clip 0 does not clip.",
     .arguments = kRecurrentArguments,
     .attrs = kLstmAttrs,
     .results = kRecurrentResults,
     .cost = kManyProducts,
     .shape = RecurrentShape<4, true>,
     .gradient = kComposed},
    {.name = "dynamic_quantized_lstm",
     .summary = "`lstm` with weights of 8 bits, [directions,inputs,4*hidden] and "
                "[directions,hidden,4*hidden]. Products take x and, at each step, the state as "
                "`dynamic_quantize` gives them. Scales and zero points are one for each direction, "
                "or one for each of its columns.",
     .arguments = kByteArguments,
     .attrs = kLstmAttrs,
     .results = kRecurrentResults,
     .cost = kManyProducts,
     .shape = RecurrentShape<4, true, true>,
     .gradient = kNoRuleYet},
    {.name = "gru",
     .summary = "A layer of gated recurrent units as ONNX defines it, gates in the order z, r, h; "
                "clip 0 does not clip.",
     .arguments = std::span(kRecurrentArguments).first<6>(),
     .attrs = kGruAttrs,
     .results = std::span(kRecurrentResults).first<2>(),
     .cost = kManyProducts,
     .shape = RecurrentShape<3, false>,
     .gradient = kComposed},
    {.name = "rnn",
     .summary = "A recurrent layer with one gate as ONNX defines it; clip 0 does not clip.",
     .arguments = std::span(kRecurrentArguments).first<6>(),
     .attrs = kRnnAttrs,
     .results = std::span(kRecurrentResults).first<2>(),
     .cost = kManyProducts,
     .shape = RecurrentShape<1, false>,
     .gradient = kComposed},
};

}  // namespace

OpFamily RecurrentOps() { return {kRecurrentOps, {}}; }

}  // namespace tfrt
