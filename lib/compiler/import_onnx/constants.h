// Tensors of an ONNX file as attributes.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_CONSTANTS_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_CONSTANTS_H_

#include "lib/compiler/onnx/elements.h"
#include "lib/compiler/onnx/model.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace tfrt::compiler::import {

// Small ones as elements, others as a resource that views the file. Null after an error, which is a
// diagnostic at the location.
mlir::TypedAttr readConstant(const onnx::TensorData& tensor, onnx::ExternalFiles& files,
                             mlir::Location location, mlir::MLIRContext* context);

}  // namespace tfrt::compiler::import

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_CONSTANTS_H_
