// Ops that move all elements, of any dtype.

#include <algorithm>

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;
using HostValue = OpArgumentSpec::HostValue;

// Argument 1 is the permutation.
Status TransposeShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  auto permutation = KnownElements(call.argument(1));
  Dim rank = RankFrom(call.argument(1));
  if (in.shape.has_rank()) {
    TFRT_ASSIGN_OR_RETURN(rank, UnifyDims(call, rank, static_cast<int64_t>(in.shape.rank())));
  }
  // RankFrom does not know more numbers than a tensor can have dimensions.
  if (Dim count = NumElementsOf(call.argument(1)); count.is_known() && !rank.is(count.value())) {
    return ShapeError(call, count.value(), " numbers are not a permutation");
  }
  results[0] = {in.dtype};
  if (!rank.is_known()) return OkStatus();
  std::vector<Dim> dims(static_cast<size_t>(rank.value()));
  std::vector<bool> seen(dims.size());
  for (size_t i = 0; permutation && i < dims.size(); ++i) {
    int64_t from = (*permutation)[i];
    if (from < 0 || from >= rank.value() || seen[from]) {
      return ShapeError(call, call.argument(1).ToString(), " is not a permutation");
    }
    seen[from] = true;
    if (in.shape.has_rank()) dims[i] = in.shape.dim(static_cast<size_t>(from));
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// The elements of scalars and vectors, one after the other.
void ConcatElements(const OpShapeCall& call, size_t count, ValueType& result) {
  if (!CanFollowElements(result) || result.shape.rank() != 1) return;
  std::vector<Dim> elements;
  for (size_t i = 0; i < count; ++i) {
    const auto& each = call.argument(i).elements;
    if (!each) return;
    elements.insert(elements.end(), each->begin(), each->end());
  }
  result.elements = std::move(elements);
}

// The last argument is the axis.
Status ConcatShape(const OpShapeCall& call, std::span<ValueType> results) {
  if (call.num_arguments() < 2) return ShapeError(call, "there is nothing to concatenate");
  const size_t count = call.num_arguments() - 1;
  TFRT_ASSIGN_OR_RETURN(Dim axis, OneElement(call, call.argument(count), "the axis"));
  SymbolicShape like;
  for (size_t i = 0; i < count; ++i) {
    const ValueType& each = call.argument(i);
    TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, results[0].dtype, each.dtype));
    if (!each.shape.has_rank()) continue;
    if (!like.has_rank()) like = SymbolicShape::OfRank(each.shape.rank());
    if (like.rank() != each.shape.rank()) {
      return ShapeError(call, "tensors of rank ", like.rank(), " and ", each.shape.rank(),
                        " cannot be concatenated");
    }
  }
  if (!like.has_rank()) return OkStatus();
  std::vector<Dim> dims(like.rank());
  if (axis.is_known()) {
    TFRT_ASSIGN_OR_RETURN(size_t along, NormalizedAxis(call, axis.value(), dims.size()));
    Dim length = 0;
    for (size_t i = 0; i < count; ++i) {
      const SymbolicShape& shape = call.argument(i).shape;
      length = shape.has_rank() ? Sum(length, shape.dim(along)) : Dim();
      if (!shape.has_rank()) break;
    }
    for (size_t i = 0; i < count; ++i) {
      const SymbolicShape& shape = call.argument(i).shape;
      for (size_t d = 0; shape.has_rank() && d < dims.size(); ++d) {
        if (d == along) continue;
        TFRT_ASSIGN_OR_RETURN(dims[d], UnifyDims(call, dims[d], shape.dim(d)));
      }
    }
    dims[along] = length;
  }
  results[0].shape = SymbolicShape(std::move(dims));
  if (axis.is_known()) ConcatElements(call, count, results[0]);
  return OkStatus();
}

// The sizes of argument 0, each changed by the numbers for its dimension in argument 1, which has
// `per_dimension` of them.
template <typename Change>
Status ChangeSizes(const OpShapeCall& call, ValueType& result, int64_t per_dimension,
                   Change change) {
  const ValueType &in = call.argument(0), &numbers = call.argument(1);
  result = {in.dtype, in.shape};
  Dim count = NumElementsOf(numbers);
  if (!in.shape.has_rank()) {
    Dim rank = RankFrom(numbers, per_dimension);
    if (rank.is_known()) result.shape = SymbolicShape::OfRank(rank.value());
    return OkStatus();
  }
  std::vector<Dim> dims(in.shape.dims().begin(), in.shape.dims().end());
  auto rank = static_cast<int64_t>(dims.size());
  if (count.Contradicts(rank * per_dimension)) {
    return ShapeError(call, "there are ", count.value(), " numbers for rank ", rank);
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!numbers.elements) {
      dims[i] = Dim();
      continue;
    }
    TFRT_ASSIGN_OR_RETURN(dims[i], change(dims[i], &(*numbers.elements)[i * per_dimension]));
  }
  result.shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

