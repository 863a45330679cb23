// Collective communication.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @rank(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.stream, %arg2: !tfrt_gpu.buffer, %arg3: !tfrt_gpu.buffer, %arg4: i32, %arg5: i32, %arg6: !tfrt.chain) -> !tfrt.chain {
func.func @rank(%ctx: !tfrt_gpu.context, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %d: !tfrt_gpu.buffer, %me: i32, %other: i32, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt.constant.i32 2{{$}}
  %two = tfrt.constant.i32 2
  // CHECK-NEXT: %1 = tfrt_gpu.ccl.unique_id CUDA{{$}}
  %id = tfrt_gpu.ccl.unique_id CUDA
  // CHECK-NEXT: %2 = tfrt_gpu.ccl.create %arg0, %arg4, %0, %1{{$}}
  %h = tfrt_gpu.ccl.create %ctx, %me, %two, %id
  // CHECK-NEXT: %3 = tfrt_gpu.ccl.all_gather %2, %arg2, %arg3, ncclUint8, %arg6{{$}}
  %c1 = tfrt_gpu.ccl.all_gather %h, %b, %d, ncclUint8, %c0
  // CHECK-NEXT: %4 = tfrt_gpu.ccl.all_reduce %2, %arg2, %arg2, ncclFloat16, ncclMax, %3{{$}}
  %c2 = tfrt_gpu.ccl.all_reduce %h, %b, %b, ncclFloat16, ncclMax, %c1
  // CHECK-NEXT: %5 = tfrt_gpu.ccl.reduce_scatter %2, %arg3, %arg2, ncclFloat64, ncclProd, %4{{$}}
  %c3 = tfrt_gpu.ccl.reduce_scatter %h, %d, %b, ncclFloat64, ncclProd, %c2
  // CHECK-NEXT: %6 = tfrt_gpu.ccl.all_to_all %2, %arg2, %arg3, ncclInt64, %5{{$}}
  %c4 = tfrt_gpu.ccl.all_to_all %h, %b, %d, ncclInt64, %c3
  // CHECK-NEXT: %7 = tfrt_gpu.ccl.send %2, %arg2, %arg5, ncclFloat32, %6{{$}}
  %c5 = tfrt_gpu.ccl.send %h, %b, %other, ncclFloat32, %c4
  // CHECK-NEXT: %8 = tfrt_gpu.ccl.recv %2, %arg3, %arg5, ncclFloat32, %7{{$}}
  %c6 = tfrt_gpu.ccl.recv %h, %d, %other, ncclFloat32, %c5
  // CHECK-NEXT: %9 = tfrt_gpu.ccl.execute %arg1, %2, %8{{$}}
  %c7 = tfrt_gpu.ccl.execute %s, %h, %c6
  // CHECK-NEXT: tfrt.return %9 : !tfrt.chain{{$}}
  tfrt.return %c7 : !tfrt.chain
// CHECK-NEXT: }
}
