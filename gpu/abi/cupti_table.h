// CUPTI as a table of function pointers.
#ifndef TFRT_GPU_ABI_CUPTI_TABLE_H_
#define TFRT_GPU_ABI_CUPTI_TABLE_H_

#include "cupti_functions.h"
#include "function_info.h"

namespace tfrt::gpu::cupti {

// As cuda::DriverTable. Pointers to functions that are not required may be null.
struct Table {
#define TFRT_GPU_MEMBER(result, name, is_required, parameters, arguments) \
  result(*name) parameters = nullptr;
  TFRT_CUPTI_FUNCTIONS(TFRT_GPU_MEMBER)
#undef TFRT_GPU_MEMBER
};

// In the order of Table's members.
inline constexpr FunctionInfo kFunctions[] = {
#define TFRT_GPU_INFO(result, name, is_required, parameters, arguments) {#name, 0, is_required},
    TFRT_CUPTI_FUNCTIONS(TFRT_GPU_INFO)
#undef TFRT_GPU_INFO
};

inline constexpr const char* kRangeFunctions[] = {
#define TFRT_GPU_NAME(name) #name,
    TFRT_CUPTI_RANGE_FUNCTIONS(TFRT_GPU_NAME)
#undef TFRT_GPU_NAME
};

}  // namespace tfrt::gpu::cupti

#endif  // TFRT_GPU_ABI_CUPTI_TABLE_H_
