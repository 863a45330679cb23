// Ops with regions: they see the values around them, and what they return fits.
// RUN: tfrt_opt %s -split-input-file -verify-diagnostics | tfrt_opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @if(
// CHECK-SAME: %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>
func.func @if(%c: tensor<i1>, %x: tensor<4xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-NEXT: %[[Y:.*]] = graph.if %[[C]] : tensor<i1> -> (tensor<?xf32>) {
  // CHECK-NEXT: %[[R:.*]] = graph.relu %[[X]] : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: graph.return %[[R]] : tensor<4xf32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: graph.return %{{.*}} : tensor<?xf32>
  // CHECK-NEXT: }
  %y = graph.if %c : tensor<i1> -> (tensor<?xf32>) {
    %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    graph.return %0 : tensor<4xf32>
  } else {
    graph.return %z : tensor<?xf32>
  }
  graph.return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[N:.*]]: tensor<i64>, %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>
func.func @loop(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  // CHECK-NEXT: %{{.*}}:2 = graph.loop count(%[[N]] : tensor<i64>) while(%[[C]] : tensor<i1>) initial(%[[X]] : tensor<4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<i64>, %[[GO:.*]]: tensor<i1>, %[[CARRIED:.*]]: tensor<4xf32>):
  // CHECK-NEXT: %[[NEXT:.*]] = graph.add %[[CARRIED]], %[[X]]
  // CHECK-NEXT: graph.return %[[GO]], %[[NEXT]], %[[NEXT]]
  %last, %all = graph.loop count(%n : tensor<i64>) while(%c : tensor<i1>) initial(%x : tensor<4xf32>)
      -> (tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %carried: tensor<4xf32>):
    %next = graph.add %carried, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.return %go_on, %next, %next : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: %{{.*}} = graph.loop -> (tensor<?xi64>) {
  %forever = graph.loop -> (tensor<?xi64>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    graph.return %go_on, %i : tensor<i1>, tensor<i64>
  }
  graph.return %last, %all : tensor<4xf32>, tensor<?x4xf32>
}

// -----

func.func @condition(%c: tensor<2xi1>) {
  // expected-error @+1 {{'graph.if' op the condition is 'tensor<2xi1>', expected one element of i1}}
  graph.if %c : tensor<2xi1> {
    graph.return
  } else {
    graph.return
  }
  graph.return
}

// -----

func.func @number(%c: tensor<i1>, %x: tensor<4xf32>) {
  %y = graph.if %c : tensor<i1> -> (tensor<4xf32>) {
    graph.return %x : tensor<4xf32>
  } else {
    // expected-error @+1 {{'graph.return' op has 0 operands, but the 'graph.if' has 1 results}}
    graph.return
  }
  graph.return
}

// -----

func.func @type(%c: tensor<i1>, %x: tensor<4xf32>) {
  %y = graph.if %c : tensor<i1> -> (tensor<3xf32>) {
    // expected-error @+1 {{'graph.return' op operand 0 is 'tensor<4xf32>', but the result of the 'graph.if' is 'tensor<3xf32>'}}
    graph.return %x : tensor<4xf32>
  } else {
    graph.return %x : tensor<4xf32>
  }
  graph.return
}

// -----

func.func @count(%n: tensor<f32>) {
  // expected-error @+1 {{'graph.loop' op the count is 'tensor<f32>', expected one element of i64}}
  graph.loop count(%n : tensor<f32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    graph.return %go_on : tensor<i1>
  }
  graph.return
}

// -----

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.loop' op has 1 carried values, but its region has 2 arguments, expected 3}}
  %y = graph.loop initial(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    graph.return %go_on, %x : tensor<i1>, tensor<4xf32>
  }
  graph.return
}

// -----

func.func @returned(%x: tensor<4xf32>) {
  %y = graph.loop initial(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %carried: tensor<4xf32>):
    // expected-error @+1 {{'graph.return' op has 1 operands, expected a condition, 1 carried values and others, one for each of 1 results}}
    graph.return %go_on : tensor<i1>
  }
  graph.return
}

// -----

func.func @carried(%x: tensor<4xf32>, %z: tensor<5xf32>) {
  // expected-error @+1 {{'graph.loop' op carried value 0 is 'tensor<4xf32>' at first, 'tensor<4xf32>' in the region, 'tensor<5xf32>' behind it and 'tensor<4xf32>' in the end}}
  %y = graph.loop initial(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %carried: tensor<4xf32>):
    graph.return %go_on, %z : tensor<i1>, tensor<5xf32>
  }
  graph.return
}

// -----

func.func @stacked(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.loop' op result 0 is 'tensor<4xf32>', but each run makes 'tensor<4xf32>'}}
  %y = graph.loop -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %go_on: tensor<i1>):
    graph.return %go_on, %x : tensor<i1>, tensor<4xf32>
  }
  graph.return
}
