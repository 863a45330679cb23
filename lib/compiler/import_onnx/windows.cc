// ONNX ops on windows of images: convolutions and pools.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Returns the window attributes of convolutions and pools. Empty after an error.
std::optional<llvm::SmallVector<mlir::NamedAttribute>> windowAttributes(Node& node,
                                                                        bool has_dilations = true) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  std::string padding = node.text("auto_pad", "NOTSET");
  std::vector<int64_t> pads = node.integers("pads");
  if (padding == "SAME_UPPER" || padding == "SAME_LOWER") {
    attributes.push_back(
        node.graph.attribute("padding", padding == "SAME_UPPER" ? "same_upper" : "same_lower"));
  } else if (padding == "NOTSET" || padding.empty() || padding == "VALID") {
    if (padding != "VALID") {
      attributes.push_back(node.graph.attribute("pads", llvm::ArrayRef<int64_t>(pads)));
    }
  } else {
    (void)node.fail("unknown auto_pad '" + padding + "'");
    return std::nullopt;
  }
  auto copy = [&](llvm::StringRef name) {
    if (node.has(name)) {
      attributes.push_back(
          node.graph.attribute(name, llvm::ArrayRef<int64_t>(node.integers(name))));
    }
  };
  copy("strides");
  if (has_dilations) copy("dilations");
  return attributes;
}

}  // namespace

std::optional<llvm::SmallVector<mlir::NamedAttribute>> convolutionAttributes(Node& node) {
  auto attributes = windowAttributes(node);
  if (attributes) {
    attributes->push_back(Attr{"groups", 1, "group"}.of(node));
  }
  return attributes;
}

Value filterOf(Node& node, size_t input) {
  Value filter = node.input(input);
  if (!node.has("kernel_shape")) return filter;
  std::vector<int64_t> sizes = node.integers("kernel_shape");
  sizes.insert(sizes.begin(), {-1, -1});
  return ofShape(node, filter, sizes, "the filter");
}

namespace {

llvm::LogicalResult conv(Node& node) {
  auto attributes = convolutionAttributes(node);
  Value filter = filterOf(node, 1);
  if (!attributes || !filter) return mlir::failure();
  return node.giveOp("conv", {node.input(0), filter, node.input(2)}, *attributes);
}

llvm::LogicalResult convInteger(Node& node) {
  auto attributes = convolutionAttributes(node);
  Value filter = filterOf(node, 1);
  if (!attributes || !filter) return mlir::failure();
  return node.giveOp("conv_integer", {node.input(0), filter, node.input(2), node.input(3)},
                     *attributes);
}

// Pads that make the result as large as is asked for.
llvm::LogicalResult padsFor(Node& node, std::vector<int64_t>& pads) {
  std::vector<int64_t> wanted = node.integers("output_shape");
  const ValueType image = node.graph.typeOf(node.input(0)),
                  filter = node.graph.typeOf(node.input(1));
  auto rank = node.rank(node.input(0));
  if (!rank || !filter.shape.has_rank()) return node.fail("the rank of the filter is not known");
  const size_t spatial = *rank - 2;
  auto numbers = [&](llvm::StringRef name, int64_t fill) {
    std::vector<int64_t> given = node.integers(name);
    if (given.empty()) given.assign(spatial, fill);
    return given;
  };
  auto strides = numbers("strides", 1), dilations = numbers("dilations", 1);
  auto extra = numbers("output_padding", 0);
  if (wanted.size() == *rank) wanted.erase(wanted.begin(), wanted.begin() + 2);
  if (filter.shape.rank() != *rank || wanted.size() != spatial || strides.size() != spatial ||
      dilations.size() != spatial || extra.size() != spatial) {
    return node.fail("its attributes are not for " + llvm::Twine(spatial) + " spatial dimensions");
  }
  pads.assign(2 * spatial, 0);
  for (size_t i = 0; i < spatial; ++i) {
    Dim size = image.shape.dim(2 + i), taps = filter.shape.dim(2 + i);
    if (!size.is_known() || !taps.is_known()) {
      return node.fail("output_shape is there, but the input's sizes are not known");
    }
    int64_t full =
        strides[i] * (size.value() - 1) + extra[i] + (taps.value() - 1) * dilations[i] + 1;
    int64_t total = full - wanted[i];
    // Negative padding is put at the end.
    int64_t small = total / 2;
    bool upper = total < 0 || node.text("auto_pad", "NOTSET") == "SAME_UPPER";
    if (total < 0) small = 0;
    pads[i] = upper ? small : total - small;
    pads[spatial + i] = upper ? total - small : small;
  }
  return mlir::success();
}

llvm::LogicalResult convTranspose(Node& node) {
  auto attributes = windowAttributes(node);
  if (!attributes) return mlir::failure();
  if (node.has("output_shape")) {
    std::vector<int64_t> pads;
    if (mlir::failed(padsFor(node, pads))) return mlir::failure();
    llvm::erase_if(*attributes, [](mlir::NamedAttribute attribute) {
      return attribute.getName() == "pads" || attribute.getName() == "padding";
    });
    attributes->push_back(node.graph.attribute("pads", llvm::ArrayRef<int64_t>(pads)));
  }
  attributes->push_back(Attr{"groups", 1, "group"}.of(node));
  if (node.has("output_padding")) {
    attributes->push_back(node.graph.attribute(
        "output_padding", llvm::ArrayRef<int64_t>(node.integers("output_padding"))));
  }
  Value filter = filterOf(node, 1);
  if (!filter) return mlir::failure();
  return node.giveOp("conv_transpose", {node.input(0), filter, node.input(2)}, *attributes);
}

}  // namespace

