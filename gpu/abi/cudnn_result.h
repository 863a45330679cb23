// The codes that functions of cuDNN return.
//
// Names and values are the vendor's, as in cuda_result.h. Those of one thousand are of one kind,
// and libraries before 9.0 had other values: kMinCudnnVersion excludes them.
#ifndef TFRT_GPU_ABI_CUDNN_RESULT_H_
#define TFRT_GPU_ABI_CUDNN_RESULT_H_

#include <cstdint>
#include <string_view>

// X(name, value, code) for each code, by value. The last is the name of the tfrt::StatusCode that
// it becomes.
#define TFRT_CUDNN_RESULTS(X)                                                           \
  X(CUDNN_STATUS_SUCCESS, 0, kOk)                                                       \
  X(CUDNN_STATUS_NOT_INITIALIZED, 1001, kFailedPrecondition)                            \
  X(CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH, 1002, kFailedPrecondition)                \
  X(CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH, 1003, kFailedPrecondition)             \
  X(CUDNN_STATUS_DEPRECATED, 1004, kFailedPrecondition)                                 \
  X(CUDNN_STATUS_LICENSE_ERROR, 1005, kPermissionDenied)                                \
  X(CUDNN_STATUS_RUNTIME_IN_PROGRESS, 1006, kUnavailable)                               \
  X(CUDNN_STATUS_RUNTIME_FP_OVERFLOW, 1007, kInternal)                                  \
  X(CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED, 1008, kFailedPrecondition)                  \
  X(CUDNN_STATUS_BAD_PARAM, 2000, kInvalidArgument)                                     \
  X(CUDNN_STATUS_INVALID_VALUE, 2001, kInvalidArgument)                                 \
  X(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, 2002, kInvalidArgument)                        \
  X(CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER, 2003, kInvalidArgument)                  \
  X(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, 2004, kInvalidArgument)                       \
  X(CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, 2005, kInvalidArgument)                        \
  X(CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT, 2006, kInvalidArgument)                   \
  X(CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH, 2007, kInvalidArgument)                     \
  X(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, 2008, kInvalidArgument)                      \
  X(CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES, 2009, kInvalidArgument)                  \
  X(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, 2010, kInvalidArgument)                      \
  X(CUDNN_STATUS_BAD_PARAM_CUDA_GRAPH_MISMATCH, 2011, kInvalidArgument)                 \
  X(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, 2012, kInvalidArgument)                     \
  X(CUDNN_STATUS_NOT_SUPPORTED, 3000, kUnimplemented)                                   \
  X(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, 3001, kUnimplemented)                     \
  X(CUDNN_STATUS_NOT_SUPPORTED_SHAPE, 3002, kUnimplemented)                             \
  X(CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE, 3003, kUnimplemented)                         \
  X(CUDNN_STATUS_NOT_SUPPORTED_LAYOUT, 3004, kUnimplemented)                            \
  X(CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER, 3005, kFailedPrecondition)     \
  X(CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART, 3006, kFailedPrecondition)          \
  X(CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH, 3007, kUnimplemented)                     \
  X(CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING, 3008, kFailedPrecondition) \
  X(CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE, 3009, kFailedPrecondition)       \
  X(CUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT, 3010, kUnimplemented)        \
  X(CUDNN_STATUS_NOT_SUPPORTED_PADDING, 3011, kUnimplemented)                           \
  X(CUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM, 3012, kUnimplemented)                  \
  X(CUDNN_STATUS_NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API, 3013, kUnimplemented)             \
  X(CUDNN_STATUS_NOT_SUPPORTED_INVALID_DYNAMIC_SHAPE, 3014, kUnimplemented)             \
  X(CUDNN_STATUS_INTERNAL_ERROR, 4000, kInternal)                                       \
  X(CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED, 4001, kInternal)                    \
  X(CUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE, 4002, kInternal)                      \
  X(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, 4003, kResourceExhausted)       \
  X(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, 4004, kResourceExhausted)     \
  X(CUDNN_STATUS_INTERNAL_ERROR_BAD_LAUNCH_PARAM, 4005, kInternal)                      \
  X(CUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED, 4006, kInternal)               \
  X(CUDNN_STATUS_EXECUTION_FAILED, 5000, kInternal)                                     \
  X(CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER, 5001, kInternal)                         \
  X(CUDNN_STATUS_EXECUTION_FAILED_CUBLAS, 5002, kInternal)                              \
  X(CUDNN_STATUS_EXECUTION_FAILED_CUDART, 5003, kInternal)                              \
  X(CUDNN_STATUS_EXECUTION_FAILED_CURAND, 5004, kInternal)

namespace tfrt::gpu::cudnn {

enum cudnnStatus_t : uint32_t {
#define TFRT_CUDNN_RESULT(name, value, code) name = value,
  TFRT_CUDNN_RESULTS(TFRT_CUDNN_RESULT)
#undef TFRT_CUDNN_RESULT
};

// The vendor's name; empty for a code that the table lacks. Needs no library.
std::string_view ResultName(cudnnStatus_t result);

}  // namespace tfrt::gpu::cudnn

#endif  // TFRT_GPU_ABI_CUDNN_RESULT_H_
