// Ops on f16 and bf16, computed in f32.
// RUN: tfrt_opt %s --graph-widen --graph-dead-code | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-widen{remarks=true}))' -verify-diagnostics -o /dev/null

// Nothing is rounded between two ops, even if the program casts there. Small constants stay
// constants; only the result has 16 bits.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf16>)
// CHECK-DAG: %[[B:.*]] = graph.constant dense<1.500000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = graph.constant dense<5.000000e-01> : tensor<8x4xf32>
// CHECK-DAG: %[[WIDE:.*]] = graph.cast %[[X]] {dtype = f32}
// CHECK: %[[Y:.*]] = graph.matmul %[[WIDE]], %[[W]] : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: %[[Z:.*]] = graph.add %[[Y]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = graph.softmax %[[Z]]
// CHECK-NEXT: %[[R:.*]] = graph.relu %[[S]]
// CHECK-NEXT: %[[HALF:.*]] = graph.cast %[[R]] {dtype = f16}
// CHECK-NEXT: graph.return %[[HALF]] : tensor<?x4xf16>
// expected-remark @+1 {{computes 4 ops in f32}}
func.func @chain(%x: tensor<?x8xf16>) -> tensor<?x4xf16> {
  %w = graph.constant dense<0.5> : tensor<8x4xf16>
  %b = graph.constant dense<1.5> : tensor<4xf16>
  %y = graph.matmul %x, %w : (tensor<?x8xf16>, tensor<8x4xf16>) -> tensor<?x4xf16>
  %z = graph.add %y, %b : (tensor<?x4xf16>, tensor<4xf16>) -> tensor<?x4xf16>
  %c = graph.cast %z {dtype = f32} : (tensor<?x4xf16>) -> tensor<?x4xf32>
  %s = graph.softmax %c : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = graph.cast %s {dtype = f16} : (tensor<?x4xf32>) -> tensor<?x4xf16>
  %r = graph.relu %h : (tensor<?x4xf16>) -> tensor<?x4xf16>
  graph.return %r : tensor<?x4xf16>
}

// A cast to 16 bits and back rounds.
// CHECK-LABEL: func.func @rounds(
// CHECK: %[[H:.*]] = graph.cast %{{.*}} {dtype = f16} : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: graph.cast %[[H]] {dtype = f32} : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: graph.cast %[[H]] {dtype = i64} : (tensor<4xf16>) -> tensor<4xi64>
// expected-remark @+1 {{computes 0 ops in f32}}
func.func @rounds(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0 = graph.cast %x {dtype = f16} : (tensor<4xf32>) -> tensor<4xf16>
  %1 = graph.cast %0 {dtype = f32} : (tensor<4xf16>) -> tensor<4xf32>
  %2 = graph.cast %0 {dtype = i64} : (tensor<4xf16>) -> tensor<4xi64>
  graph.return %1, %2 : tensor<4xf32>, tensor<4xi64>
}

// Moves of what has 16 bits stay as they are, those of results of ops do not.
// CHECK-LABEL: func.func @moves(
// CHECK: graph.transpose %{{.*}} : (tensor<2x3xbf16>, tensor<2xi64>) -> tensor<3x2xbf16>
// CHECK: graph.transpose %{{.*}} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
// expected-remark @+1 {{computes 2 ops in f32}}
func.func @moves(%x: tensor<2x3xbf16>) -> (tensor<3x2xbf16>, tensor<3x2xbf16>) {
  %swapped = graph.constant dense<[1, 0]> : tensor<2xi64>
  %0 = graph.transpose %x, %swapped : (tensor<2x3xbf16>, tensor<2xi64>) -> tensor<3x2xbf16>
  %1 = graph.exp %x : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  %2 = graph.transpose %1, %swapped : (tensor<2x3xbf16>, tensor<2xi64>) -> tensor<3x2xbf16>
  graph.return %0, %2 : tensor<3x2xbf16>, tensor<3x2xbf16>
}

// A comparison, a cast to integers and an op in f64 see what was not rounded.
// CHECK-LABEL: func.func @others(
// CHECK: %[[E:.*]] = graph.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[L:.*]] = graph.less %[[E]], %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK: %[[I:.*]] = graph.cast %[[E]] {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
// CHECK: %[[D:.*]] = graph.sqrt %{{.*}} : (tensor<4xf64>) -> tensor<4xf64>
// CHECK: graph.return %[[L]], %[[I]], %[[D]]
// expected-remark @+1 {{computes 4 ops in f32}}
func.func @others(%x: tensor<4xf16>) -> (tensor<4xi1>, tensor<4xi32>, tensor<4xf64>) {
  %0 = graph.exp %x : (tensor<4xf16>) -> tensor<4xf16>
  %1 = graph.less %0, %x : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %2 = graph.cast %0 {dtype = i32} : (tensor<4xf16>) -> tensor<4xi32>
  %3 = graph.cast %0 {dtype = f64} : (tensor<4xf16>) -> tensor<4xf64>
  %4 = graph.sqrt %3 : (tensor<4xf64>) -> tensor<4xf64>
  graph.return %1, %2, %4 : tensor<4xi1>, tensor<4xi32>, tensor<4xf64>
}
