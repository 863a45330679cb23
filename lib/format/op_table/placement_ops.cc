// Ops that put elements at other places: broadcasts, resizing, blocks, triangles.

#include <algorithm>

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;
using HostValue = OpArgumentSpec::HostValue;

// Returns the shape whose sizes are the elements of an argument.
SymbolicShape ShapeFrom(const ValueType& sizes) {
  if (sizes.elements) return SymbolicShape(*sizes.elements);
  Dim rank = RankFrom(sizes);
  return rank.is_known() ? SymbolicShape::OfRank(static_cast<size_t>(rank.value()))
                         : SymbolicShape();
}

// The shape may have fewer dimensions than the argument, or 1 where that has more.
Status BroadcastToShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0].dtype = call.argument(0).dtype;
  TFRT_ASSIGN_OR_RETURN(results[0].shape,
                        Broadcast(call, call.argument(0).shape, ShapeFrom(call.argument(1))));
  return OkStatus();
}

Status RangeShape(const OpShapeCall& call, std::span<ValueType> results) {
  Dim numbers[3];
  DType dtype = DType::kUnsupported;
  static constexpr std::string_view kNames[] = {"the start", "the limit", "the step"};
  for (size_t i = 0; i < 3; ++i) {
    TFRT_ASSIGN_OR_RETURN(dtype, UnifyDTypes(call, dtype, call.argument(i).dtype));
    TFRT_ASSIGN_OR_RETURN(numbers[i], OneElement(call, call.argument(i), kNames[i]));
  }
  results[0] = {dtype, SymbolicShape::OfRank(1)};
  auto [start, limit, step] = numbers;
  if (step.is(0)) return ShapeError(call, "the step is 0");
  if (start.is(0) && step.is(1) && !limit.is_known()) {
    results[0].shape = {limit};  // not negative, where it is a size
  } else if (start.is_known() && limit.is_known() && step.is_known()) {
    using Wide = __int128;
    const Wide span = Wide(limit.value()) - start.value(), by = step.value();
    const Wide count = (span + by + (by > 0 ? -1 : 1)) / by;
    results[0].shape = {static_cast<int64_t>(std::clamp<Wide>(count, 0, INT64_MAX))};
  } else {
    return OkStatus();
  }
  if (!CanFollowElements(results[0]) || !start.is_known() || !step.is_known()) return OkStatus();
  std::vector<Dim> elements;
  for (int64_t i = 0; i < results[0].shape.dim(0).value(); ++i) {
    // As the op computes them: what is too large wraps.
    elements.push_back(
        static_cast<int64_t>(static_cast<uint64_t>(start.value()) +
                             static_cast<uint64_t>(i) * static_cast<uint64_t>(step.value())));
  }
  results[0].elements = std::move(elements);
  return OkStatus();
}

// Argument 1 has the sizes of all dimensions. Scales, if they are there, only say how coordinates
// follow from them.
Status ResizeShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  results[0] = {in.dtype, ShapeFrom(call.argument(1))};
  if (!in.shape.has_rank()) return OkStatus();
  if (!results[0].shape.has_rank()) results[0].shape = SymbolicShape::OfRank(in.shape.rank());
  if (results[0].shape.rank() == in.shape.rank()) return OkStatus();
  return ShapeError(call, "there are ", results[0].shape.rank(), " sizes for the shape ",
                    in.shape.ToString());
}

// [N,C,H,W], or [N,H,W,C], with blocks of b x b moved between channels and places.
template <bool to_space>
Status DepthShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(SymbolicShape in, OfRank(call, call.argument(0).shape, 4, "the input"));
  TFRT_ASSIGN_OR_RETURN(int64_t block, call.Attr<int64_t>("block"));
  TFRT_ASSIGN_OR_RETURN(bool last, call.Attr<bool>("channels_last"));
  if (block < 1 || block > INT32_MAX) return ShapeError(call, "the block is ", block);
  std::vector<Dim> dims(in.dims().begin(), in.dims().end());
  auto divide = [&](Dim& dim, int64_t by) {
    if (!dim.is_known()) {
      if (by != 1) dim = Dim();
      return true;
    }
    if (dim.value() % by != 0) return false;
    dim = dim.value() / by;
    return true;
  };
  Dim& channels = dims[last ? 3 : 1];
  Dim &rows = dims[last ? 1 : 2], &columns = dims[last ? 2 : 3];
  bool fits = true;
  if (to_space) {
    fits = divide(channels, block * block);
    rows = Product(rows, block);
    columns = Product(columns, block);
  } else {
    channels = Product(channels, block * block);
    fits = divide(rows, block) && divide(columns, block);
  }
  if (!fits) {
    return ShapeError(call, "blocks of ", block, " do not divide the shape ", in.ToString());
  }
  results[0] = {call.argument(0).dtype, SymbolicShape(std::move(dims))};
  return OkStatus();
}

