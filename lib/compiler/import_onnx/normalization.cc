// Softmax and normalisations.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {

using mlir::Value;

Value softmaxOver(Node& node, llvm::StringRef name, Value value, bool flattens) {
  auto rank = node.rank(value);
  if (!rank) return {};
  auto axis = node.axis(node.integer("axis", flattens ? 1 : -1), std::max<size_t>(*rank, 1));
  if (!axis) return {};
  if (*axis + 1 == *rank) return node.make(name, {value});
  if (flattens) {
    // The sizes that follow become one, and come back afterwards.
    Dim inner = 1;
    const ValueType type = node.graph.typeOf(value);
    for (size_t i = *axis; i < *rank; ++i) {
      inner = SymbolicShape({inner, type.shape.dim(i)}).num_elements();
    }
    // The rows as they are: -1 would have no meaning where the others are 0.
    Value columns = inner.is_known() ? node.graph.integers({inner.value()})
                                     : productOf(node, value, *axis, *rank - *axis);
    Value rows = inner.is_known() && !inner.is(0) ? node.graph.integers({-1})
                                                  : productOf(node, value, 0, *axis);
    Value flat = node.make("reshape", {value, concat(node, {rows, columns}, 0)});
    return reshapeLike(node, node.make(name, {flat}), value);
  }
  return softmaxAlong(node, name, value, *axis);
}

namespace {

// Over one axis, or, before opset 13, over it and all that follow.
template <OpName name>
llvm::LogicalResult softmaxOf(Node& node) {
  return node.give(softmaxOver(node, name.text, node.input(0), node.version() < 13));
}

// Dimensions from the axis on.
llvm::SmallVector<int64_t> axesFrom(size_t axis, size_t rank) {
  llvm::SmallVector<int64_t> axes(rank - axis);
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(axis));
  return axes;
}

// Half the bits of a float are few for sums: those are f32, if the node says so.
bool widens(Node& node, Value value) {
  mlir::Type element = node.elementOf(value);
  return element && (element.isF16() || element.isBF16()) && node.integer("stash_type", 1) == 1;
}

// In steps: for all that layer_norm does not do.
llvm::LogicalResult layerNormInSteps(Node& node, size_t axis, size_t rank) {
  Value value = node.input(0);
  if (widens(node, value)) value = cast(node, value, node.graph.builder().getF32Type());
  llvm::SmallVector<int64_t> axes = axesFrom(axis, rank);
  Value mean = reduce(node, "reduce_mean", value, axes, true);
  Value centred = node.make("sub", {value, mean});
  Value variance = reduce(node, "reduce_mean", node.make("mul", {centred, centred}), axes, true);
  Value epsilon = node.numberLike(variance, node.number("epsilon", 1e-5f));
  Value deviation = node.make("sqrt", {node.make("add", {variance, epsilon})});
  Value inverse = node.make("reciprocal", {deviation});
  Value normal = cast(node, node.make("mul", {centred, inverse}), node.elementOf(node.input(0)));
  Value result = node.make("mul", {normal, node.input(1)});
  if (node.input(2)) result = node.make("add", {result, node.input(2)});
  node.outputs.append({result, mean, inverse});
  return mlir::success(!node.has_failed());
}

llvm::LogicalResult layerNormalization(Node& node) {
  Value value = node.input(0), scale = node.input(1), offset = node.input(2);
  auto rank = node.rank(value);
  if (!rank || !scale) return mlir::failure();
  auto axis = node.axis(node.integer("axis", -1), *rank);
  if (!axis) return mlir::failure();
  int64_t inner = 1;
  const ValueType type = node.graph.typeOf(value), scales = node.graph.typeOf(scale);
  bool is_plain = scales.shape.has_rank() && scales.shape.rank() == *rank - *axis;
  for (size_t i = *axis; is_plain && i < *rank; ++i) {
    is_plain = type.shape.dim(i).is_known() && type.shape.dim(i) == scales.shape.dim(i - *axis);
    if (is_plain) inner *= type.shape.dim(i).value();
  }
  is_plain = is_plain && (!offset || node.graph.typeOf(offset).shape == scales.shape);
  if (!is_plain || widens(node, value) || node.has_output(1) || node.has_output(2)) {
    return layerNormInSteps(node, *axis, *rank);
  }
  if (!offset) {
    offset = node.make("broadcast_to", {node.numberLike(scale, 0), shapeOf(node, scale)});
  }
  auto epsilon = Attr{"epsilon", 1e-5f}.of(node);
  if (*axis + 1 == *rank) return node.giveOp("layer_norm", {value, scale, offset}, {epsilon});
  Value flat = node.make("layer_norm",
                         {reshape(node, value, {-1, inner}), reshape(node, scale, {inner}),
                          reshape(node, offset, {inner})},
                         {epsilon});
  return node.give(reshapeLike(node, flat, value));
}

