// Ops of the table: what is printed can be read, and types that the table does not allow are errors.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics | tfrt_opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x3xf32>
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK-NEXT: %[[W:.*]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  // CHECK-NEXT: %[[SUM:.*]] = graph.add %[[X]], %[[W]] : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %0 = graph.add %x, %w : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: graph.leaky_relu %[[SUM]] {alpha = 1.000000e-01 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = graph.leaky_relu %0 {alpha = 0.1 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: graph.return
  graph.return %1 : tensor<?x3xf32>
}

// -----

// A bound that is left out.
// CHECK-LABEL: func.func @clip
func.func @clip(%x: tensor<4xf32>, %max: tensor<f32>) -> tensor<4xf32> {
  // CHECK: graph.clip %{{.*}}, %{{.*}} {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = "graph.clip"(%x, %max) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'graph.matmul' op matmul}}
  %0 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  graph.return
}

// -----

func.func @result(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.relu' op has a result 'y' of f32 [3, 3], but it is f32 [2, 3]}}
  %0 = graph.relu %a : (tensor<2x3xf32>) -> tensor<3x3xf32>
  graph.return
}

// -----

func.func @returned(%a: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'graph.return' op operand 0 is 'tensor<2xf32>', but the function's result is 'tensor<3xf32>'}}
  graph.return %a : tensor<2xf32>
}

// -----

func.func @constant() {
  // expected-error @+1 {{'graph.constant' op result #0 must be statically shaped tensor}}
  %0 = "graph.constant"() <{value = 1 : i32}> : () -> i32
  graph.return
}
