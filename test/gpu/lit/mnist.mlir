// A network of two layers learns classes of 100 images of 28x28 pixels, which a kernel draws: products by the vendor's
// libraries, the rest by kernels in this file. Matrices are column-major, an image is a column.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s
// The same bits under all seeds of the double.
// RUN: bef_executor %t.bef > %t.1
// RUN: for seed in 2 3 4 5 6 7 8; do env TFRT_GPU_DOUBLE=seed=$seed bef_executor %t.bef > %t.n 2>/dev/null && diff %t.1 %t.n || exit 1; done

func.func @module(%ctx: !tfrt_gpu.context) -> !tfrt_gpu.module {
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry fill(.param .u64 out, .param .u32 n, .param .u32 seed, .param .f32 scale) {\n  .reg .pred %p; .reg .b32 %i, %t, %b, %n, %u, %v; .reg .b64 %a, %o; .reg .f32 %f, %s;\n  ld.param.u64 %a, [out]; ld.param.u32 %n, [n]; ld.param.u32 %u, [seed]; ld.param.f32 %s, [scale];\n  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %i, %ntid.x; mad.lo.u32 %i, %b, %i, %t;\n  setp.ge.u32 %p, %i, %n;\n  @%p bra DONE;\n  add.u32 %u, %u, %i; mul.lo.u32 %u, %u, 0x9E3779B1; shr.u32 %v, %u, 15; xor.b32 %u, %u, %v;\n  mul.lo.u32 %u, %u, 0x85EBCA77; shr.u32 %v, %u, 13; xor.b32 %u, %u, %v; shr.u32 %u, %u, 8;\n  cvt.rn.f32.u32 %f, %u; mul.rn.f32 %f, %f, 0f33800000; add.rn.f32 %f, %f, 0fBF000000; mul.rn.f32 %f, %f, %s;\n  mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; st.global.f32 [%a], %f;\nDONE:\n  ret;\n}\n.visible .entry draw(.param .u64 images, .param .u32 n) {\n  .reg .pred %p; .reg .b32 %i, %t, %b, %n, %j; .reg .b64 %a, %o; .reg .f32 %f;\n  ld.param.u64 %a, [images]; ld.param.u32 %n, [n];\n  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %i, %ntid.x; mad.lo.u32 %i, %b, %i, %t;\n  setp.ge.u32 %p, %i, %n;\n  @%p bra DONE;\n  div.u32 %j, %i, 784; rem.u32 %t, %i, 784; rem.u32 %t, %t, 10; rem.u32 %j, %j, 10;\n  setp.ne.u32 %p, %t, %j;\n  @%p bra DONE;\n  mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;\n  ld.global.f32 %f, [%a]; add.rn.f32 %f, %f, 0f3F800000; st.global.f32 [%a], %f;\nDONE:\n  ret;\n}\n.visible .entry loss(.param .u64 logits, .param .u64 losses) {\n  .reg .pred %p; .reg .b32 %j, %c, %k; .reg .b64 %a, %x, %y, %o; .reg .f32 %f, %m, %s, %l;\n  ld.param.u64 %a, [logits]; ld.param.u64 %y, [losses];\n  mov.u32 %j, %tid.x; mul.wide.u32 %o, %j, 40; add.u64 %a, %a, %o; mul.wide.u32 %o, %j, 4; add.u64 %y, %y, %o;\n  rem.u32 %c, %j, 10; mul.wide.u32 %o, %c, 4; add.u64 %x, %a, %o; ld.global.f32 %l, [%x];\n  ld.global.f32 %m, [%a]; mov.u32 %k, 1; add.u64 %x, %a, 4;\nLARGEST:\n  ld.global.f32 %f, [%x]; max.f32 %m, %m, %f; add.u64 %x, %x, 4; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 10;\n  @%p bra LARGEST;\n  mov.f32 %s, 0f00000000; mov.u32 %k, 0; mov.u64 %x, %a;\nSUM:\n  ld.global.f32 %f, [%x]; sub.rn.f32 %f, %f, %m; mul.rn.f32 %f, %f, 0f3FB8AA3B; ex2.approx.f32 %f, %f;\n  st.global.f32 [%x], %f; add.rn.f32 %s, %s, %f; add.u64 %x, %x, 4; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 10;\n  @%p bra SUM;\n  lg2.approx.f32 %f, %s; mul.rn.f32 %f, %f, 0f3F317218; add.rn.f32 %f, %f, %m; sub.rn.f32 %f, %f, %l;\n  st.global.f32 [%y], %f;\n  mov.u32 %k, 0; mov.u64 %x, %a;\nGRADIENT:\n  ld.global.f32 %f, [%x]; div.rn.f32 %f, %f, %s; setp.ne.u32 %p, %k, %c;\n  @!%p sub.rn.f32 %f, %f, 0f3F800000;\n  mul.rn.f32 %f, %f, 0f3C23D70A; st.global.f32 [%x], %f;\n  add.u64 %x, %x, 4; add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 10;\n  @%p bra GRADIENT;\n  ret;\n}\n.visible .entry mask(.param .u64 gradient, .param .u64 h, .param .u32 n) {\n  .reg .pred %p; .reg .b32 %i, %t, %b, %n; .reg .b64 %a, %h, %o; .reg .f32 %f;\n  ld.param.u64 %a, [gradient]; ld.param.u64 %h, [h]; ld.param.u32 %n, [n];\n  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %i, %ntid.x; mad.lo.u32 %i, %b, %i, %t;\n  setp.ge.u32 %p, %i, %n;\n  @%p bra DONE;\n  mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; add.u64 %h, %h, %o;\n  ld.global.f32 %f, [%h]; setp.gt.f32 %p, %f, 0f00000000;\n  @%p bra DONE;\n  mov.f32 %f, 0f00000000; st.global.f32 [%a], %f;\nDONE:\n  ret;\n}\n\00"}
  tfrt.return %m : !tfrt_gpu.module
}

