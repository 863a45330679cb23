// The tfrt dialect: generated declarations.
#ifndef TFRT_DIALECTS_TFRT_TFRT_DIALECT_H_
#define TFRT_DIALECTS_TFRT_TFRT_DIALECT_H_

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tfrt::compiler {
using mlir::BFloat16Type;  // the generated code names it without its namespace
}  // namespace tfrt::compiler

#include "dialects/tfrt/tfrt_ops_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tfrt/tfrt_ops_types.h.inc"

#define GET_OP_CLASSES
#include "dialects/tfrt/tfrt_ops.h.inc"

#endif  // TFRT_DIALECTS_TFRT_TFRT_DIALECT_H_
