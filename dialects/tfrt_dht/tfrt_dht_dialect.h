// The tfrt_dht dialect: generated declarations.
#ifndef TFRT_DIALECTS_TFRT_DHT_TFRT_DHT_DIALECT_H_
#define TFRT_DIALECTS_TFRT_DHT_TFRT_DHT_DIALECT_H_

#include "dialects/ht/ht_dialect.h"
#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"
#include "dialects/ts/ts_dialect.h"

#include "dialects/tfrt_dht/tfrt_dht_ops_dialect.h.inc"

#endif  // TFRT_DIALECTS_TFRT_DHT_TFRT_DHT_DIALECT_H_
