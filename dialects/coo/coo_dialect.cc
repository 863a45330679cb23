#include "dialects/coo/coo_dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/coo/coo_ops_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/coo/coo_ops.cpp.inc"

namespace tfrt::compiler::coo {

void CooDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
  addOperations<
#define GET_OP_LIST
#include "dialects/coo/coo_ops.cpp.inc"
      >();
}

}  // namespace tfrt::compiler::coo
