// Launches whose sizes are constants: BEF files have them as attributes, and so has the text that is made of those.
// RUN: tfrt_gpu_opt -tfrt-gpu-fold-launches %s | FileCheck %s
// RUN: tfrt_gpu_opt -tfrt-gpu-fold-launches -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: tfrt_gpu_translate -bef-to-mlir %t.bef | FileCheck %s
// RUN: tfrt_gpu_translate -bef-to-mlir %t.bef | tfrt_gpu_translate -mlir-to-bef | bef_to_mlir | FileCheck %s
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: launch.static

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: %0 = tfrt.constant.f32 1.500000e+00{{$}}
// CHECK-NEXT: %1 = tfrt_gpu.function.launch.static %arg0, %arg1, blocks in (7, 1, 1), threads in (32, 1, 1), 0, %arg3, args(%arg2, %0) : (!tfrt_gpu.buffer, f32){{$}}
// CHECK-NEXT: %2 = tfrt_gpu.function.launch.static %arg0, %arg1, blocks in (1, 7, 4294967295), threads in (1, 32, 1), 64, %1{{$}}
// CHECK-NEXT: tfrt.return %2 : !tfrt.chain{{$}}
func.func @constants(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %b: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  %one = tfrt.constant.ui64 1
  %seven = tfrt.constant.ui64 7
  %warp = tfrt.constant.ui64 32
  %all = tfrt.constant.ui64 4294967295
  %none = tfrt.constant.ui32 0
  %some = tfrt.constant.ui32 64
  %x = tfrt.constant.f32 1.5
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%seven, %one, %one), threads in (%warp, %one, %one), %none, %c0, args(%b, %x) : (!tfrt_gpu.buffer, f32)
  %c2 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %seven, %all), threads in (%one, %warp, %one), %some, %c1
  tfrt.return %c2 : !tfrt.chain
}

// A constant that is used elsewhere stays: here as an argument of the kernel.
// CHECK-LABEL: func.func @used_constant(
// CHECK-NEXT: %0 = tfrt.constant.ui64 2{{$}}
// CHECK-NEXT: %1 = tfrt_gpu.function.launch.static %arg0, %arg1, blocks in (2, 2, 2), threads in (2, 2, 2), 0, %arg2, args(%0) : (ui64){{$}}
func.func @used_constant(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %c0: !tfrt.chain) -> !tfrt.chain {
  %two = tfrt.constant.ui64 2
  %none = tfrt.constant.ui32 0
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%two, %two, %two), threads in (%two, %two, %two), %none, %c0, args(%two) : (ui64)
  tfrt.return %c1 : !tfrt.chain
}

// Sizes that are passed, or that no launch has: the kernel reports those at the launch. Attributes of the program's own.
// CHECK-LABEL: func.func @as_they_are(
// CHECK-NEXT: %0 = tfrt.constant.ui64 1{{$}}
// CHECK-NEXT: %1 = tfrt.constant.ui64 4294967296{{$}}
// CHECK-NEXT: %2 = tfrt.constant.ui32 0{{$}}
// CHECK-NEXT: %3 = tfrt_gpu.function.launch %arg0, %arg1, blocks in (%arg2, %0, %0), threads in (%0, %0, %0), %2, %arg4{{$}}
// CHECK-NEXT: %4 = tfrt_gpu.function.launch %arg0, %arg1, blocks in (%0, %0, %0), threads in (%0, %0, %0), %arg3, %3{{$}}
// CHECK-NEXT: %5 = tfrt_gpu.function.launch %arg0, %arg1, blocks in (%0, %0, %0), threads in (%0, %1, %0), %2, %4{{$}}
// CHECK-NEXT: %6 = tfrt_gpu.function.launch %arg0, %arg1, blocks in (%0, %0, %0), threads in (%0, %0, %0), %2, %5 {a = 1 : i32}{{$}}
func.func @as_they_are(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %n: ui64, %bytes: ui32, %c0: !tfrt.chain) -> !tfrt.chain {
  %one = tfrt.constant.ui64 1
  %wide = tfrt.constant.ui64 4294967296
  %none = tfrt.constant.ui32 0
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%n, %one, %one), threads in (%one, %one, %one), %none, %c0
  %c2 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %bytes, %c1
  %c3 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %wide, %one), %none, %c2
  %c4 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c3 {a = 1 : i32}
  tfrt.return %c4 : !tfrt.chain
}

// In a region, and with the cost that somebody has given the op.
// CHECK-LABEL: func.func @region(
// CHECK: tfrt_gpu.function.launch.static %{{.*}}, %{{.*}}, blocks in (3, 3, 3), threads in (3, 3, 3), 5, %{{.*}} {_tfrt_cost = 40 : i64}{{$}}
func.func @region(%s: !tfrt_gpu.stream, %f: !tfrt_gpu.function, %n: i32, %c0: !tfrt.chain) -> !tfrt.chain {
  %r:3 = tfrt.repeat.i32 %n, %s, %f, %c0 : !tfrt_gpu.stream, !tfrt_gpu.function, !tfrt.chain {
    %three = tfrt.constant.ui64 3
    %five = tfrt.constant.ui32 5
    %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%three, %three, %three), threads in (%three, %three, %three), %five, %c0 {_tfrt_cost = 40 : i64}
    tfrt.return %s, %f, %c1 : !tfrt_gpu.stream, !tfrt_gpu.function, !tfrt.chain
  }
  tfrt.return %r#2 : !tfrt.chain
}
