// Ops that take some of the elements, or say where they are.

#include <algorithm>
#include <optional>

#include "layout_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

Status GatherShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &indices = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(Dim axis, OneElement(call, call.argument(2), "the axis"));
  TFRT_ASSIGN_OR_RETURN(int64_t batch_dims, call.Attr<int64_t>("batch_dims"));
  results[0] = {in.dtype};
  if (!in.shape.has_rank() || !indices.shape.has_rank()) return OkStatus();
  const size_t rank = in.shape.rank();
  const auto index_rank = static_cast<int64_t>(indices.shape.rank());
  if (rank == 0) return ShapeError(call, "there is no dimension to gather from");
  if (batch_dims < -index_rank || batch_dims > index_rank) {
    return ShapeError(call, "batch_dims ", batch_dims, " is out of range for rank ", index_rank);
  }
  const auto batch = static_cast<size_t>(batch_dims < 0 ? batch_dims + index_rank : batch_dims);
  if (batch >= rank) return ShapeError(call, "there are only batch dimensions");
  std::vector<Dim> dims(rank - 1 + indices.shape.rank() - batch);
  if (axis.is_known()) {
    TFRT_ASSIGN_OR_RETURN(size_t along, NormalizedAxis(call, axis.value(), rank));
    if (along < batch) return ShapeError(call, "axis ", along, " is a batch dimension");
    dims.clear();
    for (size_t i = 0; i < rank; ++i) {
      Dim dim = in.shape.dim(i);
      if (i < batch) {
        TFRT_ASSIGN_OR_RETURN(dim, UnifyDims(call, dim, indices.shape.dim(i)));
      }
      if (i != along) {
        dims.push_back(dim);
        continue;
      }
      for (size_t j = batch; j < indices.shape.rank(); ++j) dims.push_back(indices.shape.dim(j));
    }
  }
  results[0].shape = SymbolicShape(std::move(dims));
  // Sizes out of a vector of them.
  auto which = KnownElements(indices);
  if (rank != 1 || batch != 0 || !in.elements || !which || !CanFollowElements(results[0]))
    return OkStatus();
  std::vector<Dim> elements;
  const auto size = static_cast<int64_t>(in.elements->size());
  for (int64_t index : *which) {
    if (index < -size || index >= size) {
      return ShapeError(call, "index ", index, " is out of range for ", in.ToString());
    }
    elements.push_back((*in.elements)[static_cast<size_t>(index < 0 ? index + size : index)]);
  }
  results[0].elements = std::move(elements);
  return OkStatus();
}

Status OneHotShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape& indices = call.argument(0).shape;
  TFRT_ASSIGN_OR_RETURN(Dim depth, OneElement(call, call.argument(1), "the depth"));
  TFRT_ASSIGN_OR_RETURN(int64_t axis, call.Attr<int64_t>("axis"));
  TFRT_ASSIGN_OR_RETURN(results[0].dtype,
                        UnifyDTypes(call, call.argument(2).dtype, call.argument(3).dtype));
  if (depth.is_known() && depth.value() < 0) {
    return ShapeError(call, "the depth is ", depth.value());
  }
  TFRT_RETURN_IF_ERROR(OneElement(call, call.argument(2), "on_value").status());
  TFRT_RETURN_IF_ERROR(OneElement(call, call.argument(3), "off_value").status());
  if (!indices.has_rank()) return OkStatus();
  auto rank = static_cast<int64_t>(indices.rank());
  if (axis < -1 || axis > rank) {
    return ShapeError(call, "axis ", axis, " is out of range for indices of rank ", rank);
  }
  std::vector<Dim> dims(indices.dims().begin(), indices.dims().end());
  dims.insert(dims.begin() + (axis == -1 ? rank : axis), depth);
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

// Arguments: input, begin, size.
Status SliceShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &begin = call.argument(1), &size = call.argument(2);
  results[0] = {in.dtype};
  TFRT_ASSIGN_OR_RETURN(Dim rank, UnifyDims(call, RankFrom(begin), RankFrom(size)));
  if (in.shape.has_rank()) {
    TFRT_ASSIGN_OR_RETURN(rank, UnifyDims(call, rank, static_cast<int64_t>(in.shape.rank())));
  }
  if (!rank.is_known()) return OkStatus();
  std::vector<Dim> dims(static_cast<size_t>(rank.value()));
  for (size_t i = 0; i < dims.size(); ++i) {
    Dim whole = in.shape.has_rank() ? in.shape.dim(i) : Dim();
    Dim from = begin.elements ? (*begin.elements)[i] : Dim();
    Dim count = size.elements ? (*size.elements)[i] : Dim();
    bool fits = !count.is_known() || count.value() >= -1;
    fits = fits && (!from.is_known() || from.value() >= 0);
    if (!fits || (count.is_known() && count.value() >= 0)) {
      dims[i] = count;
    } else if (count.is(-1) && from.is(0)) {
      dims[i] = whole;
    } else if (count.is(-1) && from.is_known() && whole.is_known()) {
      dims[i] = whole.value() - from.value();
    }
    fits = fits && (!dims[i].is_known() || dims[i].value() >= 0);
    if (fits && dims[i].is_known() && from.is_known() && whole.is_known()) {
      fits = dims[i].value() <= whole.value() - from.value();
    }
    if (!fits) {
      return ShapeError(call, "nothing of size ", count.ToString(), " from ", from.ToString(),
                        " lies in dimension ", i, " of ", in.shape.ToString());
    }
  }
  results[0].shape = SymbolicShape(std::move(dims));
  if (in.elements && begin.elements && rank.is(1) && CanFollowElements(results[0]) &&
      (*begin.elements)[0].is_known()) {
    auto first = in.elements->begin() + (*begin.elements)[0].value();
    results[0].elements.emplace(first, first + results[0].shape.dim(0).value());
  }
  return OkStatus();
}

