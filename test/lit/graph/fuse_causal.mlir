// Masks that let each query see the keys up to its own place are what attention knows itself.
// RUN: tfrt_opt %s --graph-fuse | FileCheck %s

// A table of truths, as the TorchScript exporter keeps it.
// CHECK-LABEL: func.func @truths(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @truths(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[[[true, false, false], [true, true, false], [true, true, true]]]]> : tensor<1x1x3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %c, %scores, %lowest : (tensor<1x1x3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// What is masked, the other way round, and a table that is added.
// CHECK-LABEL: func.func @masked(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @masked(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[false, true, true], [false, false, true], [false, false, false]]> : tensor<3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %c, %lowest, %scores : (tensor<3x3xi1>, tensor<f32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// CHECK-LABEL: func.func @added(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @added(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %m = graph.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.add %scores, %m : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// A table in a file.
// CHECK-LABEL: func.func @resource(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @resource(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense_resource<table> : tensor<3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %c, %scores, %lowest : (tensor<3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// Rows of a larger table: the queries are the last two of four.
// CHECK-LABEL: func.func @part(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, causal_at_end = true, scale = 1.000000e+00 : f32} :
func.func @part(%q: tensor<1x2x2x4xf32>, %k: tensor<1x2x4x4xf32>, %v: tensor<1x2x4x4xf32>) -> tensor<1x2x2x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]> : tensor<4x4xi1>
  %begin = graph.constant dense<[2, 0]> : tensor<2xi64>
  %size = graph.constant dense<[2, 4]> : tensor<2xi64>
  %four = graph.constant dense<[1, 1, 2, 4]> : tensor<4xi64>
  %p = graph.slice %c, %begin, %size : (tensor<4x4xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4xi1>
  %r = graph.reshape %p, %four : (tensor<2x4xi1>, tensor<4xi64>) -> tensor<1x1x2x4xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x4x4xf32>, tensor<4xi64>) -> tensor<1x2x4x4xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x2x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x2x4xf32>
  %masked = graph.select %r, %scores, %lowest : (tensor<1x1x2x4xi1>, tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
  %weights = graph.softmax %masked : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x2x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x2x4xf32>
  graph.return %y : tensor<1x2x2x4xf32>
}

// A triangle that is computed: what torch.nn.Transformer makes, and ones of which the others are hidden.
// CHECK-LABEL: func.func @triangle(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @triangle(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %one = graph.constant dense<1> : tensor<i64>
  %sizes = graph.constant dense<[3, 3]> : tensor<2xi64>
  %full = graph.fill %sizes, %lowest : (tensor<2xi64>, tensor<f32>) -> tensor<3x3xf32>
  %m = graph.triangle %full, %one {upper = true} : (tensor<3x3xf32>, tensor<i64>) -> tensor<3x3xf32>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.add %scores, %m : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// CHECK-LABEL: func.func @lower(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @lower(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %zero = graph.constant dense<0> : tensor<i64>
  %true = graph.constant dense<true> : tensor<i1>
  %sizes = graph.constant dense<[3, 3]> : tensor<2xi64>
  %full = graph.fill %sizes, %true : (tensor<2xi64>, tensor<i1>) -> tensor<3x3xi1>
  %c = graph.triangle %full, %zero {upper = false} : (tensor<3x3xi1>, tensor<i64>) -> tensor<3x3xi1>
  %n = graph.logical_not %c : (tensor<3x3xi1>) -> tensor<3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %n, %lowest, %scores : (tensor<3x3xi1>, tensor<f32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// Numbers of rows and columns that are compared, of any size: column <= row, and column - row < 1.
// CHECK-LABEL: func.func @compared(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @compared(%q: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "q"}, %k: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "k"}, %v: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "v"}) -> tensor<1x2x?x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %column = graph.constant dense<[-1, 1]> : tensor<2xi64>
  %no = graph.constant dense<0.0> : tensor<f32>
  %shape = graph.shape_of %q {dtype = i64} : (tensor<1x2x?x4xf32>) -> tensor<4xi64>
  %s = graph.gather %shape, %two, %zero : (tensor<4xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %j = graph.range %zero, %s, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %i = graph.reshape %j, %column : (tensor<?xi64>, tensor<2xi64>) -> tensor<?x1xi64>
  %c = graph.less_equal %j, %i : (tensor<?xi64>, tensor<?x1xi64>) -> tensor<?x?xi1>
  %m = graph.select %c, %no, %lowest : (tensor<?x?xi1>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  %t = graph.transpose %k, %last : (tensor<1x2x?x4xf32>, tensor<4xi64>) -> tensor<1x2x4x?xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x?x4xf32>, tensor<1x2x4x?xf32>) -> tensor<1x2x?x?xf32>
  %masked = graph.add %scores, %m : (tensor<1x2x?x?xf32>, tensor<?x?xf32>) -> tensor<1x2x?x?xf32>
  %weights = graph.softmax %masked : (tensor<1x2x?x?xf32>) -> tensor<1x2x?x?xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x?x?xf32>, tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
  graph.return %y : tensor<1x2x?x4xf32>
}

// CHECK-LABEL: func.func @subtracted(
// CHECK: graph.attention %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} {causal = true, scale = 1.000000e+00 : f32} :
func.func @subtracted(%q: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "q"}, %k: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "k"}, %v: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "v"}) -> tensor<1x2x?x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %column = graph.constant dense<[-1, 1]> : tensor<2xi64>
  %no = graph.constant dense<0.0> : tensor<f32>
  %shape = graph.shape_of %q {dtype = i64} : (tensor<1x2x?x4xf32>) -> tensor<4xi64>
  %s = graph.gather %shape, %two, %zero : (tensor<4xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %j = graph.range %zero, %s, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %i = graph.reshape %j, %column : (tensor<?xi64>, tensor<2xi64>) -> tensor<?x1xi64>
  %d = graph.sub %j, %i : (tensor<?xi64>, tensor<?x1xi64>) -> tensor<?x?xi64>
  %c = graph.greater_equal %d, %one : (tensor<?x?xi64>, tensor<i64>) -> tensor<?x?xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x?x4xf32>, tensor<4xi64>) -> tensor<1x2x4x?xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x?x4xf32>, tensor<1x2x4x?xf32>) -> tensor<1x2x?x?xf32>
  %masked = graph.select %c, %lowest, %scores : (tensor<?x?xi1>, tensor<f32>, tensor<1x2x?x?xf32>) -> tensor<1x2x?x?xf32>
  %weights = graph.softmax %masked : (tensor<1x2x?x?xf32>) -> tensor<1x2x?x?xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x?x?xf32>, tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
  graph.return %y : tensor<1x2x?x4xf32>
}

