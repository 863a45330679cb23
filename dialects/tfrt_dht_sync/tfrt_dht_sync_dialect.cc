#include "dialects/tfrt_dht_sync/tfrt_dht_sync_dialect.h"

#include "dialects/kernel_ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tfrt_dht_sync/tfrt_dht_sync_ops_dialect.cpp.inc"

namespace tfrt::compiler::dht_sync {

void TfrtDhtSyncDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
#include "dialects/tfrt_dht_sync/tfrt_dht_sync_ops_kernels.inc"
}

}  // namespace tfrt::compiler::dht_sync
