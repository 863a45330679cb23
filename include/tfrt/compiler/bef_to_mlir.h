// BEF -> MLIR.
#ifndef TFRT_COMPILER_BEF_TO_MLIR_H_
#define TFRT_COMPILER_BEF_TO_MLIR_H_

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tfrt::compiler {

// Restores the module that `bytes`, a whole BEF file of any alignment, was made from. Null after an
// error, which is a diagnostic at an unknown location. Takes any bytes. Weights are resources over
// `bytes`, which must then live as long as the module and its context use them.
//
// The result is verified, unless the file lacks one of its optional sections. Then, with a warning,
// results have the type `none`, and attributes are i32 numbers that mean nothing, named attr0,
// attr1, ... Most ops do not verify with these; the module can be printed (in generic form, as MLIR
// prints what does not verify), but not compiled.
mlir::OwningOpRef<mlir::ModuleOp> convertBefToMlir(llvm::StringRef bytes,
                                                   mlir::MLIRContext* context);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_BEF_TO_MLIR_H_
