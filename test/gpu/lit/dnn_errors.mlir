// What the kernels of cuDNN refuse, and what it refuses itself.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %h = tfrt_gpu.dnn.create %ctx
  tfrt.return %ctx, %s, %al, %h : !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle
}

// CHECK-LABEL: 'tensors'
func.func @tensors() -> (!tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor) {
  // expected-error @+1 {{Expected dimensions and strides to be equal size (2 and 3)}}
  %0 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32], [1 : i32, 1 : i32, 1 : i32]
  // expected-error @+1 {{a tensor of 9 dimensions; the most are 8}}
  %1 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32], [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]
  // expected-error @+1 {{cudnnSetTensorNdDescriptor: CUDNN_STATUS_BAD_PARAM (dims[d] > 0)}}
  %2 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 0 : i32, 1 : i32, 1 : i32], [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  // expected-error @+1 {{Unsupported platform ROCm}}
  %3 = tfrt_gpu.dnn.create_tensor_descriptor miopenFloat, [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  // expected-error @+1 {{stride -1 is negative}}
  %4 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [2 : i32, 2 : i32], [2 : i32, -1 : i32]
  tfrt.return %0, %1, %2, %3, %4 : !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor, !tfrt_gpu.dnn.tensor.descriptor
}

// CHECK-LABEL: 'vectors'
func.func @vectors() -> !tfrt_gpu.dnn.tensor.descriptor {
  // expected-error @+1 {{1000000000 vectors of channels are too many}}
  %0 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_INT8x4, [1 : i32, 1000000000 : i32, 1 : i32, 1 : i32], [1000000000 : i32, 1 : i32, 1 : i32, 1 : i32]
  tfrt.return %0 : !tfrt_gpu.dnn.tensor.descriptor
}

// CHECK-LABEL: 'filters'
func.func @filters() -> (!tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.filter.descriptor) {
  // expected-error @+1 {{cudnnSetFilterNdDescriptor: CUDNN_STATUS_BAD_PARAM}}
  %0 = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_FLOAT, 7, [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  // expected-error @+1 {{Unsupported platform ROCm}}
  %1 = tfrt_gpu.dnn.create_filter_descriptor miopenHalf, 0, [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  tfrt.return %0, %1 : !tfrt_gpu.dnn.filter.descriptor, !tfrt_gpu.dnn.filter.descriptor
}

// CHECK-LABEL: 'convolutions'
func.func @convolutions() -> (!tfrt_gpu.dnn.convolution.descriptor, !tfrt_gpu.dnn.convolution.descriptor, !tfrt_gpu.dnn.convolution.descriptor, !tfrt_gpu.dnn.convolution.descriptor) {
  // expected-error @+1 {{Expected pad and filter_stride to be equal size (1 and 2)}}
  %0 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [0 : i32], [1 : i32, 1 : i32], [1 : i32]
  // expected-error @+1 {{Expected pad and dilation to be equal size (1 and 2)}}
  %1 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [0 : i32], [1 : i32], [1 : i32, 1 : i32]
  // expected-error @+1 {{convolutions are not computed in CUDNN_DATA_UINT8}}
  %2 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_UINT8, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [0 : i32], [1 : i32], [1 : i32]
  // expected-error @+1 {{cudnnSetConvolutionNdDescriptor: CUDNN_STATUS_BAD_PARAM (strides[d] > 0)}}
  %3 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [0 : i32], [0 : i32], [1 : i32]
  tfrt.return %0, %1, %2, %3 : !tfrt_gpu.dnn.convolution.descriptor, !tfrt_gpu.dnn.convolution.descriptor, !tfrt_gpu.dnn.convolution.descriptor, !tfrt_gpu.dnn.convolution.descriptor
}

// CHECK-LABEL: 'windows'
func.func @windows() -> (!tfrt_gpu.dnn.pooling.descriptor, !tfrt_gpu.dnn.pooling.descriptor, !tfrt_gpu.dnn.pooling.descriptor, !tfrt_gpu.dnn.pooling.descriptor) {
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %zero = tfrt.constant.ui32 0
  %three = tfrt.constant.ui32 3
  // expected-error @+1 {{pooling mode 3 is not 0, 1 or 2}}
  %0 = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %three, %zero, [2 : i32], [0 : i32], [1 : i32]
  // expected-error @+1 {{NaN propagation 3 is not 0 or 1}}
  %1 = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %zero, %three, [2 : i32], [0 : i32], [1 : i32]
  // expected-error @+1 {{Expected window_dimensions and paddings to be equal size (1 and 2)}}
  %2 = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %zero, %zero, [2 : i32], [0 : i32, 0 : i32], [1 : i32]
  // expected-error @+1 {{Expected window_dimensions and strides to be equal size (1 and 2)}}
  %3 = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %zero, %zero, [2 : i32], [0 : i32], [1 : i32, 1 : i32]
  tfrt.return %0, %1, %2, %3 : !tfrt_gpu.dnn.pooling.descriptor, !tfrt_gpu.dnn.pooling.descriptor, !tfrt_gpu.dnn.pooling.descriptor, !tfrt_gpu.dnn.pooling.descriptor
}

// A type of sums that does not fit, an algorithm that there is not, a workspace that is too small.
// CHECK-LABEL: 'unsupported'
func.func @unsupported() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %xd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 2 : i32, 2 : i32], [4 : i32, 4 : i32, 2 : i32, 1 : i32]
  %wd = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_FLOAT, 0, [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  %conv = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [0 : i32, 0 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  %in_f64 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_DOUBLE, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [0 : i32, 0 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  %padded = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [1 : i32, 1 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  %size = tfrt.constant.i64 16
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %y = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %none = tfrt.constant.i64 0
  %workspace = tfrt_gpu.mem.allocate %al, %s, %none, %c0
  %plain = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
  %direct = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_DIRECT
  %gemm = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_GEMM
  // expected-error @+1 {{cudnnConvolutionForward: CUDNN_STATUS_NOT_SUPPORTED (a combination of types)}}
  %c1 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %x, %in_f64, %plain, %workspace, %xd, %y, %c0
  // expected-error @+1 {{cudnnConvolutionForward: CUDNN_STATUS_NOT_SUPPORTED (CUDNN_CONVOLUTION_FWD_ALGO_DIRECT)}}
  %c2 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %x, %conv, %direct, %workspace, %xd, %y, %c0
  // expected-error @+1 {{cudnnConvolutionForward: CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT (the workspace is too small)}}
  %c3 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %x, %conv, %gemm, %workspace, %xd, %y, %c0
  // expected-error @+1 {{cudnnConvolutionForward: CUDNN_STATUS_BAD_PARAM (made->IsConsistent())}}
  %c4 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %x, %padded, %plain, %workspace, %xd, %y, %c0
  // expected-error @+1 {{Unsupported platform ROCm}}
  %c5 = tfrt_gpu.dnn.convolution_forward %h, %s, miopenFloat, %xd, %x, %wd, %x, %conv, %plain, %workspace, %xd, %y, %c0
  tfrt.return %c1, %c2, %c3, %c4, %c5 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// Descriptors of more than buffers hold. Pooling takes them as far as a buffer's block goes: some programs look at the
// first elements alone.
// CHECK-LABEL: 'too_small'
func.func @too_small() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %xd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 32 : i32, 32 : i32], [1024 : i32, 1024 : i32, 32 : i32, 1 : i32]
  %wd = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_FLOAT, 0, [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  %conv = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [0 : i32, 0 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  %algo = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
  %mode = tfrt.constant.ui32 0
  %pool = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %mode, %mode, [1 : i32, 1 : i32], [0 : i32, 0 : i32], [1 : i32, 1 : i32]
  %size = tfrt.constant.i64 16
  %offset = tfrt.constant.ui64 4
  %part = tfrt.constant.ui64 8
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %view = tfrt_gpu.mem.view %x, %offset, %part
  %one = tfrt.constant.f32 1.0
  %small = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 2 : i32, 2 : i32], [4 : i32, 4 : i32, 2 : i32, 1 : i32]
  // expected-error @+1 {{buffer size (16) of x is smaller than its tensor (4096)}}
  %c1 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %x, %conv, %algo, %x, %xd, %x, %c0
  // expected-error @+1 {{buffer size (16) of x is smaller than its tensor (4096)}}
  %c2 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %one, %xd, %x, %one, %xd, %x, %c0
  // expected-error @+1 {{buffer size (8) of y is smaller than its tensor (16)}}
  %c3 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %one, %small, %x, %one, %small, %view, %c0
  // Its bytes, about 2^65, are not counted from 0 again.
  %huge = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_DOUBLE, [1 : i32, 1 : i32, 1 : i32, 2147483647 : i32], [1 : i32, 1 : i32, 1 : i32, 2147483647 : i32]
  // expected-error @+1 {{buffer size (16) of x is smaller than its tensor (18446744073709551615)}}
  %c4 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %one, %huge, %x, %one, %huge, %x, %c0
  tfrt.return %c1, %c2, %c3, %c4 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: 'contexts'
func.func @contexts() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.dnn.handle)
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %other = tfrt_gpu.context.create %dev
  %of_other = tfrt_gpu.stream.create %other
  %mode = tfrt.constant.ui32 0
  %pool = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %mode, %mode, [1 : i32, 1 : i32], [0 : i32, 0 : i32], [1 : i32, 1 : i32]
  %xd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 1 : i32, 1 : i32], [1 : i32, 1 : i32, 1 : i32, 1 : i32]
  %size = tfrt.constant.i64 4
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %one = tfrt.constant.f32 1.0
  // expected-error @+1 {{handle and stream are of different contexts}}
  %c1 = tfrt_gpu.dnn.pooling_forward %h, %of_other, %pool, %one, %xd, %x, %one, %xd, %x, %c0
  tfrt.return %c1 : !tfrt.chain
}
