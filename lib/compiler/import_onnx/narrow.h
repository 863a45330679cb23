// Values of types that have no dtype here, such as float8.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_NARROW_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_NARROW_H_

#include "node.h"

namespace tfrt::compiler::import {

// Failure if an input is of such a type and the node's op takes none.
llvm::LogicalResult checkNarrow(Node& node);
// Gives the outputs of ops that move elements the type of the inputs.
llvm::LogicalResult followNarrow(Node& node);

// The next output, which is of this type. Success if it is not null.
llvm::LogicalResult giveNarrow(Node& node, mlir::Value value, const onnx::NarrowType& type);
// The value's numbers as those of the type, stored as it is. Floats are rounded and saturated as
// the node's attributes say, integers lose their upper bits.
mlir::Value castToNarrow(Node& node, mlir::Value value, const onnx::NarrowType& type);
// A scale in a shape in which it meets the elements of a value. There is one for all, one for each
// place of the axis, or one for each block of places.
mlir::Value alongAxis(Node& node, mlir::Value scale, mlir::Value like, int64_t axis, int64_t block);

}  // namespace tfrt::compiler::import

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_NARROW_H_
