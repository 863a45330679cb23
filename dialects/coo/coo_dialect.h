// The coo dialect: generated declarations.
#ifndef TFRT_DIALECTS_COO_COO_DIALECT_H_
#define TFRT_DIALECTS_COO_COO_DIALECT_H_

#include "dialects/tfrt/tfrt_dialect.h"
#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"

#include "dialects/coo/coo_ops_dialect.h.inc"

#endif  // TFRT_DIALECTS_COO_COO_DIALECT_H_
