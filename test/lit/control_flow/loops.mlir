// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

func.func @countdown(%n: i32, %step: i32, %c: !tfrt.chain) -> (i32, i32, !tfrt.chain, i1) {
  %m = tfrt.add.i32 %n, %step
  %c1 = tfrt.print.i32 %m, %c
  %one = tfrt.constant.i32 1
  %more = "tfrt.lessequal.i32"(%one, %m) : (i32, i32) -> i1
  tfrt.return %m, %step, %c1, %more : i32, i32, !tfrt.chain, i1
}

// CHECK-LABEL: --- Running 'while':
// CHECK-NEXT: int32 = 1
// CHECK-NEXT: int32 = 0
// CHECK-NEXT: 'while' returned 0,!tfrt.chain value
func.func @while() -> (i32, !tfrt.chain) {
  %go = tfrt.constant.i1 true
  %n = tfrt.constant.i32 2
  %step = tfrt.constant.i32 -1
  %c = tfrt.new.chain
  %r, %s, %d = tfrt.while %go @countdown(%n, %step, %c) parallel_iterations(1)
      : (i32, i32, !tfrt.chain) -> (i32, i32, !tfrt.chain)
  tfrt.return %r, %d : i32, !tfrt.chain
}

// CHECK-LABEL: --- Running 'while_parallel':
// CHECK-NEXT: int32 = 1
// CHECK-NEXT: int32 = 0
// CHECK-NEXT: 'while_parallel' returned 0,!tfrt.chain value
func.func @while_parallel() -> (i32, !tfrt.chain) {
  %go = tfrt.constant.i1 true
  %n = tfrt.constant.i32 2
  %step = tfrt.constant.i32 -1
  %c = tfrt.new.chain
  %r, %s, %d = tfrt.while %go @countdown(%n, %step, %c) parallel_iterations(10)
      : (i32, i32, !tfrt.chain) -> (i32, i32, !tfrt.chain)
  tfrt.return %r, %d : i32, !tfrt.chain
}

// CHECK-LABEL: --- Running 'while_not_at_all':
// CHECK-NEXT: 'while_not_at_all' returned 2
func.func @while_not_at_all() -> i32 {
  %go = tfrt.constant.i1 false
  %n = tfrt.constant.i32 2
  %c = tfrt.new.chain
  %r, %s, %d = tfrt.while %go @countdown(%n, %n, %c) parallel_iterations(1)
      : (i32, i32, !tfrt.chain) -> (i32, i32, !tfrt.chain)
  tfrt.return %r : i32
}

// Neither kind of loop nests its iterations on the stack.
func.func @up(%n: i32, %last: i32) -> (i32, i32, i1) {
  %one = tfrt.constant.i32 1
  %m = tfrt.add.i32 %n, %one
  %more = "tfrt.lessequal.i32"(%m, %last) : (i32, i32) -> i1
  tfrt.return %m, %last, %more : i32, i32, i1
}
func.func @up_async(%n: i32, %last: i32) -> (i32, i32, i1) {
  %one = tfrt.constant.i32 1
  %m = "tfrt_test.async_add.i32"(%n, %one) : (i32, i32) -> i32
  %more = "tfrt.lessequal.i32"(%m, %last) : (i32, i32) -> i1
  tfrt.return %m, %last, %more : i32, i32, i1
}
// CHECK-LABEL: --- Running 'while_long':
// CHECK-NEXT: 'while_long' returned 50001,50001,50001
func.func @while_long() -> (i32, i32, i32) {
  %go = tfrt.constant.i1 true
  %n = tfrt.constant.i32 0
  %last = tfrt.constant.i32 50000
  %a, %a1 = tfrt.while %go @up(%n, %last) parallel_iterations(1) : (i32, i32) -> (i32, i32)
  %b, %b1 = tfrt.while %go @up_async(%n, %last) parallel_iterations(1) : (i32, i32) -> (i32, i32)
  %c, %c1 = tfrt.while %go @up_async(%n, %last) parallel_iterations(4) : (i32, i32) -> (i32, i32)
  tfrt.return %a, %b, %c : i32, i32, i32
}

// CHECK-LABEL: --- Running 'repeat':
// CHECK-NEXT: 'repeat' returned 32,1
func.func @repeat() -> (i32, i32) {
  %five = tfrt.constant.i32 5
  %zero = tfrt.constant.i32 0
  %one = tfrt.constant.i32 1
  %r = tfrt.repeat.i32 %five, %one : i32 {
    %twice = tfrt.add.i32 %one, %one
    tfrt.return %twice : i32
  }
  %s = tfrt.repeat.i32 %zero, %one : i32 {
    %twice = tfrt.add.i32 %one, %one
    tfrt.return %twice : i32
  }
  tfrt.return %r, %s : i32, i32
}

// CHECK-LABEL: --- Running 'repeat_long':
// CHECK-NEXT: 'repeat_long' returned 100000,20000
func.func @repeat_long() -> (i32, i32) {
  %n = tfrt.constant.i32 100000
  %m = tfrt.constant.i32 20000
  %zero = tfrt.constant.i32 0
  %one = tfrt.constant.i32 1
  %r, %r1 = tfrt.repeat.i32 %n, %zero, %one : i32, i32 {
    %next = tfrt.add.i32 %zero, %one
    tfrt.return %next, %one : i32, i32
  }
  %s, %s1 = tfrt.repeat.i32 %m, %zero, %one : i32, i32 {
    %next = "tfrt_test.async_add.i32"(%zero, %one) : (i32, i32) -> i32
    tfrt.return %next, %one : i32, i32
  }
  tfrt.return %r, %s : i32, i32
}

// CHECK-LABEL: --- Running 'repeat_without_values':
// CHECK-NEXT: hello host executor!
// CHECK-NEXT: hello host executor!
// CHECK-NOT: hello
func.func @repeat_without_values() {
  %n = tfrt.constant.i32 2
  tfrt.repeat.i32 %n {
    %c = "tfrt_test.print_hello"() : () -> !tfrt.chain
    tfrt.return
  }
  tfrt.return
}

func.func @shout(%v: i32) -> i32 {
  %c = tfrt.new.chain
  %c1 = tfrt.print.i32 %v, %c
  tfrt.return %v : i32
}
// CHECK-LABEL: --- Running 'once':
// CHECK-NEXT: int32 = 3
// CHECK-NEXT: 'once' returned 3,3
func.func @once() -> (i32, i32) {
  %p = tfrt.constant.i32 3
  %x = tfrt.once @shout(%p) : (i32) -> (i32)
  %q = tfrt.add.i32 %x, %p
  %y = tfrt.once @shout(%q) : (i32) -> (i32)
  tfrt.return %x, %y : i32, i32
}
// Each function that the driver runs has a resource context of its own.
// CHECK-LABEL: --- Running 'once_again':
// CHECK-NEXT: int32 = 4
// CHECK-NEXT: 'once_again' returned 4
func.func @once_again() -> i32 {
  %p = tfrt.constant.i32 4
  %x = tfrt.once @shout(%p) : (i32) -> (i32)
  tfrt.return %x : i32
}
