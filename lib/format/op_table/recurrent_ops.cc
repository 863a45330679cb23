// Recurrent layers, whose steps each see the state that the one before has left.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;
using ArgumentKind = OpArgumentSpec::Kind;

// Arguments: x [T,B,I], w [D,gates*H,I], r [D,gates*H,H], bias [D,2*gates*H], lengths [B],
// initial_h [D,B,H], and, for a layer with a cell, initial_c [D,B,H] and peepholes [D,3*H].
// Results: y [T,D,B,H], last_h [D,B,H], last_c [D,B,H]. With batch_first the batch comes first in
// all of them but w, r, bias and peepholes.
template <int64_t gates, bool has_cell>
Status RecurrentShape(const OpShapeCall& call, std::span<ValueType> results) {
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
  Dim hidden = r.dim(2), steps = x.dim(batch_first ? 1 : 0), batch = x.dim(batch_first ? 0 : 1);
  DType dtype = call.argument(0).dtype;
  auto expect = [&](size_t index, std::string_view name, std::initializer_list<Dim> sizes) {
    if (!call.has_argument(index)) return OkStatus();
    const ValueType& argument = call.argument(index);
    if (index != 4) {
      TFRT_ASSIGN_OR_RETURN(dtype, UnifyDTypes(call, dtype, argument.dtype));
    }
    SymbolicShape expected{std::vector<Dim>(sizes)};
    if (UnifyShapes(call, argument.shape, expected).ok()) return OkStatus();
    return ShapeError(call, name, " has the shape ", argument.shape.ToString(), ", expected ",
                      expected.ToString());
  };
  const Dim rows = Product(hidden, gates);
  TFRT_RETURN_IF_ERROR(expect(1, "w", {directions, rows, x.dim(2)}));
  TFRT_RETURN_IF_ERROR(expect(2, "r", {directions, rows, hidden}));
  TFRT_RETURN_IF_ERROR(expect(3, "the bias", {directions, Product(rows, 2)}));
  TFRT_RETURN_IF_ERROR(expect(4, "lengths", {batch}));
  const Dim first = batch_first ? batch : directions, second = batch_first ? directions : batch;
  TFRT_RETURN_IF_ERROR(expect(5, "initial_h", {first, second, hidden}));
  if constexpr (has_cell) {
    TFRT_RETURN_IF_ERROR(expect(6, "initial_c", {first, second, hidden}));
    TFRT_RETURN_IF_ERROR(expect(7, "peepholes", {directions, Product(hidden, 3)}));
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
