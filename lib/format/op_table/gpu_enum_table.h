// The rows behind gpu_enums.h.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_GPU_ENUM_TABLE_H_
#define TFRT_LIB_FORMAT_OP_TABLE_GPU_ENUM_TABLE_H_

#include <span>

#include "gpu_enums.h"

namespace tfrt {

// By GpuEnum.
std::span<const GpuEnumInfo> GpuEnumTable();

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_GPU_ENUM_TABLE_H_
