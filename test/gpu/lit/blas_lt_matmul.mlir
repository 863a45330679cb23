// Products with an epilogue. By columns A is 1 2 3 4, B 1 0 -1 1, so that A B is 1 2 2 2; C has a third row.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s
// RUN: not env TFRT_GPU_DOUBLE=fault=cublasLtMatmul:1:700 bef_executor %t.bef 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT-LABEL: 'none'
// FAULT: error: {{.*}}CUDA_ERROR_ILLEGAL_ADDRESS ({{.*}}); one of: {{.*}}tfrt_gpu.blas.lt_matmul {{.*}}blas_lt_matmul.mlir:{{[0-9]+}}
// FAULT: gpu:0 is lost


func.func @open() -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %h = tfrt_gpu.blas.create %ctx
  tfrt.return %s, %al, %h : !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle
}

// A, B, C (all 10, with a third row that no product writes) and the bias.
func.func @operands(%s: !tfrt_gpu.stream, %al: !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 16
  %csize = tfrt.constant.i64 24
  %bsize = tfrt.constant.i64 8
  %a = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %c = tfrt_gpu.mem.allocate %al, %s, %csize, %c0
  %bias = tfrt_gpu.mem.allocate %al, %s, %bsize, %c0
  %h4 = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  %hb4, %c1 = tfrt_dht.get_buffer %h4, %c0
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %h4, %c1 [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32]
  %c3 = tfrt_gpu.mem.copy %a, %hb4, %s, %c2 : !tfrt_gpu.buffer, !ht.host_buffer
  %c4 = tfrt_dht.set_tensor_with_constant_values.f32 %h4, %c3 [1.0 : f32, 0.0 : f32, -1.0 : f32, 1.0 : f32]
  %c5 = tfrt_gpu.mem.copy %b, %hb4, %s, %c4 : !tfrt_gpu.buffer, !ht.host_buffer
  %h2 = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  %hb2, %c6 = tfrt_dht.get_buffer %h2, %c5
  %c7 = tfrt_dht.set_tensor_with_constant_values.f32 %h2, %c6 [-4.0 : f32, 0.5 : f32]
  %c8 = tfrt_gpu.mem.copy %bias, %hb2, %s, %c7 : !tfrt_gpu.buffer, !ht.host_buffer
  %ten = tfrt.constant.f32 10.0
  %c9 = tfrt_gpu.mem.set %c, %ten, %s, %c8 : f32
  tfrt.return %a, %b, %c, %bias, %c9 : !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain
}

func.func @print(%s: !tfrt_gpu.stream, %c: !tfrt_gpu.buffer, %in: !tfrt.chain) -> !tfrt.chain {
  %h = tfrt_dht.create_uninitialized_tensor.f32.1 [6]
  %hb, %c1 = tfrt_dht.get_buffer %h, %in
  %c2 = tfrt_gpu.mem.copy %hb, %c, %s, %c1 : !ht.host_buffer, !tfrt_gpu.buffer
  %c3 = tfrt_dht.print_tensor %h, %c2
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: 'none'
// CHECK-NEXT: values = [1.200000e+01, 1.400000e+01, 1.000000e+01, 1.400000e+01, 1.400000e+01, 1.000000e+01]
func.func @none() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 2.0
  %beta = tfrt.constant.f32 1.0
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "none", %c0
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'bias'
// CHECK-NEXT: values = [-3.000000e+00, 2.500000e+00, 1.000000e+01, -2.000000e+00, 2.500000e+00, 1.000000e+01]
func.func @bias() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 0.0
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "bias", %c0, bias(%bias)
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'relu'
// CHECK-NEXT: values = [0.000000e+00, 0.000000e+00, 1.000000e+01, 0.000000e+00, 0.000000e+00, 1.000000e+01]
func.func @relu() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 -1.0
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "relu", %c0
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'relu_bias'
// CHECK-NEXT: values = [0.000000e+00, 2.500000e+00, 1.000000e+01, 0.000000e+00, 2.500000e+00, 1.000000e+01]
func.func @relu_bias() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 0.0
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "relu_bias", %c0, bias(%bias)
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'gelu'
// CHECK-NEXT: values = [-1.0021{{[0-9]+}}e-01, -1.5426{{[0-9]+}}e-01, 1.000000e+01, -1.5426{{[0-9]+}}e-01, -1.5426{{[0-9]+}}e-01, 1.000000e+01]
func.func @gelu() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 -0.25
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "gelu", %c0
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'gelu_bias'
// CHECK-NEXT: values = [-4.0496{{[0-9]+}}e-03, 2.4844{{[0-9]+}}e+00, 1.000000e+01, -4.5500{{[0-9]+}}e-02, 2.4844{{[0-9]+}}e+00, 1.000000e+01]
func.func @gelu_bias() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 0.0
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "gelu_bias", %c0, bias(%bias)
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'gelu_tanh'
// CHECK-NEXT: values = [-1.0042{{[0-9]+}}e-01, -1.5428{{[0-9]+}}e-01, 1.000000e+01, -1.5428{{[0-9]+}}e-01, -1.5428{{[0-9]+}}e-01, 1.000000e+01]
func.func @gelu_tanh() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 -0.25
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "gelu_tanh", %c0
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: 'gelu_tanh_bias'
// CHECK-NEXT: values = [-3.6373{{[0-9]+}}e-03, 2.4849{{[0-9]+}}e+00, 1.000000e+01, -4.5402{{[0-9]+}}e-02, 2.4849{{[0-9]+}}e+00, 1.000000e+01]
func.func @gelu_tanh_bias() -> !tfrt.chain {
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %a, %b, %c, %bias, %c0 = tfrt.call @operands(%s, %al) : (!tfrt_gpu.stream, !tfrt_gpu.allocator) -> (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %three = tfrt.constant.i32 3
  %alpha = tfrt.constant.f32 1.0
  %beta = tfrt.constant.f32 0.0
  %c1 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_32F, %two, %b, CUDA_R_32F, %two, %beta, %c, CUDA_R_32F, %three, CUBLAS_COMPUTE_32F, "gelu_tanh_bias", %c0, bias(%bias)
  %c2 = tfrt.call @print(%s, %c, %c1) : (!tfrt_gpu.stream, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}
