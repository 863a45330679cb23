// Linear algebra by the vendor's library, on column-major matrices of small integers: sums are exact.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %h = tfrt_gpu.blas.create %ctx
  tfrt.return %s, %al, %h : !tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle
}

// A device buffer with the bytes of one of the host.
func.func @put(%al: !tfrt_gpu.allocator, %s: !tfrt_gpu.stream, %h: !ht.host_buffer, %size: i64, %c: !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain) {
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c
  %done = tfrt_gpu.mem.copy %b, %h, %s, %c : !tfrt_gpu.buffer, !ht.host_buffer
  tfrt.return %b, %done : !tfrt_gpu.buffer, !tfrt.chain
}

// y[0], y[2] and y[4] get 3 x[2], 3 x[1] and 3 x[0]: a negative increment begins at the end.
// CHECK-LABEL: 'axpy'
// CHECK-NEXT: values = [3.100000e+01, 2.000000e+01, 3.600000e+01, 4.000000e+01, 5.300000e+01]
func.func @axpy() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %hx = tfrt_dht.create_uninitialized_tensor.f32.1 [3]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %hx, %c0 [1.0 : f32, 2.0 : f32, 7.0 : f32]
  %hy = tfrt_dht.create_uninitialized_tensor.f32.1 [5]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %hy, %c0 [10.0 : f32, 20.0 : f32, 30.0 : f32, 40.0 : f32, 50.0 : f32]
  %bx, %c3 = tfrt_dht.get_buffer %hx, %c1
  %by, %c4 = tfrt_dht.get_buffer %hy, %c2
  %nx = tfrt.constant.i64 12
  %ny = tfrt.constant.i64 20
  %x, %c5 = tfrt.call @put(%al, %s, %bx, %nx, %c3) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %y, %c6 = tfrt.call @put(%al, %s, %by, %ny, %c4) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %c7 = tfrt.merge.chains %c5, %c6 : !tfrt.chain, !tfrt.chain
  %n = tfrt.constant.i32 3
  %back = tfrt.constant.i32 -1
  %two = tfrt.constant.i32 2
  %alpha = tfrt.constant.f32 3.0
  %c8 = tfrt_gpu.blas.axpy %h, %s, %n, %alpha, CUDA_R_32F, %x, CUDA_R_32F, %back, %y, CUDA_R_32F, %two, CUDA_R_32F, %c7
  %c9 = tfrt_gpu.mem.copy %by, %y, %s, %c8 : !ht.host_buffer, !tfrt_gpu.buffer
  %c10 = tfrt_dht.print_tensor %hy, %c9
  tfrt.return %c10 : !tfrt.chain
}

// Every other element of doubles, which the host has in pairs.
// CHECK-LABEL: 'scal'
// CHECK-NEXT: values = [(5.000000e-01,2.000000e+00), (1.500000e+00,4.000000e+00)]
func.func @scal() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %hx = tfrt_dht.create_uninitialized_tensor.complex128.1 [2]
  %c1 = tfrt_dht.set_tensor_with_constant_values.complex128 %hx, %c0 [1.0 : f64, 2.0 : f64, 3.0 : f64, 4.0 : f64]
  %bx, %c2 = tfrt_dht.get_buffer %hx, %c1
  %nx = tfrt.constant.i64 32
  %x, %c3 = tfrt.call @put(%al, %s, %bx, %nx, %c2) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %two = tfrt.constant.i32 2
  %alpha = tfrt.constant.f64 0.5
  %c4 = tfrt_gpu.blas.scal %h, %s, %two, %alpha, CUDA_R_64F, %x, CUDA_R_64F, %two, CUDA_R_64F, %c3
  %c5 = tfrt_gpu.mem.copy %bx, %x, %s, %c4 : !ht.host_buffer, !tfrt_gpu.buffer
  %c6 = tfrt_dht.print_tensor %hx, %c5
  tfrt.return %c6 : !tfrt.chain
}

