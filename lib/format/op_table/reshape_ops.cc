// Ops on the shape of a tensor: the elements stay where they are.

#include <algorithm>

#include "layout_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// The elements of the argument in another shape.
ValueType Reshaped(const ValueType& in, SymbolicShape shape) {
  ValueType result{in.dtype, std::move(shape), in.elements};
  if (!CanFollowElements(result)) result.elements.reset();
  return result;
}

// Returns the one size that `in` leaves open beside the other sizes of `wanted`. It is the number
// of elements of `in` divided by the product of the others, in which symbols of both cancel.
// Unknown if the known facts do not suffice; nothing if it is not a whole number.
std::optional<Dim> SizeThatIsLeft(const SymbolicShape& in, std::span<const Dim> wanted,
                                  size_t unknown) {
  if (!in.has_rank()) return Dim();
  if (Dim count = in.num_elements(); count.is_known()) {
    // A size of 0 among the others leaves no answer.
    Dim others = 1;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (i != unknown) others = Product(others, wanted[i]);
    }
    if (!others.is_known()) return Dim();
    if (others.value() == 0 || count.value() % others.value() != 0) return std::nullopt;
    return count.value() / others.value();
  }
  Dim dividend = 1, divisor = 1;
  std::vector<Dim> symbols;
  for (Dim dim : in.dims()) {
    if (dim.is_unknown()) return Dim();
    dim.is_symbol() ? symbols.push_back(dim) : void(dividend = Product(dividend, dim));
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (i == unknown) continue;
    if (wanted[i].is_unknown()) return Dim();
    if (wanted[i].is_known()) {
      divisor = Product(divisor, wanted[i]);
      continue;
    }
    auto same = std::ranges::find(symbols, wanted[i]);
    if (same == symbols.end()) return Dim();
    symbols.erase(same);
  }
  if (!dividend.is_known() || !divisor.is_known() || divisor.is(0)) return Dim();
  if (symbols.empty() && dividend.value() % divisor.value() == 0) {
    return dividend.value() / divisor.value();
  }
  return symbols.size() == 1 && dividend == divisor ? symbols[0] : Dim();
}

// Argument 1 lists the sizes, of which one may be -1.
Status ReshapeShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &sizes = call.argument(1);
  if (!sizes.elements) {
    Dim rank = RankFrom(sizes);
    results[0] = {in.dtype};
    if (rank.is_known()) results[0].shape = SymbolicShape::OfRank(rank.value());
    return OkStatus();
  }
  std::vector<Dim> dims = *sizes.elements;
  auto is_left = [](Dim dim) { return dim.is(-1); };
  auto left = std::ranges::find_if(dims, is_left);
  if (std::ranges::count_if(dims, is_left) > 1 ||
      std::ranges::any_of(dims, [](Dim dim) { return dim.is_known() && dim.value() < -1; })) {
    return ShapeError(call, sizes.ToString(), " is no shape");
  }
  if (left != dims.end()) {
    auto size = SizeThatIsLeft(in.shape, dims, static_cast<size_t>(left - dims.begin()));
    if (!size) {
      return ShapeError(call, in.shape.ToString(), " cannot become ", sizes.ToString());
    }
    *left = *size;
  }
  SymbolicShape shape(std::move(dims));
  if (in.shape.num_elements().Contradicts(shape.num_elements())) {
    return ShapeError(call, in.shape.ToString(), " cannot become ", shape.ToString());
  }
  results[0] = Reshaped(in, std::move(shape));
  return OkStatus();
}

Status ExpandDimsShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(Dim axis, OneElement(call, call.argument(1), "the axis"));
  results[0] = {in.dtype};
  if (!in.shape.has_rank()) return OkStatus();
  const size_t rank = in.shape.rank() + 1;
  if (!axis.is_known()) {
    results[0].shape = SymbolicShape::OfRank(rank);
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(size_t at, NormalizedAxis(call, axis.value(), rank));
  std::vector<Dim> dims(in.shape.dims().begin(), in.shape.dims().end());
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), 1);
  results[0] = Reshaped(in, SymbolicShape(std::move(dims)));
  return OkStatus();
}

}  // namespace

void SqueezeRule::Follow(const OpShapeCall& call, std::span<ValueType> results) {
  if (results[0].shape.has_rank()) results[0] = Reshaped(call.argument(0), results[0].shape);
}

namespace {

constexpr OpArgumentSpec kExpandDims[] = {{"input"}, HostArgument("axis")};
constexpr OpArgumentSpec kReshape[] = {{"tensor"}, HostArgument("shape")};
constexpr OpAttrSpec kSqueezeAttrs[] = {{"axes", AttrKind::kI64Array, "{}"}};

constexpr OpDescription kReshapeOps[] = {
    {.name = "expand_dims",
     .summary = "The argument with one more dimension, of size 1, in front of `axis`.",
     .arguments = kExpandDims,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(0),
     .shape = ExpandDimsShape,
     .gradient = gradients::Reshape},
    {.name = "reshape",
     .summary = "The same elements in another shape; one dimension of -1 is what is left.",
     .arguments = kReshape,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(0),
     .shape = ReshapeShape,
     .gradient = gradients::Reshape},
    {.name = "squeeze",
     .summary = "The argument without the dimensions that `axes` lists, or without all of "
                "size 1.",
     .arguments = kInput,
     .attrs = kSqueezeAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(0),
     .shape = ShapeOf<SqueezeRule>,
     .gradient = gradients::Reshape},
};

constexpr OpSpelling::Rename kSqueezeNames[] = {SqueezeRule::kAxes};

constexpr OpSpelling kReshapeSpellings[] = {
    {"tf.ExpandDims", "expand_dims"},
    {"tf.Reshape", "reshape"},
    {.name = "tf.Squeeze",
     .op = "squeeze",
     .attrs = kSqueezeNames,
     .summary = "The argument without the dimensions that `squeeze_dims` lists, or without all of "
                "size 1."},
};

}  // namespace

OpFamily ReshapeOps() { return {kReshapeOps, kReshapeSpellings}; }

}  // namespace tfrt
