// Device code and constants, as functions that bring them into a context.
#ifndef TFRT_LIB_COMPILER_GPU_GPU_DATA_H_
#define TFRT_LIB_COMPILER_GPU_GPU_DATA_H_

#include <cstdint>
#include <optional>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler::gpu {

// Bytes of a dense memref of known shape; empty for others. Elements take whole bytes.
std::optional<int64_t> sizeOf(mlir::MemRefType type);

// A gpu.module with the string attribute `binary` becomes a function that takes a context and loads
// the code. The array attribute `constants` names globals that it sets, too. An empty string means
// that there is no code. Modules that cannot be converted remain. Fails if none of several has the
// attribute.
mlir::LogicalResult convertDeviceCode(mlir::ModuleOp module);

// A memref.global becomes a function that takes a context and returns a buffer. That is a copy of
// the initial value, or the variable of the module that the attribute `gpu_module` names. Others
// remain. Call convertDeviceCode before, which reads initial values.
void convertGlobals(mlir::ModuleOp module);

}  // namespace tfrt::compiler::gpu

#endif  // TFRT_LIB_COMPILER_GPU_GPU_DATA_H_