// C = 2 A B^T - C of complex numbers that a real alpha scales as well: A = [1+i], B = [2, 3i], C = [1, i].
// 2 (1+i) 2 - 1 = 3+4i, 2 (1+i) 3i - i = -6+5i; with CUBLAS_OP_C in place of the transposed: -6i.
// CHECK-LABEL: 'complex'
// CHECK-NEXT: values = [(3.000000e+00,4.000000e+00), (-6.000000e+00,5.000000e+00)]
// CHECK-NEXT: values = [(1.000000e+00,0.000000e+00), (1.200000e+01,-1.100000e+01)]
func.func @complex() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %ha = tfrt_dht.create_uninitialized_tensor.complex64.1 [1]
  %c1 = tfrt_dht.set_tensor_with_constant_values.complex64 %ha, %c0 [1.0 : f32, 1.0 : f32]
  %hb = tfrt_dht.create_uninitialized_tensor.complex64.1 [2]
  %c2 = tfrt_dht.set_tensor_with_constant_values.complex64 %hb, %c0 [2.0 : f32, 0.0 : f32, 0.0 : f32, 3.0 : f32]
  %hc = tfrt_dht.create_uninitialized_tensor.complex64.1 [2]
  %c3 = tfrt_dht.set_tensor_with_constant_values.complex64 %hc, %c0 [1.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32]
  %ba, %c4 = tfrt_dht.get_buffer %ha, %c1
  %bb, %c5 = tfrt_dht.get_buffer %hb, %c2
  %bc, %c6 = tfrt_dht.get_buffer %hc, %c3
  %eight = tfrt.constant.i64 8
  %sixteen = tfrt.constant.i64 16
  %a, %c7 = tfrt.call @put(%al, %s, %ba, %eight, %c4) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %b, %c8 = tfrt.call @put(%al, %s, %bb, %sixteen, %c5) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %c, %c9 = tfrt.call @put(%al, %s, %bc, %sixteen, %c6) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %c10 = tfrt.merge.chains %c7, %c8, %c9 : !tfrt.chain, !tfrt.chain, !tfrt.chain
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %alpha = tfrt.constant.f32 2.0
  %beta = tfrt.constant.f32 -1.0
  %algo = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT
  %c11 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %one, %two, %one, %alpha, %a, CUDA_C_32F, %one, %b, CUDA_C_32F, %two, %beta, %c, CUDA_C_32F, %one, CUBLAS_COMPUTE_32F, %algo, %c10
  %c12 = tfrt_gpu.mem.copy %bc, %c, %s, %c11 : !ht.host_buffer, !tfrt_gpu.buffer
  %c13 = tfrt_dht.print_tensor %hc, %c12
  // Complex scalars need the generic form: C = 2 A B^H - C.
  %calpha = tfrt.constant.complex64 2.0, 0.0
  %cbeta = tfrt.constant.complex64 -1.0, 0.0
  %c14 = "tfrt_gpu.blas.gemm"(%h, %s, %one, %two, %one, %calpha, %a, %one, %b, %two, %cbeta, %c, %one, %algo, %c13) {computeType = 273 : si32, transA = 1 : si32, transB = 9 : si32, typeA = 17 : si32, typeB = 17 : si32, typeC = 17 : si32} : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, i32, complex<f32>, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, complex<f32>, !tfrt_gpu.buffer, i32, !tfrt_gpu.blas.gemm.algo, !tfrt.chain) -> !tfrt.chain
  %c15 = tfrt_gpu.mem.copy %bc, %c, %s, %c14 : !ht.host_buffer, !tfrt_gpu.buffer
  %c16 = tfrt_dht.print_tensor %hc, %c15
  tfrt.return %c16 : !tfrt.chain
}

// Two products of 2x2 matrices, of which the first operand is one for both (stride 0) and transposed.
// CHECK-LABEL: 'batch'
// CHECK-NEXT: values = [(5.000000e+00,1.100000e+01), (1.100000e+01,2.500000e+01), (1.000000e+00,3.000000e+00), (2.000000e+00,4.000000e+00)]
func.func @batch() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %ha = tfrt_dht.create_uninitialized_tensor.complex128.1 [2]
  %c1 = tfrt_dht.set_tensor_with_constant_values.complex128 %ha, %c0 [1.0 : f64, 2.0 : f64, 3.0 : f64, 4.0 : f64]
  %hb = tfrt_dht.create_uninitialized_tensor.complex128.1 [4]
  %c2 = tfrt_dht.set_tensor_with_constant_values.complex128 %hb, %c0 [1.0 : f64, 2.0 : f64, 3.0 : f64, 4.0 : f64, 1.0 : f64, 0.0 : f64, 0.0 : f64, 1.0 : f64]
  %ba, %c3 = tfrt_dht.get_buffer %ha, %c1
  %bb, %c4 = tfrt_dht.get_buffer %hb, %c2
  %na = tfrt.constant.i64 32
  %nb = tfrt.constant.i64 64
  %a, %c5 = tfrt.call @put(%al, %s, %ba, %na, %c3) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %b, %c6 = tfrt.call @put(%al, %s, %bb, %nb, %c4) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %c7 = tfrt.merge.chains %c5, %c6 : !tfrt.chain, !tfrt.chain
  // Not written before: beta is 0.
  %c = tfrt_gpu.mem.allocate %al, %s, %nb, %c7
  %two = tfrt.constant.i32 2
  %none = tfrt.constant.i64 0
  %four = tfrt.constant.i64 4
  %alpha = tfrt.constant.f64 1.0
  %beta = tfrt.constant.f64 0.0
  %algo = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT_TENSOR_OP
  %c8 = tfrt_gpu.blas.gemm.batch %h, %s, CUBLAS_OP_T, CUBLAS_OP_N, %two, %two, %two, %alpha, %a, CUDA_R_64F, %two, %none, %b, CUDA_R_64F, %two, %four, %beta, %c, CUDA_R_64F, %two, %four, %two, CUBLAS_COMPUTE_64F, %algo, %c7
  %c9 = tfrt_gpu.mem.copy %bb, %c, %s, %c8 : !ht.host_buffer, !tfrt_gpu.buffer
  %c10 = tfrt_dht.print_tensor %hb, %c9
  tfrt.return %c10 : !tfrt.chain
}