bool HasBit(int64_t mask, size_t i) { return (static_cast<uint64_t>(mask) >> i & 1) != 0; }

// How many elements in[begin:end:stride] has; a missing number is an open end.
Dim RangeSize(Dim whole, std::optional<Dim> begin, std::optional<Dim> end, int64_t stride) {
  if (!begin && !end && (stride == 1 || stride == -1)) return whole;
  if (!whole.is_known() || (begin && !begin->is_known()) || (end && !end->is_known())) return Dim();
  const int64_t size = whole.value();
  // Where the walk may begin and end, both ways.
  const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
  auto bound = [&](int64_t number) {
    return std::clamp(number < 0 ? number + size : number, low, high);
  };
  const int64_t from = begin ? bound(begin->value()) : (stride > 0 ? low : high);
  const int64_t to = end ? bound(end->value()) : (stride > 0 ? high : low);
  const int64_t length = to - from;
  if (length == 0 || (length < 0) != (stride < 0)) return 0;
  return length / stride + (length % stride != 0);
}

// Arguments: input, begin, end, strides. The masks alone decide which dimensions are shrunk or new.
Status StridedSliceShape(const OpShapeCall& call, std::span<ValueType> results) {
  constexpr size_t kMaxEntries = 32;
  const SymbolicShape& in = call.argument(0).shape;
  results[0] = {call.argument(0).dtype};
  TFRT_ASSIGN_OR_RETURN(int64_t open_begin, call.Attr<int64_t>("begin_mask"));
  TFRT_ASSIGN_OR_RETURN(int64_t open_end, call.Attr<int64_t>("end_mask"));
  TFRT_ASSIGN_OR_RETURN(int64_t ellipsis, call.Attr<int64_t>("ellipsis_mask"));
  TFRT_ASSIGN_OR_RETURN(int64_t new_axis, call.Attr<int64_t>("new_axis_mask"));
  TFRT_ASSIGN_OR_RETURN(int64_t shrink_axis, call.Attr<int64_t>("shrink_axis_mask"));
  Dim entries;
  for (size_t i = 1; i < 4; ++i) {
    TFRT_ASSIGN_OR_RETURN(entries, UnifyDims(call, entries, RankFrom(call.argument(i))));
  }
  if (!entries.is_known() || !in.has_rank()) return OkStatus();
  const auto count = static_cast<size_t>(entries.value());
  size_t indexed = 0, num_ellipses = 0;
  for (size_t i = 0; i < std::min(count, kMaxEntries); ++i) {
    num_ellipses += HasBit(ellipsis, i);
    indexed += !HasBit(ellipsis, i) && !HasBit(new_axis, i);
  }
  if (count > kMaxEntries || num_ellipses > 1 || indexed > in.rank()) {
    return ShapeError(call, count, " entries with ", num_ellipses, " ellipses do not fit rank ",
                      in.rank());
  }
  auto number = [&](size_t argument, size_t i) {
    const auto& elements = call.argument(argument).elements;
    return elements ? (*elements)[i] : Dim();
  };
  std::vector<Dim> dims;
  size_t taken = 0;
  auto take_whole = [&](size_t wanted) {
    for (; wanted > 0; --wanted) dims.push_back(in.dim(taken++));
  };
  for (size_t i = 0; i < count; ++i) {
    if (HasBit(ellipsis, i)) {
      take_whole(in.rank() - indexed);
    } else if (HasBit(new_axis, i)) {
      dims.push_back(1);
    } else if (HasBit(shrink_axis, i)) {
      ++taken;
    } else {
      Dim stride = number(3, i), whole = in.dim(taken++);
      if (stride.is(0)) return ShapeError(call, "a stride is 0");
      auto begin = HasBit(open_begin, i) ? std::nullopt : std::optional(number(1, i));
      auto end = HasBit(open_end, i) ? std::nullopt : std::optional(number(2, i));
      dims.push_back(stride.is_known() ? RangeSize(whole, begin, end, stride.value()) : Dim());
    }
  }
  take_whole(in.rank() - taken);
  results[0].shape = SymbolicShape(std::move(dims));
  // Sizes out of a vector of them, which keeps its one dimension.
  const auto& from = call.argument(0).elements;
  if (!from || in.rank() != 1 || results[0].shape.rank() != 1 || count != 1 ||
      (new_axis | ellipsis) != 0 || !CanFollowElements(results[0])) {
    return OkStatus();
  }
  const auto size = static_cast<int64_t>(from->size()), stride = number(3, 0).value();
  int64_t at = stride > 0 ? 0 : size - 1;
  if (!HasBit(open_begin, 0)) {
    if (!number(1, 0).is_known()) return OkStatus();
    const int64_t begin = number(1, 0).value();
    at = std::clamp<int64_t>(begin < 0 ? begin + size : begin, stride > 0 ? 0 : -1,
                             stride > 0 ? size : size - 1);
  }
  std::vector<Dim> elements;
  for (int64_t left = results[0].shape.dim(0).value(); left > 0; --left) {
    elements.push_back((*from)[static_cast<size_t>(at)]);
    if (left > 1) at += stride;  // after the last element it may overflow
  }
  results[0].elements = std::move(elements);
  return OkStatus();
}

