// What the dialect refuses, but for the spellings of enumerations (spelling_errors.mlir).
// RUN: tfrt_gpu_opt %s -split-input-file -verify-diagnostics

// Literals.

func.func @typed_integer(%ctx: !tfrt_gpu.context) {
  // expected-error@+1 {{expected ','}}
  %0 = tfrt_gpu.fft.create %ctx, CUFFT_C2C, 3 : i64, [8], [8, 1], [8, 1]
  tfrt.return
}

// -----

func.func @narrow_list() {
  // expected-error@+1 {{attribute 'pad' failed to satisfy constraint: 32-bit integer array attribute}}
  %0 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CONVOLUTION, CUDNN_FMA_MATH, [1, 1], [1 : i32], [1 : i32]
  tfrt.return
}

// -----

func.func @wide_list(%ctx: !tfrt_gpu.context) {
  // expected-error@+1 {{attribute 'dims' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = tfrt_gpu.fft.create %ctx, CUFFT_C2C, 3, [8 : i32], [8, 1], [8, 1]
  tfrt.return
}

// -----

func.func @attribute() attributes {x = #tfrt_gpu.x} {  // expected-error {{provides no attribute parsing hook}}
  tfrt.return
}

// Attributes in generic form.

// -----

func.func @wide_enumeration(%n: i32) {
  // expected-error@+1 {{attribute 'platform' failed to satisfy constraint: 32-bit signed integer attribute}}
  %0 = "tfrt_gpu.device.get"(%n) <{platform = 1 : i64}> : (i32) -> !tfrt_gpu.device
  tfrt.return
}

// -----

func.func @unsigned_enumeration(%n: i32) {
  // expected-error@+1 {{attribute 'platform' failed to satisfy constraint: 32-bit signed integer attribute}}
  %0 = "tfrt_gpu.device.get"(%n) <{platform = 1 : ui32}> : (i32) -> !tfrt_gpu.device
  tfrt.return
}

// -----

func.func @signed_algorithm() {
  // expected-error@+1 {{attribute 'algo' failed to satisfy constraint: 64-bit unsigned integer attribute}}
  %0 = "tfrt_gpu.dnn.convolution_forward_algorithm"() <{algo = 9 : i64}> : () -> !tfrt_gpu.dnn.convolution.algorithm
  tfrt.return
}

// -----

func.func @missing(%n: i32) {
  // expected-error@+1 {{requires attribute 'platform'}}
  %0 = "tfrt_gpu.device.get"(%n) : (i32) -> !tfrt_gpu.device
  tfrt.return
}

// Types of values.

// -----

func.func @buffers(%s: !tfrt_gpu.stream, %n: i32, %b: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{operand #1 must be !tfrt_gpu.buffer type or !ht.host_buffer type, but got 'i32'}}
  %0 = tfrt_gpu.mem.copy %b, %n, %s, %c : !tfrt_gpu.buffer, i32
  tfrt.return
}

// -----

func.func @loaded(%b: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.mem.load' op result #0 must be 1-bit signless integer or 32-bit signless integer, but got 'f32'}}
  %0 = tfrt_gpu.mem.load %b, %c : f32
  tfrt.return
}

// -----

func.func @loaded_differently(%b: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.mem.load' op type i1 is not that of the result, 'i32'}}
  %0 = "tfrt_gpu.mem.load"(%b, %c) <{type = i1}> : (!tfrt_gpu.buffer, !tfrt.chain) -> i32
  tfrt.return
}

// -----

func.func @alias(%b: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.alias' op failed to verify that types of value and result match}}
  %0 = "tfrt_gpu.alias"(%b, %c) : (!tfrt_gpu.buffer, !tfrt.chain) -> i32
  tfrt.return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @scalar(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{expects different type than prior uses: 'f64' vs 'f32'}}
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %a, CUDA_R_64F, %p, CUDA_R_64F, %n, CUDA_R_64F, %c
  tfrt.return
}

// -----

// Constants are i32, and the type that follows from the enumeration is si32.
// expected-note@+1 {{prior use here}}
func.func @integer_scalars(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %g: !tfrt_gpu.blas.gemm.algo, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{expects different type than prior uses: 'si32' vs 'i32'}}
  %0 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %n, %p, CUDA_R_8I, %n, %p, CUDA_R_8I, %n, %n, %p, CUDA_R_32I, %n, CUBLAS_COMPUTE_32I, %g, %c
  tfrt.return
}

// Verifiers.

// -----

func.func @axpy(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.axpy' op typeAlpha, typeX, typeY and executionType need to match}}
  %0 = tfrt_gpu.blas.axpy %h, %s, %n, %a, CUDA_R_32F, %p, CUDA_R_32F, %n, %p, CUDA_R_16F, %n, CUDA_R_32F, %c
  tfrt.return
}

