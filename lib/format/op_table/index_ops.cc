// Ops that take indices, or say where elements are.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

StatusOr<size_t> AxisOf(const OpShapeCall& call, size_t rank) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, call.Attr<int64_t>("axis"));
  return NormalizedAxis(call, axis, rank);
}

// One element of the input for each index, which has its rank.
Status GatherElementsShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &indices = call.argument(1);
  results[0] = {in.dtype, indices.shape};
  if (!in.shape.has_rank()) return OkStatus();
  TFRT_RETURN_IF_ERROR(AxisOf(call, in.shape.rank()).status());
  TFRT_ASSIGN_OR_RETURN(results[0].shape,
                        OfRank(call, indices.shape, in.shape.rank(), "the indices"));
  return OkStatus();
}

// Arguments: input, indices, updates.
Status ScatterElementsShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &updates = call.argument(2);
  results[0].shape = in.shape;
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, in.dtype, updates.dtype));
  TFRT_RETURN_IF_ERROR(UnifyShapes(call, call.argument(1).shape, updates.shape).status());
  if (!in.shape.has_rank()) return OkStatus();
  TFRT_RETURN_IF_ERROR(AxisOf(call, in.shape.rank()).status());
  return OfRank(call, updates.shape, in.shape.rank(), "the updates").status();
}

Status ScatterNdShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &indices = call.argument(1), &updates = call.argument(2);
  results[0].shape = in.shape;
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, in.dtype, updates.dtype));
  if (!in.shape.has_rank() || !indices.shape.has_rank()) return OkStatus();
  if (indices.shape.rank() == 0) return ShapeError(call, "indices of rank 0 have no places");
  Dim depth = indices.shape.dims().back();
  if (!depth.is_known()) return OkStatus();
  if (depth.value() > static_cast<int64_t>(in.shape.rank())) {
    return ShapeError(call, "there are ", depth.value(), " places for rank ", in.shape.rank());
  }
  std::vector<Dim> wanted(indices.shape.dims().begin(), indices.shape.dims().end() - 1);
  wanted.insert(wanted.end(), in.shape.dims().begin() + depth.value(), in.shape.dims().end());
  return UnifyShapes(call, updates.shape, SymbolicShape(std::move(wanted))).status();
}

Status TopKShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(Dim k, OneElement(call, call.argument(1), "k"));
  results[0] = {in.dtype, in.shape};
  if (in.shape.has_rank()) {
    TFRT_ASSIGN_OR_RETURN(size_t axis, AxisOf(call, in.shape.rank()));
    std::vector<Dim> dims(in.shape.dims().begin(), in.shape.dims().end());
    bool fits = !k.is_known() ||
                (k.value() >= 0 && (!dims[axis].is_known() || k.value() <= dims[axis].value()));
    if (!fits) {
      return ShapeError(call, "there are no ", k.value(), " largest of ", in.shape.ToString());
    }
    dims[axis] = k;
    results[0].shape = SymbolicShape(std::move(dims));
  }
  results[1] = {DType::kI64, results[0].shape};
  return OkStatus();
}

// As many as there are, one for each dimension: [rank, ?].
Status NonZeroShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape& in = call.argument(0).shape;
  Dim rank = in.has_rank() ? Dim(static_cast<int64_t>(in.rank())) : Dim();
  results[0] = {DType::kI64, {rank, Dim()}};
  return OkStatus();
}

// Boxes [batch, n, 4], scores [batch, classes, n]: triples, as many as are chosen.
Status NmsShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(SymbolicShape boxes, OfRank(call, call.argument(0).shape, 3, "boxes"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape scores, OfRank(call, call.argument(1).shape, 3, "scores"));
  TFRT_RETURN_IF_ERROR(UnifyDims(call, boxes.dim(0), scores.dim(0)).status());
  TFRT_RETURN_IF_ERROR(UnifyDims(call, boxes.dim(1), scores.dim(2)).status());
  TFRT_RETURN_IF_ERROR(UnifyDims(call, boxes.dim(2), 4).status());
  results[0] = {DType::kI64, {Dim(), 3}};
  return OkStatus();
}

constexpr OpArgumentSpec kGatherElements[] = {{"input"}, IndexArgument("indices")};
constexpr OpArgumentSpec kScatter[] = {{"input"}, IndexArgument("indices"), {"updates"}};
constexpr OpArgumentSpec kTopK[] = {{"input"}, HostArgument("k")};
constexpr OpArgumentSpec kNms[] = {{"boxes"},
                                   {"scores"},
                                   HostArgument("max_boxes"),
                                   HostNumber("iou_threshold"),
                                   HostNumber("score_threshold")};
constexpr std::string_view kTopKResults[] = {"values", "indices"};

constexpr OpAttrSpec kAxis[] = {{"axis", AttrKind::kI64}};
constexpr OpAttrSpec kScatterElements[] = {{"axis", AttrKind::kI64, "0"},
                                           {"reduction", AttrKind::kString, "\"none\""}};
constexpr OpAttrSpec kReduction[] = {{"reduction", AttrKind::kString, "\"none\""}};
constexpr OpAttrSpec kTopKAttrs[] = {{"axis", AttrKind::kI64, "-1"},
                                     {"largest", AttrKind::kBool, "true"},
                                     {"sorted", AttrKind::kBool, "true"}};
constexpr OpAttrSpec kNmsAttrs[] = {{"center_point", AttrKind::kBool, "false"}};

constexpr OpDescription kIndexOps[] = {
    {.name = "gather_elements",
     .summary = "For each index the element that is there along the axis, at the index's own place "
                "in the other dimensions.",
     .arguments = kGatherElements,
     .attrs = kAxis,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = GatherElementsShape,
     .gradient = gradients::GatherElements},
    {.name = "scatter_elements",
     .summary =
         "The input with each update at its index along the axis: set, or added, multiplied, "
         "max, min.",
     .arguments = kScatter,
     .attrs = kScatterElements,
     .results = kOutput,
     .may_overwrite = 1,
     .cost = PerResultElement(0),
     .shape = ScatterElementsShape,
     .gradient = gradients::ScatterElements},
    {.name = "scatter_nd",
     .summary = "The input with slices set, or added, multiplied, max, min, at places along its "
                "first dimensions.",
     .arguments = kScatter,
     .attrs = kReduction,
     .results = kOutput,
     .may_overwrite = 1,
     .cost = PerResultElement(0),
     .shape = ScatterNdShape,
     .gradient = gradients::ScatterNd},
    {.name = "top_k",
     .summary = "The k largest, or smallest, along an axis and where they are; of equal ones the "
                "first.",
     .arguments = kTopK,
     .attrs = kTopKAttrs,
     .results = kTopKResults,
     .cost = kDependsOnElements,
     .shape = TopKShape,
     .gradient = gradients::TopK},
    {.name = "nonzero",
     .summary = "Where the elements are that are not 0, row-major: a column of indices for each.",
     .arguments = kInput,
     .results = kOutput,
     .flags = OpFlags::kOpenResults,
     .cost = kDependsOnElements,
     .shape = NonZeroShape,
     .gradient = kNoFloats},
    {.name = "non_max_suppression",
     .summary = "The best boxes that do not overlap better ones: triples of batch, class, box.",
     .arguments = kNms,
     .attrs = kNmsAttrs,
     .results = kOutput,
     .flags = OpFlags::kOpenResults,
     .cost = kDependsOnElements,
     .shape = NmsShape,
     .gradient = kNoFloats},
};

}  // namespace

OpFamily IndexOps() { return {kIndexOps, {}}; }

}  // namespace tfrt