// x / sqrt(mean(x * x) + epsilon) * scale
llvm::LogicalResult rmsNormalization(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto axis = rank ? node.axis(node.integer("axis", -1), *rank) : std::nullopt;
  if (!axis) return mlir::failure();
  if (node.has_output(1)) return node.fail("output 1 is not supported");
  const ValueType type = node.graph.typeOf(value), scales = node.graph.typeOf(node.input(1));
  if (*axis + 1 == *rank && scales.shape.has_rank() && scales.shape.rank() == 1 &&
      scales.shape.dim(0).IsSameAs(type.shape.dim(*axis)) && !widens(node, value)) {
    return node.giveOp("rms_norm", {value, node.input(1)}, {Attr{"epsilon", 1e-5f}.of(node)});
  }
  if (widens(node, value)) value = cast(node, value, node.graph.builder().getF32Type());
  Value squares = node.make("mul", {value, value});
  Value mean = reduce(node, "reduce_mean", squares, axesFrom(*axis, *rank), true);
  Value epsilon = node.numberLike(mean, node.number("epsilon", 1e-5f));
  Value root = node.make("sqrt", {node.make("add", {mean, epsilon})});
  Value normal = node.make("div", {value, root});
  normal = cast(node, normal, node.elementOf(node.input(0)));
  return node.give(node.make("mul", {normal, node.input(1)}));
}

// Before opset 21 there was one scale and one offset for each group.
llvm::LogicalResult groupNormalization(Node& node) {
  const int64_t groups = node.integer("num_groups", 0);
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank || *rank < 2) return node.fail("the input has no channels");
  auto perChannelOf = [&](Value numbers) -> Value {
    if (node.version() >= 21) return numbers;
    const Dim channels = node.graph.typeOf(value).shape.dim(1);
    if (groups < 1 || !channels.is_known() || channels.value() % groups != 0) {
      (void)node.fail("the channels are not in " + llvm::Twine(groups) + " groups");
      return {};
    }
    Value rows =
        node.make("broadcast_to", {reshape(node, numbers, {groups, 1}),
                                   node.graph.integers({groups, channels.value() / groups})});
    return reshape(node, rows, {-1});
  };
  Value scale = perChannelOf(node.input(1)), offset = perChannelOf(node.input(2));
  return node.give(
      node.make("group_norm", {value, scale, offset},
                {Attr{"epsilon", 1e-5f}.of(node), node.graph.attribute("groups", groups)}));
}

// Over channels and places of all images.
// The mean of the squares less the square of the mean, as ONNX writes the variance, loses all
// digits of numbers that are alike, and may be negative.
llvm::LogicalResult meanVariance(Node& node) {
  std::vector<int64_t> axes = node.integers("axes", {0, 2, 3});
  Value value = node.input(0);
  Value from_mean = node.make("sub", {value, reduce(node, "reduce_mean", value, axes, true)});
  Value variance =
      reduce(node, "reduce_mean", node.make("mul", {from_mean, from_mean}), axes, true);
  Value deviation = node.make("add", {node.make("sqrt", {variance}), node.numberLike(value, 1e-9)});
  return node.give(node.make("div", {from_mean, deviation}));
}

// By the p-norm; where that is 0, 0.
llvm::LogicalResult lpNormalization(Node& node) {
  Value value = node.input(0);
  const int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) return node.fail("p is " + llvm::Twine(p) + ", expected 1 or 2");
  Value norm =
      reduce(node, p == 1 ? "reduce_l1" : "reduce_l2", value, {node.integer("axis", -1)}, true);
  Value zero = node.numberLike(value, 0);
  Value is_zero = node.make("equal", {norm, zero});
  return node.give(node.make("select", {is_zero, zero, node.make("div", {value, norm})}));
}

