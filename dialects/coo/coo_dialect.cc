#include "dialects/coo/coo_dialect.h"

#include "dialects/kernel_ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/coo/coo_ops_dialect.cpp.inc"

namespace tfrt::compiler::coo {

void CooDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
#include "dialects/coo/coo_ops_kernels.inc"
}

}  // namespace tfrt::compiler::coo
