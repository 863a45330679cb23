#include "dialects/tfrt_dht_sync/tfrt_dht_sync_dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tfrt_dht_sync/tfrt_dht_sync_ops_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/tfrt_dht_sync/tfrt_dht_sync_ops.cpp.inc"

namespace tfrt::compiler::dht_sync {

void TfrtDhtSyncDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
  addOperations<
#define GET_OP_LIST
#include "dialects/tfrt_dht_sync/tfrt_dht_sync_ops.cpp.inc"
      >();
}

}  // namespace tfrt::compiler::dht_sync