// One step of gradient descent by 0.5.
func.func @step(%s: !tfrt_gpu.stream, %m: !tfrt_gpu.module, %blas: !tfrt_gpu.blas.handle, %x: !tfrt_gpu.buffer, %w1: !tfrt_gpu.buffer, %b1: !tfrt_gpu.buffer, %h: !tfrt_gpu.buffer, %w2: !tfrt_gpu.buffer, %b2: !tfrt_gpu.buffer, %dl: !tfrt_gpu.buffer, %dh: !tfrt_gpu.buffer, %g1: !tfrt_gpu.buffer, %ones: !tfrt_gpu.buffer, %losses: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  %n1 = tfrt.constant.i32 1
  %n10 = tfrt.constant.i32 10
  %n32 = tfrt.constant.i32 32
  %n100 = tfrt.constant.i32 100
  %n784 = tfrt.constant.i32 784
  %one = tfrt.constant.f32 1.0
  %zero = tfrt.constant.f32 0.0
  %rate = tfrt.constant.f32 -0.5
  %algo = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT
  // h = max(w1^T x + b1, 0), logits = w2^T h + b2.
  %c1 = tfrt_gpu.blas.lt_matmul %blas, %s, CUBLAS_OP_T, CUBLAS_OP_N, %n32, %n100, %n784, %one, %w1, CUDA_R_32F, %n784, %x, CUDA_R_32F, %n784, %zero, %h, CUDA_R_32F, %n32, CUBLAS_COMPUTE_32F, "relu_bias", %c0, bias(%b1)
  %c2 = tfrt_gpu.blas.lt_matmul %blas, %s, CUBLAS_OP_T, CUBLAS_OP_N, %n10, %n100, %n32, %one, %w2, CUDA_R_32F, %n32, %h, CUDA_R_32F, %n32, %zero, %dl, CUDA_R_32F, %n10, CUBLAS_COMPUTE_32F, "bias", %c1, bias(%b2)
  %loss = tfrt_gpu.module.get_function %m {name = "loss"}
  %u1 = tfrt.constant.ui64 1
  %u13 = tfrt.constant.ui64 13
  %u100 = tfrt.constant.ui64 100
  %u256 = tfrt.constant.ui64 256
  %none = tfrt.constant.ui32 0
  %c3 = tfrt_gpu.function.launch %s, %loss, blocks in (%u1, %u1, %u1), threads in (%u100, %u1, %u1), %none, %c2, args(%dl, %losses) : (!tfrt_gpu.buffer, !tfrt_gpu.buffer)
  // dh = w2 dlogits where h is not 0.
  %c4 = tfrt_gpu.blas.gemm %blas, %s, CUBLAS_OP_N, CUBLAS_OP_N, %n32, %n100, %n10, %one, %w2, CUDA_R_32F, %n32, %dl, CUDA_R_32F, %n10, %zero, %dh, CUDA_R_32F, %n32, CUBLAS_COMPUTE_32F, %algo, %c3
  %mask = tfrt_gpu.module.get_function %m {name = "mask"}
  %all = tfrt.constant.i32 3200
  %c5 = tfrt_gpu.function.launch %s, %mask, blocks in (%u13, %u1, %u1), threads in (%u256, %u1, %u1), %none, %c4, args(%dh, %h, %all) : (!tfrt_gpu.buffer, !tfrt_gpu.buffer, i32)
  // w2 -= h dlogits^T / 2, w1 -= x dh^T / 2, and the biases likewise: sums of columns are products with ones.
  %c6 = tfrt_gpu.blas.gemm %blas, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n32, %n10, %n100, %rate, %h, CUDA_R_32F, %n32, %dl, CUDA_R_32F, %n10, %one, %w2, CUDA_R_32F, %n32, CUBLAS_COMPUTE_32F, %algo, %c5
  %c7 = tfrt_gpu.blas.gemm %blas, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n784, %n32, %n100, %rate, %x, CUDA_R_32F, %n784, %dh, CUDA_R_32F, %n32, %one, %w1, CUDA_R_32F, %n784, CUBLAS_COMPUTE_32F, %algo, %c6
  %c8 = tfrt_gpu.blas.gemm %blas, %s, CUBLAS_OP_N, CUBLAS_OP_N, %n10, %n1, %n100, %rate, %dl, CUDA_R_32F, %n10, %ones, CUDA_R_32F, %n100, %one, %b2, CUDA_R_32F, %n10, CUBLAS_COMPUTE_32F, %algo, %c7
  %c9 = tfrt_gpu.blas.gemm %blas, %s, CUBLAS_OP_N, CUBLAS_OP_N, %n32, %n1, %n100, %one, %dh, CUDA_R_32F, %n32, %ones, CUDA_R_32F, %n100, %zero, %g1, CUDA_R_32F, %n32, CUBLAS_COMPUTE_32F, %algo, %c8
  %c10 = tfrt_gpu.blas.axpy %blas, %s, %n32, %rate, CUDA_R_32F, %g1, CUDA_R_32F, %n1, %b1, CUDA_R_32F, %n1, CUDA_R_32F, %c9
  tfrt.return %c10 : !tfrt.chain
}

