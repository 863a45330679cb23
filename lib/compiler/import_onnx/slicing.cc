// Slice, Split and Pad: what they take may be known, or computed when the model runs.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Sizes and starts of one dimension, the others whole: slices along an axis.
Value sliceAlong(Node& node, Value value, size_t axis, Value begin, Value size) {
  auto rank = node.rank(value);
  if (!rank) return {};
  auto around = [&](Value number, int64_t others) {
    llvm::SmallVector<Value> pieces;
    auto add = [&](size_t count) {
      if (count > 0) pieces.push_back(node.graph.integers(std::vector<int64_t>(count, others)));
    };
    add(axis);
    pieces.push_back(number);
    add(*rank - 1 - axis);
    return concat(node, pieces, 0);
  };
  return node.make("slice", {value, around(begin, 0), around(size, -1)});
}

// Pieces of equal sizes, the last ones smaller or empty, of a size that only the run knows.
llvm::LogicalResult splitEvenly(Node& node, Value value, size_t axis) {
  auto count = static_cast<int64_t>(node.num_outputs());
  auto number = [&](int64_t value) { return node.graph.integers({value}); };
  Value whole = pieceOf(node, shapeOf(node, value), static_cast<int64_t>(axis), 1);
  Value each = node.make("div", {node.make("add", {whole, number(count - 1)}), number(count)});
  for (int64_t i = 0; i < count; ++i) {
    Value begin = node.make("minimum", {node.make("mul", {each, number(i)}), whole});
    Value size = node.make("minimum", {each, node.make("sub", {whole, begin})});
    if (mlir::failed(node.give(sliceAlong(node, value, axis, begin, size)))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

// Pieces of the sizes that only the run knows: one for each output, 0 or more, all of the value.
llvm::LogicalResult splitBySizes(Node& node, Value value, size_t axis, Value sizes) {
  const auto count = static_cast<int64_t>(node.num_outputs());
  sizes = ofShape(node, wide(node, sizes), {count}, "the sizes");
  Value whole = pieceOf(node, shapeOf(node, value), static_cast<int64_t>(axis), 1);
  sizes = node.make("split_sizes", {sizes, whole});
  Value begin = node.graph.integers({0});
  for (int64_t i = 0; i < count; ++i) {
    Value size = pieceOf(node, sizes, i, 1);
    if (mlir::failed(node.give(sliceAlong(node, value, axis, begin, size)))) {
      return mlir::failure();
    }
    begin = node.make("add", {begin, size});
  }
  return mlir::success();
}

// Slices, one per output.
llvm::LogicalResult split(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto axis = node.axisOf(value, 0);
  if (!axis) return mlir::failure();
  const auto outputs = static_cast<int64_t>(node.num_outputs());
  if (int64_t wanted = node.integer("num_outputs", outputs); wanted != outputs) {
    return node.fail("num_outputs is " + llvm::Twine(wanted) + ", but there are " +
                     llvm::Twine(outputs) + " outputs");
  }
  std::vector<int64_t> sizes;
  if (node.version() < 13) {
    sizes = node.integers("split");
  } else if (node.input(1)) {
    auto known = node.graph.elementsOf(node.input(1));
    if (!known) return splitBySizes(node, value, *axis, node.input(1));
    sizes = *known;
  }
  const Dim whole = node.graph.typeOf(value).shape.dim(*axis);
  if (sizes.empty()) {
    if (!whole.is_known()) return splitEvenly(node, value, *axis);
    int64_t each = (whole.value() + outputs - 1) / outputs;
    for (int64_t i = 0, left = whole.value(); i < outputs; ++i, left -= each) {
      sizes.push_back(std::max<int64_t>(std::min(each, left), 0));
    }
  }
  if (sizes.size() != node.num_outputs()) {
    return node.fail("there are " + llvm::Twine(sizes.size()) + " sizes for " +
                     llvm::Twine(node.num_outputs()) + " outputs");
  }
  int64_t sum = 0;
  for (int64_t each : sizes) {
    if (each < 0 || __builtin_add_overflow(sum, each, &sum)) {
      return node.fail("a size is " + llvm::Twine(each));
    }
  }
  if (whole.is_known() && whole.value() != sum) {
    return node.fail("the sizes add up to " + llvm::Twine(sum) + ", but dimension " +
                     llvm::Twine(*axis) + " has " + llvm::Twine(whole.value()));
  }
  std::vector<int64_t> all(*rank, -1);
  all[*axis] = sum;
  value = ofShape(node, value, all, "the input");
  int64_t begin = 0;
  for (int64_t each : sizes) {
    Value piece =
        sliceAlong(node, value, *axis, node.graph.integers({begin}), node.graph.integers({each}));
    if (mlir::failed(node.give(piece))) return mlir::failure();
    begin += each;
  }
  return mlir::success();
}

// Holds the inputs of a Slice.
struct SliceInputs {
  Value starts, ends;
  Value axes, steps;  // null: all in order, and 1
};

// The first place of each dimension, counted from its end. In ONNX a slice that begins before it
// begins at it; in the table's op, as in Python, one that goes backwards is empty.
Value firstPlaces(Node& node, Value value) { return node.make("neg", {shapeOf(node, value)}); }

// Whether a slice that goes backwards may begin before the first place. From -1 on it does so of
// no elements alone, which it is none of either way.
bool mayBeginBefore(Node& node, Value value, llvm::ArrayRef<int64_t> steps, Value begin) {
  if (!begin) return false;
  const SymbolicShape shape = node.graph.typeOf(value).shape;
  const auto begins = node.graph.typeOf(begin).elements;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > 0) continue;
    const Dim from = begins ? (*begins)[i] : Dim(), size = shape.dim(i);
    const int64_t first = size.is_known() ? -size.value() : -1;
    if (!from.is_known() || from.value() < std::min<int64_t>(first, -1)) return true;
  }
  return false;
}

// Axes or steps that only the run knows: vectors for all dimensions, into which those that are
// given are put.
llvm::LogicalResult sliceWhere(Node& node, Value value, const SliceInputs& in, int64_t rank) {
  Value starts = wide(node, in.starts);
  Value axes = in.axes ? wide(node, in.axes) : range(node, sizeOf(node, starts, 0));
  auto put = [&](int64_t open, Value numbers) {
    Value all = node.graph.integers(std::vector<int64_t>(rank, open));
    return node.make("scatter_elements", {all, axes, wide(node, numbers)});
  };
  Value steps = in.steps ? put(1, in.steps) : node.graph.integers(std::vector<int64_t>(rank, 1));
  // Forwards that changes nothing.
  Value begin = node.make("maximum", {put(0, starts), firstPlaces(node, value)});
  return node.give(node.make("strided_slice", {value, begin, put(INT64_MAX, in.ends), steps}));
}

// Starts, ends, axes and steps. Where axes and steps are known the starts and ends may be computed.
llvm::LogicalResult slice(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  SliceInputs in{node.input(1), node.input(2), node.input(3), node.input(4)};
  std::optional<std::vector<int64_t>> axes, steps;
  if (node.version() < 10) {
    in = {node.graph.integers(node.integers("starts")),
          node.graph.integers(node.integers("ends")),
          {},
          {}};
    axes = node.integers("axes");
  } else {
    if (!in.starts || !in.ends) return node.fail("there are no starts and ends");
    axes = in.axes ? node.graph.elementsOf(in.axes) : std::vector<int64_t>();
  }
  steps = in.steps ? node.graph.elementsOf(in.steps) : std::vector<int64_t>();
  const ValueType from = node.graph.typeOf(in.starts), to = node.graph.typeOf(in.ends);
  const Dim given = from.shape.num_elements();
  if (!axes || !steps || !given.is_known()) {
    return sliceWhere(node, value, in, static_cast<int64_t>(*rank));
  }
  const auto count = static_cast<size_t>(given.value());
  if (axes->empty()) {
    axes->resize(count);
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (steps->empty()) steps->assign(count, 1);
  if (axes->size() != count || steps->size() != count ||
      !to.shape.num_elements().is(given.value())) {
    return node.fail("starts, ends, axes and steps differ in number");
  }
  // One entry for each dimension; those that are not sliced are open.
  std::vector<int64_t> all_steps(*rank, 1);
  int64_t open = (int64_t{1} << std::min<size_t>(*rank, 62)) - 1;
  std::vector<std::optional<size_t>> which(*rank);
  for (size_t i = 0; i < count; ++i) {
    auto axis = node.axis((*axes)[i], *rank);
    if (!axis) return mlir::failure();
    if ((*steps)[i] == 0) return node.fail("a step is 0");
    all_steps[*axis] = (*steps)[i];
    which[*axis] = i;
    open &= ~(int64_t{1} << *axis);
  }
  auto spread = [&](Value vector, const ValueType& type) -> Value {
    llvm::SmallVector<Value> pieces;
    bool all_known = type.elements.has_value();
    std::vector<int64_t> numbers;
    for (const auto& index : which) {
      Dim number = !index ? Dim(0) : type.elements ? (*type.elements)[*index] : Dim();
      all_known = all_known && number.is_known();
      numbers.push_back(number.is_known() ? number.value() : 0);
    }
    if (all_known || which.empty()) return node.graph.integers(numbers);
    Value all = wide(node, vector);
    for (const auto& index : which) {
      pieces.push_back(index && all ? pieceOf(node, all, static_cast<int64_t>(*index), 1)
                                    : node.graph.integers({0}));
    }
    return concat(node, pieces, 0);
  };
  Value begin = spread(in.starts, from), end = spread(in.ends, to);
  if (mayBeginBefore(node, value, all_steps, begin)) {
    begin = node.make("maximum", {begin, firstPlaces(node, value)});
  }
  return node.give(node.make(
      "strided_slice", {value, begin, end, node.graph.integers(all_steps)},
      {node.graph.attribute("begin_mask", open), node.graph.attribute("end_mask", open)}));
}

// How many come before and after along each dimension: known, or vectors that the run computes.
struct Pads {
  std::optional<std::vector<int64_t>> before, after;
  Value before_value, after_value;
};

std::optional<Pads> readPads(Node& node, int64_t rank) {
  std::optional<std::vector<int64_t>> numbers, axes;
  if (node.version() < 11) {
    numbers = node.integers(node.version() < 2 ? "paddings" : "pads");
  } else if (node.input(1)) {
    numbers = node.graph.elementsOf(node.input(1));
  } else {
    (void)node.fail("there are no pads");
    return std::nullopt;
  }
  const bool has_axes = node.version() >= 18 && node.input(3);
  if (has_axes) {
    axes = node.graph.elementsOf(node.input(3));
  } else {
    axes.emplace(rank);
    std::iota(axes->begin(), axes->end(), 0);
  }
  Pads pads;
  if (numbers && axes) {
    if (numbers->size() != 2 * axes->size()) {
      (void)node.fail("there are " + llvm::Twine(numbers->size()) + " pads for " +
                      llvm::Twine(axes->size()) + " dimensions");
      return std::nullopt;
    }
    pads.before.emplace(rank, 0);
    pads.after.emplace(rank, 0);
    for (size_t i = 0; i < axes->size(); ++i) {
      auto axis = node.axis((*axes)[i], static_cast<size_t>(rank));
      if (!axis) return std::nullopt;
      (*pads.before)[*axis] = (*numbers)[i];
      (*pads.after)[*axis] = (*numbers)[axes->size() + i];
    }
    return pads;
  }
  Dim count = has_axes ? node.graph.typeOf(node.input(3)).shape.num_elements() : Dim(rank);
  if (!count.is_known()) {
    (void)node.fail("the number of axes is not known before the model runs");
    return std::nullopt;
  }
  Value all = wide(node, numbers ? node.graph.integers(*numbers) : node.input(1));
  pads.before_value = pieceOf(node, all, 0, count.value());
  pads.after_value = pieceOf(node, all, count.value(), count.value());
  if (has_axes) {
    Value where = wide(node, node.input(3));
    Value zeros = node.graph.integers(std::vector<int64_t>(rank, 0));
    pads.before_value = node.make("scatter_elements", {zeros, where, pads.before_value});
    pads.after_value = node.make("scatter_elements", {zeros, where, pads.after_value});
  }
  return pads;
}

llvm::LogicalResult pad(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto pads = rank ? readPads(node, static_cast<int64_t>(*rank)) : std::nullopt;
  if (!pads) return mlir::failure();
  std::string mode = node.text("mode", "constant");
  const bool extends = mode == "reflect" || mode == "edge" || mode == "wrap";
  if (!extends && mode != "constant") return node.fail("unknown mode '" + mode + "'");
  Value fill = node.version() < 11 ? Value() : node.input(2);
  if (!fill) fill = node.numberLike(value, node.version() < 11 ? node.number("value", 0) : 0);
  auto padded = [&](Value paddings) {
    if (!extends) return node.make("pad_with", {value, paddings, fill});
    return node.make("extend", {value, paddings},
                     {node.graph.attribute("mode", llvm::StringRef(mode))});
  };
  if (!pads->before) {
    Value columns = concat(node, {pads->before_value, pads->after_value}, 0);
    columns = reshape(node, columns, {2, static_cast<int64_t>(*rank)});
    return node.give(padded(transpose(node, columns, {1, 0})));
  }
  // Negative pads cut.
  std::vector<int64_t> rows, begin, end;
  int64_t open_begin = 0, open_end = 0;
  for (size_t i = 0; i < *rank; ++i) {
    int64_t before = (*pads->before)[i], after = (*pads->after)[i];
    rows.insert(rows.end(), {std::max<int64_t>(before, 0), std::max<int64_t>(after, 0)});
    begin.push_back(std::max<int64_t>(-before, 0));
    end.push_back(std::min<int64_t>(after, 0));
    if (before >= 0) open_begin |= int64_t{1} << i;
    if (after >= 0) open_end |= int64_t{1} << i;
  }
  const int64_t all_open = (int64_t{1} << *rank) - 1;
  if (open_begin != all_open || open_end != all_open) {
    value = node.make("strided_slice",
                      {value, node.graph.integers(begin), node.graph.integers(end),
                       node.graph.integers(std::vector<int64_t>(*rank, 1))},
                      {node.graph.attribute("begin_mask", open_begin),
                       node.graph.attribute("end_mask", open_end)});
  }
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(*rank), 2},
                                          node.graph.builder().getI64Type());
  Value paddings =
      node.graph.constant(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(rows)));
  return node.give(padded(paddings));
}

constexpr NodeRow kSlicingRows[] = {
    {"Pad", 1, pad, 1, "the number of axes must be known"},
    {"Pad", 11, pad, 2},
    {"Slice", 1, slice},
    {"Slice", 10, slice, 3},
    {"Split", 2, split},
};

}  // namespace

llvm::ArrayRef<NodeRow> slicingRows() { return kSlicingRows; }

}  // namespace tfrt::compiler::import