Status CumulativeShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(OneElement(call, call.argument(1), "the axis").status());
  return SameAsFirst(call, results);
}

Status TriangleShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape& in = call.argument(0).shape;
  if (in.has_rank() && in.rank() < 2) {
    return ShapeError(call, "the input has the shape ", in.ToString(), ", expected matrices");
  }
  return SameAsFirst(call, results);
}

constexpr OpArgumentSpec kBroadcastTo[] = {{"input"}, HostArgument("shape")};
constexpr OpArgumentSpec kRange[] = {HostNumber("start"), HostNumber("limit"), HostNumber("step")};
constexpr OpArgumentSpec kResize[] = {{"input"},
                                      HostArgument("sizes"),
                                      {"scales", OpArgumentSpec::Kind::kOptional, HostValue::kYes},
                                      {"box", OpArgumentSpec::Kind::kOptional, HostValue::kYes}};
constexpr OpArgumentSpec kCumulative[] = {{"input"}, HostArgument("axis")};
constexpr OpArgumentSpec kTriangle[] = {{"input"}, HostArgument("diagonal")};

constexpr OpAttrSpec kCumulativeAttrs[] = {{"exclusive", AttrKind::kBool, "false"},
                                           {"reverse", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kDepthAttrs[] = {{"block", AttrKind::kI64},
                                      {"channels_last", AttrKind::kBool, "false"},
                                      {"columns_first", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kTriangleAttrs[] = {{"upper", AttrKind::kBool, "true"}};
constexpr OpAttrSpec kResizeAttrs[] = {
    {"antialias", AttrKind::kBool, "false"},
    {"coordinates", AttrKind::kString, "\"half_pixel\""},
    {"cubic_coefficient", AttrKind::kF32, "-0.75f"},
    {"exclude_outside", AttrKind::kBool, "false"},
    {"extrapolation_value", AttrKind::kF32, "0"},
    {"mode", AttrKind::kString, "\"nearest\""},
    {"nearest", AttrKind::kString, "\"round_prefer_floor\""},
};

constexpr OpDescription kPlacementOps[] = {
    {.name = "broadcast_to",
     .summary = "The input with a shape to which it is broadcast, or that is broadcast to it.",
     .arguments = kBroadcastTo,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = BroadcastToShape,
     .gradient = gradients::BroadcastTo},
    {.name = "range",
     .summary = "`start`, `start + step`, ... before `limit`.",
     .arguments = kRange,
     .results = kOutput,
     .cost = PerResultElement(1),
     .shape = RangeShape,
     .gradient = kNoRuleYet},
    {.name = "resize",
     .summary = "The input at other sizes: nearest, linear or cubic, with the coordinates of the "
                "ONNX op Resize, for scales that are those of the sizes if they are left out, and "
                "of a box, which is begins and then ends; both of f32.",
     .arguments = kResize,
     .attrs = kResizeAttrs,
     .results = kOutput,
     .cost = PerResultElement(8),
     .shape = ResizeShape,
     .gradient = kNoAdjoint},
    {.name = "depth_to_space",
     .summary = "Channels as blocks of places: `block` x `block` of each become one channel's.",
     .arguments = kInput,
     .attrs = kDepthAttrs,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = DepthShape<true>,
     .gradient = gradients::DepthToSpace},
    {.name = "space_to_depth",
     .summary = "Blocks of places as channels: the other way round.",
     .arguments = kInput,
     .attrs = kDepthAttrs,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = DepthShape<false>,
     .gradient = gradients::SpaceToDepth},
    {.name = "cumulative_sum",
     .summary = "The sum of the elements up to each along the axis, with it or without.",
     .arguments = kCumulative,
     .attrs = kCumulativeAttrs,
     .results = kOutput,
     .may_overwrite = 1,
     .cost = PerResultElement(1),
     .shape = CumulativeShape,
     .gradient = gradients::CumulativeSum},
    {.name = "cumulative_product",
     .summary = "The product of the elements up to each along the axis, with it or without.",
     .arguments = kCumulative,
     .attrs = kCumulativeAttrs,
     .results = kOutput,
     .may_overwrite = 1,
     .cost = PerResultElement(1),
     .shape = CumulativeShape,
     .gradient = gradients::CumulativeProduct},
    {.name = "triangle",
     .summary = "Matrices with 0 below, or, without `upper`, above a diagonal.",
     .arguments = kTriangle,
     .attrs = kTriangleAttrs,
     .results = kOutput,
     .may_overwrite = 1,
     .cost = PerResultElement(0),
     .shape = TriangleShape,
     .gradient = gradients::Triangle},
};

}  // namespace

OpFamily PlacementOps() { return {kPlacementOps, {}}; }

}  // namespace tfrt
