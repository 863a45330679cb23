#include "products.h"

namespace tfrt::compiler::graph {

using mlir::Value;

std::optional<MatrixProduct> productOf(mlir::Operation* op, ValueFacts& facts) {
  if (!op || !mlir::isa<MatmulOp, BatchMatmulOp, FusedBatchMatmulOp>(op)) return std::nullopt;
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments.resize(4);
  if (facts.of(op->getResult(0)).dtype != DType::kF32) return std::nullopt;
  if (!facts.rankOf(arguments[0]) || !facts.rankOf(arguments[1])) return std::nullopt;
  MatrixProduct product{arguments[0], arguments[1], arguments[2], arguments[3]};
  product.transpose_a = boolOf(op, "transpose_a");
  product.transpose_b = boolOf(op, "transpose_b");
  if (mlir::isa<FusedBatchMatmulOp>(op)) {
    product.scale = numberOf(op, "scale");
    product.activation = activationAttributesOf(op);
  }
  return product;
}

std::optional<MatrixProduct> productFor(Value value, ValueFacts& facts) {
  return productOf(madeForOne<MatmulOp, BatchMatmulOp, FusedBatchMatmulOp>(value), facts);
}

Value putProduct(const MatrixProduct& product, Replacement& make, ValueFacts& facts) {
  GraphBuilder& graph = make.graph();
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  const bool is_plain = product.is_bare() && product.scale == 1;
  if (!is_plain) addActivation(product.activation, graph, attributes);
  if (product.scale != 1) {
    attributes.push_back(graph.attribute("scale", static_cast<float>(product.scale)));
  }
  if (product.transpose_a) attributes.push_back(graph.attribute("transpose_a", true));
  if (product.transpose_b) attributes.push_back(graph.attribute("transpose_b", true));
  if (is_plain) {
    const bool are_matrices = facts.rankOf(product.a) == 2 && facts.rankOf(product.b) == 2;
    return make.value(are_matrices ? "matmul" : "batch_matmul", {product.a, product.b}, attributes);
  }
  return make.value("fused_batch_matmul", {product.a, product.b, product.bias, product.addend},
                    attributes);
}

}  // namespace tfrt::compiler::graph