// Two systems X A = 4 B with the upper triangles [[2, 1], [0, 4]] and [[1, 2], [0, 1]] (columns in memory: 2 ? 1 4).
// B = [1, 1] each: x0 = 4/2 = 2, x1 = (4 - 2*1)/4 = 0.5; and x0 = 4, x1 = 4 - 8 = -4.
// CHECK-LABEL: 'trsm'
// CHECK-NEXT: values = [(2.000000e+00,5.000000e-01), (4.000000e+00,-4.000000e+00)]
func.func @trsm() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %ha = tfrt_dht.create_uninitialized_tensor.complex128.1 [4]
  %c1 = tfrt_dht.set_tensor_with_constant_values.complex128 %ha, %c0 [2.0 : f64, 99.0 : f64, 1.0 : f64, 4.0 : f64, 1.0 : f64, 99.0 : f64, 2.0 : f64, 1.0 : f64]
  %hb = tfrt_dht.create_uninitialized_tensor.complex128.1 [2]
  %c2 = tfrt_dht.set_tensor_with_constant_values.complex128 %hb, %c0 [1.0 : f64, 1.0 : f64, 1.0 : f64, 1.0 : f64]
  %ba, %c3 = tfrt_dht.get_buffer %ha, %c1
  %bb, %c4 = tfrt_dht.get_buffer %hb, %c2
  %na = tfrt.constant.i64 64
  %nb = tfrt.constant.i64 32
  %a, %c5 = tfrt.call @put(%al, %s, %ba, %na, %c3) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %b, %c6 = tfrt.call @put(%al, %s, %bb, %nb, %c4) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %c7 = tfrt.merge.chains %c5, %c6 : !tfrt.chain, !tfrt.chain
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %alpha = tfrt.constant.f64 4.0
  %c8 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, %one, %two, CUDA_R_64F, %alpha, %a, %two, %b, %one, %two, %c7
  // The addresses that the call has made are in memory which comes back no earlier than it is done.
  %c9 = tfrt_gpu.mem.copy %bb, %b, %s, %c8 : !ht.host_buffer, !tfrt_gpu.buffer
  %c10 = tfrt_dht.print_tensor %hb, %c9
  tfrt.return %c10 : !tfrt.chain
}

