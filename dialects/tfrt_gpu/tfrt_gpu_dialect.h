// The tfrt_gpu dialect: generated declarations.
#ifndef TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_DIALECT_H_
#define TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_DIALECT_H_

#include "dialects/ht/ht_dialect.h"
#include "dialects/tfrt/tfrt_dialect.h"
#include "dialects/tfrt_gpu/gpu_enum_syntax.h"
#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"
#include "dialects/ts/ts_dialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "dialects/tfrt_gpu/tfrt_gpu_ops_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tfrt_gpu/tfrt_gpu_ops_types.h.inc"

#define GET_OP_CLASSES
#include "dialects/tfrt_gpu/tfrt_gpu_ops.h.inc"

#endif  // TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_DIALECT_H_
