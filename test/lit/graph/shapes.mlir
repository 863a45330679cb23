// Sizes that are known, whether numbers or symbols of arguments.
// RUN: tfrt_opt %s --graph-shapes -split-input-file | FileCheck %s
// RUN: tfrt_opt %s --pass-pipeline='builtin.module(func.func(graph-shapes{remarks=true}))' -split-input-file -verify-diagnostics -o /dev/null

// Types follow from the arguments, the function's result with them.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: -> tensor<2x8xf32>
// expected-remark @+1 {{refined 2 types, made 0 constants of integers and 0 of targets}}
func.func @types(%x: tensor<2x4xf32>, %w: tensor<4x8xf32>) -> tensor<?x?xf32> {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %0 = graph.matmul %x, %w : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<?x?xf32>
  // CHECK-NEXT: graph.relu %{{.*}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = graph.relu %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  graph.return %1 : tensor<?x?xf32>
}

// -----

// What exporters compute of a shape that is known: all is a constant.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: %[[SIZES:.*]] = graph.constant dense<[2, 20]> : tensor<2xi64>
// CHECK-NEXT: %[[Y:.*]] = graph.reshape %{{.*}}, %[[SIZES]] : (tensor<2x4x5xf32>, tensor<2xi64>) -> tensor<2x20xf32>
// CHECK-NEXT: graph.return %[[Y]]
// expected-remark @+1 {{constants of integers}}
func.func @chain(%x: tensor<2x4x5xf32>) -> tensor<?x?xf32> {
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<1xi64>
  %three = graph.constant dense<3> : tensor<1xi64>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<2x4x5xf32>) -> tensor<3xi64>
  %first = graph.gather %shape, %zero, %zero : (tensor<3xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %a = graph.expand_dims %first, %zero : (tensor<i64>, tensor<i64>) -> tensor<1xi64>
  %b = graph.strided_slice %shape, %one, %three, %one : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %b0 = graph.gather %b, %zero, %zero : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %five = graph.constant dense<5> : tensor<1xi64>
  %c = graph.mul %b0, %five : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %sizes = graph.concat %a, %c, %zero : (tensor<1xi64>, tensor<1xi64>, tensor<i64>) -> tensor<2xi64>
  %0 = graph.reshape %x, %sizes : (tensor<2x4x5xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  graph.return %0 : tensor<?x?xf32>
}

// -----

// expand(-1, 4): where the wanted size is -1, 1; what nobody asks of the run any more is gone.
// CHECK-LABEL: func.func @chosen(
// CHECK: %[[SIZES:.*]] = graph.constant dense<[1, 4]> : tensor<2xi64>
// CHECK-NEXT: graph.broadcast_to %{{.*}}, %[[SIZES]] : (tensor<3x1xf32>, tensor<2xi64>) -> tensor<3x4xf32>
// expected-remark @+1 {{}}
func.func @chosen(%x: tensor<3x1xf32>) -> tensor<?x?xf32> {
  %wanted = graph.constant dense<[-1, 4]> : tensor<2xi64>
  %ones = graph.constant dense<1> : tensor<2xi64>
  %minus = graph.constant dense<-1> : tensor<i64>
  %unset = graph.equal %wanted, %minus : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
  %sizes = graph.select %unset, %ones, %wanted : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %0 = graph.broadcast_to %x, %sizes : (tensor<3x1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  graph.return %0 : tensor<?x?xf32>
}

// -----

// One size is left to the reshape.
// CHECK-LABEL: func.func @one_symbol(
// CHECK-NEXT: %[[SIZES:.*]] = graph.constant dense<[-1, 6]> : tensor<2xi64>
// CHECK-NEXT: graph.reshape %{{.*}}, %[[SIZES]] : (tensor<?x2x3xf32>, tensor<2xi64>) -> tensor<?x6xf32>
// expected-remark @+1 {{1 of targets}}
func.func @one_symbol(%x: tensor<?x2x3xf32> {graph.dims = ["batch", "", ""], graph.name = "x"}) -> tensor<?x?xf32> {
  %zero = graph.constant dense<0> : tensor<1xi64>
  %axis = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<1xi64>
  %six = graph.constant dense<6> : tensor<1xi64>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<?x2x3xf32>) -> tensor<3xi64>
  %batch = graph.slice %shape, %zero, %one : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %sizes = graph.concat %batch, %six, %axis : (tensor<1xi64>, tensor<1xi64>, tensor<i64>) -> tensor<2xi64>
  %0 = graph.reshape %x, %sizes : (tensor<?x2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  graph.return %0 : tensor<?x?xf32>
}

// -----

// Two are not, but they are those of arguments: they are asked for once, and first.
// CHECK-LABEL: func.func @two_symbols(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?x6xf32>
// CHECK-NEXT: %[[ALL:.*]] = graph.shape_of %[[X]] {dtype = i64} : (tensor<?x?x6xf32>) -> tensor<3xi64>
// CHECK: %[[TWO:.*]] = graph.slice %[[ALL]], %{{.*}}, %{{.*}} : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// CHECK: %[[SIZES:.*]] = graph.concat %[[TWO]], %{{.*}}, %{{.*}} : (tensor<2xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
// CHECK-NOT: graph.shape_of
// CHECK: graph.reshape %[[X]], %[[SIZES]] : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x2x3xf32>
// CHECK-NOT: graph.shape_of
// CHECK: graph.reshape %{{.*}}, %[[SIZES]]
// expected-remark @+1 {{0 of targets}}
func.func @two_symbols(%x: tensor<?x?x6xf32> {graph.dims = ["batch", "length", ""], graph.name = "x"}) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %axis = graph.constant dense<0> : tensor<i64>
  %second = graph.constant dense<1> : tensor<i64>
  %rest = graph.constant dense<[2, 3]> : tensor<2xi64>
  %shape = graph.shape_of %x {dtype = i64} : (tensor<?x?x6xf32>) -> tensor<3xi64>
  %batch = graph.gather %shape, %axis, %axis : (tensor<3xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %length = graph.gather %shape, %second, %axis : (tensor<3xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %b = graph.expand_dims %batch, %axis : (tensor<i64>, tensor<i64>) -> tensor<1xi64>
  %l = graph.expand_dims %length, %axis : (tensor<i64>, tensor<i64>) -> tensor<1xi64>
  %sizes = graph.concat %b, %l, %rest, %axis : (tensor<1xi64>, tensor<1xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  %0 = graph.reshape %x, %sizes : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  %y = graph.relu %x : (tensor<?x?x6xf32>) -> tensor<?x?x6xf32>
  %again = graph.shape_of %y {dtype = i64} : (tensor<?x?x6xf32>) -> tensor<3xi64>
  %from = graph.constant dense<0> : tensor<1xi64>
  %two = graph.constant dense<2> : tensor<1xi64>
  %both = graph.slice %again, %from, %two : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %same = graph.concat %both, %rest, %axis : (tensor<2xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  %1 = graph.reshape %y, %same : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  graph.return %0, %1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

// -----

// What depends on data stays.
// CHECK-LABEL: func.func @data(
// CHECK: graph.shape_of
// CHECK: graph.reshape %{{.*}}, %{{.*}} : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// expected-remark @+1 {{made 0 constants of integers and 0 of targets}}
func.func @data(%x: tensor<3x4xf32>, %sizes: tensor<2xi64>) -> (tensor<2xi64>, tensor<?x?xf32>) {
  %places = graph.nonzero %x : (tensor<3x4xf32>) -> tensor<2x?xi64>
  %shape = graph.shape_of %places {dtype = i64} : (tensor<2x?xi64>) -> tensor<2xi64>
  %0 = graph.reshape %x, %sizes : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  graph.return %shape, %0 : tensor<2xi64>, tensor<?x?xf32>
}