// The mean of the losses, as a product.
func.func @print_loss(%s: !tfrt_gpu.stream, %blas: !tfrt_gpu.blas.handle, %losses: !tfrt_gpu.buffer, %ones: !tfrt_gpu.buffer, %mean: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  %n1 = tfrt.constant.i32 1
  %n100 = tfrt.constant.i32 100
  %by = tfrt.constant.f32 0.01
  %zero = tfrt.constant.f32 0.0
  %algo = tfrt_gpu.blas.gemm.algo CUBLAS_GEMM_DEFAULT
  %c1 = tfrt_gpu.blas.gemm %blas, %s, CUBLAS_OP_T, CUBLAS_OP_N, %n1, %n1, %n100, %by, %losses, CUDA_R_32F, %n100, %ones, CUDA_R_32F, %n100, %zero, %mean, CUDA_R_32F, %n1, CUBLAS_COMPUTE_32F, %algo, %c0
  %h = tfrt_dht.create_uninitialized_tensor.f32.1 [1]
  %hb, %c2 = tfrt_dht.get_buffer %h, %c1
  %c3 = tfrt_gpu.mem.copy %hb, %mean, %s, %c2 : !ht.host_buffer, !tfrt_gpu.buffer
  %c4 = tfrt_dht.print_tensor %h, %c3
  tfrt.return %c4 : !tfrt.chain
}

