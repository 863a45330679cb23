// Programs of the gpu dialect, whose device code is compiled, through all passes.
// RUN: tfrt_gpu_opt %s -tfrt-streamify-ops=ops=memref.load -gpu-async-region -gpu-to-tfrt-gpu | tfrt_gpu_translate -mlir-to-bef -o %t.bef
// RUN: bef_executor_lite %t.bef | FileCheck %s
// RUN: bef_executor_lite -work_queue_type=mstd %t.bef | FileCheck %s
// What the executor of entry points runs: a function without operands has become one of a stream.
// RUN: tfrt_gpu_opt %s -tfrt-streamify-ops=ops=memref.load -gpu-async-region -gpu-to-tfrt-gpu -tfrt-set-entry-point='platform=CUDA function_name=launch' | tfrt_gpu_translate -mlir-to-bef | tfrt_gpu_executor
// RUN: tfrt_gpu_opt %s -tfrt-streamify-ops=ops=memref.load -gpu-async-region -gpu-to-tfrt-gpu -tfrt-set-entry-point='platform=CUDA function_name=missing' | tfrt_gpu_translate -mlir-to-bef -o %t.bef
// RUN: not tfrt_gpu_executor %t.bef 2>&1 | FileCheck %s --check-prefix=MISSING

module attributes {gpu.container_module} {
  memref.global @value : memref<i32> = dense<20>
  memref.global @step : memref<1xi32> = dense<[3]> {gpu_module = @code}
  gpu.module @code attributes {
    binary = ".version 6.0\0A.target sm_50\0A.address_size 64\0A.visible .global .align 4 .u32 step;\0A.visible .entry add(.param .u64 p, .param .u64 q) {\0A.reg .u64 %a<3>; .reg .u32 %r<3>;\0Ald.param.u64 %a1, [p]; ld.param.u64 %a2, [q];\0Ald.global.u32 %r1, [%a1]; ld.global.u32 %r2, [%a2]; add.u32 %r1, %r1, %r2; st.global.u32 [%a1], %r1; ret;\0A}\0A",
    constants = [@step]
  } {
    gpu.func @add(%p: memref<i32>, %q: memref<1xi32>) kernel { gpu.return }
    gpu.func @other() kernel { gpu.return }
  }

  // CHECK-LABEL: --- Not running 'value' because it has arguments
  // CHECK-LABEL: --- Not running 'compute' because it has arguments
  func.func @compute() -> (i32, i32) {
    %one = arith.constant 1 : index
    %v = memref.get_global @value : memref<i32>
    %s = memref.get_global @step : memref<1xi32>
    %before = memref.load %v[] : memref<i32>
    gpu.launch_func @code::@add blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%v : memref<i32>, %s : memref<1xi32>)
    gpu.launch_func @code::@add blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%v : memref<i32>, %s : memref<1xi32>)
    %after = memref.load %v[] : memref<i32>
    tfrt.return %before, %after : i32, i32
  }

  func.func @launch() {
    %one = arith.constant 1 : index
    %v = memref.get_global @value : memref<i32>
    %s = memref.get_global @step : memref<1xi32>
    gpu.launch_func @code::@add blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%v : memref<i32>, %s : memref<1xi32>)
    tfrt.return
  }
  // The device code does not have this kernel.
  // MISSING: CUDA_ERROR_NOT_FOUND
  func.func @missing() {
    %one = arith.constant 1 : index
    gpu.launch_func @code::@other blocks in (%one, %one, %one) threads in (%one, %one, %one)
    tfrt.return
  }

  // CHECK-LABEL: --- Running 'main':
  // CHECK-NEXT: int32 = 20
  // CHECK-NEXT: int32 = 26
  func.func @main() {
    %n = tfrt.constant.i32 0
    %device = tfrt_gpu.device.get CUDA, %n
    %context = tfrt_gpu.context.primary %device
    %stream = tfrt_gpu.stream.create %context
    %c0 = tfrt.new.chain
    %c1, %before, %after = tfrt.once @compute(%c0, %stream) : (!tfrt.chain, !tfrt_gpu.stream) -> (!tfrt.chain, i32, i32)
    %c2 = tfrt.print.i32 %before, %c1
    %c3 = tfrt.print.i32 %after, %c2
    tfrt.return
  }
}
