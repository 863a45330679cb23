// What the kernels of linear algebra refuse, and what the vendor's library does.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %h = tfrt_gpu.blas.create %ctx
  tfrt.return %ctx, %s, %al, %h : !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle
}

// CHECK-LABEL: 'vectors'
func.func @vectors() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %size = tfrt.constant.i64 16
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %n = tfrt.constant.i32 4
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %alpha = tfrt.constant.f32 2.0
  // expected-error @+1 {{runtime error: buffer size (16) is smaller than the 28 bytes of x}}
  %c1 = tfrt_gpu.blas.scal %h, %s, %n, %alpha, CUDA_R_32F, %x, CUDA_R_32F, %two, CUDA_R_32F, %c0
  // expected-error @+1 {{runtime error: buffer size (16) is smaller than the 28 bytes of y}}
  %c2 = tfrt_gpu.blas.axpy %h, %s, %n, %alpha, CUDA_R_32F, %x, CUDA_R_32F, %one, %x, CUDA_R_32F, %two, CUDA_R_32F, %c0
  // Sums of f16 are of f32 in the library.
  %half = tfrt.constant.f16 2.0
  // expected-error @+1 {{runtime error: cublasScalEx: CUBLAS_STATUS_NOT_SUPPORTED}}
  %c3 = tfrt_gpu.blas.scal %h, %s, %n, %half, CUDA_R_16F, %x, CUDA_R_16F, %one, CUDA_R_16F, %c0
  // expected-error @+1 {{runtime error: Unsupported platform ROCm}}
  %c4 = tfrt_gpu.blas.scal %h, %s, %n, %alpha, rocblas_datatype_f32_r, %x, rocblas_datatype_f32_r, %one, rocblas_datatype_f32_r, %c0
  %n0 = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n0
  %other = tfrt_gpu.context.create %dev
  %t = tfrt_gpu.stream.create %other
  // expected-error @+1 {{runtime error: handle and stream are of different contexts}}
  %c5 = tfrt_gpu.blas.scal %h, %t, %n, %alpha, CUDA_R_32F, %x, CUDA_R_32F, %one, CUDA_R_32F, %c0
  tfrt.return %c1, %c2, %c3, %c4, %c5 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: 'products'
func.func @products() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %size = tfrt.constant.i64 16
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %y = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %algo = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT
  // expected-error @+1 {{runtime error: cublasGemmEx: CUBLAS_STATUS_INVALID_VALUE}}
  %c1 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %x, CUDA_R_32F, %one, %x, CUDA_R_32F, %two, %alpha, %y, CUDA_R_32F, %two, CUBLAS_COMPUTE_32F, %algo, %c0
  // expected-error @+1 {{runtime error: buffer size (16) is smaller than the 20 bytes of B}}
  %c2 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %two, %two, %two, %alpha, %x, CUDA_R_32F, %two, %x, CUDA_R_32F, %three, %alpha, %y, CUDA_R_32F, %two, CUBLAS_COMPUTE_32F, %algo, %c0
  // expected-error @+1 {{runtime error: cublasGemmEx: CUBLAS_STATUS_NOT_SUPPORTED}}
  %c3 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %one, %one, %one, %alpha, %x, CUDA_R_32F, %two, %x, CUDA_R_32F, %two, %alpha, %y, CUDA_R_16F, %two, CUBLAS_COMPUTE_32F, %algo, %c0
  %back = tfrt.constant.i64 -4
  // expected-error @+1 {{runtime error: the stride of A is negative (-4)}}
  %c4 = tfrt_gpu.blas.gemm.batch %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %one, %one, %one, %alpha, %x, CUDA_R_32F, %one, %back, %x, CUDA_R_32F, %one, %back, %alpha, %y, CUDA_R_32F, %one, %back, %two, CUBLAS_COMPUTE_32F, %algo, %c0
  %far = tfrt.constant.i64 9223372036854775807
  // expected-error @+1 {{runtime error: buffer size (16) is smaller than the 18446744073709551615 bytes of A}}
  %c5 = tfrt_gpu.blas.gemm.batch %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %one, %one, %one, %alpha, %x, CUDA_R_32F, %one, %far, %x, CUDA_R_32F, %one, %far, %alpha, %y, CUDA_R_32F, %one, %far, %two, CUBLAS_COMPUTE_32F, %algo, %c0
  tfrt.return %c1, %c2, %c3, %c4, %c5 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// Scalars of other types: only the generic form can have them. CUBLAS_COMPUTE_32F is 273, CUDA_R_32F is 1.
// CHECK-LABEL: 'scalars'
func.func @scalars() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %size = tfrt.constant.i64 16
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %one = tfrt.constant.i32 1
  %alpha = tfrt.constant.f64 1.0
  %algo = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT
  // expected-error @+1 {{runtime error: unexpected argument type}}
  %c1 = "tfrt_gpu.blas.gemm"(%h, %s, %one, %one, %one, %alpha, %x, %one, %x, %one, %alpha, %x, %one, %algo, %c0) {computeType = 273 : si32, transA = 1 : si32, transB = 1 : si32, typeA = 1 : si32, typeB = 1 : si32, typeC = 1 : si32} : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, i32, f64, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, f64, !tfrt_gpu.buffer, i32, !tfrt_gpu.blas.gemm.algo, !tfrt.chain) -> !tfrt.chain
  // expected-error @+1 {{runtime error: pointer type not supported}}
  %c2 = "tfrt_gpu.blas.gemm"(%h, %s, %one, %one, %one, %size, %x, %one, %x, %one, %size, %x, %one, %algo, %c0) {computeType = 273 : si32, transA = 1 : si32, transB = 1 : si32, typeA = 1 : si32, typeB = 1 : si32, typeC = 1 : si32} : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, i32, i64, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, i64, !tfrt_gpu.buffer, i32, !tfrt_gpu.blas.gemm.algo, !tfrt.chain) -> !tfrt.chain
  // expected-error @+1 {{runtime error: Invalid platform NONE of BlasOperation(0)}}
  %c3 = "tfrt_gpu.blas.gemm"(%h, %s, %one, %one, %one, %alpha, %x, %one, %x, %one, %alpha, %x, %one, %algo, %c0) {computeType = 273 : si32, transA = 0 : si32, transB = 1 : si32, typeA = 1 : si32, typeB = 1 : si32, typeC = 1 : si32} : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, i32, f64, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, f64, !tfrt_gpu.buffer, i32, !tfrt_gpu.blas.gemm.algo, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1, %c2, %c3 : !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: 'systems'
func.func @systems() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %size = tfrt.constant.i64 16
  %x = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %half = tfrt.constant.f16 1.0
  // expected-error @+1 {{runtime error: Unsupported data type: CUDA_R_16F}}
  %c1 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, %one, %one, CUDA_R_16F, %half, %x, %one, %x, %one, %one, %c0
  %alpha = tfrt.constant.f32 1.0
  // expected-error @+1 {{runtime error: buffer size (16) is smaller than the 32 bytes of A}}
  %c2 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, %two, %one, CUDA_R_32F, %alpha, %x, %two, %x, %two, %two, %c0
  // expected-error @+1 {{runtime error: cublasStrsmBatched: CUBLAS_STATUS_INVALID_VALUE}}
  %c3 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, %two, %one, CUDA_R_32F, %alpha, %x, %two, %x, %two, %one, %c0
  tfrt.return %c1, %c2, %c3 : !tfrt.chain, !tfrt.chain, !tfrt.chain
}