std::optional<llvm::SmallVector<mlir::NamedAttribute>> poolAttributes(Node& node) {
  if (!node.has("kernel_shape")) {
    (void)node.fail("there is no kernel_shape");
    return std::nullopt;
  }
  auto attributes = windowAttributes(node);
  if (!attributes) return std::nullopt;
  attributes->push_back(
      node.graph.attribute("kernel", llvm::ArrayRef<int64_t>(node.integers("kernel_shape"))));
  attributes->push_back(Attr{"ceil", false, "ceil_mode"}.of(node));
  return attributes;
}

namespace {

// Places in images whose columns come one after the other.
Value byColumns(Node& node, Value places, Value image) {
  const ValueType type = node.graph.typeOf(image);
  if (!type.shape.has_rank() || type.shape.rank() != 4) {
    (void)node.fail("storage_order 1 is for two spatial dimensions");
    return {};
  }
  Value rows = sizeOf(node, image, 2), columns = sizeOf(node, image, 3);
  Value size = node.make("mul", {rows, columns});
  Value in_image = node.make("mod", {places, size});
  Value first = node.make("sub", {places, in_image});
  Value column = node.make("mod", {in_image, columns});
  Value row = node.make("div", {in_image, columns});
  Value turned = node.make("add", {node.make("mul", {column, rows}), row});
  return node.make("add", {first, turned});
}

llvm::LogicalResult maxPool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  if (!node.has_output(1)) return node.giveOp("max_pool", {node.input(0)}, *attributes);
  mlir::Operation* op = node.graph.create("max_pool_with_places", {node.input(0)}, *attributes);
  if (!op) return mlir::failure();
  Value places = op->getResult(1);
  if (node.integer("storage_order", 0) != 0) places = byColumns(node, places, node.input(0));
  node.outputs.append({op->getResult(0), places});
  return mlir::success(!node.has_failed());
}

