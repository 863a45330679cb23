// Control flow ops: printed byte for byte as ever, two spaces before some braces included.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace

func.func @two(%x: i32, %y: i32) -> (i32, i32) {
  tfrt.return %x, %y : i32, i32
}
func.func @one(%x: i32) -> i32 {
  tfrt.return %x : i32
}
func.func @body(%x: i32) -> (i32, i1) {
  %t = tfrt.constant.i1 true
  tfrt.return %x, %t : i32, i1
}
func.func @block(%from: i32, %to: i32, %x: i32) -> !tfrt.chain {
  %c = tfrt.new.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL:func.func @calls
func.func @calls(%c: i1, %x: i32) {
  // CHECK: = tfrt.call @two(%arg1, %arg1) : (i32, i32) -> (i32, i32)
  %0, %1 = tfrt.call @two(%x, %x) : (i32, i32) -> (i32, i32)
  // CHECK: = tfrt.call @one(%arg1) : (i32) -> i32
  %2 = tfrt.call @one(%x) : (i32) -> (i32)
  // CHECK: = tfrt.case %arg1 [@one, @one](%arg1) : (i32) -> (i32)
  %3 = tfrt.case %x [@one, @one] (%x) : (i32) -> (i32)
  // CHECK: = tfrt.cond %arg0 @one @one(%arg1) : (i32) -> (i32)
  %4 = tfrt.cond %c @one @one (%x) : (i32) -> (i32)
  // CHECK: = tfrt.while %arg0 @body(%arg1) parallel_iterations(1) : (i32) -> (i32)
  %5 = tfrt.while %c @body(%x) parallel_iterations(1) : (i32) -> (i32)
  // CHECK: = tfrt.once @one(%arg1) : (i32) -> (i32)
  %6 = tfrt.once @one(%x) : (i32) -> (i32)
  // CHECK: = tfrt.parallel_call.i32 %arg1 to %arg1 fixed %arg1 @block(%arg1) : i32
  %7 = tfrt.parallel_call.i32 %x to %x fixed %x @block(%x) : i32
  tfrt.return
}

// CHECK-LABEL:func.func @regions
func.func @regions(%c: i1, %n: i32, %m: i32) {
  // CHECK: = tfrt.if %arg0, %arg1 : (i32) -> (i32)  {
  // CHECK-NEXT:      tfrt.return %arg1 : i32
  // CHECK-NEXT:    } else  {
  // CHECK: tfrt.mul.i32 %arg1, %arg1
  %0 = tfrt.if %c, %n : (i32) -> i32 {
    tfrt.return %n : i32
  } else {
    %y = tfrt.mul.i32 %n, %n
    tfrt.return %y : i32
  }
  // The missing else-region is filled in.
  // CHECK:    tfrt.if %arg0 : () -> ()  {
  // CHECK-NEXT:      tfrt.return
  // CHECK-NEXT:    } else  {
  // CHECK-NEXT:      tfrt.return
  // CHECK-NEXT:    }
  tfrt.if %c : () -> () {
    tfrt.return
  }
  // CHECK: = tfrt.repeat.i32 %arg1, %arg2 : i32 {
  %1 = tfrt.repeat.i32 %n, %m : i32 {
    tfrt.return %m : i32
  }
  // CHECK:    tfrt.repeat.i32 %arg1 {
  tfrt.repeat.i32 %n {
    tfrt.return
  }
  // CHECK: = tfrt.parallel_for.i32 %arg1 to %arg2 fixed %arg1, %arg0 : i1 {
  %2 = tfrt.parallel_for.i32 %n to %m fixed %n, %c : i1 {
    %len = tfrt.add.i32 %n, %m
    tfrt.return
  }
  tfrt.return
}
