// Tasks of the dialect async.
// RUN: tfrt_gpu_opt %s -async-to-tfrt | FileCheck %s

// CHECK-LABEL: func.func @later(%arg0: i32) -> i32 {
func.func @later(%x: i32) -> i32 {
  // CHECK-NEXT: %0 = tfrt_test.do.async %arg0 : (i32) -> (i32)  {
  // CHECK-NEXT:   %1 = tfrt.add.i32 %arg0, %arg0
  // CHECK-NEXT:   tfrt.return %1 : i32
  // CHECK-NEXT: }
  %done, %f = async.execute -> !async.value<i32> {
    %y = tfrt.add.i32 %x, %x
    async.yield %y : i32
  }
  // CHECK-NEXT: tfrt.return %0 : i32
  %z = async.await %f : !async.value<i32>
  tfrt.return %z : i32
}

// Operands come before captured values; tokens go; attributes stay. Async values in the function's
// type are values.
// CHECK-LABEL: func.func @operands(%arg0: f32, %arg1: f32, %arg2: i32) -> (f32, i32) {
func.func @operands(%v: !async.value<f32>, %a: f32, %n: i32) -> (!async.value<f32>, i32) {
  // CHECK-NEXT: %0 = tfrt_test.do.async %arg1 : (f32) -> (f32)  {
  // CHECK-NEXT:   %3 = tfrt.add.f32 %arg1, %arg1
  // CHECK-NEXT:   tfrt.return %3 : f32
  // CHECK-NEXT: }
  %t, %f = async.execute -> !async.value<f32> {
    %b = tfrt.add.f32 %a, %a
    async.yield %b : f32
  }
  // CHECK-NEXT: %1:2 = tfrt_test.do.async %0, %arg0, %arg2, %arg1 attributes  {hint} : (f32, f32, i32, f32) -> (f32, i32)  {
  // CHECK-NEXT:   %3 = tfrt.add.i32 %arg2, %arg2
  // CHECK-NEXT:   %4 = tfrt.add.f32 %0, %arg0
  // CHECK-NEXT:   %5 = tfrt.add.f32 %4, %arg1
  // CHECK-NEXT:   tfrt.return %5, %3 : f32, i32
  // CHECK-NEXT: }
  %u, %g:2 = async.execute [%t] (%f as %x: !async.value<f32>, %v as %y: !async.value<f32>) -> (!async.value<f32>, !async.value<i32>) attributes {hint} {
    %m = tfrt.add.i32 %n, %n
    %c = tfrt.add.f32 %x, %y
    %d = tfrt.add.f32 %c, %a
    async.yield %d, %m : f32, i32
  }
  // CHECK-NEXT: %2 = tfrt.call @later(%1#1) : (i32) -> i32
  async.await %u : !async.token
  %k = async.await %g#1 : !async.value<i32>
  %l = tfrt.call @later(%k) : (i32) -> i32
  // CHECK-NEXT: tfrt.return %1#0, %2 : f32, i32
  tfrt.return %g#0, %l : !async.value<f32>, i32
}

// What an inner task captures, the outer one does, too.
// CHECK-LABEL: func.func @nested(%arg0: i32) -> i32 {
// CHECK-NEXT: %0 = tfrt_test.do.async %arg0 : (i32) -> (i32)  {
// CHECK-NEXT:   %1 = tfrt_test.do.async %arg0 : (i32) -> (i32)  {
// CHECK-NEXT:     %2 = tfrt.add.i32 %arg0, %arg0
// CHECK-NEXT:     tfrt.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   tfrt.return %1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: tfrt.return %0 : i32
func.func @nested(%x: i32) -> i32 {
  %t, %f = async.execute -> !async.value<i32> {
    %u, %g = async.execute -> !async.value<i32> {
      %y = tfrt.add.i32 %x, %x
      async.yield %y : i32
    }
    %z = async.await %g : !async.value<i32>
    async.yield %z : i32
  }
  %r = async.await %f : !async.value<i32>
  tfrt.return %r : i32
}

// CHECK-LABEL: func.func private @declared(i32) -> f32
func.func private @declared(!async.value<i32>) -> !async.value<f32>
