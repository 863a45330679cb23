// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

func.func private @native_add(i32, i32) -> i32 attributes {tfrt.native}
func.func private @native_async_add(i32, i32) -> i32 attributes {tfrt.native}
func.func private @native_sink(i32) attributes {tfrt.native}
func.func private @native_async_sink(i32) -> !tfrt.chain attributes {tfrt.native}

func.func @same(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @twice(%x: i32) -> i32 {
  %y = tfrt.add.i32 %x, %x
  tfrt.return %y : i32
}

// CHECK-LABEL: --- Running 'call':
// CHECK-NEXT: 'call' returned 42
func.func @call() -> i32 {
  %a = tfrt.constant.i32 21
  %b = tfrt.call @twice(%a) : (i32) -> i32
  tfrt.return %b : i32
}

// CHECK-LABEL: --- Running 'native':
// CHECK-NEXT: 'native' returned 42,54,!tfrt.chain value
func.func @native() -> (i32, i32, !tfrt.chain) {
  %a = tfrt.constant.i32 30
  %b = tfrt.constant.i32 12
  %c = tfrt.call @native_add(%a, %b) : (i32, i32) -> i32
  %d = tfrt.call @native_async_add(%c, %b) : (i32, i32) -> i32
  tfrt.call @native_sink(%d) : (i32) -> ()
  %e = tfrt.call @native_async_sink(%d) : (i32) -> !tfrt.chain
  tfrt.return %c, %d, %e : i32, i32, !tfrt.chain
}

// CHECK-LABEL: --- Running 'if':
// CHECK-NEXT: 'if' returned 64,8
func.func @if() -> (i32, i32) {
  %false = tfrt.constant.i1 false
  %true = tfrt.constant.i1 true
  %x = tfrt.constant.i32 8
  %r = tfrt.if %false, %x : (i32) -> i32 {
    tfrt.return %x : i32
  } else {
    %y = tfrt.mul.i32 %x, %x
    tfrt.return %y : i32
  }
  %s = tfrt.if %true, %x : (i32) -> i32 {
    tfrt.return %x : i32
  } else {
    %y = tfrt.mul.i32 %x, %x
    tfrt.return %y : i32
  }
  tfrt.return %r, %s : i32, i32
}

// CHECK-LABEL: --- Running 'if_without_else':
// CHECK-NEXT: int32 = 8
func.func @if_without_else() {
  %true = tfrt.constant.i1 true
  %x = tfrt.constant.i32 8
  %c = tfrt.new.chain
  tfrt.if %true, %x, %c : (i32, !tfrt.chain) -> () {
    %d = tfrt.print.i32 %x, %c
    tfrt.return
  }
  tfrt.return
}

// CHECK-LABEL: --- Running 'cond':
// CHECK-NEXT: 'cond' returned 100,50
func.func @cond() -> (i32, i32) {
  %true = tfrt.constant.i1 true
  %false = "tfrt_test.async_constant.i1"() {value = false} : () -> i1
  %v = tfrt.constant.i32 50
  %r = tfrt.cond %true @twice @same (%v) : (i32) -> (i32)
  %s = tfrt.cond %false @twice @same (%v) : (i32) -> (i32)
  tfrt.return %r, %s : i32, i32
}

// CHECK-LABEL: --- Running 'case':
// CHECK-NEXT: 'case' returned 21,42,42,42
func.func @case() -> (i32, i32, i32, i32) {
  %zero = tfrt.constant.i32 0
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %negative = tfrt.constant.i32 -7
  %v = tfrt.constant.i32 21
  %p = tfrt.case %zero [@same, @twice] (%v) : (i32) -> (i32)
  %q = tfrt.case %one [@same, @twice] (%v) : (i32) -> (i32)
  %r = tfrt.case %two [@same, @twice] (%v) : (i32) -> (i32)
  %s = tfrt.case %negative [@same, @twice] (%v) : (i32) -> (i32)
  tfrt.return %p, %q, %r, %s : i32, i32, i32, i32
}
