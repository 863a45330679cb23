// Converts BEF to MLIR.
#ifndef TFRT_LIB_COMPILER_CONVERSION_BEF_TO_MLIR_H_
#define TFRT_LIB_COMPILER_CONVERSION_BEF_TO_MLIR_H_

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tfrt::compiler {

// Restores the module from which `bytes`, a whole BEF file of any alignment, was made. Accepts any
// bytes. Returns null after an error, which is a diagnostic at an unknown location. Weights are
// resources over `bytes`, which must then live as long as the module and its context use them.
//
// The result is verified, unless the file lacks one of its optional sections. In that case, with a
// warning, results have the type `none`, and attributes are meaningless i32 numbers, named attr0,
// attr1, ... Most ops do not verify with these. The module can then be printed (in generic form, as
// MLIR prints modules that do not verify), but not compiled.
mlir::OwningOpRef<mlir::ModuleOp> convertBefToMlir(llvm::StringRef bytes,
                                                   mlir::MLIRContext* context);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_BEF_TO_MLIR_H_