// The elements at their places among zeros. A larger shape has more zeros at the ends: places are
// those of the shape that follows from the windows.
llvm::LogicalResult maxUnpool(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  std::vector<int64_t> kernel = node.integers("kernel_shape"), strides = node.integers("strides"),
                       pads = node.integers("pads");
  if (*rank < 3 || kernel.size() != *rank - 2) return node.fail("the kernel_shape does not fit");
  if (strides.empty()) strides.assign(kernel.size(), 1);
  if (pads.empty()) pads.assign(2 * kernel.size(), 0);
  if (strides.size() != kernel.size() || pads.size() != 2 * kernel.size()) {
    return node.fail("strides and pads do not fit the kernel_shape");
  }
  llvm::SmallVector<Value> sizes = {pieceOf(node, shapeOf(node, value), 0, 2)};
  for (size_t i = 0; i < kernel.size(); ++i) {
    int64_t more = kernel[i] - strides[i] - pads[i] - pads[kernel.size() + i];
    Value size = pieceOf(node, shapeOf(node, value), static_cast<int64_t>(2 + i), 1);
    sizes.push_back(node.make("add", {node.make("mul", {size, node.graph.integers({strides[i]})}),
                                      node.graph.integers({more})}));
  }
  Value shape = concat(node, sizes, 0);
  Value zeros = reshape(node, node.make("fill", {shape, node.numberLike(value, 0)}), {-1});
  Value full = node.make("scatter_elements",
                         {zeros, reshape(node, node.input(1), {-1}), reshape(node, value, {-1})});
  full = node.make("reshape", {full, shape});
  if (!node.input(2)) return node.give(full);
  Value more = node.make("sub", {wide(node, node.input(2)), shape});
  Value none = node.graph.integers(std::vector<int64_t>(*rank, 0));
  Value paddings = concat(node, {expand(node, none, {1}), expand(node, more, {1})}, 1);
  return node.give(node.make("pad_with", {full, paddings, node.numberLike(value, 0)}));
}

llvm::LogicalResult averagePool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(Attr{"count_padding", false, "count_include_pad"}.of(node));
  return node.giveOp("average_pool", {node.input(0)}, *attributes);
}

llvm::LogicalResult lpPool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(Attr{"p", 2}.of(node));
  return node.giveOp("lp_pool", {node.input(0)}, *attributes);
}

// Over all dimensions but batch and channels.
template <OpName reduction>
llvm::LogicalResult globalPool(Node& node) {
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  if (*rank < 3)
    return node.fail("the input has rank " + llvm::Twine(*rank) + ", expected 3 or more");
  std::vector<int64_t> axes(*rank - 2);
  std::iota(axes.begin(), axes.end(), 2);
  return node.giveOp(reduction.text, {node.input(0), node.graph.integers(axes)},
                     {node.graph.attribute("keep_dims", true)});
}

// The p-norm.
llvm::LogicalResult globalLpPool(Node& node) {
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  std::vector<int64_t> axes(*rank - std::min<size_t>(*rank, 2));
  std::iota(axes.begin(), axes.end(), 2);
  const int64_t p = node.integer("p", 2);
  if (p == 1 || p == 2) {
    return node.give(reduce(node, p == 1 ? "reduce_l1" : "reduce_l2", node.input(0), axes, true));
  }
  Value size = node.make("abs", {node.input(0)});
  Value sum =
      reduce(node, "reduce_sum",
             node.make("pow", {size, node.numberLike(size, static_cast<double>(p))}), axes, true);
  return node.give(node.make("pow", {sum, node.numberLike(size, 1 / static_cast<double>(p))}));
}

constexpr NodeRow kWindowRows[] = {
    {"AveragePool", 1, averagePool},
    {"Conv", 1, conv, 2},
    {"ConvInteger", 10, convInteger, 2},
    {"ConvTranspose", 1, convTranspose, 2, "output_shape needs sizes that are known"},
    {"GlobalAveragePool", 1, globalPool<"reduce_mean">},
    {"GlobalLpPool", 2, globalLpPool},
    {"GlobalMaxPool", 1, globalPool<"reduce_max">},
    {"LpPool", 2, lpPool},
    {"MaxPool", 1, maxPool, 1, "storage_order 1 for images of two dimensions alone"},
    {"MaxUnpool", 9, maxUnpool, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> windowRows() { return kWindowRows; }

}  // namespace tfrt::compiler::import
