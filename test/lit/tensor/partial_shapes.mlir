// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'fixed_rank':
func.func @fixed_rank() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s1 = ts.build_shape [7]
  %s2 = ts.build_shape [2, 5]
  %s3 = ts.build_shape [2, 0, 5]
  %f1 = ts.as_fixed_rank_shape.1 %s1
  %f2 = ts.as_fixed_rank_shape.2 %s2
  %f3 = ts.as_fixed_rank_shape.3 %s3
  // CHECK-NEXT: {{^}}fixed_rank_shape = [7]{{$}}
  %c1 = ts.print_fixed_rank_shape.1 %f1, %c0
  // CHECK-NEXT: {{^}}fixed_rank_shape = [2, 5]{{$}}
  %c2 = ts.print_fixed_rank_shape.2 %f2, %c1
  // Without elements the list is empty.
  // CHECK-NEXT: {{^}}fixed_rank_shape = []{{$}}
  %c3 = ts.print_fixed_rank_shape.3 %f3, %c2
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'other_rank':
func.func @other_rank() -> !tfrt.chain {
  %c = tfrt.new.chain
  %s = ts.build_shape [2, 5]
  // expected-error@+1 {{shape [2, 5] has rank 2, expected 3}}
  %f = ts.as_fixed_rank_shape.3 %s
  %r = ts.print_fixed_rank_shape.3 %f, %c
  // CHECK: 'other_rank' returned <<error: shape [2, 5] has rank 2, expected 3>>
  tfrt.return %r : !tfrt.chain
}

// CHECK-LABEL: --- Running 'partial':
func.func @partial() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %a = ts.build_partial_shape [2, -1]
  // CHECK-NEXT: {{^}}partial_tensor_shape = [2, -1]{{$}}
  %c1 = ts.print_partial_shape %a, %c0
  %b = ts.build_partial_shape []
  // CHECK-NEXT: {{^}}partial_tensor_shape = []{{$}}
  %c2 = ts.print_partial_shape %b, %c1
  %u = ts.build_unranked_partial_shape
  // CHECK-NEXT: {{^}}partial_tensor_shape = Unknown rank{{$}}
  %c3 = ts.print_partial_shape %u, %c2
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'round_trip':
func.func @round_trip() -> (i1, i64) {
  %s = ts.build_shape [6, 1]
  %p = ts.to_partial_shape %s
  %q = ts.to_shape %p
  %e = ts.equal_shape %s, %q
  %n = ts.get_num_elements %q
  // CHECK-NEXT: 'round_trip' returned 1,6
  tfrt.return %e, %n : i1, i64
}

// CHECK-LABEL: --- Running 'unknown_dimensions':
func.func @unknown_dimensions() -> !ts.shape {
  %p = ts.build_partial_shape [-1, 5, -1]
  // expected-error@+1 {{Unknown dimensions at following indices = [0, 2]}}
  %s = ts.to_shape %p
  // CHECK-NEXT: 'unknown_dimensions' returned <<error: Unknown dimensions at following indices = [0, 2]>>
  tfrt.return %s : !ts.shape
}

// CHECK-LABEL: --- Running 'unknown_rank':
func.func @unknown_rank() -> !ts.shape {
  %p = ts.build_unranked_partial_shape
  // expected-error@+1 {{Unknown rank}}
  %s = ts.to_shape %p
  // CHECK-NEXT: 'unknown_rank' returned <<error: Unknown rank>>
  tfrt.return %s : !ts.shape
}

// CHECK-LABEL: --- Running 'bad_partial_shape':
func.func @bad_partial_shape() -> !ts.partial_shape {
  // expected-error@+1 {{partial shape [-2, 5] has the dimension -2 below -1}}
  %p = ts.build_partial_shape [-2, 5]
  // CHECK-NEXT: 'bad_partial_shape' returned <<error: partial shape [-2, 5] has the dimension -2 below -1>>
  tfrt.return %p : !ts.partial_shape
}

// CHECK-LABEL: --- Running 'huge_partial_shape':
func.func @huge_partial_shape() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %p = ts.build_partial_shape [-1, 4294967296, 4294967296]
  // CHECK: partial_tensor_shape = [-1, 4294967296, 4294967296]
  %c1 = ts.print_partial_shape %p, %c0
  tfrt.return %c1 : !tfrt.chain
}
