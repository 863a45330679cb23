// Convolution, pooling and activation.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @dnn(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.stream, %arg2: !tfrt_gpu.buffer, %arg3: !tfrt_gpu.buffer, %arg4: !tfrt_gpu.buffer, %arg5: !tfrt_gpu.buffer, %arg6: !tfrt.chain) -> !tfrt.chain {
func.func @dnn(%ctx: !tfrt_gpu.context, %s: !tfrt_gpu.stream, %x: !tfrt_gpu.buffer, %w: !tfrt_gpu.buffer, %y: !tfrt_gpu.buffer, %ws: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.dnn.create %arg0{{$}}
  %h = tfrt_gpu.dnn.create %ctx
  // CHECK-NEXT: %1 = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [1 : i32, 1 : i32], [2 : i32, 2 : i32], [1 : i32, 1 : i32]{{$}}
  %conv = tfrt_gpu.dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH, [1 : i32, 1 : i32], [2 : i32, 2 : i32], [1 : i32, 1 : i32]
  // CHECK-NEXT: %2 = tfrt_gpu.dnn.create_convolution_descriptor miopenFloat, miopenConvolution, ROCM_DEFAULT_MATH, [0 : i32, 0 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]{{$}}
  %hip = tfrt_gpu.dnn.create_convolution_descriptor miopenFloat, miopenConvolution, ROCM_DEFAULT_MATH, [0 : i32, 0 : i32], [1 : i32, 1 : i32], [1 : i32, 1 : i32]
  // CHECK-NEXT: %3 = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_FLOAT, 0, [8 : i32, 4 : i32, 3 : i32, 3 : i32]{{$}}
  %wd = tfrt_gpu.dnn.create_filter_descriptor CUDNN_DATA_FLOAT, 0, [8 : i32, 4 : i32, 3 : i32, 3 : i32]
  // CHECK-NEXT: %4 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [2 : i32, 4 : i32, 7 : i32, 7 : i32], [196 : i32, 49 : i32, 7 : i32, 1 : i32]{{$}}
  %xd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [2 : i32, 4 : i32, 7 : i32, 7 : i32], [196 : i32, 49 : i32, 7 : i32, 1 : i32]
  // CHECK-NEXT: %5 = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [2 : i32, 8 : i32, 4 : i32, 4 : i32], [128 : i32, 16 : i32, 4 : i32, 1 : i32]{{$}}
  %yd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [2 : i32, 8 : i32, 4 : i32, 4 : i32], [128 : i32, 16 : i32, 4 : i32, 1 : i32]
  // CHECK-NEXT: %6 = tfrt.constant.ui32 2{{$}}
  %mode = tfrt.constant.ui32 2
  // CHECK-NEXT: %7 = tfrt.constant.ui32 1{{$}}
  %nan = tfrt.constant.ui32 1
  // CHECK-NEXT: %8 = tfrt_gpu.dnn.create_pooling_descriptor %arg0, %6, %7, [2 : i32, 2 : i32], [0 : i32, 0 : i32], [2 : i32, 2 : i32]{{$}}
  %pool = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %mode, %nan, [2 : i32, 2 : i32], [0 : i32, 0 : i32], [2 : i32, 2 : i32]
  // CHECK-NEXT: %9 = tfrt.constant.f64 6.000000e+00{{$}}
  %cap = tfrt.constant.f64 6.0
  // CHECK-NEXT: %10 = tfrt_gpu.dnn.create_activation_descriptor %9, CUDNN_ACTIVATION_CLIPPED_RELU, false{{$}}
  %act = tfrt_gpu.dnn.create_activation_descriptor %cap, CUDNN_ACTIVATION_CLIPPED_RELU, false
  // CHECK-NEXT: %11 = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_GEMM{{$}}
  %fwd = tfrt_gpu.dnn.convolution_forward_algorithm CUDNN_CONVOLUTION_FWD_ALGO_GEMM
  // CHECK-NEXT: %12 = tfrt_gpu.dnn.convolution_backward_data_algorithm CUDNN_CONVOLUTION_BWD_DATA_ALGO_1{{$}}
  %bwd = tfrt_gpu.dnn.convolution_backward_data_algorithm CUDNN_CONVOLUTION_BWD_DATA_ALGO_1
  // CHECK-NEXT: %13 = tfrt_gpu.dnn.convolution_backward_filter_algorithm 7{{$}}
  %bwf = tfrt_gpu.dnn.convolution_backward_filter_algorithm 7
  // CHECK-NEXT: %14 = tfrt.constant.f32 1.000000e+00{{$}}
  %one = tfrt.constant.f32 1.0
  // CHECK-NEXT: %15 = tfrt.constant.f32 0.000000e+00{{$}}
  %zero = tfrt.constant.f32 0.0
  // CHECK-NEXT: %16 = tfrt_gpu.dnn.pooling_forward %0, %arg1, %8, %14, %4, %arg2, %15, %5, %arg4, %arg6{{$}}
  %c1 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %one, %xd, %x, %zero, %yd, %y, %c0
  // CHECK-NEXT: %17 = tfrt_gpu.dnn.pooling_backward %0, %arg1, %8, %14, %5, %arg4, %5, %arg4, %4, %arg2, %15, %4, %arg2, %16{{$}}
  %c2 = tfrt_gpu.dnn.pooling_backward %h, %s, %pool, %one, %yd, %y, %yd, %y, %xd, %x, %zero, %xd, %x, %c1
  // CHECK-NEXT: %18 = tfrt_gpu.dnn.convolution_forward %0, %arg1, CUDNN_DATA_FLOAT, %4, %arg2, %3, %arg3, %1, %11, %arg5, %5, %arg4, %17{{$}}
  %c3 = tfrt_gpu.dnn.convolution_forward %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %wd, %w, %conv, %fwd, %ws, %yd, %y, %c2
  // CHECK-NEXT: %19 = tfrt_gpu.dnn.convolution_backward_data %0, %arg1, CUDNN_DATA_FLOAT, %3, %arg3, %5, %arg4, %1, %12, %arg5, %4, %arg2, %18{{$}}
  %c4 = tfrt_gpu.dnn.convolution_backward_data %h, %s, CUDNN_DATA_FLOAT, %wd, %w, %yd, %y, %conv, %bwd, %ws, %xd, %x, %c3
  // CHECK-NEXT: %20 = tfrt_gpu.dnn.convolution_backward_filter %0, %arg1, CUDNN_DATA_FLOAT, %4, %arg2, %5, %arg4, %1, %13, %arg5, %3, %arg3, %19{{$}}
  %c5 = tfrt_gpu.dnn.convolution_backward_filter %h, %s, CUDNN_DATA_FLOAT, %xd, %x, %yd, %y, %conv, %bwf, %ws, %wd, %w, %c4
  // CHECK-NEXT: %21 = tfrt_gpu.dnn.convolution_bias_activation_forward %0, %arg1, CUDNN_DATA_FLOAT, %14, %4, %arg2, %3, %arg3, %1, %11, %arg5, %15, %5, %arg4, %5, %arg4, %10, %5, %arg4, %20{{$}}
  %c6 = tfrt_gpu.dnn.convolution_bias_activation_forward %h, %s, CUDNN_DATA_FLOAT, %one, %xd, %x, %wd, %w, %conv, %fwd, %ws, %zero, %yd, %y, %yd, %y, %act, %yd, %y, %c5
  // CHECK-NEXT: %22 = tfrt_gpu.dnn.build_convolution %0, CUDNN_DATA_HALF, CUDNN_DATA_HALF, [2, 4, 7, 7], [196, 49, 7, 1], [2, 8, 4, 4], [128, 16, 4, 1], [8, 4, 3, 3], [36, 9, 3, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 1, [], []{{$}}
  %plan = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_HALF, CUDNN_DATA_HALF, [2, 4, 7, 7], [196, 49, 7, 1], [2, 8, 4, 4], [128, 16, 4, 1], [8, 4, 3, 3], [36, 9, 3, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 1, [], []
  // CHECK-NEXT: %23 = tfrt_gpu.dnn.run_convolution %0, %arg1, %22, %arg2, %arg4, %arg3, %arg5, %21{{$}}
  %c7 = tfrt_gpu.dnn.run_convolution %h, %s, %plan, %x, %y, %w, %ws, %c6
  // CHECK-NEXT: %24 = tfrt_gpu.dnn.build_fused_convolution %0, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [2, 4, 7, 7], [196, 49, 7, 1], [2, 8, 4, 4], [128, 16, 4, 1], [8, 4, 3, 3], [36, 9, 3, 1], [1, 8, 1, 1], [8, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %9, %9, 1, 0, [3], [2]{{$}}
  %fused = tfrt_gpu.dnn.build_fused_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [2, 4, 7, 7], [196, 49, 7, 1], [2, 8, 4, 4], [128, 16, 4, 1], [8, 4, 3, 3], [36, 9, 3, 1], [1, 8, 1, 1], [8, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %cap, %cap, 1, 0, [3], [2]
  // CHECK-NEXT: %25 = tfrt_gpu.dnn.run_fused_convolution %0, %arg1, %24, %arg2, %arg4, %arg3, %arg4, %arg5, %arg5, %23{{$}}
  %c8 = tfrt_gpu.dnn.run_fused_convolution %h, %s, %fused, %x, %y, %w, %y, %ws, %ws, %c7
  // CHECK-NEXT: tfrt.return %25 : !tfrt.chain{{$}}
  tfrt.return %c8 : !tfrt.chain
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @graphs
func.func @graphs(%h: !tfrt_gpu.dnn.handle, %s: !tfrt_gpu.stream, %x: !tfrt_gpu.buffer, %w: !tfrt_gpu.buffer, %y: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.dnn.graph.build %arg0, "conv", CUDNN_DATA_HALF, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], 0.000000e+00, true{{$}}
  %plan = tfrt_gpu.dnn.graph.build %h, "conv", CUDNN_DATA_HALF, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], 0.0, true
  // CHECK-NEXT: %1 = tfrt_gpu.dnn.graph.run %arg0, %arg1, %0, %arg5, buffers(%arg2, %arg3, %arg4){{$}}
  %c1 = tfrt_gpu.dnn.graph.run %h, %s, %plan, %c0, buffers(%x, %w, %y)
  tfrt.return %c1 : !tfrt.chain
}
