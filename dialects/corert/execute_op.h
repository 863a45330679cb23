// Syntax, checks and folding that corert.executeop, corert.executeop.seq and corert_sync.executeop
// share.
//
//   '(' head ')' "op name" '(' tensor handles ')' [ op attributes [ function attributes ]] [':' N]
//
// N is the number of tensor handles among the results. Both kinds of attributes are written as
// dictionaries and kept as arrays of pairs [name, value], in source order.
#ifndef TFRT_DIALECTS_CORERT_EXECUTE_OP_H_
#define TFRT_DIALECTS_CORERT_EXECUTE_OP_H_

#include <cstddef>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace tfrt::compiler::corert {

// The largest N: a few characters must not cost any amount of memory.
inline constexpr size_t kMaxExecuteOpResults = 65536;

// `head_types` are the types of the operands in the first parentheses. Adds the tensor handles to
// the result types, and the attributes, op_func_attrs only if `keeps_func_attrs`; otherwise the
// second dictionary is read and forgotten.
mlir::ParseResult parseExecuteOp(mlir::OpAsmParser& parser, mlir::OperationState& result,
                                 llvm::ArrayRef<mlir::Type> head_types, bool keeps_func_attrs);

// `op_func_attrs` may be null. Pairs that would not verify are left out.
void printExecuteOp(mlir::OpAsmPrinter& printer, mlir::OperandRange head, mlir::StringAttr op_name,
                    mlir::OperandRange arguments, mlir::ArrayAttr op_attrs,
                    mlir::ArrayAttr op_func_attrs, size_t num_tensor_handles);

// Checks that `pairs`, which are called `kind` in the message, are pairs with a string in front.
mlir::LogicalResult verifyPairs(mlir::Operation* op, mlir::ArrayAttr pairs, llvm::StringRef kind);

// Returns the value of a tf.Const, which is its op attribute `value`. Null if that is no dense one,
// and for other ops. Null also in a function with a memory plan, which counts on every dependency
// between ops.
mlir::Attribute foldExecuteOp(mlir::Operation* op, llvm::StringRef op_name,
                              mlir::ArrayAttr op_attrs);

}  // namespace tfrt::compiler::corert

#endif  // TFRT_DIALECTS_CORERT_EXECUTE_OP_H_
