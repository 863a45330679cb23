// Modules and launches.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @launch(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.stream, %arg2: !tfrt_gpu.buffer, %arg3: !tfrt.chain) -> !tfrt.chain {
func.func @launch(%ctx: !tfrt_gpu.context, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.module.load %arg0 {data = ".version 6.0\0A.target sm_50\0A.address_size 64\0A.visible .global .align 4 .u32 knob;\0A.visible .entry idle(.param .u64 p, .param .f32 x) { ret; }\0A\00"}
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\0A.target sm_50\0A.address_size 64\0A.visible .global .align 4 .u32 knob;\0A.visible .entry idle(.param .u64 p, .param .f32 x) { ret; }\0A\00"}
  // CHECK-NEXT: %1 = tfrt_gpu.module.get_global %0 {name = "knob"}
  %g = tfrt_gpu.module.get_global %m {name = "knob"}
  // CHECK-NEXT: %2 = tfrt_gpu.module.get_function %0 {name = "idle"}
  %f = tfrt_gpu.module.get_function %m {name = "idle"}
  // CHECK-NEXT: %3 = tfrt.constant.ui64 1{{$}}
  %one = tfrt.constant.ui64 1
  // CHECK-NEXT: %4 = tfrt.constant.ui64 32{{$}}
  %warp = tfrt.constant.ui64 32
  // CHECK-NEXT: %5 = tfrt.constant.ui32 0{{$}}
  %none = tfrt.constant.ui32 0
  // CHECK-NEXT: %6 = tfrt.constant.f32 1.500000e+00{{$}}
  %x = tfrt.constant.f32 1.5
  // CHECK-NEXT: %7 = tfrt_gpu.function.launch %arg1, %2, blocks in (%3, %3, %3), threads in (%4, %3, %3), %5, %arg3, args(%arg2, %6) : (!tfrt_gpu.buffer, f32){{$}}
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%warp, %one, %one), %none, %c0, args(%b, %x) : (!tfrt_gpu.buffer, f32)
  // CHECK-NEXT: %8 = tfrt_gpu.function.launch %arg1, %2, blocks in (%3, %3, %3), threads in (%3, %3, %3), %5, %7{{$}}
  %c2 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c1
  // CHECK-NEXT: tfrt.return %8 : !tfrt.chain{{$}}
  tfrt.return %c2 : !tfrt.chain
// CHECK-NEXT: }
}