// A^H X = B with A = [[1, 0], [i, 1]] of unit diagonal and B = [1+i, 2]: x1 = 2, x0 = 1+i - conj(i) 2 = 1+3i.
// CHECK-LABEL: 'trsm_complex'
// CHECK-NEXT: values = [(1.000000e+00,3.000000e+00), (2.000000e+00,0.000000e+00)]
func.func @trsm_complex() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %ha = tfrt_dht.create_uninitialized_tensor.complex64.1 [4]
  %c1 = tfrt_dht.set_tensor_with_constant_values.complex64 %ha, %c0 [9.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 9.0 : f32, 9.0 : f32, 9.0 : f32, 9.0 : f32]
  %hb = tfrt_dht.create_uninitialized_tensor.complex64.1 [2]
  %c2 = tfrt_dht.set_tensor_with_constant_values.complex64 %hb, %c0 [1.0 : f32, 1.0 : f32, 2.0 : f32, 0.0 : f32]
  %ba, %c3 = tfrt_dht.get_buffer %ha, %c1
  %bb, %c4 = tfrt_dht.get_buffer %hb, %c2
  %na = tfrt.constant.i64 32
  %nb = tfrt.constant.i64 16
  %a, %c5 = tfrt.call @put(%al, %s, %ba, %na, %c3) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %b, %c6 = tfrt.call @put(%al, %s, %bb, %nb, %c4) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %c7 = tfrt.merge.chains %c5, %c6 : !tfrt.chain, !tfrt.chain
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %alpha = tfrt.constant.complex64 1.0, 0.0
  %c8 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, CUBLAS_DIAG_UNIT, %two, %one, CUDA_C_32F, %alpha, %a, %two, %b, %two, %one, %c7
  %c9 = tfrt_gpu.mem.copy %bb, %b, %s, %c8 : !ht.host_buffer, !tfrt_gpu.buffer
  %c10 = tfrt_dht.print_tensor %hb, %c9
  tfrt.return %c10 : !tfrt.chain
}

// The other two functions of systems: 2 x = 6, and i x = 3 - i.
// CHECK-LABEL: 'trsm_single'
// CHECK-NEXT: values = [3.000000e+00]
// CHECK-NEXT: values = [(-1.000000e+00,-3.000000e+00)]
func.func @trsm_single() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %al, %h = tfrt.call @open() : () -> (!tfrt_gpu.stream, !tfrt_gpu.allocator, !tfrt_gpu.blas.handle)
  %four = tfrt.constant.i64 4
  %a = tfrt_gpu.mem.allocate %al, %s, %four, %c0
  %b = tfrt_gpu.mem.allocate %al, %s, %four, %c0
  %two = tfrt.constant.f32 2.0
  %six = tfrt.constant.f32 6.0
  %c1 = tfrt_gpu.mem.set %a, %two, %s, %c0 : f32
  %c2 = tfrt_gpu.mem.set %b, %six, %s, %c1 : f32
  %one = tfrt.constant.i32 1
  %alpha = tfrt.constant.f32 1.0
  %c3 = tfrt_gpu.blas.trsm.batch %h, %s, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, %one, %one, CUDA_R_32F, %alpha, %a, %one, %b, %one, %one, %c2
  %h1 = tfrt_dht.create_uninitialized_tensor.f32.1 [1]
  %hb1, %c4 = tfrt_dht.get_buffer %h1, %c3
  %c5 = tfrt_gpu.mem.copy %hb1, %b, %s, %c4 : !ht.host_buffer, !tfrt_gpu.buffer
  %c6 = tfrt_dht.print_tensor %h1, %c5
  %ha = tfrt_dht.create_uninitialized_tensor.complex128.1 [1]
  %c7 = tfrt_dht.set_tensor_with_constant_values.complex128 %ha, %c6 [0.0 : f64, 1.0 : f64]
  %hb = tfrt_dht.create_uninitialized_tensor.complex128.1 [1]
  %c8 = tfrt_dht.set_tensor_with_constant_values.complex128 %hb, %c7 [3.0 : f64, -1.0 : f64]
  %ba, %c9 = tfrt_dht.get_buffer %ha, %c8
  %bb, %c10 = tfrt_dht.get_buffer %hb, %c9
  %sixteen = tfrt.constant.i64 16
  %za, %c11 = tfrt.call @put(%al, %s, %ba, %sixteen, %c10) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  %zb, %c12 = tfrt.call @put(%al, %s, %bb, %sixteen, %c11) : (!tfrt_gpu.allocator, !tfrt_gpu.stream, !ht.host_buffer, i64, !tfrt.chain) -> (!tfrt_gpu.buffer, !tfrt.chain)
  // CUDA_C_64F is 21, and no custom form has it.
  %zalpha = tfrt.constant.complex128 1.0, 0.0
  %c13 = "tfrt_gpu.blas.trsm.batch"(%h, %s, %one, %one, %zalpha, %za, %one, %zb, %one, %one, %c12) {dataType = 21 : si32, diagType = 1 : si32, fillMode = 1 : si32, sideMode = 1 : si32, trans = 1 : si32} : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, i32, complex<f64>, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, i32, !tfrt.chain) -> !tfrt.chain
  %c14 = tfrt_gpu.mem.copy %bb, %zb, %s, %c13 : !ht.host_buffer, !tfrt_gpu.buffer
  %c15 = tfrt_dht.print_tensor %hb, %c14
  tfrt.return %c15 : !tfrt.chain
}
