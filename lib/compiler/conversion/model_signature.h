// Reads and sets the attributes graph.* of a module that describe a model to its users. These are
// names of inputs and results, names of sizes, and metadata.
#ifndef TFRT_LIB_COMPILER_CONVERSION_MODEL_SIGNATURE_H_
#define TFRT_LIB_COMPILER_CONVERSION_MODEL_SIGNATURE_H_

#include <optional>

#include "mlir/Support/LLVM.h"
#include "tfrt/bef/bef_builder.h"

namespace mlir {
class ModuleOp;
class NamedAttribute;
namespace func {
class FuncOp;
}
}  // namespace mlir

namespace tfrt::compiler {

// Returns true for `graph.producer = "pytorch 2.1"` and `graph.metadata = {key = "value"}`, which
// are then part of the builder's file.
bool addModelAttribute(mlir::NamedAttribute attribute, bef::BefBuilder* builder);

// Reads the signature of a function whose arguments or results have `graph.name = "x"` attributes;
// none without. `graph.dims = ["batch", ""]` names sizes that are unknown in the type. Arguments
// that have names are the first ones. An error is a diagnostic at the function.
llvm::LogicalResult readSignature(mlir::func::FuncOp function,
                                  std::optional<bef::FunctionSignature>* signature);

// Sets the module's attributes from the signatures of a file.
void setModelAttributes(const bef::Signatures& signatures, mlir::ModuleOp module);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_MODEL_SIGNATURE_H_
