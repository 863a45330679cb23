// --graph-quantize: products with constant matrices in 8 bits. Each column of a matrix gets a scale
// of its own, without a zero point; the other factor is quantised when the program runs, by its
// smallest and largest number (graph.dynamic_quantized_matmul).

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph_passes.h"
#include "kept_nodes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/Pass.h"
#include "products.h"
#include "quantized.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_QUANTIZEPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

// The kernel accepts sums of so many products of a u8 and an i8: they fit into 32 bits.
constexpr int64_t kMaxDepth = std::numeric_limits<int32_t>::max() / (255 * 128);

struct ByteMatrix {
  std::vector<int8_t> elements;  // in the order of the f32 ones
  std::vector<float> scales;     // for each column, or row of a transposed matrix
};

// Rounds half to even, to -127 to 127. Null if an element is not finite.
std::shared_ptr<ByteMatrix> quantize(llvm::ArrayRef<char> bytes, int64_t rows, int64_t columns,
                                     bool by_rows) {
  const auto size = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  auto element = [&](size_t i) {
    float value;
    std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
    return value;
  };
  auto group = [&](size_t i) {
    const auto width = static_cast<size_t>(columns);
    return by_rows ? i / width : i % width;
  };
  auto matrix = std::make_shared<ByteMatrix>();
  std::vector<float>& scales = matrix->scales;
  scales.resize(static_cast<size_t>(by_rows ? rows : columns));
  for (size_t i = 0; i < size; ++i) {
    const float magnitude = std::abs(element(i));
    if (!std::isfinite(magnitude)) return nullptr;
    float& largest = scales[group(i)];
    largest = std::max(largest, magnitude);
  }
  // A scale is never 0, also for a column of zeros, whose scale is 1.
  for (float& scale : scales) {
    scale = scale == 0 ? 1 : std::max(scale / 127, std::numeric_limits<float>::denorm_min());
  }
  matrix->elements.resize(size);
  for (size_t i = 0; i < size; ++i) {
    const float rounded = std::nearbyint(element(i) / scales[group(i)]);
    matrix->elements[i] = static_cast<int8_t>(std::clamp(rounded, -127.0f, 127.0f));
  }
  return matrix;
}

template <typename Element>
std::span<const uint8_t> asBytes(const std::vector<Element>& elements) {
  return {reinterpret_cast<const uint8_t*>(elements.data()), elements.size() * sizeof(Element)};
}

Value apply(const Activation& activation, Value value, Replacement& make) {
  GraphBuilder& graph = make.graph();
  if (activation.is_none()) return value;
  if (activation.name == "gelu_tanh") {
    return make.value("gelu", {value}, {graph.attribute("approximate", true)});
  }
  if (activation.name == "clip") {
    const mlir::Type f32 = graph.builder().getF32Type();
    return make.value(
        "clip", {value, graph.number(f32, activation.alpha), graph.number(f32, activation.beta)});
  }
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  const bool is_hard = activation.name == "hard_sigmoid";
  if (is_hard || activation.name == "leaky_relu" || activation.name == "swish" ||
      activation.name == "elu") {
    attributes.push_back(graph.attribute("alpha", activation.alpha));
  }
  if (is_hard) attributes.push_back(graph.attribute("beta", activation.beta));
  return make.value(activation.name, {value}, attributes);
}

