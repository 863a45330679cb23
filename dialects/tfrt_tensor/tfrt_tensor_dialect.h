// The tfrt_tensor dialect: generated declarations.
#ifndef TFRT_DIALECTS_TFRT_TENSOR_TFRT_TENSOR_DIALECT_H_
#define TFRT_DIALECTS_TFRT_TENSOR_TFRT_TENSOR_DIALECT_H_

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Types.h"

#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tfrt_tensor/tfrt_tensor_types.h.inc"

#endif  // TFRT_DIALECTS_TFRT_TENSOR_TFRT_TENSOR_DIALECT_H_
