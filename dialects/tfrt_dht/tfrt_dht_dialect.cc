#include "dialects/tfrt_dht/tfrt_dht_dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tfrt_dht/tfrt_dht_ops_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/tfrt_dht/tfrt_dht_ops.cpp.inc"

namespace tfrt::compiler::dht {

void TfrtDhtDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
  addOperations<
#define GET_OP_LIST
#include "dialects/tfrt_dht/tfrt_dht_ops.cpp.inc"
      >();
}

}  // namespace tfrt::compiler::dht
