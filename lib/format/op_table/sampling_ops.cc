// Ops that sample images, compare slices, and put slices into another order.

#include <algorithm>

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

StatusOr<size_t> AxisOf(const OpShapeCall& call, std::string_view name, size_t rank) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, call.Attr<int64_t>(name));
  return NormalizedAxis(call, axis, rank);
}

// Arguments: input, lengths.
Status ReverseSequenceShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape& in = call.argument(0).shape;
  TFRT_ASSIGN_OR_RETURN(SymbolicShape lengths,
                        OfRank(call, call.argument(1).shape, 1, "the lengths"));
  if (in.has_rank()) {
    TFRT_ASSIGN_OR_RETURN(size_t batch, AxisOf(call, "batch_axis", in.rank()));
    TFRT_ASSIGN_OR_RETURN(size_t time, AxisOf(call, "time_axis", in.rank()));
    if (batch == time) return ShapeError(call, "axis ", batch, " is that of the batch and of time");
    TFRT_RETURN_IF_ERROR(UnifyDims(call, lengths.dim(0), in.dim(batch)).status());
  }
  return SameAsFirst(call, results);
}

// The one axis of an attribute that has one number, or none for all elements in a row.
StatusOr<std::optional<size_t>> OneAxis(const OpShapeCall& call, size_t rank) {
  TFRT_ASSIGN_OR_RETURN(auto axes, call.Attr<std::vector<int64_t>>("axes"));
  if (axes.empty()) return std::optional<size_t>();
  if (axes.size() > 1) return ShapeError(call, "there are ", axes.size(), " axes, expected one");
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizedAxis(call, axes[0], rank));
  return std::optional<size_t>(axis);
}

// The shape with an unknown number of slices along the axis.
Status SomeSlices(const OpShapeCall& call, ValueType* result, Dim* slices) {
  const ValueType& in = call.argument(0);
  *result = {in.dtype};
  *slices = Dim();
  if (!in.shape.has_rank()) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(auto axis, OneAxis(call, in.shape.rank()));
  if (!axis) {
    *slices = in.shape.num_elements();
    result->shape = {Dim()};
    return OkStatus();
  }
  std::vector<Dim> dims(in.shape.dims().begin(), in.shape.dims().end());
  *slices = dims[*axis];
  dims[*axis] = Dim();
  result->shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// Results: slices, where they are first, which each slice is, how often they are there.
Status UniqueShape(const OpShapeCall& call, std::span<ValueType> results) {
  Dim slices;
  TFRT_RETURN_IF_ERROR(SomeSlices(call, &results[0], &slices));
  results[1] = results[3] = {DType::kI64, {Dim()}};
  results[2] = {DType::kI64, {slices}};
  return OkStatus();
}

Status CompressShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& condition = call.argument(1);
  if (condition.has_dtype() && condition.dtype != DType::kI1) {
    return ShapeError(call, "the condition is ", DTypeName(condition.dtype), ", expected i1");
  }
  TFRT_RETURN_IF_ERROR(OfRank(call, condition.shape, 1, "the condition").status());
  Dim slices;
  return SomeSlices(call, &results[0], &slices);
}

// Arguments: sizes, whole. The result's numbers are unknown even where those of the sizes are: else
// a pass would take these, and the check with the op away.
Status SplitSizesShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& sizes = call.argument(0);
  if (sizes.has_dtype() && sizes.dtype != DType::kI64) {
    return ShapeError(call, "the sizes are ", DTypeName(sizes.dtype), ", expected i64");
  }
  TFRT_RETURN_IF_ERROR(OneElement(call, call.argument(1), "the whole").status());
  results[0] = {DType::kI64};
  TFRT_ASSIGN_OR_RETURN(results[0].shape, OfRank(call, sizes.shape, 1, "the sizes"));
  return OkStatus();
}

