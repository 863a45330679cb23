// The functions of cuDNN that we call, as a list for the preprocessor.
//
// Each entry is X(result, name, since, parameters, arguments), as in cuda_driver_functions.h. The
// number `since` is a version of the library, as kMinCudnnVersion is: up to that one, no library
// may lack the function.
#ifndef TFRT_GPU_ABI_CUDNN_FUNCTIONS_H_
#define TFRT_GPU_ABI_CUDNN_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "cudnn_result.h"
#include "cudnn_types.h"

// clang-format off
#define TFRT_CUDNN_HANDLE_FUNCTIONS(X) \
  X(size_t, cudnnGetVersion, 7000, (), ()) \
  X(const char*, cudnnGetErrorString, 7000, (cudnnStatus_t status), (status)) \
  X(void, cudnnGetLastErrorString, 90000, (char* message, size_t size_bytes), \
    (message, size_bytes)) \
  X(cudnnStatus_t, cudnnCreate, 7000, (cudnnHandle_t* handle), (handle)) \
  X(cudnnStatus_t, cudnnDestroy, 7000, (cudnnHandle_t handle), (handle)) \
  X(cudnnStatus_t, cudnnSetStream, 7000, (cudnnHandle_t handle, CUstream stream), \
    (handle, stream))

#define TFRT_CUDNN_DESCRIPTOR_FUNCTIONS(X) \
  X(cudnnStatus_t, cudnnCreateTensorDescriptor, 7000, (cudnnTensorDescriptor_t* tensor), \
    (tensor)) \
  X(cudnnStatus_t, cudnnSetTensorNdDescriptor, 7000, \
    (cudnnTensorDescriptor_t tensor, cudnnDataType_t type, int num_dims, const int* dims, \
     const int* strides), (tensor, type, num_dims, dims, strides)) \
  X(cudnnStatus_t, cudnnSetTensorNdDescriptorEx, 7000, \
    (cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format, cudnnDataType_t type, \
     int num_dims, const int* dims), (tensor, format, type, num_dims, dims)) \
  X(cudnnStatus_t, cudnnDestroyTensorDescriptor, 7000, (cudnnTensorDescriptor_t tensor), \
    (tensor)) \
  X(cudnnStatus_t, cudnnCreateFilterDescriptor, 7000, (cudnnFilterDescriptor_t* filter), \
    (filter)) \
  X(cudnnStatus_t, cudnnSetFilterNdDescriptor, 7000, \
    (cudnnFilterDescriptor_t filter, cudnnDataType_t type, cudnnTensorFormat_t format, \
     int num_dims, const int* dims), (filter, type, format, num_dims, dims)) \
  X(cudnnStatus_t, cudnnDestroyFilterDescriptor, 7000, (cudnnFilterDescriptor_t filter), \
    (filter)) \
  X(cudnnStatus_t, cudnnCreateConvolutionDescriptor, 7000, \
    (cudnnConvolutionDescriptor_t* convolution), (convolution)) \
  X(cudnnStatus_t, cudnnSetConvolutionNdDescriptor, 7000, \
    (cudnnConvolutionDescriptor_t convolution, int num_spatial_dims, const int* paddings, \
     const int* strides, const int* dilations, cudnnConvolutionMode_t mode, \
     cudnnDataType_t compute_type), \
    (convolution, num_spatial_dims, paddings, strides, dilations, mode, compute_type)) \
  X(cudnnStatus_t, cudnnSetConvolutionMathType, 7000, \
    (cudnnConvolutionDescriptor_t convolution, cudnnMathType_t type), (convolution, type)) \
  X(cudnnStatus_t, cudnnDestroyConvolutionDescriptor, 7000, \
    (cudnnConvolutionDescriptor_t convolution), (convolution)) \
  X(cudnnStatus_t, cudnnCreatePoolingDescriptor, 7000, (cudnnPoolingDescriptor_t* pooling), \
    (pooling)) \
  X(cudnnStatus_t, cudnnSetPoolingNdDescriptor, 7000, \
    (cudnnPoolingDescriptor_t pooling, cudnnPoolingMode_t mode, cudnnNanPropagation_t nan, \
     int num_spatial_dims, const int* window, const int* paddings, const int* strides), \
    (pooling, mode, nan, num_spatial_dims, window, paddings, strides)) \
  X(cudnnStatus_t, cudnnDestroyPoolingDescriptor, 7000, (cudnnPoolingDescriptor_t pooling), \
    (pooling)) \
  X(cudnnStatus_t, cudnnCreateActivationDescriptor, 7000, \
    (cudnnActivationDescriptor_t* activation), (activation)) \
  X(cudnnStatus_t, cudnnSetActivationDescriptor, 7000, \
    (cudnnActivationDescriptor_t activation, cudnnActivationMode_t mode, \
     cudnnNanPropagation_t nan, double coefficient), (activation, mode, nan, coefficient)) \
  X(cudnnStatus_t, cudnnDestroyActivationDescriptor, 7000, \
    (cudnnActivationDescriptor_t activation), (activation))

