// The ht dialect: generated declarations.
#ifndef TFRT_DIALECTS_HT_HT_DIALECT_H_
#define TFRT_DIALECTS_HT_HT_DIALECT_H_

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Types.h"

#include "dialects/ht/ht_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ht/ht_types.h.inc"

#endif  // TFRT_DIALECTS_HT_HT_DIALECT_H_
