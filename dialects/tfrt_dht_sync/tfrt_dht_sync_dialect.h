// The tfrt_dht_sync dialect: generated declarations.
#ifndef TFRT_DIALECTS_TFRT_DHT_SYNC_TFRT_DHT_SYNC_DIALECT_H_
#define TFRT_DIALECTS_TFRT_DHT_SYNC_TFRT_DHT_SYNC_DIALECT_H_

#include "dialects/ht/ht_dialect.h"
#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"
#include "dialects/ts/ts_dialect.h"

#include "dialects/tfrt_dht_sync/tfrt_dht_sync_ops_dialect.h.inc"

#endif  // TFRT_DIALECTS_TFRT_DHT_SYNC_TFRT_DHT_SYNC_DIALECT_H_