Status TileShape(const OpShapeCall& call, std::span<ValueType> results) {
  return ChangeSizes(call, results[0], 1, [&](Dim dim, const Dim* times) -> StatusOr<Dim> {
    if (times->is_known() && times->value() < 0) {
      return ShapeError(call, "a dimension cannot be repeated ", times->value(), " times");
    }
    return Product(dim, *times);
  });
}

// Padding by a negative number cuts.
Status PadShape(const OpShapeCall& call, std::span<ValueType> results) {
  return ChangeSizes(call, results[0], 2, [&](Dim dim, const Dim* padding) -> StatusOr<Dim> {
    const Dim size = Sum(dim, Sum(padding[0], padding[1]));
    if (size.is_known() && size.value() < 0) {
      return ShapeError(call, "a dimension of ", dim.value(), " cannot be padded by ",
                        padding[0].value(), " and ", padding[1].value());
    }
    return size;
  });
}

Status PadWithShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(PadShape(call, results));
  TFRT_RETURN_IF_ERROR(OneElement(call, call.argument(2), "the constant").status());
  TFRT_ASSIGN_OR_RETURN(results[0].dtype,
                        UnifyDTypes(call, results[0].dtype, call.argument(2).dtype));
  return OkStatus();
}

constexpr OpArgumentSpec kTranspose[] = {{"x"}, HostArgument("perm")};
constexpr OpArgumentSpec kConcat[] = {{.name = "values_and_axis",
                                       .kind = ArgumentKind::kVariadic,
                                       .host_value = HostValue::kLast,
                                       .is_integer = true,
                                       .most = "values",
                                       .last = "axis"}};
constexpr OpArgumentSpec kTile[] = {{"input"}, HostArgument("multiples")};
constexpr OpArgumentSpec kPadWith[] = {{"input"},
                                       HostArgument("paddings"),
                                       {.name = "constant_values", .host_value = HostValue::kYes}};
constexpr std::span<const OpArgumentSpec> kPad = std::span(kPadWith).first(2);
constexpr OpAttrSpec kExtendAttrs[] = {{"mode", OpAttrSpec::Kind::kString, "\"reflect\""}};

constexpr OpDescription kMovementOps[] = {
    {.name = "transpose",
     .summary = "Dimension i of the result is dimension `perm[i]` of the argument.",
     .arguments = kTranspose,
     .results = kY,
     .cost = PerArgumentElement(0),
     .shape = TransposeShape,
     .gradient = gradients::Transpose},
    {.name = "concat",
     .summary = "Tensors that agree in all dimensions but one, one after the other along it; the "
                "last argument is the axis, which may be negative.",
     .arguments = kConcat,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .cost = PerResultElement(0),
     .shape = ConcatShape,
     .gradient = gradients::Concat},
    {.name = "tile",
     .summary = "The argument repeated `multiples[i]` times along dimension i.",
     .arguments = kTile,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .cost = PerArgumentElement(0),
     .shape = TileShape,
     .gradient = gradients::Tile},
    {.name = "pad",
     .summary = "Zeros around the argument: row i of `paddings` says how many come before and "
                "after along dimension i.",
     .arguments = kPad,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = PadShape,
     .gradient = gradients::Pad},
    {.name = "pad_with",
     .summary =
         "One constant around the argument: row i of `paddings` says how many come before and "
         "after along dimension i.",
     .arguments = kPadWith,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = PadWithShape,
     .gradient = gradients::PadWith},
    {.name = "extend",
     .summary = "What is in the argument around it: mirrored at its edge (`reflect`), the edge "
                "(`edge`), or the other end (`wrap`); `paddings` as for `pad`.",
     .arguments = kPad,
     .attrs = kExtendAttrs,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = PadShape,
     .gradient = kNoRuleYet},
};

constexpr OpSpelling kMovementSpellings[] = {
    {"tf.Transpose", "transpose"},
    {.name = "_tf.Transpose",
     .op = "transpose",
     .folded_argument = "perm",
     .summary = "`tf.Transpose` with the permutation as an attribute."},
    {"tf.ConcatV2", "concat"},
    {"tf.Tile", "tile"},
    {"tf.Pad", "pad"},
    {"tf.PadV2", "pad_with"},
    {.name = "_tf.Pad",
     .op = "pad",
     .folded_argument = "paddings",
     .summary = "`tf.Pad` with the paddings as an attribute, row by row."},
};

}  // namespace

OpFamily MovementOps() { return {kMovementOps, kMovementSpellings}; }

}  // namespace tfrt
