// The codes that functions of CUPTI return.
//
// Names and values are the vendor's, as in cuda_result.h.
#ifndef TFRT_GPU_ABI_CUPTI_RESULT_H_
#define TFRT_GPU_ABI_CUPTI_RESULT_H_

#include <cstdint>
#include <string_view>

// X(name, value) for each code, by value.
#define TFRT_CUPTI_RESULTS(X)                                      \
  X(CUPTI_SUCCESS, 0)                                              \
  X(CUPTI_ERROR_INVALID_PARAMETER, 1)                              \
  X(CUPTI_ERROR_INVALID_DEVICE, 2)                                 \
  X(CUPTI_ERROR_INVALID_CONTEXT, 3)                                \
  X(CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID, 4)                        \
  X(CUPTI_ERROR_INVALID_EVENT_ID, 5)                               \
  X(CUPTI_ERROR_INVALID_EVENT_NAME, 6)                             \
  X(CUPTI_ERROR_INVALID_OPERATION, 7)                              \
  X(CUPTI_ERROR_OUT_OF_MEMORY, 8)                                  \
  X(CUPTI_ERROR_HARDWARE, 9)                                       \
  X(CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT, 10)                 \
  X(CUPTI_ERROR_API_NOT_IMPLEMENTED, 11)                           \
  X(CUPTI_ERROR_MAX_LIMIT_REACHED, 12)                             \
  X(CUPTI_ERROR_NOT_READY, 13)                                     \
  X(CUPTI_ERROR_NOT_COMPATIBLE, 14)                                \
  X(CUPTI_ERROR_NOT_INITIALIZED, 15)                               \
  X(CUPTI_ERROR_INVALID_METRIC_ID, 16)                             \
  X(CUPTI_ERROR_INVALID_METRIC_NAME, 17)                           \
  X(CUPTI_ERROR_QUEUE_EMPTY, 18)                                   \
  X(CUPTI_ERROR_INVALID_HANDLE, 19)                                \
  X(CUPTI_ERROR_INVALID_STREAM, 20)                                \
  X(CUPTI_ERROR_INVALID_KIND, 21)                                  \
  X(CUPTI_ERROR_INVALID_EVENT_VALUE, 22)                           \
  X(CUPTI_ERROR_DISABLED, 23)                                      \
  X(CUPTI_ERROR_INVALID_MODULE, 24)                                \
  X(CUPTI_ERROR_INVALID_METRIC_VALUE, 25)                          \
  X(CUPTI_ERROR_HARDWARE_BUSY, 26)                                 \
  X(CUPTI_ERROR_NOT_SUPPORTED, 27)                                 \
  X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED, 28)                    \
  X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE, 29)          \
  X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES, 30) \
  X(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS, 31)           \
  X(CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED, 32)                     \
  X(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, 33)              \
  X(CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE, 34)                  \
  X(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, 35)                       \
  X(CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, 36)                  \
  X(CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE, 37)                     \
  X(CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, 38)                 \
  X(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, 39)            \
  X(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, 40)    \
  X(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, 41)          \
  X(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, 42)                      \
  X(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, 43)                      \
  X(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, 44)                      \
  X(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, 45)                      \
  X(CUPTI_ERROR_INVALID_CHIP_NAME, 46)                             \
  X(CUPTI_ERROR_UNKNOWN, 999)

namespace tfrt::gpu::cupti {

enum CUptiResult : uint32_t {
#define TFRT_CUPTI_RESULT(name, value) name = value,
  TFRT_CUPTI_RESULTS(TFRT_CUPTI_RESULT)
#undef TFRT_CUPTI_RESULT
};

// The vendor's name; empty for a code that the table lacks. Needs no library.
std::string_view ResultName(CUptiResult result);

}  // namespace tfrt::gpu::cupti

#endif  // TFRT_GPU_ABI_CUPTI_RESULT_H_
