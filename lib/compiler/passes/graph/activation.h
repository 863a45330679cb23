// Activations as the fused rows of the op table name them.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_ACTIVATION_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_ACTIVATION_H_

#include <optional>

#include "dialects/graph/graph_builder.h"
#include "value_facts.h"

namespace tfrt::compiler::graph {

struct Activation {
  llvm::StringRef name = "none";
  float alpha = 0;
  float beta = 0;

  bool is_none() const { return name == "none"; }
  // Gives the bits that the op alone gives, whatever computes it.
  bool is_exact() const {
    return name == "none" || name == "relu" || name == "clip" || name == "leaky_relu";
  }
};

// Returns the activation if the op is one of f32, on its first operand.
std::optional<Activation> activationOf(mlir::Operation* op, ValueFacts& facts);

// The attributes of a fused row.
void addActivation(const Activation& activation, GraphBuilder& graph,
                   llvm::SmallVectorImpl<mlir::NamedAttribute>& attributes);
Activation activationAttributesOf(mlir::Operation* op);
// The other attributes of a convolution or product, which its plain row has, too.
mlir::NamedAttrList plainAttributesOf(mlir::Operation* op);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_ACTIVATION_H_
