// Resize, its forerunner Upsample, and grids of places.

#include <cmath>
#include <numeric>
#include <string>

#include "llvm/ADT/SmallString.h"
#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Extends numbers that are given for some dimensions to a vector for all of them.
Value forAll(Node& node, Value numbers, llvm::ArrayRef<int64_t> axes, int64_t rank, Value others) {
  if (static_cast<int64_t>(axes.size()) == rank && llvm::is_sorted(axes)) return numbers;
  Value all = node.make("broadcast_to", {others, node.graph.integers({rank})});
  return node.make("scatter_elements", {all, node.graph.integers(axes), numbers});
}

// The elements of a constant of floats, if it is small.
std::optional<std::vector<double>> floatsOf(Value value) {
  auto constant = value ? value.getDefiningOp<graph::ConstantOp>() : graph::ConstantOp();
  auto elements =
      constant ? mlir::dyn_cast<mlir::DenseFPElementsAttr>(constant.getValue()) : nullptr;
  if (!elements) return std::nullopt;
  std::vector<double> numbers;
  for (const llvm::APFloat& number : elements) numbers.push_back(number.convertToDouble());
  return numbers;
}

// floor(size * scale). The product is rounded to f32, as ONNX Runtime does it: 0.7f is just below
// 0.7, but ten times it are 7. Large ones, which would lose places, are exact.
constexpr double kMaxRounded = 1 << 24;
Value scaledSizes(Node& node, Value value, Value scales) {
  const ValueType type = node.graph.typeOf(value);
  if (auto known = floatsOf(scales);
      known && type.shape.is_known() && known->size() == type.shape.rank()) {
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < known->size(); ++i) {
      double size = static_cast<double>(type.shape.dim(i).value()) * (*known)[i];
      size = std::floor(size < kMaxRounded ? static_cast<float>(size) : size);
      if (!(size >= 0 && size < 1e15)) {
        llvm::SmallString<16> text;
        llvm::APFloat((*known)[i]).toString(text);
        (void)node.fail("a scale is " + text.str().str());
        return {};
      }
      sizes.push_back(static_cast<int64_t>(size));
    }
    return node.graph.integers(sizes);
  }
  mlir::Type f64 = node.graph.builder().getF64Type();
  Value sizes = cast(node, shapeOf(node, value), f64);
  Value exact = node.make("mul", {sizes, cast(node, scales, f64)});
  Value rounded = cast(node, cast(node, exact, node.graph.builder().getF32Type()), f64);
  Value is_small = node.make("less", {exact, node.graph.number(f64, kMaxRounded)});
  return wide(node, node.make("floor", {node.make("select", {is_small, rounded, exact})}));
}

// The largest sizes that keep the proportions and are not larger, or the smallest ones that are not
// smaller; and the one scale, for all axes that are resized.
Value keepProportions(Node& node, Value value, Value sizes, llvm::ArrayRef<int64_t> axes,
                      bool not_larger, Value& scales) {
  mlir::Type f64 = node.graph.builder().getF64Type();
  Value old =
      node.make("gather", {shapeOf(node, value), node.graph.integers(axes), node.graph.integer(0)});
  old = cast(node, old, f64);
  Value each = node.make("div", {cast(node, sizes, f64), old});
  Value scale = reduce(node, not_larger ? "reduce_min" : "reduce_max", each, {0}, true);
  scales =
      node.make("broadcast_to", {scale, node.graph.integers({static_cast<int64_t>(axes.size())})});
  scales = cast(node, scales, node.graph.builder().getF32Type());
  // Halves are rounded up.
  Value half = node.graph.number(f64, 0.5);
  Value product = node.make("mul", {old, scale});
  return wide(node, node.make("floor", {node.make("add", {product, half})}));
}

std::optional<std::vector<int64_t>> axesOf(Node& node, size_t rank) {
  std::vector<int64_t> axes = node.integers("axes");
  if (axes.empty()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
  }
  for (int64_t& each : axes) {
    auto axis = node.axis(each, rank);
    if (!axis) return std::nullopt;
    each = static_cast<int64_t>(*axis);
  }
  return axes;
}

// An input that is left out, or has no elements, which is the same in older files.
Value given(Node& node, size_t index) {
  Value value = node.input(index);
  if (!value) return value;
  return node.graph.typeOf(value).shape.num_elements().is(0) ? Value() : value;
}

