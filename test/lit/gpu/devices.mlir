// Devices, contexts, streams and events.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @two_streams() -> !tfrt.chain {
func.func @two_streams() -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt.new.chain{{$}}
  %c0 = tfrt.new.chain
  // CHECK-NEXT: %1 = tfrt.constant.i32 0{{$}}
  %n = tfrt.constant.i32 0
  // CHECK-NEXT: %2 = tfrt_gpu.device.get CUDA, %1{{$}}
  %dev = tfrt_gpu.device.get CUDA, %n
  // CHECK-NEXT: %3 = tfrt_gpu.context.primary %2{{$}}
  %main = tfrt_gpu.context.primary %dev
  // CHECK-NEXT: %4 = tfrt_gpu.context.create %2{{$}}
  %own = tfrt_gpu.context.create %dev
  // CHECK-NEXT: %5 = tfrt_gpu.stream.create %3{{$}}
  %a = tfrt_gpu.stream.create %main
  // CHECK-NEXT: %6 = tfrt_gpu.stream.get_context %5{{$}}
  %ctx = tfrt_gpu.stream.get_context %a
  // CHECK-NEXT: %7 = tfrt_gpu.stream.create %6{{$}}
  %b = tfrt_gpu.stream.create %ctx
  // CHECK-NEXT: %8 = tfrt_gpu.event.create %6{{$}}
  %ev = tfrt_gpu.event.create %ctx
  // CHECK-NEXT: %9 = tfrt_gpu.event.record %8, %5, %0{{$}}
  %c1 = tfrt_gpu.event.record %ev, %a, %c0
  // CHECK-NEXT: %10 = tfrt_gpu.stream.wait %7, %8, %9{{$}}
  %c2 = tfrt_gpu.stream.wait %b, %ev, %c1
  // CHECK-NEXT: %11 = tfrt_gpu.event.synchronize %8, %9{{$}}
  %c3 = tfrt_gpu.event.synchronize %ev, %c1
  // CHECK-NEXT: %12 = tfrt_gpu.stream.synchronize %7, %10{{$}}
  %c4 = tfrt_gpu.stream.synchronize %b, %c2
  // CHECK-NEXT: tfrt.return %12 : !tfrt.chain{{$}}
  tfrt.return %c4 : !tfrt.chain
// CHECK-NEXT: }
}
