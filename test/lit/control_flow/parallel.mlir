// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'blocks':
// CHECK-NEXT: 'blocks' returned 9
func.func @blocks() -> i32 {
  %lo = tfrt.constant.i32 0
  %hi = tfrt.constant.i32 9
  %bs = tfrt.constant.i32 4
  %sum = "tfrt_test.atomic.create.i32"() : () -> !test.atomic.i32
  %done = tfrt.parallel_for.i32 %lo to %hi fixed %bs, %sum : !test.atomic.i32 {
    %len = "tfrt.minus.i32"(%hi, %lo) : (i32, i32) -> i32
    %c = "tfrt_test.atomic.add.i32"(%sum, %len) : (!test.atomic.i32, i32) -> !tfrt.chain
    tfrt.return %c : !tfrt.chain
  }
  %v, %c2 = "tfrt_test.atomic.get.i32"(%sum, %done)
      : (!test.atomic.i32, !tfrt.chain) -> (i32, !tfrt.chain)
  tfrt.return %v : i32
}

// CHECK-LABEL: --- Running 'empty_range':
// CHECK-NEXT: 'empty_range' returned !tfrt.chain value
func.func @empty_range() -> !tfrt.chain {
  %lo = tfrt.constant.i32 4
  %hi = tfrt.constant.i32 4
  %bs = tfrt.constant.i32 1
  %done = tfrt.parallel_for.i32 %lo to %hi fixed %bs {
    %c = "tfrt_test.print_hello"() : () -> !tfrt.chain
    tfrt.return
  }
  tfrt.return %done : !tfrt.chain
}

func.func @chunk(%from: i32, %to: i32, %c: !tfrt.chain) -> !tfrt.chain {
  %c1 = tfrt.print.i32 %from, %c
  %c2 = tfrt.print.i32 %to, %c1
  tfrt.return %c2 : !tfrt.chain
}
// CHECK-LABEL: --- Running 'one_block':
// CHECK-NEXT: int32 = 100
// CHECK-NEXT: int32 = 107
// CHECK-NEXT: 'one_block' returned !tfrt.chain value
func.func @one_block() -> !tfrt.chain {
  %lo = tfrt.constant.i32 100
  %hi = tfrt.constant.i32 107
  %bs = tfrt.constant.i32 1000
  %c = tfrt.new.chain
  %done = tfrt.parallel_call.i32 %lo to %hi fixed %bs @chunk(%c) : !tfrt.chain
  tfrt.return %done : !tfrt.chain
}
