// The corert_sync dialect: generated declarations.
#ifndef TFRT_DIALECTS_CORERT_SYNC_CORERT_SYNC_DIALECT_H_
#define TFRT_DIALECTS_CORERT_SYNC_CORERT_SYNC_DIALECT_H_

#include "dialects/corert/corert_dialect.h"

#include "dialects/corert_sync/corert_sync_ops_dialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/corert_sync/corert_sync_ops.h.inc"

#endif  // TFRT_DIALECTS_CORERT_SYNC_CORERT_SYNC_DIALECT_H_
