// Canonical forms: what changes nothing is gone, what can be said in many ways is said in one.
// RUN: tfrt_opt %s --graph-canonicalize | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-canonicalize{numerics=exact}))' | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: func.func @neutral(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: graph.return %[[X]] : tensor<2x3xf32>
func.func @neutral(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = graph.constant dense<0.0> : tensor<3xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.identity %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.cast %0 {dtype = f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.add %zero, %1 : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.sub %2, %zero : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = graph.mul %3, %one : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %5 = graph.div %4, %one : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %6 = graph.pow %5, %one : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %7 = graph.neg %6 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = graph.neg %7 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %8 : tensor<2x3xf32>
}

// 0 that is added to -0 is 0: what is exact keeps it, but not -0, nor 0 that is taken off, nor the 0 of integers.
// CHECK-LABEL: func.func @zeros(
// CHECK-NEXT: graph.return %arg0, %arg1 :
// EXACT-LABEL: func.func @zeros(
// EXACT: %[[Y:.*]] = graph.add %{{.*}}, %arg0 : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
// EXACT-NEXT: %[[Z:.*]] = graph.sub %[[Y]], %{{.*}} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// EXACT-NEXT: graph.return %[[Z]], %arg1 :
func.func @zeros(%x: tensor<3xf32>, %i: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %minus = graph.constant dense<-0.0> : tensor<f32>
  %none = graph.constant dense<0> : tensor<i32>
  %0 = graph.add %x, %minus : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = graph.sub %0, %zero : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = graph.add %zero, %1 : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  %3 = graph.sub %2, %minus : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %4 = graph.add %i, %none : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  graph.return %3, %4 : tensor<3xf32>, tensor<3xi32>
}

// Numbers that a program computes are rounded to their type, and to no other: the product of these is 1 of f32, and
// not of f64.
// CHECK-LABEL: func.func @steps_of_f64(
// CHECK: graph.mul %arg0,
// CHECK-LABEL: func.func @steps_of_f32(
// CHECK-NEXT: graph.return %arg0 :
func.func @steps_of_f64(%x: tensor<3xf64>) -> tensor<3xf64> {
  %a = graph.constant dense<4.0> : tensor<f64>
  %b = graph.constant dense<0.25000000000025> : tensor<f64>
  %0 = graph.mul %a, %b : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %1 = graph.mul %x, %0 : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  graph.return %1 : tensor<3xf64>
}
func.func @steps_of_f32(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = graph.constant dense<4.0> : tensor<f32>
  %b = graph.constant dense<0.25> : tensor<f32>
  %0 = graph.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = graph.mul %x, %0 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  graph.return %1 : tensor<3xf32>
}

// They stay where they change something: 0 - x, 1 / x, and what is broadcast.
// CHECK-LABEL: func.func @not_neutral(
// CHECK: graph.sub
// CHECK: graph.div
// CHECK: graph.add %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK: graph.cast
func.func @not_neutral(%x: tensor<3xf32>) -> tensor<2x3xi32> {
  %zero = graph.constant dense<0.0> : tensor<2x1xf32>
  %none = graph.constant dense<0.0> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.sub %none, %x : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = graph.div %one, %0 : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = graph.add %1, %zero : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %3 = graph.cast %2 {dtype = i32} : (tensor<2x3xf32>) -> tensor<2x3xi32>
  graph.return %3 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @again(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[P:.*]]: tensor<4xi1>)
// CHECK-NEXT: %[[A:.*]] = graph.abs %[[X]] :
// CHECK-NEXT: %[[B:.*]] = graph.floor %[[X]] :
// CHECK-NEXT: %[[C:.*]] = graph.ceil %[[X]] :
// CHECK-NEXT: graph.return %[[A]], %[[B]], %[[C]], %[[P]]
func.func @again(%x: tensor<4xf32>, %p: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %0 = graph.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.floor %x : (tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.floor %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.ceil %x : (tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.ceil %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.logical_not %p : (tensor<4xi1>) -> tensor<4xi1>
  %7 = graph.logical_not %6 : (tensor<4xi1>) -> tensor<4xi1>
  graph.return %1, %3, %5, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// One after the other of different ones is not the same again.
// CHECK-LABEL: func.func @not_again(
// CHECK-NEXT: graph.floor
// CHECK-NEXT: graph.ceil
// CHECK-NEXT: graph.abs
// CHECK-NEXT: graph.neg
// CHECK-NEXT: graph.return
func.func @not_again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.floor %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.ceil %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.abs %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.neg %2 : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @activations(
// CHECK-NEXT: graph.relu
// CHECK-NOT: graph.relu
// CHECK: %[[LOW:.*]] = graph.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[HIGH:.*]] = graph.constant dense<6.000000e+00> : tensor<f32>
// CHECK: graph.clip %{{.*}}, %[[LOW]], %[[HIGH]]
// CHECK-NEXT: graph.return
func.func @activations(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %low = graph.constant dense<-1.0> : tensor<f32>
  %high = graph.constant dense<6.0> : tensor<1xf32>
  %0 = graph.maximum %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "graph.clip"(%1, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.maximum %2, %low : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.minimum %high, %3 : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %4 : tensor<4xf32>
}

// Crossed bounds, a bound for each element, and a maximum that is needed itself.
// CHECK-LABEL: func.func @not_activations(
// CHECK-NOT: graph.clip
func.func @not_activations(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %low = graph.constant dense<1.0> : tensor<f32>
  %high = graph.constant dense<-1.0> : tensor<f32>
  %each = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = graph.maximum %x, %low : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = graph.minimum %0, %high : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = graph.maximum %x, %each : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.minimum %2, %low : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = graph.maximum %x, %high : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = graph.minimum %4, %low : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  graph.return %1, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK: %[[PERM:.*]] = graph.constant dense<[1, 0, 2]> : tensor<3xi64>
// CHECK: %[[Y:.*]] = graph.transpose %[[X]], %[[PERM]] : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>
// CHECK-NEXT: graph.return %[[Y]], %[[X]]
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<2x3x4xf32>) {
  %last = graph.constant dense<[0, 2, 1]> : tensor<3xi64>
  %turn = graph.constant dense<[2, 0, 1]> : tensor<3xi64>
  %0 = graph.transpose %x, %last : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<2x4x3xf32>
  %1 = graph.transpose %0, %turn : (tensor<2x4x3xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>
  %2 = graph.transpose %0, %last : (tensor<2x4x3xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  graph.return %1, %2 : tensor<3x2x4xf32>, tensor<2x3x4xf32>
}

// Dimensions of size 1 move for nothing; one that is not known may be 2.
// CHECK-LABEL: func.func @units(
// CHECK: graph.reshape %{{.*}} : (tensor<2x1x3xf32>, tensor<3xi64>) -> tensor<1x2x3xf32>
// CHECK: graph.transpose %{{.*}} : (tensor<2x?x3xf32>, tensor<3xi64>) -> tensor<?x2x3xf32>
func.func @units(%x: tensor<2x1x3xf32>, %y: tensor<2x?x3xf32>) -> (tensor<1x2x3xf32>, tensor<?x2x3xf32>) {
  %perm = graph.constant dense<[1, 0, 2]> : tensor<3xi64>
  %0 = graph.transpose %x, %perm : (tensor<2x1x3xf32>, tensor<3xi64>) -> tensor<1x2x3xf32>
  %1 = graph.transpose %y, %perm : (tensor<2x?x3xf32>, tensor<3xi64>) -> tensor<?x2x3xf32>
  graph.return %0, %1 : tensor<1x2x3xf32>, tensor<?x2x3xf32>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME: %[[X:.*]]: tensor<?x6xf32>
// CHECK: %[[SIZES:.*]] = graph.constant dense<[-1, 1, 3, 2]> : tensor<4xi64>
// CHECK: %[[Y:.*]] = graph.reshape %[[X]], %[[SIZES]] : (tensor<?x6xf32>, tensor<4xi64>) -> tensor<?x1x3x2xf32>
// CHECK-NEXT: graph.return %[[Y]], %[[X]]
func.func @reshapes(%x: tensor<?x6xf32>) -> (tensor<?x1x3x2xf32>, tensor<?x6xf32>) {
  %sizes = graph.constant dense<[-1, 3, 2]> : tensor<3xi64>
  %flat = graph.constant dense<[-1, 6]> : tensor<2xi64>
  %one = graph.constant dense<1> : tensor<i64>
  %0 = graph.reshape %x, %sizes : (tensor<?x6xf32>, tensor<3xi64>) -> tensor<?x3x2xf32>
  %1 = graph.expand_dims %0, %one : (tensor<?x3x2xf32>, tensor<i64>) -> tensor<?x1x3x2xf32>
  %2 = graph.squeeze %1 {axes = array<i64: 1>} : (tensor<?x1x3x2xf32>) -> tensor<?x3x2xf32>
  %3 = graph.reshape %2, %flat : (tensor<?x3x2xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  graph.return %1, %3 : tensor<?x1x3x2xf32>, tensor<?x6xf32>
}

// Channels in groups, whose order is changed and changed back: a reshape is left; changed once it is not.
// CHECK-LABEL: func.func @chains(
// CHECK-SAME: %[[X:.*]]: tensor<2x6x4xf32>)
// CHECK: graph.transpose
// CHECK: %[[Y:.*]] = graph.reshape %[[X]], %{{.*}} : (tensor<2x6x4xf32>, tensor<3xi64>) -> tensor<2x4x6xf32>
// CHECK: %[[Z:.*]] = graph.reshape %{{.*}} -> tensor<2x6x4xf32>
// CHECK-NEXT: graph.return %[[Y]], %[[Z]]
func.func @chains(%x: tensor<2x6x4xf32>) -> (tensor<2x4x6xf32>, tensor<2x6x4xf32>) {
  %groups = graph.constant dense<[2, 2, 3, 4]> : tensor<4xi64>
  %swap = graph.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
  %merged = graph.constant dense<[2, 3, 2, 2, 2]> : tensor<5xi64>
  %back = graph.constant dense<[0, 2, 1, 3, 4]> : tensor<5xi64>
  %sizes = graph.constant dense<[2, 4, 6]> : tensor<3xi64>
  %flat = graph.constant dense<[2, 6, 4]> : tensor<3xi64>
  %0 = graph.reshape %x, %groups : (tensor<2x6x4xf32>, tensor<4xi64>) -> tensor<2x2x3x4xf32>
  %1 = graph.transpose %0, %swap : (tensor<2x2x3x4xf32>, tensor<4xi64>) -> tensor<2x3x2x4xf32>
  %2 = graph.reshape %1, %merged : (tensor<2x3x2x4xf32>, tensor<5xi64>) -> tensor<2x3x2x2x2xf32>
  %3 = graph.transpose %2, %back : (tensor<2x3x2x2x2xf32>, tensor<5xi64>) -> tensor<2x2x3x2x2xf32>
  %4 = graph.reshape %3, %sizes : (tensor<2x2x3x2x2xf32>, tensor<3xi64>) -> tensor<2x4x6xf32>
  %5 = graph.reshape %1, %flat : (tensor<2x3x2x4xf32>, tensor<3xi64>) -> tensor<2x6x4xf32>
  graph.return %4, %5 : tensor<2x4x6xf32>, tensor<2x6x4xf32>
}

// A choice between two numbers is made before it is broadcast, unless one of them is no number.
// CHECK-LABEL: func.func @chosen(
// CHECK-SAME: %[[C:.*]]: tensor<1x3xi1>, %[[X:.*]]: tensor<2x3xf32>
// CHECK: %[[SMALL:.*]] = graph.select %[[C]], %{{.*}} : (tensor<1x3xi1>, tensor<f32>, tensor<f32>) -> tensor<1x3xf32>
// CHECK: %[[A:.*]] = graph.broadcast_to %[[SMALL]]
// CHECK: %[[B:.*]] = graph.select %[[C]], %[[X]], %{{.*}} : (tensor<1x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: graph.return %[[A]], %[[B]]
func.func @chosen(%c: tensor<1x3xi1>, %x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %low = graph.constant dense<-1.0e9> : tensor<f32>
  %sizes = graph.constant dense<[2, 3]> : tensor<2xi64>
  %0 = graph.broadcast_to %c, %sizes : (tensor<1x3xi1>, tensor<2xi64>) -> tensor<2x3xi1>
  %1 = graph.select %0, %zero, %low : (tensor<2x3xi1>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  %2 = graph.broadcast_to %c, %sizes : (tensor<1x3xi1>, tensor<2xi64>) -> tensor<2x3xi1>
  %3 = graph.select %2, %x, %low : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  graph.return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @nothing_moves(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK-NEXT: graph.return %[[X]]
func.func @nothing_moves(%x: tensor<?x4xf32> {graph.dims = ["n", ""], graph.name = "x"}) -> tensor<?x4xf32> {
  %zeros = graph.constant dense<0> : tensor<2xi64>
  %all = graph.constant dense<[-1, 4]> : tensor<2xi64>
  %ones = graph.constant dense<1> : tensor<2xi64>
  %ends = graph.constant dense<[9223372036854775807, 9]> : tensor<2xi64>
  %none = graph.constant dense<0> : tensor<2x2xi64>
  %axis = graph.constant dense<1> : tensor<i64>
  %fill = graph.constant dense<7.0> : tensor<f32>
  %empty = graph.constant dense<> : tensor<0xf32>
  %0 = graph.slice %x, %zeros, %all : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x4xf32>
  %1 = graph.strided_slice %0, %zeros, %ends, %ones {begin_mask = 1 : i64, end_mask = 1 : i64} : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x4xf32>
  %2 = graph.pad_with %1, %none, %fill : (tensor<?x4xf32>, tensor<2x2xi64>, tensor<f32>) -> tensor<?x4xf32>
  %3 = graph.tile %2, %ones : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %4 = graph.concat %3, %axis : (tensor<?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<?x4xf32>) -> tensor<2xi64>
  %5 = graph.broadcast_to %4, %shape : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  graph.return %5 : tensor<?x4xf32>
}

// Backwards is not the whole; where that begins.
// CHECK-LABEL: func.func @parts(
// CHECK: graph.strided_slice
// CHECK-DAG: %[[BEGIN:.*]] = graph.constant dense<[2, 0]> : tensor<2xi64>
// CHECK-DAG: %[[SIZE:.*]] = graph.constant dense<[2, -1]> : tensor<2xi64>
// CHECK: graph.slice %{{.*}}, %[[BEGIN]], %[[SIZE]] : (tensor<4x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
// CHECK: graph.slice %{{.*}} : (tensor<4x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x1xf32>
// CHECK: graph.reshape %{{.*}} : (tensor<4x1xf32>, tensor<1xi64>) -> tensor<4xf32>
func.func @parts(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<2x3xf32>, tensor<4xf32>) {
  %zeros = graph.constant dense<0> : tensor<2xi64>
  %back = graph.constant dense<-1> : tensor<2xi64>
  %begin = graph.constant dense<[-2, 0]> : tensor<2xi64>
  %end = graph.constant dense<[100, 3]> : tensor<2xi64>
  %ones = graph.constant dense<1> : tensor<2xi64>
  %one = graph.constant dense<1> : tensor<i64>
  %0 = graph.strided_slice %x, %zeros, %zeros, %back {begin_mask = 3 : i64, end_mask = 3 : i64} : (tensor<4x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x3xf32>
  %1 = graph.strided_slice %x, %begin, %end, %ones {begin_mask = 2 : i64, end_mask = 2 : i64} : (tensor<4x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = graph.gather %x, %one, %one : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<4xf32>
  graph.return %0, %1, %2 : tensor<4x3xf32>, tensor<2x3xf32>, tensor<4xf32>
}

// Gathers count indices below 0 from the end themselves; of another size they do not.
// CHECK-LABEL: func.func @wrapped(
// CHECK-SAME: %[[TABLE:.*]]: tensor<9x3xf32>, %[[I:.*]]: tensor<2xi64>
// CHECK: %[[OTHER:.*]] = graph.select
// CHECK: graph.gather %[[TABLE]], %[[I]], %{{.*}} : (tensor<9x3xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x3xf32>
// CHECK: graph.gather %[[TABLE]], %[[OTHER]], %{{.*}} : (tensor<9x3xf32>, tensor<2xi64>, tensor<i64>) -> tensor<9x2xf32>
func.func @wrapped(%table: tensor<9x3xf32>, %i: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<9x2xf32>) {
  %zero = graph.constant dense<0> : tensor<i64>
  %nine = graph.constant dense<9> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %below = graph.less %i, %zero : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
  %sum = graph.add %i, %nine : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %wrapped = graph.select %below, %sum, %i : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %0 = graph.gather %table, %wrapped, %zero : (tensor<9x3xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x3xf32>
  %1 = graph.gather %table, %wrapped, %one : (tensor<9x3xf32>, tensor<2xi64>, tensor<i64>) -> tensor<9x2xf32>
  graph.return %0, %1 : tensor<2x3xf32>, tensor<9x2xf32>
}

// CHECK-LABEL: func.func @concats(
// CHECK-SAME: %[[A:.*]]: tensor<1x2xf32>, %[[B:.*]]: tensor<3x2xf32>
// CHECK: %[[AXIS:.*]] = graph.constant dense<0> : tensor<i64>
// CHECK: graph.concat %[[A]], %[[B]], %[[A]], %[[AXIS]] : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<i64>) -> tensor<5x2xf32>
// CHECK-NEXT: graph.return
func.func @concats(%a: tensor<1x2xf32>, %b: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %axis = graph.constant dense<0> : tensor<i64>
  %negative = graph.constant dense<-2> : tensor<i64>
  %empty = graph.constant dense<> : tensor<0x2xf32>
  %0 = graph.concat %a, %b, %negative : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<i64>) -> tensor<4x2xf32>
  %1 = graph.concat %0, %empty, %a, %axis : (tensor<4x2xf32>, tensor<0x2xf32>, tensor<1x2xf32>, tensor<i64>) -> tensor<5x2xf32>
  graph.return %1 : tensor<5x2xf32>
}

// One that others need stays whole.
// CHECK-LABEL: func.func @shared_concat(
// CHECK-COUNT-2: graph.concat
func.func @shared_concat(%a: tensor<1xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %axis = graph.constant dense<0> : tensor<i64>
  %0 = graph.concat %a, %a, %axis : (tensor<1xf32>, tensor<1xf32>, tensor<i64>) -> tensor<2xf32>
  %1 = graph.concat %0, %a, %axis : (tensor<2xf32>, tensor<1xf32>, tensor<i64>) -> tensor<3xf32>
  graph.return %0, %1 : tensor<2xf32>, tensor<3xf32>
}

// What is broadcast where it is used need not be before, unless it says how large the result is.
// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<3xf32>)
// CHECK: %[[WIDE:.*]] = graph.broadcast_to %[[Y]]
// CHECK: graph.add %[[X]], %[[Y]] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-DAG: graph.mul %[[WIDE]], %[[Y]]
// CHECK-DAG: graph.sub {{%arg1, %[0-9]|%[0-9], %arg1}} :
func.func @broadcasts(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %sizes = graph.constant dense<[2, 3]> : tensor<2xi64>
  %0 = graph.broadcast_to %y, %sizes : (tensor<3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = graph.add %x, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.mul %0, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = graph.sub %0, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  graph.return %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @products(
// CHECK: graph.matmul %{{.*}}, %{{.*}} {transpose_a = false, transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
// CHECK: graph.batch_matmul
func.func @products(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %c: tensor<5x4x7xf32>) -> tensor<5x2x7xf32> {
  %0 = graph.batch_matmul %a, %b {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = graph.batch_matmul %0, %c : (tensor<2x4xf32>, tensor<5x4x7xf32>) -> tensor<5x2x7xf32>
  graph.return %1 : tensor<5x2x7xf32>
}

// Equal ops are one; what nobody uses is none.
// CHECK-LABEL: func.func @equal(
// CHECK-COUNT-1: graph.exp
// CHECK-NOT: graph.exp
// CHECK-NOT: graph.log
// CHECK: graph.mul
func.func @equal(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.log %x : (tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.mul %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.return %3 : tensor<2xf32>
}

// What is added to as many rows of a table as there are words has as many rows: nothing else fits.
// CHECK-LABEL: func.func @rows_of_a_table(
// CHECK: %[[SUM:.*]] = graph.add
// CHECK-NEXT: graph.return %[[SUM]]
// CHECK-LABEL: func.func @fewer_rows(
// CHECK: graph.reshape
func.func @rows_of_a_table(%x: tensor<?x4xf32> {graph.dims = ["length", ""], graph.name = "x"}, %table: tensor<512x4xf32>) -> tensor<?x4xf32> {
  %zero = graph.constant dense<0> : tensor<1xi64>
  %one = graph.constant dense<1> : tensor<1xi64>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<?x4xf32>) -> tensor<2xi64>
  %length = graph.slice %shape, %zero, %one : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rows = graph.strided_slice %table, %zero, %length, %one : (tensor<512x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x4xf32>
  %0 = graph.add %x, %rows : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = graph.reshape %0, %shape : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  graph.return %1 : tensor<?x4xf32>
}
// Of the table alone there may be fewer.
func.func @fewer_rows(%x: tensor<?x4xf32> {graph.dims = ["length", ""], graph.name = "x"}, %table: tensor<512x4xf32>) -> tensor<?x4xf32> {
  %zero = graph.constant dense<0> : tensor<1xi64>
  %one = graph.constant dense<1> : tensor<1xi64>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<?x4xf32>) -> tensor<2xi64>
  %length = graph.slice %shape, %zero, %one : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rows = graph.strided_slice %table, %zero, %length, %one : (tensor<512x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x4xf32>
  %0 = graph.reshape %rows, %shape : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  graph.return %0 : tensor<?x4xf32>
}

// A branch keeps the types of its results: what would be of another one stays, and the pass ends.
// CHECK-LABEL: func.func @types_of_branches(
// CHECK: graph.transpose
func.func @types_of_branches(%which: tensor<i1>, %x: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %left = graph.constant dense<-1> : tensor<1xi64>
  %one = graph.constant dense<1> : tensor<1xi64>
  %zero = graph.constant dense<0> : tensor<i64>
  %size = graph.shape_of %x {dtype = i64} : (tensor<?xf32>) -> tensor<1xi64>
  %sizes = graph.concat %left, %one, %size, %zero : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<i64>) -> tensor<3xi64>
  %0 = graph.reshape %x, %sizes : (tensor<?xf32>, tensor<3xi64>) -> tensor<?x1x?xf32>
  %1:2 = graph.if %which : tensor<i1> -> (tensor<?x?x?xf32>, tensor<?x1x?xf32>) {
    %swap = graph.constant dense<[1, 0, 2]> : tensor<3xi64>
    %2 = graph.transpose %0, %swap : (tensor<?x1x?xf32>, tensor<3xi64>) -> tensor<1x?x?xf32>
    graph.return %2, %0 : tensor<1x?x?xf32>, tensor<?x1x?xf32>
  } else {
    graph.return %0, %0 : tensor<?x1x?xf32>, tensor<?x1x?xf32>
  }
  graph.return %1#0 : tensor<?x?x?xf32>
}
