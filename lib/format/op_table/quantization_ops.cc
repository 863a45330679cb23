// Ops between floats and the integers that stand for them.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

Status CheckScale(const OpShapeCall& call) {
  const ValueType& scale = call.argument(1);
  if (call.has_argument(2)) {
    TFRT_RETURN_IF_ERROR(UnifyShapes(call, scale.shape, call.argument(2).shape).status());
  }
  TFRT_ASSIGN_OR_RETURN(int64_t block, call.Attr<int64_t>("block"));
  if (block < 0) return ShapeError(call, "blocks have ", block, " elements");
  const SymbolicShape& in = call.argument(0).shape;
  if (!scale.shape.has_rank() || !in.has_rank()) return OkStatus();
  if (block == 0 && scale.shape.rank() > 1) {
    return ShapeError(call, "the scale has the shape ", scale.shape.ToString(),
                      ", expected rank 0 or 1");
  }
  if (block == 0 && (scale.shape.rank() == 0 || scale.shape.dim(0).is(1))) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(int64_t axis, call.Attr<int64_t>("axis"));
  TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizedAxis(call, axis, in.rank()));
  if (block == 0) return UnifyDims(call, in.dim(normal), scale.shape.dim(0)).status();
  TFRT_RETURN_IF_ERROR(OfRank(call, scale.shape, in.rank(), "the scale").status());
  for (size_t i = 0; i < in.rank(); ++i) {
    Dim size = in.dim(i);
    if (i == normal) size = size.is_known() ? Dim((size.value() + block - 1) / block) : Dim();
    TFRT_RETURN_IF_ERROR(UnifyDims(call, size, scale.shape.dim(i)).status());
  }
  return OkStatus();
}

Status QuantizeShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckScale(call));
  results[0].shape = call.argument(0).shape;
  if (call.has_argument(2)) {
    results[0].dtype = call.argument(2).dtype;
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, call.Attr<DType>("dtype"));
  return OkStatus();
}

Status DequantizeShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckScale(call));
  if (call.has_argument(2)) {
    TFRT_RETURN_IF_ERROR(
        UnifyDTypes(call, call.argument(0).dtype, call.argument(2).dtype).status());
  }
  results[0] = {call.argument(1).dtype, call.argument(0).shape};
  return OkStatus();
}

Status DynamicQuantizeShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape scalar{std::vector<Dim>()};
  results[0] = {DType::kUI8, call.argument(0).shape};
  if (results.size() > 1) results[1] = {call.argument(0).dtype, scalar};
  if (results.size() > 2) results[2] = {DType::kUI8, scalar};
  return OkStatus();
}

constexpr OpArgumentSpec kQuantize[] = {
    {"x"}, {"scale"}, {"zero_point", OpArgumentSpec::Kind::kOptional}};
constexpr std::string_view kDynamic[] = {"y", "scale", "zero_point"};
constexpr OpAttrSpec kQuantizeAttrs[] = {{"axis", AttrKind::kI64, "1"},
                                         {"block", AttrKind::kI64, "0"},
                                         {"dtype", AttrKind::kType, "DType::kUI8"}};

constexpr OpDescription kQuantizationOps[] = {
    {.name = "quantize",
     .summary = "`x / scale`, of two nearest whole numbers the even one, plus the zero point: an "
                "integer of the zero point's dtype, or `dtype`, the nearest that there is. There "
                "is one scale, one for each place of the axis, or, with `block`, one for each so "
                "many places of the axis and each place of the other dimensions.",
     .arguments = kQuantize,
     .attrs = kQuantizeAttrs,
     .results = kY,
     .cost = PerArgumentElement(4),
     .shape = QuantizeShape,
     .gradient = kIntegers},
    {.name = "dequantize",
     .summary = "`(x - zero_point) * scale`, in the dtype of the scale; scales as those of "
                "`quantize`.",
     .arguments = kQuantize,
     .attrs = std::span(kQuantizeAttrs).first(2),
     .results = kY,
     .cost = PerArgumentElement(2),
     .shape = DequantizeShape,
     .gradient = kIntegers},
    {.name = "dynamic_quantize",
     .summary = "`x` quantised to u8 with a scale and a zero point that fit its smallest and its "
                "largest element, and 0.",
     .arguments = std::span(kQuantize).first(1),
     .results = kDynamic,
     .cost = PerArgumentElement(5),
     .shape = DynamicQuantizeShape,
     .gradient = kIntegers},
};

}  // namespace

OpFamily QuantizationOps() { return {kQuantizationOps, {}}; }

}  // namespace tfrt
