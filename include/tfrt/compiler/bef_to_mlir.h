// BEF -> MLIR.
#ifndef TFRT_COMPILER_BEF_TO_MLIR_H_
#define TFRT_COMPILER_BEF_TO_MLIR_H_

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tfrt::compiler {

// Restores the module that `bytes`, a whole BEF file of any alignment, was made from. Null after an
// error, which is a diagnostic at an unknown location. Takes any bytes. The result is verified.
mlir::OwningOpRef<mlir::ModuleOp> convertBefToMlir(llvm::StringRef bytes,
                                                   mlir::MLIRContext* context);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_BEF_TO_MLIR_H_
