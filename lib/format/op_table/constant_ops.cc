// Ops that make tensors of attributes and of shapes.

#include "layout_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {

void ShapeOfRule::Follow(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape& in = call.argument(0).shape;
  if (!in.has_rank() || !CanFollowElements(results[0])) return;
  results[0].elements.emplace(in.dims().begin(), in.dims().end());
}

namespace {

using AttrKind = OpAttrSpec::Kind;

Status ConstantShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0], call.Attr<ValueType>("value"));
  return OkStatus();
}

Status RandomBitsShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& dims = call.argument(0);
  if (call.has_argument(1)) {
    const ValueType& key = call.argument(1);
    if (key.has_dtype() && key.dtype != DType::kI64) {
      return ShapeError(call, "the key is ", DTypeName(key.dtype), ", expected i64");
    }
    TFRT_ASSIGN_OR_RETURN(SymbolicShape shape, OfRank(call, key.shape, 1, "the key"));
    TFRT_RETURN_IF_ERROR(UnifyDims(call, shape.dim(0), 2).status());
  }
  results[0] = {DType::kUI32};
  if (Dim rank = RankFrom(dims); rank.is_known()) {
    results[0].shape = dims.elements ? SymbolicShape(*dims.elements)
                                     : SymbolicShape::OfRank(static_cast<size_t>(rank.value()));
  }
  return OkStatus();
}

Status FillShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &dims = call.argument(0), &value = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(Dim element, OneElement(call, value, "the value"));
  results[0] = {value.dtype};
  if (Dim rank = RankFrom(dims); rank.is_known()) {
    results[0].shape = dims.elements ? SymbolicShape(*dims.elements)
                                     : SymbolicShape::OfRank(static_cast<size_t>(rank.value()));
  }
  if (!element.is_unknown() && CanFollowElements(results[0])) {
    results[0].elements.emplace(results[0].shape.num_elements().value(), element);
  }
  return OkStatus();
}

constexpr OpFlags kAnyTensor =
    OpFlags::kAllowsScalar | OpFlags::kAllowsString | OpFlags::kAllowsCoo;
constexpr OpArgumentSpec kFill[] = {HostArgument("dims"), {"value"}};
constexpr OpArgumentSpec kRandomBits[] = {
    HostArgument("dims"),
    {.name = "key", .kind = OpArgumentSpec::Kind::kOptional, .is_index = true, .is_integer = true}};
constexpr OpAttrSpec kRandomAttrs[] = {{"seed", AttrKind::kI64, "0"},
                                       {"stream", AttrKind::kI64, "0"}};
constexpr OpAttrSpec kConstantAttrs[] = {{"value", AttrKind::kDense}};
constexpr OpAttrSpec kZerosAttrs[] = {{"dtype", AttrKind::kType}};
constexpr OpAttrSpec kShapeAttrs[] = {{"dtype", AttrKind::kType, "DType::kI32"}};

constexpr OpDescription kConstantOps[] = {
    {.name = "constant",
     .summary = "The tensor `value`.",
     .attrs = kConstantAttrs,
     .results = kOutput,
     .flags = OpFlags::kConstant,
     .cost = PerResultElement(0),
     .shape = ConstantShape,
     .gradient = kNoFloatArguments},
    {.name = "zeros_like",
     .summary = "A scalar tensor of zeros of `dtype` in the shape of the argument.",
     .arguments = kX,
     .attrs = kZerosAttrs,
     .results = kY,
     .flags = kAnyTensor,
     .cost = PerResultElement(0),
     .shape = ShapeOf<ZerosLikeRule>,
     .gradient = gradients::Flat},
    {.name = "shape_of",
     .summary = "The dimensions of the argument, as i32 or i64.",
     .arguments = kInput,
     .attrs = kShapeAttrs,
     .results = kOutput,
     .flags = kAnyTensor,
     .host_results = 0b1,
     .cost = UnknownCost("it reads no elements"),
     .shape = ShapeOf<ShapeOfRule>,
     .gradient = kNoFloats},
    {.name = "fill",
     .summary = "A scalar tensor of the shape `dims` whose elements are all `value`.",
     .arguments = kFill,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = FillShape,
     .gradient = gradients::Fill},
    {.name = "random_bits",
     .summary =
         "Words of 32 random bits in the shape `dims`, by Philox 4x32-10: word `i` is word `i mod "
         "4` of the block whose counter is `i / 4` in its low half and `stream` in its high half; "
         "the key is `seed`. A tensor `key`, i64 [2], has seed and stream in place of the "
         "attributes. The same arguments give the same words.",
     .arguments = kRandomBits,
     .attrs = kRandomAttrs,
     .results = kOutput,
     .cost = PerResultElement(10),
     .shape = RandomBitsShape,
     .gradient = kNoFloatArguments},
};

constexpr OpSpelling::Rename kZerosNames[] = {ZerosLikeRule::kDType};
constexpr OpSpelling::Rename kShapeNames[] = {ShapeOfRule::kDType};

constexpr OpSpelling kConstantSpellings[] = {
    {"tf.Const", "constant"},
    {.name = "tf.ZerosLike",
     .op = "zeros_like",
     .attrs = kZerosNames,
     .summary = "A scalar tensor of zeros of dtype `T` in the shape of the argument."},
    {.name = "tf.Shape", .op = "shape_of", .attrs = kShapeNames},
    {"tf.Fill", "fill"},
};

}  // namespace

OpFamily ConstantOps() { return {kConstantOps, kConstantSpellings}; }

}  // namespace tfrt
