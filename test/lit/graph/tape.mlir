// Chains of element-wise ops as one op.
// RUN: tfrt_opt %s --graph-tape | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-tape{remarks=true}))' -verify-diagnostics -o /dev/null

// A tree, of which one value is used twice; numbers are constants of the tape, attributes too.
// CHECK-LABEL: func.func @tree(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<3xf32>)
// CHECK: %[[Z:.*]] = graph.elementwise_tape %[[X]], %[[Y]] {constants = array<f32: 2.000000e+00, 1.000000e-01>, program = array<i64: 1, 0, 0, 1, 23, 0, 1000, 3, 1, 1000, 2000, 42, 0, 1000, 2001, 2, 0, 1001, 1000>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.return %[[Z]]
// expected-remark @+1 {{put 5 ops into 1 tapes}}
func.func @tree(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %0 = graph.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = graph.exp %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.mul %1, %two : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %3 = graph.leaky_relu %1 {alpha = 0.1 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.sub %2, %3 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %4 : tensor<2x3xf32>
}

// Comparisons and choices; a bound that is left out; the other gelu.
// CHECK-LABEL: func.func @choices(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<4xi1>)
// CHECK: graph.elementwise_tape %[[X]], %[[C]] {constants = array<f32: 0xFF800000, 1.000000e+00>, program = array<i64: 53, 0, 0, 16, 1, 0, 2000, 2001, 9, 1, 1000, 1001, 15, 0, 1001, 1000, 0, 15, 0, 1, 1000, 0>} : (tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
// expected-remark @+1 {{put 5 ops into 1 tapes}}
func.func @choices(%x: tensor<4xf32>, %c: tensor<4xi1>) -> tensor<4xf32> {
  %one = graph.constant dense<1.0> : tensor<1xf32>
  %0 = graph.gelu %x {approximate = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "graph.clip"(%x, %one) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %2 = graph.less %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = graph.select %2, %0, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.select %c, %3, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// The sign of a remainder is a constant of the tape, as other attributes are.
// CHECK-LABEL: func.func @remainders(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK: graph.elementwise_tape %[[X]], %[[Y]] {constants = array<f32: 0.000000e+00, 1.000000e+00>, program = array<i64: 54, 0, 0, 1, 2000, 70, 0, 1000, 54, 0, 1000, 1, 2001>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// expected-remark @+1 {{put 3 ops into 1 tapes}}
func.func @remainders(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.mod %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.expm1 %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.mod %1, %y {truncate = true} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %2 : tensor<4xf32>
}

// What another op needs is not in a tape; smaller values are computed once, not for each element;
// one op is no chain; other dtypes, and what is computed of constants alone, are left.
// CHECK-LABEL: func.func @not_taped(
// CHECK-NOT: graph.elementwise_tape
// expected-remark @+1 {{put 0 ops into 0 tapes}}
func.func @not_taped(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %d: tensor<3xf64>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf64>, tensor<2xf32>) {
  %0 = graph.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.neg %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.log %y : (tensor<3xf32>) -> tensor<3xf32>
  %3 = graph.add %x, %2 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = graph.exp %d : (tensor<3xf64>) -> tensor<3xf64>
  %5 = graph.neg %4 : (tensor<3xf64>) -> tensor<3xf64>
  %w = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %6 = graph.exp %w : (tensor<2xf32>) -> tensor<2xf32>
  %7 = graph.neg %6 : (tensor<2xf32>) -> tensor<2xf32>
  graph.return %0, %1, %3, %5, %7 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf64>, tensor<2xf32>
}

// More slots than there are, or more arguments: as many ops as fit.
// CHECK-LABEL: func.func @many(
// CHECK: graph.add
// CHECK: graph.elementwise_tape {{.*}} : ({{((, )?tensor<2xf32>)+}}) -> tensor<2xf32>
// expected-remark @+1 {{put 15 ops into 1 tapes}}
func.func @many(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>, %f: tensor<2xf32>,
    %g: tensor<2xf32>, %h: tensor<2xf32>, %i: tensor<2xf32>, %j: tensor<2xf32>, %k: tensor<2xf32>, %l: tensor<2xf32>, %m: tensor<2xf32>,
    %n: tensor<2xf32>, %o: tensor<2xf32>, %p: tensor<2xf32>, %q: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.add %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.add %1, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.add %2, %e : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = graph.add %3, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = graph.add %4, %g : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %6 = graph.add %5, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %7 = graph.add %6, %i : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %8 = graph.add %7, %j : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %9 = graph.add %8, %k : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %10 = graph.add %9, %l : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %11 = graph.add %10, %m : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %12 = graph.add %11, %n : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %13 = graph.add %12, %o : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %14 = graph.add %13, %p : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %15 = graph.add %14, %q : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.return %15 : tensor<2xf32>
}
