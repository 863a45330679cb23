// Spellings that are none: what is said, and where, which is behind the keyword.
// RUN: not tfrt_gpu_opt %s -split-input-file 2>&1 | FileCheck %s --strict-whitespace

// CHECK: :[[@LINE+2]]:28: error: custom op 'tfrt_gpu.device.get' expected valid keyword
func.func @number(%n: i32) {
  %0 = tfrt_gpu.device.get 1, %n
}

// -----

// CHECK: :[[@LINE+2]]:31: error: custom op 'tfrt_gpu.device.get' Invalid platform: FOO{{$}}
func.func @platform(%n: i32) {
  %0 = tfrt_gpu.device.get FOO, %n
}

// -----

// Case matters.
// CHECK: :[[@LINE+2]]:32: error: custom op 'tfrt_gpu.device.get' Invalid platform: cuda{{$}}
func.func @platform_case(%n: i32) {
  %0 = tfrt_gpu.device.get cuda, %n
}

// -----

// CHECK: :[[@LINE+3]]:35: error: custom op 'tfrt_gpu.blas.gemm.algo' Unknown cublasGemmAlgo_t: FOO{{$}}
// CHECK-NEXT: {{^}}Unknown rocblas_gemm_algo: FOO{{$}}
func.func @two_platforms() {
  %0 = tfrt_gpu.blas.gemm.algo FOO
}

// -----

// CHECK: :[[@LINE+3]]:54: error: custom op 'tfrt_gpu.dnn.create_convolution_descriptor' Unknown cudnnDataType_t: FOO{{$}}
// CHECK-NEXT: {{^}}Unknown miopenDataType_t: FOO{{$}}
func.func @data_type() {
  %0 = tfrt_gpu.dnn.create_convolution_descriptor FOO, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [], [], []
}

// -----

// CHECK: error: custom op 'tfrt_gpu.dnn.create_convolution_descriptor' Unknown cudnnMathType_t: FOO{{$}}
// CHECK-NEXT: {{^}}Unknown DnnMathType: FOO{{$}}
func.func @math_type() {
  %0 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_HALF, CUDNN_CONVOLUTION, FOO, [], [], []
}

// -----

// One list for both platforms.
// CHECK: :[[@LINE+3]]:47: error: custom op 'tfrt_gpu.ccl.all_gather' Unknown ncclDataType_t: FOO{{$}}
// CHECK-NEXT: {{^  %0}}
func.func @one_list(%h: !tfrt_gpu.ccl.handle, %b: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  %0 = tfrt_gpu.ccl.all_gather %h, %b, %b, FOO, %c
}

// -----

// A type follows from the enumeration, and a second complaint with it.
// CHECK: :[[@LINE+4]]:[[#]]: error: custom op 'tfrt_gpu.blas.scal' Unknown cudaDataType: FOO{{$}}
// CHECK-NEXT: {{^}}Unknown rocblas_datatype: FOO{{$}}
// CHECK: :[[@LINE+2]]:[[#]]: error: custom op 'tfrt_gpu.blas.scal' unknown cudaDataType or rocblas_datatype enum{{$}}
func.func @type(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %a, FOO, %p, CUDA_R_32F, %n, CUDA_R_32F, %c
}

// -----

// The words are the same for every enumeration.
// CHECK: error: custom op 'tfrt_gpu.blas.gemm' Unknown cublasComputeType_t: CUDA_R_32F{{$}}
// CHECK-NEXT: {{^}}Unknown rocblas_datatype: CUDA_R_32F{{$}}
// CHECK: error: custom op 'tfrt_gpu.blas.gemm' unknown cudaDataType or rocblas_datatype enum{{$}}
func.func @compute_type(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %g: !tfrt_gpu.blas.gemm.algo, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  %0 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_32F, %n, %p, CUDA_R_32F, %n, %a, %p, CUDA_R_32F, %n, CUDA_R_32F, %g, %c
}

// -----

// No keyword at all.
// CHECK: error: custom op 'tfrt_gpu.blas.scal' expected valid keyword
// CHECK-NOT: unknown cudaDataType
func.func @no_type(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %a, %p, %p, CUDA_R_32F, %n, CUDA_R_32F, %c
}

// -----

// CHECK: error: custom op 'tfrt_gpu.blas.scal' could not infer type from CUDA_R_8I{{$}}
func.func @no_scalar(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %a, CUDA_R_8I, %p, CUDA_R_8I, %n, CUDA_R_8I, %c
}

// -----

// CHECK: error: custom op 'tfrt_gpu.blas.scal' could not infer type from rocblas_datatype_f32_c{{$}}
func.func @no_rocm_scalar(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %a, rocblas_datatype_f32_c, %p, rocblas_datatype_f32_c, %n, rocblas_datatype_f32_c, %c
}

// -----

// CHECK: error: custom op 'tfrt_gpu.dnn.convolution_forward_algorithm' Unknown cudnnConvolutionFwdAlgo_t: FOO{{$}}
// CHECK-NEXT: {{^}}Not an uint64_t: FOO{{$}}
func.func @algorithm() {
  %0 = tfrt_gpu.dnn.convolution_forward_algorithm FOO
}

// -----

// CHECK: error: custom op 'tfrt_gpu.dnn.convolution_backward_data_algorithm' Not an uint64_t: -1{{$}}
func.func @negative_algorithm() {
  %0 = tfrt_gpu.dnn.convolution_backward_data_algorithm -1
}

// -----

// Two bits of 64 are the platform's.
// CHECK: error: custom op 'tfrt_gpu.dnn.convolution_backward_filter_algorithm' algorithm 4611686018427387904 is above the limit of 4611686018427387903{{$}}
func.func @large_algorithm() {
  %0 = tfrt_gpu.dnn.convolution_backward_filter_algorithm 4611686018427387904
}

// -----

// CHECK: error: custom op 'tfrt_gpu.dnn.convolution_forward_algorithm' expected valid keyword
func.func @no_algorithm() {
  %0 = tfrt_gpu.dnn.convolution_forward_algorithm "FOO"
}
