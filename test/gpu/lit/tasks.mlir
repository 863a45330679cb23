// Tasks with streams of their own, between which events keep the order.
// RUN: tfrt_gpu_opt %s -gpu-to-tfrt-gpu | tfrt_gpu_translate -mlir-to-bef -o %t.bef
// RUN: bef_executor_lite %t.bef | FileCheck %s
// RUN: bef_executor_lite -work_queue_type=mstd %t.bef | FileCheck %s

module attributes {gpu.container_module} {
  memref.global @value : memref<i32> = dense<5>
  gpu.module @code attributes {
    binary = ".version 6.0\0A.target sm_50\0A.address_size 64\0A.visible .entry twice(.param .u64 p) {\0A.reg .u64 %a; .reg .u32 %r;\0Ald.param.u64 %a, [p]; ld.global.u32 %r, [%a]; add.u32 %r, %r, %r; st.global.u32 [%a], %r; ret;\0A}\0A"
  } {
    gpu.func @twice(%p: memref<i32>) kernel { gpu.return }
  }

  func.func @compute() -> i32 {
    %one = arith.constant 1 : index
    %v = memref.get_global @value : memref<i32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @code::@twice blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%v : memref<i32>)
    %t2 = gpu.wait async [%t1]
    %done, %f = async.execute -> !async.value<!gpu.async.token> {
      %u0 = gpu.wait async [%t2]
      %u1 = gpu.launch_func async [%u0] @code::@twice blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%v : memref<i32>)
      async.yield %u1 : !gpu.async.token
    }
    %done2, %g = async.execute (%f as %w: !async.value<!gpu.async.token>) -> !async.value<!gpu.async.token> {
      %w0 = gpu.wait async [%w]
      %w1 = gpu.launch_func async [%w0] @code::@twice blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%v : memref<i32>)
      async.yield %w1 : !gpu.async.token
    }
    %t3 = async.await %g : !async.value<!gpu.async.token>
    %t4 = gpu.wait async [%t3]
    %x, %t5 = tfrt_gpu.streamify async [%t4] {
    ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
      %x = memref.load %v[] : memref<i32>
      tfrt.return %c, %x : !tfrt.chain, i32
    } : i32
    gpu.wait [%t5]
    tfrt.return %x : i32
  }

  // CHECK-LABEL: --- Running 'main':
  // CHECK-NEXT: int32 = 40
  func.func @main() {
    %n = tfrt.constant.i32 0
    %device = tfrt_gpu.device.get CUDA, %n
    %context = tfrt_gpu.context.primary %device
    %stream = tfrt_gpu.stream.create %context
    %c0 = tfrt.new.chain
    %c1, %x = tfrt.once @compute(%c0, %stream) : (!tfrt.chain, !tfrt_gpu.stream) -> (!tfrt.chain, i32)
    %c2 = tfrt.print.i32 %x, %c1
    tfrt.return
  }
}
