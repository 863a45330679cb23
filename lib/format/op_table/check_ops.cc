// Ops that look at elements on their way: prints and checks.

#include "elementwise_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;
using ArgumentKind = OpArgumentSpec::Kind;

Status NoResults(const OpShapeCall&, std::span<ValueType>) { return OkStatus(); }

// Returns text such as "[4, -1]". The attribute's sizes hold for the result; -1 is an unknown size.
std::string DimsText(std::span<const int64_t> dims) {
  std::string text;
  for (int64_t dim : dims) text += StrCat(text.empty() ? "" : ", ", dim);
  return StrCat("[", text, "]");
}

Status EnsureShapeShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0] = call.argument(0);
  auto sizes = call.Attr<std::vector<int64_t>>("shape");
  if (!sizes.ok()) return OkStatus();  // of unknown rank
  std::vector<Dim> dims;
  for (int64_t size : *sizes) {
    if (size < -1) return ShapeError(call, "the expected shape has a dimension of ", size);
    dims.push_back(size == -1 ? Dim() : Dim(size));
  }
  StatusOr<SymbolicShape> both = UnifyShapes(call, results[0].shape, SymbolicShape(dims));
  if (!both.ok()) {
    return ShapeError(call, "shape of tensor input ", results[0].shape.ToString(),
                      " is not compatible with expected shape ", DimsText(*sizes));
  }
  results[0].shape = *std::move(both);
  return OkStatus();
}

constexpr OpFlags kAsTheyAre = OpFlags::kAllowsScalar | OpFlags::kAllowsString;
constexpr OpArgumentSpec kPrint[] = {{"input"}, {"data", ArgumentKind::kVariadic}};
constexpr OpArgumentSpec kAssert[] = {{"condition"}, {"data", ArgumentKind::kVariadic}};
constexpr OpArgumentSpec kTensor[] = {{"tensor"}};
constexpr OpAttrSpec kPrintAttrs[] = {{"message", AttrKind::kString, "\"\""},
                                      {"summarize", AttrKind::kI64, "3"}};
constexpr OpAttrSpec kCheckAttrs[] = {{"message", AttrKind::kString}};
constexpr OpAttrSpec kEnsureAttrs[] = {{"shape", AttrKind::kShape}};

constexpr OpDescription kCheckOps[] = {
    {.name = "print",
     .summary = "`input`; writes a line to the standard error stream: the message, and the first "
                "`summarize` elements of each tensor of `data`, all if -1.",
     .arguments = kPrint,
     .attrs = kPrintAttrs,
     .results = kOutput,
     .flags = OpFlags::kSideEffects | kAsTheyAre,
     .cost = UnknownCost("how much it prints is its attributes'"),
     .shape = ShapeOf<PassOnFirstRule>,
     .gradient = gradients::PassOn},
    {.name = "assert",
     .summary = "An error, with the message and the first `summarize` elements of each tensor of "
                "`data`, if `condition` is false.",
     .arguments = kAssert,
     .attrs = kPrintAttrs,
     .flags = OpFlags::kSideEffects | kAsTheyAre,
     .cost = UnknownCost("it fails or does nothing"),
     .shape = NoResults,
     .gradient = kNoFloats},
    {.name = "check_numerics",
     .summary = "`tensor`, or an error that begins with the message if an element is infinite or "
                "NaN.",
     .arguments = kTensor,
     .attrs = kCheckAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<IdentityRule>,
     .gradient = gradients::PassOn},
    {.name = "check_numerics_v2",
     .summary = "As check_numerics; the error tells infinities of both signs apart.",
     .arguments = kTensor,
     .attrs = kCheckAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<IdentityRule>,
     .gradient = gradients::PassOn},
    {.name = "ensure_shape",
     .summary = "`input`, or an error if it has another shape; dimensions of -1 may be any.",
     .arguments = kInput,
     .attrs = kEnsureAttrs,
     .results = kOutput,
     .flags = kAsTheyAre | OpFlags::kAllowsCoo,
     .cost = PerArgumentElement(0),
     .shape = EnsureShapeShape,
     .gradient = gradients::PassOn},
};

constexpr OpSpelling kCheckSpellings[] = {
    {"tf.Print", "print"},
    {"tf.Assert", "assert"},
    {"tf.CheckNumerics", "check_numerics"},
    {.name = "tf.CheckNumericsV2",
     .op = "check_numerics_v2",
     .summary = "As `tf.CheckNumerics`; the error tells infinities of both signs apart."},
    {"tf.EnsureShape", "ensure_shape"},
};

}  // namespace

OpFamily CheckOps() { return {kCheckOps, kCheckSpellings}; }

}  // namespace tfrt