Status EyeLikeShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, call.Attr<DType>("dtype"));
  TFRT_ASSIGN_OR_RETURN(results[0].shape, OfRank(call, call.argument(0).shape, 2, "the input"));
  return OkStatus();
}

// The same elements; those of another dtype must have as many bytes.
Status BitCastShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(DType dtype, call.Attr<DType>("dtype"));
  if (in.has_dtype() && DTypeSize(in.dtype) != DTypeSize(dtype)) {
    return ShapeError(call, "elements of ", DTypeName(in.dtype), " and ", DTypeName(dtype),
                      " differ in size");
  }
  results[0] = {dtype, in.shape};
  return OkStatus();
}

// Input [n,c,sizes...], grid [n,points...,rank]: [n,c,points...].
Status GridSampleShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape &in = call.argument(0).shape, &grid = call.argument(1).shape;
  TFRT_ASSIGN_OR_RETURN(results[0].dtype,
                        UnifyDTypes(call, call.argument(0).dtype, call.argument(1).dtype));
  if (!in.has_rank() || !grid.has_rank()) return OkStatus();
  const size_t rank = in.rank();
  if (rank < 3 || grid.rank() != rank) {
    return ShapeError(call, "the input has the shape ", in.ToString(), " and the grid ",
                      grid.ToString(), ", expected the same rank of 3 or more");
  }
  TFRT_RETURN_IF_ERROR(
      UnifyDims(call, grid.dim(rank - 1), static_cast<int64_t>(rank) - 2).status());
  TFRT_ASSIGN_OR_RETURN(Dim images, UnifyDims(call, in.dim(0), grid.dim(0)));
  std::vector<Dim> dims = {images, in.dim(1)};
  for (size_t i = 1; i + 1 < rank; ++i) dims.push_back(grid.dim(i));
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// Input [n,c,h,w], regions [r,4], images [r]: [r,c,height,width].
Status RoiAlignShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(SymbolicShape in, OfRank(call, call.argument(0).shape, 4, "the input"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape rois, OfRank(call, call.argument(1).shape, 2, "the regions"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape which, OfRank(call, call.argument(2).shape, 1, "the images"));
  TFRT_ASSIGN_OR_RETURN(int64_t height, call.Attr<int64_t>("height"));
  TFRT_ASSIGN_OR_RETURN(int64_t width, call.Attr<int64_t>("width"));
  if (height < 1 || width < 1 || height > INT32_MAX || width > INT32_MAX) {
    return ShapeError(call, "the height is ", height, " and the width ", width);
  }
  TFRT_RETURN_IF_ERROR(UnifyDims(call, rois.dim(1), 4).status());
  TFRT_ASSIGN_OR_RETURN(Dim count, UnifyDims(call, rois.dim(0), which.dim(0)));
  TFRT_ASSIGN_OR_RETURN(results[0].dtype,
                        UnifyDTypes(call, call.argument(0).dtype, call.argument(1).dtype));
  results[0].shape = {count, in.dim(1), height, width};
  return OkStatus();
}

// Argument 1 has the sizes of the dimensions that `axes` lists, or of all.
Status CenterCropPadShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &sizes = call.argument(1);
  results[0] = {in.dtype};
  if (!in.shape.has_rank()) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(auto axes, call.Attr<std::vector<int64_t>>("axes"));
  const size_t rank = in.shape.rank(), count = axes.empty() ? rank : axes.size();
  if (Dim given = NumElementsOf(sizes); given.Contradicts(static_cast<int64_t>(count))) {
    return ShapeError(call, "there are ", given.value(), " sizes for ", count, " dimensions");
  }
  std::vector<Dim> dims(in.shape.dims().begin(), in.shape.dims().end());
  for (size_t i = 0; i < count; ++i) {
    size_t axis = i;
    if (!axes.empty()) {
      TFRT_ASSIGN_OR_RETURN(axis, NormalizedAxis(call, axes[i], rank));
    }
    dims[axis] = sizes.elements ? (*sizes.elements)[i] : Dim();
    if (dims[axis].is_known() && dims[axis].value() < 0) {
      return ShapeError(call, "size ", i, " is ", dims[axis].value());
    }
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// Arguments: blocks [n,c*block...,count], the image's sizes, the block's: [n,c,image...].
Status AddBlocksShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(SymbolicShape in, OfRank(call, call.argument(0).shape, 3, "the blocks"));
  const ValueType &image = call.argument(1), &block = call.argument(2);
  results[0] = {call.argument(0).dtype};
  TFRT_ASSIGN_OR_RETURN(Dim rank, UnifyDims(call, NumElementsOf(image), NumElementsOf(block)));
  if (!rank.is_known()) return OkStatus();
  Dim channels = in.dim(1), block_size = 1;
  for (size_t i = 0; i < static_cast<size_t>(rank.value()); ++i) {
    block_size = block.elements ? Product(block_size, (*block.elements)[i]) : Dim();
  }
  if (channels.is_known() && block_size.is_known()) {
    if (block_size.value() < 1 || channels.value() % block_size.value() != 0) {
      return ShapeError(call, "blocks of ", block_size.value(), " elements do not divide ",
                        channels.value());
    }
    channels = channels.value() / block_size.value();
  } else {
    channels = Dim();
  }
  std::vector<Dim> dims = {in.dim(0), channels};
  for (size_t i = 0; i < static_cast<size_t>(rank.value()); ++i) {
    dims.push_back(image.elements ? (*image.elements)[i] : Dim());
    if (dims.back().is_known() && dims.back().value() < 0) {
      return ShapeError(call, "size ", i, " of the image is ", dims.back().value());
    }
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

constexpr OpArgumentSpec kReverseSequence[] = {{"input"}, IndexArgument("lengths")};
constexpr OpArgumentSpec kCompress[] = {{"input"}, {"condition"}};
constexpr OpArgumentSpec kSplitSizes[] = {{"sizes"}, {.name = "whole", .is_integer = true}};
constexpr OpArgumentSpec kGridSample[] = {{"input"}, {"grid"}};
constexpr OpArgumentSpec kRoiAlign[] = {{"input"}, {"boxes"}, IndexArgument("images")};
constexpr OpArgumentSpec kCenterCropPad[] = {{"input"}, HostArgument("sizes")};
constexpr OpArgumentSpec kAddBlocks[] = {
    {"blocks"}, HostArgument("image_sizes"), HostArgument("block_sizes")};
constexpr std::string_view kUniqueResults[] = {"values", "places", "inverse", "counts"};

constexpr OpAttrSpec kReverseAttrs[] = {{"batch_axis", AttrKind::kI64, "1"},
                                        {"time_axis", AttrKind::kI64, "0"}};
constexpr OpAttrSpec kAxes[] = {{"axes", AttrKind::kI64Array, "{}"}};
constexpr OpAttrSpec kUniqueAttrs[] = {{"axes", AttrKind::kI64Array, "{}"},
                                       {"sorted", AttrKind::kBool, "true"}};
constexpr OpAttrSpec kEyeAttrs[] = {{"diagonal", AttrKind::kI64, "0"}, {"dtype", AttrKind::kType}};
constexpr OpAttrSpec kDType[] = {{"dtype", AttrKind::kType}};
constexpr OpAttrSpec kGridAttrs[] = {{"align_corners", AttrKind::kBool, "false"},
                                     {"mode", AttrKind::kString, "\"linear\""},
                                     {"padding", AttrKind::kString, "\"zeros\""}};
constexpr OpAttrSpec kRoiAttrs[] = {
    {"half_pixel", AttrKind::kBool, "true"}, {"height", AttrKind::kI64, "1"},
    {"mode", AttrKind::kString, "\"avg\""},  {"samples", AttrKind::kI64, "0"},
    {"scale", AttrKind::kF32, "1"},          {"width", AttrKind::kI64, "1"}};
constexpr OpAttrSpec kBlockAttrs[] = {{"dilations", AttrKind::kI64Array, "{}"},
                                      {"pads", AttrKind::kI64Array, "{}"},
                                      {"strides", AttrKind::kI64Array, "{}"}};

constexpr OpDescription kSamplingOps[] = {
    {.name = "reverse_sequence",
     .summary = "The input with the first `lengths[b]` positions along the axis of time in reverse "
                "order, for each b along the batch's.",
     .arguments = kReverseSequence,
     .attrs = kReverseAttrs,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = ReverseSequenceShape,
     .gradient = gradients::ReverseSequence},
    {.name = "unique",
     .summary = "The elements that differ, or the slices along the one axis of `axes`, in "
                "ascending order or that of their first times; where each is first, which of them "
                "each is, and how often.",
     .arguments = kInput,
     .attrs = kUniqueAttrs,
     .results = kUniqueResults,
     .flags = OpFlags::kOpenResults,
     .cost = kDependsOnElements,
     .shape = UniqueShape,
     .gradient = kNoRuleYet},
    {.name = "compress",
     .summary = "The elements whose condition is true, or the slices along the one axis of `axes`.",
     .arguments = kCompress,
     .attrs = kAxes,
     .results = kOutput,
     .flags = OpFlags::kOpenResults,
     .cost = PerResultElement(0),
     .shape = CompressShape,
     .gradient = kNoRuleYet},
    {.name = "split_sizes",
     .summary = "`sizes`, or an error if one is below 0 or they do not add up to `whole`.",
     .arguments = kSplitSizes,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = SplitSizesShape,
     .gradient = kNoFloats},
    {.name = "eye_like",
     .summary = "A matrix of the input's shape with ones on a diagonal and zeros elsewhere.",
     .arguments = kInput,
     .attrs = kEyeAttrs,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = EyeLikeShape,
     .gradient = kNoFloatArguments},
    {.name = "bit_cast",
     .summary = "The bytes of the elements as those of another dtype of the same size.",
     .arguments = kInput,
     .attrs = kDType,
     .results = kOutput,
     .may_overwrite = 1,
     .cost = PerResultElement(0),
     .shape = BitCastShape,
     .gradient = kIntegers},
    {.name = "grid_sample",
     .summary = "The input [n,c,sizes...] at the places of the grid [n,points...,rank], each "
                "between -1 and 1, with the conventions of the ONNX op GridSample.",
     .arguments = kGridSample,
     .attrs = kGridAttrs,
     .results = kOutput,
     .cost = PerResultElement(16),
     .shape = GridSampleShape,
     .gradient = kNoAdjoint},
    {.name = "roi_align",
     .summary = "Regions [r,4] of images [n,c,h,w], each in `height` x `width` bins, as the ONNX "
                "op RoiAlign.",
     .arguments = kRoiAlign,
     .attrs = kRoiAttrs,
     .results = kOutput,
     .cost = PerResultElement(32),
     .shape = RoiAlignShape,
     .gradient = kNoAdjoint},
    {.name = "center_crop_pad",
     .summary = "The middle of the input, or the input in the middle of zeros, with other sizes of "
                "the dimensions that `axes` lists, or of all.",
     .arguments = kCenterCropPad,
     .attrs = kAxes,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = CenterCropPadShape,
     .gradient = kNoRuleYet},
    {.name = "add_blocks",
     .summary = "Blocks [n,c*block,count] put back where they were taken from images, and added: "
                "the ONNX op Col2Im.",
     .arguments = kAddBlocks,
     .attrs = kBlockAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = AddBlocksShape,
     .gradient = kNoAdjoint},
};

}  // namespace

OpFamily SamplingOps() { return {kSamplingOps, {}}; }

}  // namespace tfrt