// One more key than that, one key less in some row, one row for all queries, as truths and behind a choice.
// CHECK-LABEL: func.func @wider(
// CHECK-NOT: causal
// CHECK: graph.attention
// CHECK-NOT: causal
func.func @wider(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[true, true, false], [true, true, true], [true, true, true]]> : tensor<3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %c, %scores, %lowest : (tensor<3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// CHECK-LABEL: func.func @hole(
// CHECK-NOT: causal
// CHECK: graph.attention
// CHECK-NOT: causal
func.func @hole(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[true, false, false], [true, true, false], [true, false, true]]> : tensor<3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %c, %scores, %lowest : (tensor<3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// CHECK-LABEL: func.func @row(
// CHECK-NOT: causal
// CHECK: graph.attention
// CHECK-NOT: causal
func.func @row(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[true, false, false]]> : tensor<1x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.select %c, %scores, %lowest : (tensor<1x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// CHECK-LABEL: func.func @large_numbers(
// CHECK-NOT: causal
// CHECK: graph.attention
// CHECK-NOT: causal
func.func @large_numbers(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %zeros = graph.constant dense<0.0> : tensor<3x3xf32>
  %c = graph.constant dense<[[true, false, false]]> : tensor<1x3xi1>
  %m = graph.select %c, %zeros, %lowest : (tensor<1x3xi1>, tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %masked = graph.add %scores, %m : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

// Numbers below, rows and columns that have changed places, and a mask of padding beside it: where all is hidden, both count.
// CHECK-LABEL: func.func @other_compared(
// CHECK-NOT: causal
// CHECK: graph.attention
// CHECK-NOT: causal
func.func @other_compared(%q: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "q"}, %k: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "k"}, %v: tensor<1x2x?x4xf32> {graph.dims = ["", "", "s", ""], graph.name = "v"}) -> tensor<1x2x?x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %column = graph.constant dense<[-1, 1]> : tensor<2xi64>
  %no = graph.constant dense<0.0> : tensor<f32>
  %shape = graph.shape_of %q {dtype = i64} : (tensor<1x2x?x4xf32>) -> tensor<4xi64>
  %s = graph.gather %shape, %two, %zero : (tensor<4xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %j = graph.range %zero, %s, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %i = graph.reshape %j, %column : (tensor<?xi64>, tensor<2xi64>) -> tensor<?x1xi64>
  %c = graph.greater_equal %j, %i : (tensor<?xi64>, tensor<?x1xi64>) -> tensor<?x?xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x?x4xf32>, tensor<4xi64>) -> tensor<1x2x4x?xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x?x4xf32>, tensor<1x2x4x?xf32>) -> tensor<1x2x?x?xf32>
  %masked = graph.select %c, %scores, %lowest : (tensor<?x?xi1>, tensor<1x2x?x?xf32>, tensor<f32>) -> tensor<1x2x?x?xf32>
  %weights = graph.softmax %masked : (tensor<1x2x?x?xf32>) -> tensor<1x2x?x?xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x?x?xf32>, tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
  graph.return %y : tensor<1x2x?x4xf32>
}

// CHECK-LABEL: func.func @padded(
// CHECK-NOT: causal
// CHECK: graph.attention
// CHECK-NOT: causal
func.func @padded(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>, %padding: tensor<1x1x1x3xf32>) -> tensor<1x2x3x4xf32> {
  %last = graph.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
  %lowest = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %c = graph.constant dense<[[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
  %t = graph.transpose %k, %last : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x4x3xf32>
  %scores = graph.batch_matmul %q, %t : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
  %first = graph.select %c, %scores, %lowest : (tensor<3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %masked = graph.add %first, %padding : (tensor<1x2x3x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x3x3xf32>
  %weights = graph.softmax %masked : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = graph.batch_matmul %weights, %v : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  graph.return %y : tensor<1x2x3x4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      table: "0x01000000010000010100010101"
    }
  }
#-}
