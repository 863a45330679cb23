// Windows of signals, and their Fourier transforms.

#include <numbers>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// a + b * cos(2 pi i / n) + c * cos(4 pi i / n), n being the size, or, of a symmetric window, one
// less.
llvm::LogicalResult window(Node& node, double a, double b, double c) {
  mlir::Type element =
      node.elementNamed("output_datatype", onnx::DataType::kFloat, "no window of ");
  if (!element) return mlir::failure();
  mlir::Type f64 = node.graph.builder().getF64Type();
  Value count = reshape(node, wide(node, node.input(0)), {});
  Value size = count;
  if (node.integer("periodic", 1) == 0) size = node.make("sub", {size, node.graph.integer(1)});
  auto number = [&](double value) { return node.graph.number(f64, value); };
  auto mul = [&](Value left, Value right) { return node.make("mul", {left, right}); };
  Value turns = node.make("div", {cast(node, range(node, count), f64), cast(node, size, f64)});
  Value angle = mul(turns, number(2 * std::numbers::pi));
  Value sum = node.make("add", {number(a), mul(node.make("cos", {angle}), number(b))});
  if (c != 0) {
    Value twice = node.make("cos", {mul(angle, number(2))});
    sum = node.make("add", {sum, mul(twice, number(c))});
  }
  return node.give(cast(node, sum, element));
}

llvm::LogicalResult hann(Node& node) { return window(node, 0.5, -0.5, 0); }
llvm::LogicalResult hamming(Node& node) { return window(node, 25.0 / 46, 25.0 / 46 - 1, 0); }
llvm::LogicalResult blackman(Node& node) { return window(node, 0.42, -0.5, 0.08); }

// Transforms [..., n, 1 or 2], whose last dimension holds real and imaginary parts. The transform
// along the axis has `length` places: further elements are cut off, missing ones are 0. A one-sided
// inverse is that of a real signal: its frequencies up to half the length are given, and the others
// mirror them.
Value fourier(Node& node, Value value, size_t axis, Value length, bool inverse, bool onesided) {
  graph::GraphBuilder& graph = node.graph;
  auto rank = node.rank(value);
  if (!rank) return {};
  if (*rank < 2 || axis + 1 >= *rank) {
    (void)node.fail("the axis is not one of the signal's");
    return {};
  }
  const Dim parts = graph.typeOf(value).shape.dims().back();
  if (!parts.is(1) && !parts.is(2)) {
    (void)node.fail("the last dimension is not known to be 1 or 2");
    return {};
  }
  // The signals' places last.
  std::vector<int64_t> permutation;
  for (size_t i = 0; i + 1 < *rank; ++i) {
    if (i != axis) permutation.push_back(static_cast<int64_t>(i));
  }
  permutation.push_back(static_cast<int64_t>(axis));
  auto part = [&](int64_t which) {
    return transpose(node,
                     node.make("gather", {value, graph.integer(which),
                                          graph.integer(static_cast<int64_t>(*rank) - 1)}),
                     permutation);
  };
  auto number = [&](int64_t value) { return graph.integer(value); };
  Value one_side = node.make("add", {node.make("div", {length, number(2)}), number(1)});
  Value used =
      node.make("minimum", {sizeOf(node, value, axis), onesided && inverse ? one_side : length});
  // Complex numbers have parts of f32 or f64.
  mlir::Type element = node.elementOf(value), f64 = graph.builder().getF64Type();
  mlir::Type wide_element = element == f64 ? f64 : graph.builder().getF32Type();
  auto first = [&](Value signal, Value count) {
    const size_t last_axis = *rank - 2;
    std::vector<int64_t> zeros(*rank - 1, 0), all(last_axis, -1);
    Value sizes = reshape(node, count, {1});
    if (last_axis > 0) sizes = concat(node, {graph.integers(all), sizes}, 0);
    return node.make("slice", {signal, graph.integers(zeros), sizes});
  };
  Value weights;
  if (inverse && onesided) {
    // Two of each frequency, but one of 0 and of half the length.
    Value twice = node.make("mod", {node.make("mul", {range(node, used), number(2)}), length});
    weights = node.make("select", {node.make("equal", {twice, number(0)}),
                                   graph.number(wide_element, 1), graph.number(wide_element, 2)});
  }
  // Nothing before and after but behind the last places.
  const std::vector<int64_t> none(2 * *rank - 3, 0);
  Value missing = reshape(node, node.make("sub", {length, used}), {1});
  Value paddings = concat(node, {graph.integers(none), missing}, 0);
  paddings = reshape(node, paddings, {static_cast<int64_t>(*rank) - 1, 2});
  auto points = [&](int64_t which) {
    Value signal = cast(node, first(part(which), used), wide_element);
    if (weights) signal = node.make("mul", {signal, weights});
    return node.make("pad", {signal, paddings});
  };
  Value real = points(0);
  Value imaginary = parts.is(2)
                        ? points(1)
                        : node.make("fill", {shapeOf(node, real), graph.number(wide_element, 0)});
  Value spectrum = node.make("dft", {node.make("make_complex", {real, imaginary})},
                             {graph.attribute("inverse", inverse)});
  auto result = [&](llvm::StringRef name) {
    Value of = node.make(name, {spectrum});
    if (inverse) of = node.make("div", {of, cast(node, length, wide_element)});
    if (onesided && !inverse) of = first(of, one_side);
    return cast(node, of, element);
  };
  real = result("real");
  if (!inverse || !onesided) imaginary = result("imag");
  const auto last = static_cast<int64_t>(*rank) - 1;
  Value both = expand(node, real, {last});
  if (!inverse || !onesided) both = concat(node, {both, expand(node, imaginary, {last})}, last);
  std::vector<int64_t> back(*rank);
  for (size_t i = 0; i + 1 < *rank; ++i) back[permutation[i]] = static_cast<int64_t>(i);
  back.back() = last;
  return transpose(node, both, back);
}