// One number for each channel, where it meets dimension 1 of a value of the rank.
Value perChannel(Node& node, Value vector, size_t rank) {
  if (!vector || rank <= 2) return vector;
  llvm::SmallVector<int64_t> sizes(rank - 1, 1);
  sizes[0] = -1;
  return reshape(node, vector, sizes);
}

// (x - mean) / sqrt(variance + epsilon) * scale + offset, as x * factor + summand: what depends on
// the constants alone is computed once.
llvm::LogicalResult batchNormalization(Node& node) {
  bool trains = node.integer("training_mode", 0) != 0;
  if (node.version() < 14) trains = node.has_output(1);
  if (node.version() < 7) trains = node.integer("is_test", 0) == 0;
  if (node.integer("spatial", 1) == 0) return node.fail("spatial 0 is not supported");
  if (trains) {
    return node.fail("the model was exported for training; export it for inference");
  }
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  Value scale = node.input(1), offset = node.input(2), mean = node.input(3);
  Value variance = node.input(4);
  if (!scale || !offset || !mean || !variance) return node.fail("it has five inputs");
  // Whichever says how many channels there are, the others have as many.
  Dim channels = *rank > 1 ? node.graph.typeOf(node.input(0)).shape.dim(1) : Dim(1);
  const bool says = channels.is_known();
  for (Value each : {scale, offset, mean, variance}) {
    const SymbolicShape shape = node.graph.typeOf(each).shape;
    if (!channels.is_known() && shape.has_rank() && shape.rank() == 1) channels = shape.dim(0);
  }
  const int64_t count = channels.is_known() ? channels.value() : -1;
  scale = ofShape(node, scale, {count}, "the scale");
  offset = ofShape(node, offset, {count}, "the bias");
  mean = ofShape(node, mean, {count}, "the mean");
  variance = ofShape(node, variance, {count}, "the variance");
  Value epsilon = node.numberLike(variance, node.number("epsilon", 1e-5f));
  Value deviation = node.make("sqrt", {node.make("add", {variance, epsilon})});
  Value factor = node.make("div", {scale, deviation});
  Value summand = node.make("sub", {offset, node.make("mul", {mean, factor})});
  factor = perChannel(node, factor, *rank);
  summand = perChannel(node, summand, *rank);
  // Parameters may be wider than the value.
  Value value = node.input(0);
  if (!says && channels.is_known()) {
    std::vector<int64_t> sizes(*rank, -1);
    sizes[1] = count;
    value = ofShape(node, value, sizes, "the input");
  }
  mlir::Type element = node.elementOf(value), wider = node.elementOf(factor);
  if (element != wider) value = cast(node, value, wider);
  Value product = node.make("mul", {value, factor});
  return node.give(cast(node, node.make("add", {product, summand}), element));
}

constexpr NodeRow kNormalizationRows[] = {
    {"BatchNormalization", 1, batchNormalization, 5,
     "as exported for inference; not with spatial = 0"},
    {"GroupNormalization", 18, groupNormalization, 3,
     "before opset 21 the number of channels must be known"},
    {"Hardmax", 1, softmaxOf<"hardmax">},
    {"InstanceNormalization", 1, same<"instance_norm", Attr{"epsilon", 1e-5f}>, 3},
    {"LRN", 1,
     same<"lrn", Attr{"alpha", 1e-4f}, Attr{"beta", 0.75f}, Attr{"bias", 1.0f}, Attr{"size", 0}>},
    {"LayerNormalization", 17, layerNormalization, 2},
    {"LogSoftmax", 1, softmaxOf<"log_softmax">},
    {"LpNormalization", 1, lpNormalization},
    {"MeanVarianceNormalization", 9, meanVariance},
    {"RMSNormalization", 23, rmsNormalization, 2},
    // ONNX Runtime writes it in ONNX's own domain, which has no such op.
    {"SimplifiedLayerNormalization", 1, rmsNormalization, 2},
    {"Softmax", 1, softmaxOf<"softmax">},
};

}  // namespace

llvm::ArrayRef<NodeRow> normalizationRows() { return kNormalizationRows; }

}  // namespace tfrt::compiler::import