// The loss is ln(10) before the first step, and falls; then the bits of the biases.
// CHECK-LABEL: 'train'
// CHECK-NEXT: values = [2.{{[23]}}
// CHECK-NEXT: values = [{{[0-9.]+}}e-0
// CHECK-NEXT: shape = [10], values = [
func.func @train() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ordinal = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %ordinal
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %blas = tfrt_gpu.blas.create %ctx
  %m = tfrt.call @module(%ctx) : (!tfrt_gpu.context) -> !tfrt_gpu.module
  %size_x = tfrt.constant.i64 313600
  %x = tfrt_gpu.mem.allocate %al, %s, %size_x, %c0
  %size_w1 = tfrt.constant.i64 100352
  %w1 = tfrt_gpu.mem.allocate %al, %s, %size_w1, %c0
  %size_b1 = tfrt.constant.i64 128
  %b1 = tfrt_gpu.mem.allocate %al, %s, %size_b1, %c0
  %size_h = tfrt.constant.i64 12800
  %h = tfrt_gpu.mem.allocate %al, %s, %size_h, %c0
  %size_w2 = tfrt.constant.i64 1280
  %w2 = tfrt_gpu.mem.allocate %al, %s, %size_w2, %c0
  %size_b2 = tfrt.constant.i64 40
  %b2 = tfrt_gpu.mem.allocate %al, %s, %size_b2, %c0
  %size_dl = tfrt.constant.i64 4000
  %dl = tfrt_gpu.mem.allocate %al, %s, %size_dl, %c0
  %size_dh = tfrt.constant.i64 12800
  %dh = tfrt_gpu.mem.allocate %al, %s, %size_dh, %c0
  %size_g1 = tfrt.constant.i64 128
  %g1 = tfrt_gpu.mem.allocate %al, %s, %size_g1, %c0
  %size_ones = tfrt.constant.i64 400
  %ones = tfrt_gpu.mem.allocate %al, %s, %size_ones, %c0
  %size_losses = tfrt.constant.i64 400
  %losses = tfrt_gpu.mem.allocate %al, %s, %size_losses, %c0
  %size_mean = tfrt.constant.i64 4
  %mean = tfrt_gpu.mem.allocate %al, %s, %size_mean, %c0
  %fill = tfrt_gpu.module.get_function %m {name = "fill"}
  %draw = tfrt_gpu.module.get_function %m {name = "draw"}
  %u1 = tfrt.constant.ui64 1
  %u2 = tfrt.constant.ui64 2
  %u98 = tfrt.constant.ui64 98
  %u307 = tfrt.constant.ui64 307
  %u256 = tfrt.constant.ui64 256
  %none = tfrt.constant.ui32 0
  %pixels = tfrt.constant.i32 78400
  %weights1 = tfrt.constant.i32 25088
  %weights2 = tfrt.constant.i32 320
  %half = tfrt.constant.f32 0.5
  %small = tfrt.constant.f32 0.05
  %c1 = tfrt_gpu.function.launch %s, %fill, blocks in (%u307, %u1, %u1), threads in (%u256, %u1, %u1), %none, %c0, args(%x, %pixels, %pixels, %half) : (!tfrt_gpu.buffer, i32, i32, f32)
  %c2 = tfrt_gpu.function.launch %s, %draw, blocks in (%u307, %u1, %u1), threads in (%u256, %u1, %u1), %none, %c1, args(%x, %pixels) : (!tfrt_gpu.buffer, i32)
  %c3 = tfrt_gpu.function.launch %s, %fill, blocks in (%u98, %u1, %u1), threads in (%u256, %u1, %u1), %none, %c2, args(%w1, %weights1, %weights1, %small) : (!tfrt_gpu.buffer, i32, i32, f32)
  %c4 = tfrt_gpu.function.launch %s, %fill, blocks in (%u2, %u1, %u1), threads in (%u256, %u1, %u1), %none, %c3, args(%w2, %weights2, %weights2, %small) : (!tfrt_gpu.buffer, i32, i32, f32)
  %zero = tfrt.constant.f32 0.0
  %one = tfrt.constant.f32 1.0
  %c5 = tfrt_gpu.mem.set %b1, %zero, %s, %c4 : f32
  %c6 = tfrt_gpu.mem.set %b2, %zero, %s, %c5 : f32
  %c7 = tfrt_gpu.mem.set %ones, %one, %s, %c6 : f32
  %c8 = tfrt.call @step(%s, %m, %blas, %x, %w1, %b1, %h, %w2, %b2, %dl, %dh, %g1, %ones, %losses, %c7) : (!tfrt_gpu.stream, !tfrt_gpu.module, !tfrt_gpu.blas.handle, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  %c9 = tfrt.call @print_loss(%s, %blas, %losses, %ones, %mean, %c8) : (!tfrt_gpu.stream, !tfrt_gpu.blas.handle, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  %count = tfrt.constant.i32 19
  %end:15 = tfrt.repeat.i32 %count, %c9, %s, %m, %blas, %x, %w1, %b1, %h, %w2, %b2, %dl, %dh, %g1, %ones, %losses : !tfrt.chain, !tfrt_gpu.stream, !tfrt_gpu.module, !tfrt_gpu.blas.handle, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer {
    %next = tfrt.call @step(%s, %m, %blas, %x, %w1, %b1, %h, %w2, %b2, %dl, %dh, %g1, %ones, %losses, %c9) : (!tfrt_gpu.stream, !tfrt_gpu.module, !tfrt_gpu.blas.handle, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
    tfrt.return %next, %s, %m, %blas, %x, %w1, %b1, %h, %w2, %b2, %dl, %dh, %g1, %ones, %losses : !tfrt.chain, !tfrt_gpu.stream, !tfrt_gpu.module, !tfrt_gpu.blas.handle, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer
  }
  %c10 = tfrt.call @print_loss(%s, %blas, %losses, %ones, %mean, %end#0) : (!tfrt_gpu.stream, !tfrt_gpu.blas.handle, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt.chain) -> !tfrt.chain
  %bits = tfrt_dht.create_uninitialized_tensor.i32.1 [10]
  %hb, %c11 = tfrt_dht.get_buffer %bits, %c10
  %c12 = tfrt_gpu.mem.copy %hb, %b2, %s, %c11 : !ht.host_buffer, !tfrt_gpu.buffer
  %c13 = tfrt_dht.print_tensor %bits, %c12
  tfrt.return %c13 : !tfrt.chain
}
