// Arithmetic, comparison, print and chain ops in custom form.
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%b: i1, %i: i32, %l: i64, %f: f32, %d: f64, %c: !tfrt.chain) -> !tfrt.chain {
  // CHECK: tfrt.add.i32 %arg1, %arg1
  %0 = tfrt.add.i32 %i, %i
  // CHECK: tfrt.add.i64
  %1 = tfrt.add.i64 %l, %l
  // CHECK: tfrt.add.f32
  %2 = tfrt.add.f32 %f, %f
  // CHECK: tfrt.add.f64
  %3 = tfrt.add.f64 %d, %d
  // CHECK: tfrt.and.i1
  %4 = tfrt.and.i1 %b, %b
  // CHECK: tfrt.equal.i32
  %5 = tfrt.equal.i32 %i, %i
  // CHECK: tfrt.equal.i64
  %6 = tfrt.equal.i64 %l, %l
  // CHECK: %{{.*}}, %{{.*}} = tfrt.div.i32 %arg1, %arg1
  %7, %8 = tfrt.div.i32 %i, %i
  // CHECK: tfrt.div.i64
  %9, %10 = tfrt.div.i64 %l, %l
  // CHECK: tfrt.mul.i32
  %11 = tfrt.mul.i32 %i, %i
  // CHECK: tfrt.mul.i64
  %12 = tfrt.mul.i64 %l, %l
  // CHECK: tfrt.mul_s.i32
  %13 = tfrt.mul_s.i32 %i, %i
  // CHECK: tfrt.mul_s.i64
  %14 = tfrt.mul_s.i64 %l, %l {k = 1 : i32}
  // CHECK: tfrt.print.i1
  %c1 = tfrt.print.i1 %b, %c
  // CHECK: tfrt.print.i32
  %c2 = tfrt.print.i32 %i, %c1
  // CHECK: tfrt.print.i64
  %c3 = tfrt.print.i64 %l, %c2
  // CHECK: tfrt.print.f32
  %c4 = tfrt.print.f32 %f, %c3
  // CHECK: tfrt.print.f64
  %c5 = tfrt.print.f64 %d, %c4
  // CHECK: %[[DEVICE:.*]] = tfrt.get_device %{{.*}} {device_name = "CPU:0"}
  %dev = tfrt.get_device %c5 {device_name = "CPU:0"}
  // CHECK: tfrt.new.chain
  %n = tfrt.new.chain
  // CHECK: tfrt.merge.chains %{{.*}}, %[[DEVICE]] : !tfrt.chain, !tfrt.device
  %m = tfrt.merge.chains %n, %dev : !tfrt.chain, !tfrt.device
  // CHECK: tfrt.return %{{.*}} : !tfrt.chain
  tfrt.return %m : !tfrt.chain
}

// Kernels without an op definition, and types that nobody defined.
// CHECK-LABEL: func.func @opaque(%arg0: !tfrt.test.resource, %arg1: !tfrt.string, %arg2: !tfrt.tensor_type)
func.func @opaque(%r: !tfrt.test.resource, %s: !tfrt.string, %t: !tfrt.tensor_type) {
  // CHECK: "tfrt.unheard.of"(%arg0) {k} : (!tfrt.test.resource) -> !tfrt_test.thing
  %0 = "tfrt.unheard.of"(%r) {k} : (!tfrt.test.resource) -> !tfrt_test.thing
  tfrt.return
}