#define TFRT_CUDNN_OPERATION_FUNCTIONS(X) \
  X(cudnnStatus_t, cudnnPoolingForward, 7000, \
    (cudnnHandle_t handle, cudnnPoolingDescriptor_t pooling, const void* alpha, \
     cudnnTensorDescriptor_t x_tensor, const void* x, const void* beta, \
     cudnnTensorDescriptor_t y_tensor, void* y), \
    (handle, pooling, alpha, x_tensor, x, beta, y_tensor, y)) \
  X(cudnnStatus_t, cudnnPoolingBackward, 7000, \
    (cudnnHandle_t handle, cudnnPoolingDescriptor_t pooling, const void* alpha, \
     cudnnTensorDescriptor_t y_tensor, const void* y, cudnnTensorDescriptor_t dy_tensor, \
     const void* dy, cudnnTensorDescriptor_t x_tensor, const void* x, const void* beta, \
     cudnnTensorDescriptor_t dx_tensor, void* dx), \
    (handle, pooling, alpha, y_tensor, y, dy_tensor, dy, x_tensor, x, beta, dx_tensor, dx)) \
  X(cudnnStatus_t, cudnnConvolutionForward, 7000, \
    (cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x_tensor, const void* x, \
     cudnnFilterDescriptor_t w_filter, const void* w, cudnnConvolutionDescriptor_t convolution, \
     cudnnConvolutionFwdAlgo_t algorithm, void* workspace, size_t workspace_bytes, \
     const void* beta, cudnnTensorDescriptor_t y_tensor, void* y), \
    (handle, alpha, x_tensor, x, w_filter, w, convolution, algorithm, workspace, \
     workspace_bytes, beta, y_tensor, y)) \
  X(cudnnStatus_t, cudnnConvolutionBackwardData, 7000, \
    (cudnnHandle_t handle, const void* alpha, cudnnFilterDescriptor_t w_filter, const void* w, \
     cudnnTensorDescriptor_t dy_tensor, const void* dy, \
     cudnnConvolutionDescriptor_t convolution, cudnnConvolutionBwdDataAlgo_t algorithm, \
     void* workspace, size_t workspace_bytes, const void* beta, \
     cudnnTensorDescriptor_t dx_tensor, void* dx), \
    (handle, alpha, w_filter, w, dy_tensor, dy, convolution, algorithm, workspace, \
     workspace_bytes, beta, dx_tensor, dx)) \
  X(cudnnStatus_t, cudnnConvolutionBackwardFilter, 7000, \
    (cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x_tensor, const void* x, \
     cudnnTensorDescriptor_t dy_tensor, const void* dy, \
     cudnnConvolutionDescriptor_t convolution, cudnnConvolutionBwdFilterAlgo_t algorithm, \
     void* workspace, size_t workspace_bytes, const void* beta, \
     cudnnFilterDescriptor_t dw_filter, void* dw), \
    (handle, alpha, x_tensor, x, dy_tensor, dy, convolution, algorithm, workspace, \
     workspace_bytes, beta, dw_filter, dw)) \
  X(cudnnStatus_t, cudnnConvolutionBiasActivationForward, 7000, \
    (cudnnHandle_t handle, const void* alpha1, cudnnTensorDescriptor_t x_tensor, \
     const void* x, cudnnFilterDescriptor_t w_filter, const void* w, \
     cudnnConvolutionDescriptor_t convolution, cudnnConvolutionFwdAlgo_t algorithm, \
     void* workspace, size_t workspace_bytes, const void* alpha2, \
     cudnnTensorDescriptor_t z_tensor, const void* z, cudnnTensorDescriptor_t bias_tensor, \
     const void* bias, cudnnActivationDescriptor_t activation, \
     cudnnTensorDescriptor_t y_tensor, void* y), \
    (handle, alpha1, x_tensor, x, w_filter, w, convolution, algorithm, workspace, \
     workspace_bytes, alpha2, z_tensor, z, bias_tensor, bias, activation, y_tensor, y))

#define TFRT_CUDNN_GRAPH_FUNCTIONS(X) \
  X(cudnnStatus_t, cudnnBackendCreateDescriptor, 8000, \
    (cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor), \
    (type, descriptor)) \
  X(cudnnStatus_t, cudnnBackendDestroyDescriptor, 8000, (cudnnBackendDescriptor_t descriptor), \
    (descriptor)) \
  X(cudnnStatus_t, cudnnBackendFinalize, 8000, (cudnnBackendDescriptor_t descriptor), \
    (descriptor)) \
  X(cudnnStatus_t, cudnnBackendSetAttribute, 8000, \
    (cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name, \
     cudnnBackendAttributeType_t type, int64_t num_elements, const void* elements), \
    (descriptor, name, type, num_elements, elements)) \
  X(cudnnStatus_t, cudnnBackendGetAttribute, 8000, \
    (cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name, \
     cudnnBackendAttributeType_t type, int64_t max_elements, int64_t* num_elements, \
     void* elements), (descriptor, name, type, max_elements, num_elements, elements)) \
  X(cudnnStatus_t, cudnnBackendExecute, 8000, \
    (cudnnHandle_t handle, cudnnBackendDescriptor_t plan, \
     cudnnBackendDescriptor_t variant_pack), (handle, plan, variant_pack))
// clang-format on

#define TFRT_CUDNN_FUNCTIONS(X)      \
  TFRT_CUDNN_HANDLE_FUNCTIONS(X)     \
  TFRT_CUDNN_DESCRIPTOR_FUNCTIONS(X) \
  TFRT_CUDNN_OPERATION_FUNCTIONS(X)  \
  TFRT_CUDNN_GRAPH_FUNCTIONS(X)

#endif  // TFRT_GPU_ABI_CUDNN_FUNCTIONS_H_
