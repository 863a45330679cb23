// The ts dialect: generated declarations.
#ifndef TFRT_DIALECTS_TS_TS_DIALECT_H_
#define TFRT_DIALECTS_TS_TS_DIALECT_H_

#include "dialects/tfrt/tfrt_dialect.h"

#include "dialects/ts/ts_ops_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ts/ts_ops_types.h.inc"

namespace tfrt::compiler::ts {
bool isFixedRankShape(mlir::Type type, unsigned rank);
}  // namespace tfrt::compiler::ts

#endif  // TFRT_DIALECTS_TS_TS_DIALECT_H_
