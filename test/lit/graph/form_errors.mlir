// RUN: tfrt_opt %s -split-input-file -verify-diagnostics

// What is wrong with the form of an op is found before its row is asked.

func.func @regions(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.relu' op requires zero regions}}
  %0 = "graph.relu"(%x) ({}) : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @results(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.relu' op requires one result}}
  graph.relu %x : (tensor<2xf32>) -> ()
  graph.return
}

// -----

func.func @more_results(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.top_k' op expected 2 results}}
  %0 = "graph.top_k"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @operands(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.mul' op expected 2 operands, but found 1}}
  %0 = graph.mul %x : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @few_operands(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.fused_matmul' op expected 2 or more operands, but found 1}}
  %0 = graph.fused_matmul %x : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @no_segments(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = graph.clip %x : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @segments_in_all(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  %0 = graph.clip %x {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

// Sizes whose sum is right only where it wraps.
func.func @large_segments(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op operand count (1) does not match with the total size (4294967296) specified in attribute 'operandSegmentSizes'}}
  %0 = graph.clip %x {operandSegmentSizes = array<i32: 2147483647, 2147483647, 2>} : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @negative_segment(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %0 = graph.clip %x {operandSegmentSizes = array<i32: 2, -1, 0>} : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @number_of_segments(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op 'operandSegmentSizes' attribute has 2 elements, expected 3}}
  %0 = graph.clip %x {operandSegmentSizes = array<i32: 1, 0>} : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @kind_of_segments(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op attribute 'operandSegmentSizes' failed to satisfy constraint: i32 dense array attribute}}
  %0 = graph.clip %x {operandSegmentSizes = array<i64: 1, 0, 0>} : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @segment_of_two(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op operand group starting at #1 requires 0 or 1 element, but found 2}}
  %0 = graph.clip %x, %x, %x {operandSegmentSizes = array<i32: 1, 2, 0>} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @missing_operand(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.clip' op operand group starting at #0 requires 1 element, but found 0}}
  %0 = graph.clip %x {operandSegmentSizes = array<i32: 0, 1, 0>} : (tensor<2xf32>) -> tensor<2xf32>
  graph.return
}

// -----

func.func @required(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.cast' op requires attribute 'dtype'}}
  %0 = graph.cast %x : (tensor<2xf32>) -> tensor<2xi32>
  graph.return
}

// -----

func.func @kind(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{'graph.matmul' op attribute 'transpose_a' failed to satisfy constraint: bool attribute}}
  %0 = graph.matmul %x, %x {transpose_a = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.return
}

// -----

func.func @kind_in_properties(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{'graph.matmul' op attribute 'transpose_a' failed to satisfy constraint: bool attribute}}
  %0 = "graph.matmul"(%x, %x) <{transpose_a = "yes"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.return
}

// -----

func.func @unknown_property(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{there is no attribute `transpose`}}
  %0 = "graph.matmul"(%x, %x) <{transpose = true}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.return
}

// -----

func.func @operand_type(%x: tensor<2xf32>, %i: i32) {
  // expected-error @+1 {{'graph.mul' op operand #1 must be tensor of any type values, but got 'i32'}}
  %0 = graph.mul %x, %i : (tensor<2xf32>, i32) -> tensor<2xf32>
  graph.return
}

// -----

func.func @variadic_type(%x: tensor<2xf32>, %i: i32) {
  // expected-error @+1 {{must be variadic of tensor of any type values, but got 'i32'}}
  %0 = graph.concat %x, %i : (tensor<2xf32>, i32) -> tensor<2xf32>
  graph.return
}

// -----

func.func @result_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.mul' op result #0 must be tensor of any type values, but got 'i32'}}
  %0 = graph.mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> i32
  graph.return
}

// -----

func.func @token(%x: tensor<f32>) {
  // expected-error @+1 {{'graph.print' op operand #2 must be what orders effects: an op that takes it comes behind the one that made it, but got 'tensor<f32>'}}
  %0:2 = "graph.print"(%x, %x, %x) <{message = ""}> : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !graph.token)
  graph.return
}
