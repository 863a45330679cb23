// Memory of devices and of the host.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @memory(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.stream, %arg2: !ht.host_buffer, %arg3: !tfrt.chain) -> (!tfrt.chain, i32, !tfrt_gpu.buffer) {
func.func @memory(%ctx: !tfrt_gpu.context, %s: !tfrt_gpu.stream, %h: !ht.host_buffer, %c0: !tfrt.chain) -> (!tfrt.chain, i32, !tfrt_gpu.buffer) {
  // CHECK-NEXT: %0 = tfrt_gpu.allocator.create %arg0{{$}}
  %al = tfrt_gpu.allocator.create %ctx
  // CHECK-NEXT: %1 = tfrt.constant.i64 48{{$}}
  %n = tfrt.constant.i64 48
  // CHECK-NEXT: %2 = tfrt_gpu.mem.allocate %0, %arg1, %1, %arg3{{$}}
  %buf = tfrt_gpu.mem.allocate %al, %s, %n, %c0
  // CHECK-NEXT: %3 = tfrt_gpu.mem.allocate_host %arg0, %1, %arg3{{$}}
  %pin = tfrt_gpu.mem.allocate_host %ctx, %n, %c0
  // CHECK-NEXT: %4 = tfrt.constant.f32 2.500000e-01{{$}}
  %bits = tfrt.constant.f32 0.25
  // CHECK-NEXT: %5 = tfrt_gpu.mem.set %2, %4, %arg1, %arg3 : f32{{$}}
  %c1 = tfrt_gpu.mem.set %buf, %bits, %s, %c0 : f32
  // CHECK-NEXT: %6 = tfrt.constant.ui64 16{{$}}
  %off = tfrt.constant.ui64 16
  // CHECK-NEXT: %7 = tfrt.constant.ui64 8{{$}}
  %len = tfrt.constant.ui64 8
  // CHECK-NEXT: %8 = tfrt_gpu.mem.view %2, %6, %7{{$}}
  %part = tfrt_gpu.mem.view %buf, %off, %len
  // CHECK-NEXT: %9 = tfrt_gpu.mem.copy %3, %2, %arg1, %5 : !tfrt_gpu.buffer, !tfrt_gpu.buffer{{$}}
  %c2 = tfrt_gpu.mem.copy %pin, %buf, %s, %c1 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  // CHECK-NEXT: %10 = tfrt_gpu.mem.copy %arg2, %2, %arg1, %9 : !ht.host_buffer, !tfrt_gpu.buffer{{$}}
  %c3 = tfrt_gpu.mem.copy %h, %buf, %s, %c2 : !ht.host_buffer, !tfrt_gpu.buffer
  // CHECK-NEXT: %11 = tfrt_gpu.mem.register %arg0, %arg2{{$}}
  %reg = tfrt_gpu.mem.register %ctx, %h
  // CHECK-NEXT: %12 = tfrt_gpu.stream.synchronize %arg1, %10{{$}}
  %c4 = tfrt_gpu.stream.synchronize %s, %c3
  // CHECK-NEXT: %13 = tfrt_gpu.mem.load %3, %12 : i32{{$}}
  %first = tfrt_gpu.mem.load %pin, %c4 : i32
  // CHECK-NEXT: %14 = tfrt_gpu.mem.print_metadata %8, %12{{$}}
  %c5 = tfrt_gpu.mem.print_metadata %part, %c4
  // CHECK-NEXT: %15 = tfrt_gpu.alias %11, %14 : !tfrt_gpu.buffer{{$}}
  %late = tfrt_gpu.alias %reg, %c5 : !tfrt_gpu.buffer
  // CHECK-NEXT: %16 = tfrt_gpu.mem.deallocate %2, %arg1, %14{{$}}
  %c6 = tfrt_gpu.mem.deallocate %buf, %s, %c5
  // CHECK-NEXT: tfrt.return %16, %13, %15 : !tfrt.chain, i32, !tfrt_gpu.buffer{{$}}
  tfrt.return %c6, %first, %late : !tfrt.chain, i32, !tfrt_gpu.buffer
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %arg0: !tfrt_gpu.buffer, %arg1: !tfrt_gpu.buffer, %arg2: ui64, %arg3: ui64, %arg4: !tfrt_gpu.stream, %arg5: !tfrt.chain
func.func @rows(%to: !tfrt_gpu.buffer, %from: !tfrt_gpu.buffer, %pitch: ui64, %n: ui64, %s: !tfrt_gpu.stream, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.mem.copy_2d %arg0, %arg2, %arg1, %arg2, %arg3, %arg3, %arg4, %arg5{{$}}
  %c1 = tfrt_gpu.mem.copy_2d %to, %pitch, %from, %pitch, %n, %n, %s, %c0
  tfrt.return %c1 : !tfrt.chain
}
