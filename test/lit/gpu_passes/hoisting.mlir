// Handles of libraries are created in functions of their own.
// RUN: tfrt_gpu_opt %s -gpu-tfrt-hoisting -split-input-file | FileCheck %s
// RUN: tfrt_gpu_opt %s -gpu-tfrt-hoisting -split-input-file | tfrt_gpu_opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tfrt_gpu.blas.create(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.blas.handle {
// CHECK-NEXT:    %0 = tfrt_gpu.blas.create %arg0
// CHECK-NEXT:    tfrt.return %0 : !tfrt_gpu.blas.handle
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @go(%arg0: !tfrt.chain, %arg1: !tfrt_gpu.stream) -> !tfrt.chain {
// CHECK-NEXT:    %0 = tfrt_gpu.stream.get_context %arg1
// CHECK-NEXT:    %1 = tfrt.once @tfrt_gpu.blas.create(%0) : (!tfrt_gpu.context) -> (!tfrt_gpu.blas.handle)
// CHECK-NEXT:    tfrt.return %arg0 : !tfrt.chain
// CHECK-NEXT:  }
// CHECK-NEXT:  func.func @tfrt_gpu_preload_resources(%arg0: !tfrt_gpu.context) -> !tfrt.chain {
// CHECK-NEXT:    %0 = tfrt.once @tfrt_gpu.blas.create(%arg0) : (!tfrt_gpu.context) -> (!tfrt_gpu.blas.handle)
// CHECK-NEXT:    %1 = tfrt.merge.chains %0 : !tfrt_gpu.blas.handle
// CHECK-NEXT:    tfrt.return %1 : !tfrt.chain
// CHECK-NEXT:  }
// CHECK-NEXT: }
func.func @go(%c: !tfrt.chain, %s: !tfrt_gpu.stream) -> !tfrt.chain {
  %x = tfrt_gpu.stream.get_context %s
  %h = tfrt_gpu.blas.create %x
  tfrt.return %c : !tfrt.chain
}

// -----

// Functions of nothing but a context are called ahead, and keep what they create. Those that return
// nothing are not called. Of one context and one kind a function has one handle.
// CHECK-LABEL: func.func private @table(!tfrt_gpu.context) -> !tfrt_gpu.buffer
// CHECK-LABEL: func.func @own(%arg0: !tfrt_gpu.context) -> (!tfrt_gpu.dnn.handle, i32) {
// CHECK-NEXT:    tfrt_gpu.dnn.create
// CHECK-LABEL: func.func @nothing(%arg0: !tfrt_gpu.context) {
// CHECK-LABEL: func.func @tfrt_gpu.dnn.create(%arg0: !tfrt_gpu.context) -> !tfrt_gpu.dnn.handle {
// CHECK-NEXT:    %0 = tfrt_gpu.dnn.create %arg0 {hint}
// CHECK-LABEL: func.func @tfrt_gpu.solver.create(
// CHECK-LABEL: func.func @tfrt_gpu.dnn.create_0(
// CHECK-LABEL: func.func @two(
// CHECK-NEXT:    tfrt.once @tfrt_gpu.dnn.create(%arg0)
// CHECK-NEXT:    tfrt.once @tfrt_gpu.solver.create(%arg0)
// CHECK-NEXT:    tfrt.once @tfrt_gpu.dnn.create(%arg0)
// CHECK-NEXT:    tfrt.once @tfrt_gpu.dnn.create_0(%arg1)
// CHECK-NEXT:    tfrt.return
// CHECK-LABEL: func.func @tfrt_gpu.dnn.create_1(
// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    tfrt.once @tfrt_gpu.dnn.create_1(%arg1)
// CHECK-LABEL: func.func @tfrt_gpu_preload_resources(%arg0: !tfrt_gpu.context) -> !tfrt.chain {
// CHECK-NEXT:    %0 = tfrt.once @table(%arg0) : (!tfrt_gpu.context) -> (!tfrt_gpu.buffer)
// CHECK-NEXT:    %1:2 = tfrt.once @own(%arg0) : (!tfrt_gpu.context) -> (!tfrt_gpu.dnn.handle, i32)
// CHECK-NEXT:    %2 = tfrt.once @tfrt_gpu.dnn.create(%arg0)
// CHECK-NEXT:    %3 = tfrt.once @tfrt_gpu.solver.create(%arg0)
// CHECK-NEXT:    %4 = tfrt.once @tfrt_gpu.dnn.create_0(%arg0)
// CHECK-NEXT:    %5 = tfrt.once @tfrt_gpu.dnn.create_1(%arg0)
// CHECK-NEXT:    %6 = tfrt.merge.chains %0, %1#0, %1#1, %2, %3, %4, %5 : !tfrt_gpu.buffer, !tfrt_gpu.dnn.handle, i32, !tfrt_gpu.dnn.handle, !tfrt_gpu.solver.handle, !tfrt_gpu.dnn.handle, !tfrt_gpu.dnn.handle
func.func private @table(!tfrt_gpu.context) -> !tfrt_gpu.buffer
func.func @own(%x: !tfrt_gpu.context) -> (!tfrt_gpu.dnn.handle, i32) {
  %h = tfrt_gpu.dnn.create %x
  %n = tfrt.constant.i32 1
  tfrt.return %h, %n : !tfrt_gpu.dnn.handle, i32
}
func.func @nothing(%x: !tfrt_gpu.context) {
  tfrt.return
}
func.func @two(%x: !tfrt_gpu.context, %y: !tfrt_gpu.context) {
  %a = tfrt_gpu.dnn.create %x {hint}
  %b = tfrt_gpu.solver.create %x
  %c = tfrt_gpu.dnn.create %x {hint}
  %d = tfrt_gpu.dnn.create %y
  tfrt.return
}
func.func @other(%c: !tfrt.chain, %x: !tfrt_gpu.context) {
  %a = tfrt_gpu.dnn.create %x
  tfrt.return
}

// -----

// There is nothing to call.
// CHECK-LABEL: func.func @tfrt_gpu_preload_resources(%arg0: !tfrt_gpu.context) -> !tfrt.chain {
// CHECK-NEXT:    %0 = tfrt.new.chain
// CHECK-NEXT:    tfrt.return %0 : !tfrt.chain
func.func @main() {
  tfrt.return
}
