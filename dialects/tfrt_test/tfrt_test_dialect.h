// The tfrt_test dialect: generated declarations.
#ifndef TFRT_DIALECTS_TFRT_TEST_TFRT_TEST_DIALECT_H_
#define TFRT_DIALECTS_TFRT_TEST_TFRT_TEST_DIALECT_H_

#include "dialects/tfrt/tfrt_dialect.h"
#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"

namespace tfrt::compiler {
// `!proto.example`, an opaque type of a dialect that is not registered.
bool isProtoExample(mlir::Type type);
mlir::Type getProtoExampleType(mlir::MLIRContext* context);
}  // namespace tfrt::compiler

#include "dialects/tfrt_test/tfrt_test_ops_dialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/tfrt_test/tfrt_test_ops.h.inc"

#endif  // TFRT_DIALECTS_TFRT_TEST_TFRT_TEST_DIALECT_H_