Value transformed(Node& node, Value value, size_t axis) {
  const bool inverse = node.integer("inverse", 0) != 0, onesided = node.integer("onesided", 0) != 0;
  Value length =
      node.input(1) ? reshape(node, wide(node, node.input(1)), {}) : sizeOf(node, value, axis);
  if (!node.input(1) && inverse && onesided) {
    // That of a signal of even length.
    Value one_less = node.make("sub", {length, node.graph.integer(1)});
    length = node.make("mul", {one_less, node.graph.integer(2)});
  }
  return fourier(node, value, axis, length, inverse, onesided);
}

// Along an axis that only the run has: the dimension goes to a known place meanwhile.
llvm::LogicalResult dftAlong(Node& node, Value axis, size_t rank) {
  Value value = node.input(0);
  const Dim parts = node.graph.typeOf(value).shape.dim(rank - 1);
  if (rank < 2 || !parts.is_known()) return node.fail("the signal's last size is not known");
  const AxisMoves moves = movesOfAxis(node, axis, rank, rank - 2);
  std::vector<int64_t> sizes(rank, -1);
  sizes.back() = parts.value();
  value = ofShape(node, node.make("transpose", {value, moves.there}), sizes, "the signal");
  if (!value) return mlir::failure();
  return node.give(node.make("transpose", {transformed(node, value, rank - 2), moves.back}));
}

// The axis is an input from opset 20 on.
llvm::LogicalResult dft(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  int64_t given = node.integer("axis", 1);
  if (node.version() >= 20) {
    given = -2;
    if (node.input(2)) {
      auto known = node.graph.elementsOf(node.input(2));
      Value scalar = reshape(node, wide(node, node.input(2)), {});
      if (!known) return scalar ? dftAlong(node, scalar, *rank) : mlir::failure();
      if (known->size() != 1) return node.fail("there are several axes");
      given = (*known)[0];
    }
  }
  auto axis = node.axis(given, *rank);
  return axis ? node.give(transformed(node, value, *axis)) : mlir::failure();
}

// Transforms of frames that begin every so many places.
llvm::LogicalResult stft(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  Value signal = node.input(0), window = node.input(2);
  auto rank = node.rank(signal);
  if (!rank) return mlir::failure();
  if (*rank != 2 && *rank != 3) {
    return node.fail("the signal has rank " + llvm::Twine(*rank) + ", expected 2 or 3");
  }
  // ONNX Runtime also takes real signals without a dimension for their parts.
  if (*rank == 2) signal = expand(node, signal, {2});
  Value step = reshape(node, wide(node, node.input(1)), {});
  if (!node.input(3) && !window) return node.fail("there is neither a window nor a frame_length");
  Value length =
      node.input(3) ? reshape(node, wide(node, node.input(3)), {}) : sizeOf(node, window, 0);
  Value room = node.make("sub", {sizeOf(node, signal, 1), length});
  Value count = node.make("add", {node.make("div", {room, step}), graph.integer(1)});
  Value begins = reshape(node, node.make("mul", {range(node, count), step}), {-1, 1});
  Value places = node.make("add", {begins, range(node, length)});
  Value frames = node.make("gather", {signal, places, graph.integer(1)});
  if (window) frames = node.make("mul", {frames, expand(node, window, {1})});
  const bool onesided = node.integer("onesided", 1) != 0;
  return node.give(fourier(node, frames, 2, length, false, onesided));
}

constexpr NodeRow kSignalRows[] = {
    {"BlackmanWindow", 17, blackman},
    {"DFT", 17, dft},
    {"HammingWindow", 17, hamming},
    {"HannWindow", 17, hann},
    {"STFT", 17, stft, 2, "signals of rank 2 and 3"},
};

}  // namespace

llvm::ArrayRef<NodeRow> signalRows() { return kSignalRows; }

}  // namespace tfrt::compiler::import
