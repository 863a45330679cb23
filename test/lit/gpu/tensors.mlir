// Tensors over buffers.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @tensors(%arg0: !tfrt_gpu.buffer, %arg1: !tfrt.chain) -> !tfrt.chain {
func.func @tensors(%b: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = ts.build_shape [3, 2]{{$}}
  %s = ts.build_shape [3, 2]
  // CHECK-NEXT: %1 = tfrt_gpu.tensor.make.i8 %arg0, %0, %arg1{{$}}
  %t0 = tfrt_gpu.tensor.make.i8 %b, %s, %c0
  // CHECK-NEXT: %2 = tfrt_gpu.tensor.make.i32 %arg0, %0, %arg1{{$}}
  %t1 = tfrt_gpu.tensor.make.i32 %b, %s, %c0
  // CHECK-NEXT: %3 = tfrt_gpu.tensor.make.i64 %arg0, %0, %arg1{{$}}
  %t2 = tfrt_gpu.tensor.make.i64 %b, %s, %c0
  // CHECK-NEXT: %4 = tfrt_gpu.tensor.make.f32 %arg0, %0, %arg1{{$}}
  %t3 = tfrt_gpu.tensor.make.f32 %b, %s, %c0
  // CHECK-NEXT: %5 = tfrt_gpu.tensor.make.f64 %arg0, %0, %arg1{{$}}
  %t4 = tfrt_gpu.tensor.make.f64 %b, %s, %c0
  // CHECK-NEXT: %6 = tfrt_gpu.tensor.print_metadata %4, %arg1{{$}}
  %c1 = tfrt_gpu.tensor.print_metadata %t3, %c0
  // CHECK-NEXT: tfrt.return %6 : !tfrt.chain{{$}}
  tfrt.return %c1 : !tfrt.chain
// CHECK-NEXT: }
}