// -----

func.func @axpy_alpha(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.axpy' op alpha's type doesn't match typeAlpha}}
  %0 = "tfrt_gpu.blas.axpy"(%h, %s, %n, %a, %p, %n, %p, %n, %c) <{executionType = 5 : si32, typeAlpha = 5 : si32, typeX = 5 : si32, typeY = 5 : si32}> : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, f32, !tfrt_gpu.buffer, i32, !tfrt_gpu.buffer, i32, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----

func.func @scal(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.scal' op typeAlpha, typeX, and executionType need to match}}
  %0 = tfrt_gpu.blas.scal %h, %s, %n, %a, CUDA_R_32F, %p, CUDA_R_32F, %n, CUDA_R_64F, %c
  tfrt.return
}

// -----

func.func @scal_alpha(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f64, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.scal' op alpha's type doesn't match typeAlpha}}
  %0 = "tfrt_gpu.blas.scal"(%h, %s, %n, %a, %p, %n, %c) <{executionType = 1 : i32, typeAlpha = 1 : si32, typeX = 1 : i32}> : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, f64, !tfrt_gpu.buffer, i32, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----

func.func @scal_type(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f64, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.scal' op could not infer type from cudaDataType(99)}}
  %0 = "tfrt_gpu.blas.scal"(%h, %s, %n, %a, %p, %n, %c) <{executionType = 397 : si32, typeAlpha = 397 : si32, typeX = 397 : si32}> : (!tfrt_gpu.blas.handle, !tfrt_gpu.stream, i32, f64, !tfrt_gpu.buffer, i32, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// -----

func.func @gemm(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %g: !tfrt_gpu.blas.gemm.algo, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.gemm' op typeA and typeB need to match}}
  %0 = tfrt_gpu.blas.gemm %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_16F, %n, %p, CUDA_R_32F, %n, %a, %p, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, %g, %c
  tfrt.return
}

// -----

func.func @lt_matmul_types(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.lt_matmul' op typeA and typeB need to match}}
  %0 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_16F, %n, %p, CUDA_R_32F, %n, %a, %p, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, "none", %c
  tfrt.return
}

// -----

func.func @lt_matmul_epilogue(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.lt_matmul' op unknown epilogue 'swish'}}
  %0 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_32F, %n, %p, CUDA_R_32F, %n, %a, %p, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, "swish", %c
  tfrt.return
}

// -----

func.func @lt_matmul_no_bias(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.lt_matmul' op epilogue 'gelu_bias' needs a bias}}
  %0 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_32F, %n, %p, CUDA_R_32F, %n, %a, %p, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, "gelu_bias", %c
  tfrt.return
}

// -----

func.func @lt_matmul_bias(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %a: f32, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.lt_matmul' op epilogue 'relu' has no bias}}
  %0 = tfrt_gpu.blas.lt_matmul %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_32F, %n, %p, CUDA_R_32F, %n, %a, %p, CUDA_R_32F, %n, CUBLAS_COMPUTE_32F, "relu", %c, bias(%p)
  tfrt.return
}

// -----

func.func @gemm_batch(%h: !tfrt_gpu.blas.handle, %s: !tfrt_gpu.stream, %n: i32, %m: i64, %a: f32, %g: !tfrt_gpu.blas.gemm.algo, %p: !tfrt_gpu.buffer, %c: !tfrt.chain) {
  // expected-error@+1 {{'tfrt_gpu.blas.gemm.batch' op typeA and typeB need to match}}
  %0 = tfrt_gpu.blas.gemm.batch %h, %s, CUBLAS_OP_N, CUBLAS_OP_T, %n, %n, %n, %a, %p, CUDA_R_16F, %n, %m, %p, CUDA_R_32F, %n, %m, %a, %p, CUDA_R_32F, %n, %m, %n, CUBLAS_COMPUTE_32F, %g, %c
  tfrt.return
}

// -----

func.func @fft_rank(%ctx: !tfrt_gpu.context) {
  // expected-error@+1 {{'tfrt_gpu.fft.create' op dims should have rank 1, 2, or 3.}}
  %0 = tfrt_gpu.fft.create %ctx, CUFFT_C2C, 3, [], [1], [1]
  tfrt.return
}

// -----

func.func @fft_high_rank(%ctx: !tfrt_gpu.context) {
  // expected-error@+1 {{'tfrt_gpu.fft.create' op dims should have rank 1, 2, or 3.}}
  %0 = tfrt_gpu.fft.create %ctx, CUFFT_C2C, 3, [2, 2, 2, 2], [16, 8, 4, 2, 1], [16, 8, 4, 2, 1]
  tfrt.return
}

// -----

func.func @fft_in_strides(%ctx: !tfrt_gpu.context) {
  // expected-error@+1 {{'tfrt_gpu.fft.create' op in_strides should be one larger than dims.}}
  %0 = tfrt_gpu.fft.create %ctx, CUFFT_C2C, 3, [8], [8], [8, 1]
  tfrt.return
}

// -----

func.func @fft_out_strides(%ctx: !tfrt_gpu.context) {
  // expected-error@+1 {{'tfrt_gpu.fft.create' op out_strides should be one larger than dims.}}
  %0 = tfrt_gpu.fft.create %ctx, CUFFT_C2C, 3, [8], [8, 1], [8, 1, 1]
  tfrt.return
}

// -----

func.func @graph_strides(%h: !tfrt_gpu.dnn.handle) {
  // expected-error@+1 {{'tfrt_gpu.dnn.graph.build' op has 3 dimensions and 2 strides}}
  %0 = tfrt_gpu.dnn.graph.build %h, "conv", CUDNN_DATA_FLOAT, [1, 1, 1], [1, 1], [], 0.0, false
  tfrt.return
}

// Streamify.

// -----

// expected-error@+1 {{needs to be named when marked 'async'}}
tfrt_gpu.streamify async {
^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
  tfrt.return %c : !tfrt.chain
}

// -----

// expected-error@+1 {{'tfrt_gpu.streamify' op first return operand type is not a !tfrt.chain}}
tfrt_gpu.streamify {
^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
  tfrt.return %s : !tfrt_gpu.stream
}

// -----

// A missing return is one of nothing.
// expected-error@+1 {{'tfrt_gpu.streamify' op first return operand type is not a !tfrt.chain}}
tfrt_gpu.streamify {
^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
}

// -----

// expected-error@+1 {{'tfrt_gpu.streamify' op first return operand type is not a !tfrt.chain}}
tfrt_gpu.streamify {}

// -----

func.func @types(%t: !gpu.async.token) {
  // expected-error@+1 {{'tfrt_gpu.streamify' op trailing return types don't match result types}}
  %0:2 = tfrt_gpu.streamify async [%t] {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    tfrt.return %c, %s : !tfrt.chain, !tfrt_gpu.stream
  } : i32
  tfrt.return
}

// -----

func.func @counts() {
  // expected-error@+1 {{'tfrt_gpu.streamify' op trailing return types don't match result types}}
  %0 = tfrt_gpu.streamify {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    tfrt.return %c : !tfrt.chain
  } : i32
  tfrt.return
}

// -----

func.func @end() {
  // expected-error@+1 {{'tfrt_gpu.streamify' op body ends with 'tfrt_gpu.my_end', not with 'tfrt.return'}}
  tfrt_gpu.streamify {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    "tfrt_gpu.my_end"(%c) : (!tfrt.chain) -> ()
  }
  tfrt.return
}

// -----

func.func @token(%n: i32) {
  // expected-note@-1 {{prior use here}}
  // expected-error@+1 {{expects different type than prior uses: '!gpu.async.token' vs 'i32'}}
  tfrt_gpu.streamify [%n] {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    tfrt.return %c : !tfrt.chain
  }
  tfrt.return
}

// -----

func.func @sizes(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %c: !tfrt.chain) {
  // expected-error@+1 {{blocks and threads have three sizes each}}
  %0 = tfrt_gpu.function.launch.static %s, %f, blocks in (1, 1), threads in (1, 1, 1), 0, %c
  tfrt.return
}

// -----

func.func @signed_size(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %c: !tfrt.chain) {
  // expected-error@+1 {{a size is a number of 32 bits}}
  %0 = tfrt_gpu.function.launch.static %s, %f, blocks in (-1, 1, 1), threads in (1, 1, 1), 0, %c
  tfrt.return
}

// -----

func.func @wide_size(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %c: !tfrt.chain) {
  // expected-error@+1 {{a size is a number of 32 bits}}
  %0 = tfrt_gpu.function.launch.static %s, %f, blocks in (1, 1, 1), threads in (1, 4294967296, 1), 0, %c
  tfrt.return
}

// -----

func.func @signed_pitch(%b: !tfrt_gpu.buffer, %n: i64, %u: ui64, %s: !tfrt_gpu.stream, %c: !tfrt.chain) {
  // expected-error@+1 {{operand #1 must be 64-bit}}
  %0 = "tfrt_gpu.mem.copy_2d"(%b, %n, %b, %u, %u, %u, %s, %c) : (!tfrt_gpu.buffer, i64, !tfrt_gpu.buffer, ui64, ui64, ui64, !tfrt_gpu.stream, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}