constexpr OpArgumentSpec kGather[] = {{"params"}, IndexArgument("indices"), HostArgument("axis")};
constexpr OpArgumentSpec kOneHot[] = {
    {.name = "indices", .is_index = true}, HostArgument("depth"), {"on_value"}, {"off_value"}};
constexpr OpArgumentSpec kSlice[] = {{"input"}, HostArgument("begin"), HostArgument("size")};
constexpr OpArgumentSpec kGatherNd[] = {{"params"}, IndexArgument("indices")};
constexpr OpArgumentSpec kStridedSlice[] = {
    {"input"}, HostArgument("begin"), HostArgument("end"), HostArgument("strides")};
constexpr OpAttrSpec kStridedSliceAttrs[] = {{"begin_mask", AttrKind::kI64, "0"},
                                             {"ellipsis_mask", AttrKind::kI64, "0"},
                                             {"end_mask", AttrKind::kI64, "0"},
                                             {"new_axis_mask", AttrKind::kI64, "0"},
                                             {"shrink_axis_mask", AttrKind::kI64, "0"}};
constexpr OpAttrSpec kGatherAttrs[] = {{"batch_dims", AttrKind::kI64, "0"}};
constexpr OpAttrSpec kOneHotAttrs[] = {{"axis", AttrKind::kI64, "-1"}};

constexpr OpDescription kSelectionOps[] = {
    {.name = "gather",
     .summary = "The slices of `params` along `axis` that `indices` name; the first `batch_dims` "
                "dimensions of both, counted from the end of the indices' if negative, go "
                "together.",
     .arguments = kGather,
     .attrs = kGatherAttrs,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = GatherShape,
     .gradient = gradients::Gather},
    {.name = "gather_nd",
     .summary = "The slices of `params` that the rows of the last dimension of `indices` name: "
                "places along the first dimensions of `params`.",
     .arguments = kGatherNd,
     .results = kOutput,
     .cost = PerResultElement(0),
     .shape = ShapeOf<GatherNdRule>,
     .gradient = gradients::GatherNd},
    {.name = "strided_slice",
     .summary = "What Python's `input[begin[0]:end[0]:strides[0], ...]` is. Bit i of a mask is "
                "about entry i: an open begin, an open end, `...`, a new dimension of size 1, the "
                "one element at `begin[i]` without its dimension.",
     .arguments = kStridedSlice,
     .attrs = kStridedSliceAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .cost = PerResultElement(0),
     .shape = StridedSliceShape,
     .gradient = gradients::StridedSlice},
    {.name = "one_hot",
     .summary = "`on_value` where the position along a new dimension of size `depth` is the index, "
                "`off_value` elsewhere; `axis` says where the new dimension is, -1 at the end.",
     .arguments = kOneHot,
     .attrs = kOneHotAttrs,
     .results = kOutput,
     .cost = PerResultElement(1),
     .shape = OneHotShape,
     .gradient = gradients::OneHot},
    {.name = "slice",
     .summary = "The `size[i]` elements from `begin[i]` on along each dimension i; a size of -1 is "
                "all that follow.",
     .arguments = kSlice,
     .results = kOutput,
     .flags = OpFlags::kAllowsString,
     .cost = PerResultElement(0),
     .shape = SliceShape,
     .gradient = gradients::Slice},
};

constexpr OpSpelling kSelectionSpellings[] = {
    {"tf.GatherV2", "gather"}, {"tf.GatherNd", "gather_nd"}, {"tf.StridedSlice", "strided_slice"},
    {"tf.OneHot", "one_hot"},  {"tf.Slice", "slice"},
};

}  // namespace

OpFamily SelectionOps() { return {kSelectionOps, kSelectionSpellings}; }

}  // namespace tfrt
