// Fourier transforms.
// RUN: tfrt_gpu_opt %s | FileCheck %s
// RUN: tfrt_gpu_opt %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_opt -mlir-print-op-generic %s | tfrt_gpu_opt | FileCheck %s
// RUN: tfrt_gpu_translate -mlir-to-bef %s | tfrt_gpu_translate -bef-to-mlir | FileCheck %s
// The types of enumerations lose their signs in version 0 of the format.
// RUN: mlir_to_bef -v0-exact %s | bef_to_mlir | FileCheck %s

// CHECK-LABEL: func.func @fft(%arg0: !tfrt_gpu.context, %arg1: !tfrt_gpu.allocator, %arg2: !tfrt_gpu.stream, %arg3: !tfrt_gpu.buffer, %arg4: !tfrt.chain) -> !tfrt.chain {
func.func @fft(%ctx: !tfrt_gpu.context, %al: !tfrt_gpu.allocator, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %c0: !tfrt.chain) -> !tfrt.chain {
  // CHECK-NEXT: %0 = tfrt_gpu.fft.create %arg0, CUFFT_Z2Z, 3, [8, 4], [32, 4, 1], [32, 4, 1]{{$}}
  %p = tfrt_gpu.fft.create %ctx, CUFFT_Z2Z, 3, [8, 4], [32, 4, 1], [32, 4, 1]
  // CHECK-NEXT: %1 = tfrt_gpu.fft.get_workspace_size %0{{$}}
  %n = tfrt_gpu.fft.get_workspace_size %p
  // CHECK-NEXT: %2 = tfrt_gpu.mem.allocate %arg1, %arg2, %1, %arg4{{$}}
  %ws = tfrt_gpu.mem.allocate %al, %s, %n, %c0
  // CHECK-NEXT: %3 = tfrt_gpu.fft.execute %arg2, %0, %arg3, %arg3, %2, CUFFT_INVERSE, %arg4{{$}}
  %c1 = tfrt_gpu.fft.execute %s, %p, %b, %b, %ws, CUFFT_INVERSE, %c0
  // CHECK-NEXT: tfrt.return %3 : !tfrt.chain{{$}}
  tfrt.return %c1 : !tfrt.chain
// CHECK-NEXT: }
}
