#include "dialects/tfrt_dht/tfrt_dht_dialect.h"

#include "dialects/kernel_ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tfrt_dht/tfrt_dht_ops_dialect.cpp.inc"

namespace tfrt::compiler::dht {

void TfrtDhtDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
#include "dialects/tfrt_dht/tfrt_dht_ops_kernels.inc"
}

}  // namespace tfrt::compiler::dht