class QuantizePass final : public impl::QuantizePassBase<QuantizePass> {
 public:
  using QuantizePassBase::QuantizePassBase;

  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    matrices_.clear();
    KeptNodes kept(keep);
    num_quantized_ = num_products_ = 0;
    ValueFacts facts(function);
    mlir::IRRewriter rewriter(function.getContext(), &facts);
    llvm::SmallVector<Operation*> products;
    // Nothing is printed with a diagnostic but its text: the function has all weights.
    function.walk([&](Operation* op) {
      if (mlir::isa<MatmulOp, BatchMatmulOp, FusedBatchMatmulOp>(op)) products.push_back(op);
    });
    for (Operation* op : products) {
      auto product = productOf(op, facts);
      if (!product || !facts.isConstant(product->b) || facts.isConstant(product->a)) continue;
      ++num_products_;
      const std::string reason = kept.has(op) ? "it is to be kept" : whyNot(*product, facts);
      if (reason.empty()) {
        if (mlir::failed(replace(op, *product, rewriter, facts))) return signalPassFailure();
        ++num_quantized_;
      } else if (remarks) {
        mlir::emitRemark(op->getLoc()) << nodeNameOf(op, "product") << " stays in f32: " << reason;
      }
    }
    if (mlir::failed(kept.checkAllFound(function, "product with a constant matrix"))) {
      return signalPassFailure();
    }
    if (remarks) reportSizes(function);
  }

 private:
  struct Quantized {
    std::shared_ptr<ByteMatrix> matrix;
    Value elements, scales;
    ConstantOp original;
  };

  // Empty if the product can be quantised, whose matrix is then known.
  std::string whyNot(const MatrixProduct& product, ValueFacts& facts) {
    auto constant = product.b.getDefiningOp<ConstantOp>();
    auto type = mlir::cast<mlir::RankedTensorType>(product.b.getType());
    if (!constant) return "its second factor is computed";
    if (type.getRank() != 2) return "its second factor is more than one matrix";
    if (product.transpose_a) return "its first factor is transposed";
    if (facts.rankOf(product.a) < 2) return "its first factor is a vector";
    if (!std::isfinite(product.scale) || product.scale < std::numeric_limits<float>::min()) {
      return "its scale is not positive";
    }
    const bool by_rows = product.transpose_b;
    const int64_t depth = type.getDimSize(by_rows ? 1 : 0);
    if (depth > kMaxDepth) {
      return llvm::formatv("sums of {0} products may leave 32 bits", depth).str();
    }
    const llvm::ArrayRef<char> bytes = bytesOf(constant);
    if (static_cast<int64_t>(bytes.size()) != type.getNumElements() * int64_t{sizeof(float)} ||
        bytes.empty()) {
      return "its matrix has no elements, or one number for all";
    }
    Quantized& quantized = matrices_[{constant, by_rows ? 1u : 0u}];
    if (!quantized.matrix) {
      quantized.matrix = quantize(bytes, type.getDimSize(0), type.getDimSize(1), by_rows);
    }
    if (!quantized.matrix) return "its matrix has elements that are not finite";
    quantized.original = constant;
    const auto scale = static_cast<float>(product.scale);
    if (!llvm::all_of(quantized.matrix->scales,
                      [&](float each) { return isScale(each * scale); })) {
      return "a scale of its columns would not be a normal number";
    }
    return "";
  }

  static Value constantFor(GraphBuilder& graph, mlir::Type element, llvm::ArrayRef<int64_t> sizes,
                           std::span<const uint8_t> bytes, llvm::StringRef name,
                           std::shared_ptr<const void> owner) {
    auto type = mlir::RankedTensorType::get(sizes, element);
    return graph.constant(constantOf(type, bytes, name, std::move(owner)));
  }

  // The constants, beside the one of f32: it is before all its uses.
  static void makeConstants(Quantized& quantized) {
    if (quantized.elements) return;
    ConstantOp constant = quantized.original;
    auto type = mlir::cast<mlir::RankedTensorType>(constant.getType());
    std::string name = "weight";
    if (auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(constant.getValue())) {
      name = resource.getRawHandle().getKey().str();
    }
    mlir::OpBuilder builder(constant);
    builder.setInsertionPointAfter(constant);
    GraphBuilder graph(builder, constant.getLoc());
    const std::shared_ptr<ByteMatrix>& matrix = quantized.matrix;
    quantized.elements =
        constantFor(graph, elementType(DType::kI8, builder.getContext()), type.getShape(),
                    asBytes(matrix->elements), name + "_i8", matrix);
    quantized.scales =
        constantFor(graph, builder.getF32Type(), {static_cast<int64_t>(matrix->scales.size())},
                    asBytes(matrix->scales), name + "_scale", matrix);
  }

  llvm::LogicalResult replace(Operation* op, const MatrixProduct& product,
                              mlir::RewriterBase& rewriter, ValueFacts& facts) {
    auto constant = product.b.getDefiningOp<ConstantOp>();
    Quantized& quantized = matrices_[{constant, product.transpose_b ? 1u : 0u}];
    makeConstants(quantized);
    Replacement make(rewriter, facts, op);
    GraphBuilder& graph = make.graph();
    Value scales = quantized.scales;
    if (product.scale != 1) {
      scales = make.value("mul", {scales, graph.number(rewriter.getF32Type(), product.scale)});
    }
    llvm::SmallVector<mlir::NamedAttribute> attributes;
    if (!product.addend) addActivation(product.activation, graph, attributes);
    if (product.transpose_b) attributes.push_back(graph.attribute("transpose_b", true));
    Value result =
        make.value("dynamic_quantized_matmul",
                   {product.a, quantized.elements, scales, Value(), product.bias}, attributes);
    if (result && product.addend) {
      result = make.value("add", {result, product.addend});
      if (result) result = apply(product.activation, result, make);
    }
    return make.finish(result);
  }

  void reportSizes(mlir::func::FuncOp function) {
    size_t before = 0, after = 0;
    llvm::DenseSet<Operation*> originals;
    for (const auto& [key, quantized] : matrices_) {
      if (!quantized.elements) continue;
      const ByteMatrix& matrix = *quantized.matrix;
      after += matrix.elements.size() + matrix.scales.size() * sizeof(float);
      const size_t size = matrix.elements.size() * sizeof(float);
      if (!originals.insert(quantized.original).second) continue;
      before += size;
      // Other ops may read it, too.
      if (!quantized.original->use_empty()) after += size;
    }
    mlir::emitRemark(function.getLoc())
        << num_quantized_ << " of " << num_products_
        << " products with constant matrices are in 8 bits: " << sizeText(before)
        << " of weights became " << sizeText(after);
  }

  // By constant, and whether each row has a scale.
  llvm::MapVector<std::pair<Operation*, unsigned>, Quantized> matrices_;
  size_t num_quantized_ = 0, num_products_ = 0;
};

}  // namespace

}  // namespace tfrt::compiler::graph
