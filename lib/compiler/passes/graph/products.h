// Matrix products, plain or fused, taken apart and put together again.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_PRODUCTS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_PRODUCTS_H_

#include <optional>

#include "activation.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

// activation(scale * a * b + bias + addend), of the last two dimensions, the others broadcast.
struct MatrixProduct {
  mlir::Value a, b, bias, addend;
  bool transpose_a = false, transpose_b = false;
  double scale = 1;
  Activation activation;

  // Nothing but the product and its scale.
  bool is_bare() const { return !bias && !addend && activation.is_none(); }
};

// Accepts ops of f32 and of known ranks.
std::optional<MatrixProduct> productOf(mlir::Operation* op, ValueFacts& facts);
// The one that makes a value which nothing else uses.
std::optional<MatrixProduct> productFor(mlir::Value value, ValueFacts& facts);
// As the plainest op that there is for it.
mlir::Value putProduct(const MatrixProduct& product, Replacement& make, ValueFacts& facts);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_PRODUCTS_H_