// Inputs from opset 11 on: the value, regions, scales, sizes; before, the value and scales.
llvm::LogicalResult resize(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto axes = rank ? axesOf(node, *rank) : std::nullopt;
  if (!axes) return mlir::failure();
  const auto signed_rank = static_cast<int64_t>(*rank);
  const bool is_old = node.version() < 11;
  Value scales = given(node, is_old ? 1 : 2), sizes = is_old ? Value() : given(node, 3);
  std::string coordinates =
      node.text("coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel");
  const bool crops = coordinates == "tf_crop_and_resize";
  Value regions = crops ? given(node, 1) : Value();
  if (crops && !regions) return node.fail("there are no regions to crop");
  mlir::Type f32 = graph.builder().getF32Type();
  if (sizes) {
    std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
    if (policy != "stretch") {
      if (policy != "not_larger" && policy != "not_smaller") {
        return node.fail("unknown policy '" + policy + "'");
      }
      sizes = keepProportions(node, value, sizes, *axes, policy == "not_larger", scales);
      scales = forAll(node, scales, *axes, signed_rank, graph.number(f32, 1));
    } else {
      scales = {};
    }
    if (static_cast<int64_t>(axes->size()) != signed_rank) {
      sizes = node.make("scatter_elements", {shapeOf(node, value), graph.integers(*axes), sizes});
    } else {
      sizes = forAll(node, sizes, *axes, signed_rank, graph.integer(1));
    }
  } else if (scales) {
    scales = forAll(node, scales, *axes, signed_rank, graph.number(f32, 1));
    sizes = scaledSizes(node, value, scales);
  } else {
    return node.fail("there are neither scales nor sizes");
  }
  if (regions && static_cast<int64_t>(axes->size()) != signed_rank) {
    const auto count = static_cast<int64_t>(axes->size());
    Value begins = forAll(node, pieceOf(node, regions, 0, count), *axes, signed_rank,
                          node.numberLike(regions, 0));
    Value ends = forAll(node, pieceOf(node, regions, count, count), *axes, signed_rank,
                        node.numberLike(regions, 1));
    regions = concat(node, {begins, ends}, 0);
  }
  std::string mode = node.text("mode", "nearest");
  std::string nearest = node.text("nearest_mode", is_old ? "floor" : "round_prefer_floor");
  return node.give(node.make(
      "resize", {value, sizes, scales, regions ? cast(node, regions, f32) : regions},
      {Attr{"antialias", false}.of(node),
       graph.attribute("coordinates", llvm::StringRef(coordinates)),
       Attr{"cubic_coefficient", -0.75f, "cubic_coeff_a"}.of(node),
       Attr{"exclude_outside", false}.of(node), Attr{"extrapolation_value", 0.0f}.of(node),
       graph.attribute("mode", llvm::StringRef(mode)),
       graph.attribute("nearest", llvm::StringRef(nearest))}));
}

// Scales are an attribute before opset 9.
llvm::LogicalResult upsample(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  Value scales = node.input(1);
  if (node.version() < 9) {
    std::vector<float> numbers = node.numbers("scales");
    auto type = mlir::RankedTensorType::get({static_cast<int64_t>(numbers.size())},
                                            graph.builder().getF32Type());
    scales = graph.constant(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(numbers)));
  }
  if (!scales) return node.fail("there are no scales");
  std::string mode = node.text("mode", "nearest");
  if (mode == "bilinear") mode = "linear";
  return node.give(node.make(
      "resize", {node.input(0), scaledSizes(node, node.input(0), scales), scales},
      {graph.attribute("coordinates", "asymmetric"), graph.attribute("mode", llvm::StringRef(mode)),
       graph.attribute("nearest", "floor")}));
}

// Places between -1 and 1 along the dimension of a size: of the elements' centres, or from the
// first element to the last.
Value placesAlong(Node& node, Value size, mlir::Type element, bool align_corners) {
  auto number = [&](double value) { return node.graph.number(element, value); };
  Value twice = node.make("mul", {cast(node, range(node, size), element), number(2)});
  if (!align_corners) twice = node.make("add", {twice, number(1)});
  Value span = size;
  if (align_corners) {
    span = node.make("sub", {size, node.graph.integer(1)});
    span = node.make("maximum", {span, node.graph.integer(1)});
  }
  return node.make("sub", {node.make("div", {twice, cast(node, span, element)}), number(1)});
}

// theta [N,k,k+1] times (x, y, ..., 1) of each place of images of the size [N,C,...].
llvm::LogicalResult affineGrid(Node& node) {
  Value theta = node.input(0), sizes = node.input(1);
  if (!theta || !sizes) return node.fail("it has two inputs");
  const Dim count = node.graph.typeOf(sizes).shape.num_elements();
  if (!count.is(4) && !count.is(5)) return node.fail("the size is not of 4 or 5 numbers");
  const auto spatial = static_cast<size_t>(count.value() - 2);
  mlir::Type element = node.elementOf(theta);
  auto coefficient = [&](size_t which) {
    Value column = node.make(
        "gather", {theta, node.graph.integer(static_cast<int64_t>(which)), node.graph.integer(2)});
    for (size_t i = 0; i < spatial; ++i) column = expand(node, column, {1});
    return column;
  };
  Value sum = coefficient(spatial);
  for (size_t i = 0; i < spatial; ++i) {
    // x is the last dimension.
    const size_t dimension = spatial - 1 - i;
    Value size = node.make(
        "gather", {wide(node, sizes), node.graph.integer(static_cast<int64_t>(2 + dimension)),
                   node.graph.integer(0)});
    Value places = placesAlong(node, size, element, node.integer("align_corners", 0) != 0);
    std::vector<int64_t> shape(spatial + 2, 1);
    shape[1 + dimension] = -1;
    Value product = node.make("mul", {coefficient(i), reshape(node, places, shape)});
    sum = node.make("add", {product, sum});
  }
  return node.give(sum);
}

constexpr NodeRow kResizingRows[] = {
    {"AffineGrid", 20, affineGrid, 2},
    {"Resize", 10, resize, 2},
    {"Resize", 11, resize},
    {"Upsample", 7, upsample, 1, "", 9},
    {"Upsample", 9, upsample, 2, "", 9},
};

}  // namespace

llvm::ArrayRef<NodeRow> resizingRows() { return kResizingRows; }

}  // namespace tfrt::compiler::import
