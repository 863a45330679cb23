// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'negative_count':
// CHECK-NEXT: 'negative_count' returned <<error: tfrt.repeat.i32 cannot run -1 times>>
func.func @negative_count() -> i32 {
  %n = tfrt.constant.i32 -1
  // expected-error@+1 {{tfrt.repeat.i32 cannot run -1 times}}
  %r = tfrt.repeat.i32 %n, %n : i32 {
    tfrt.return %n : i32
  }
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'backwards':
// CHECK-NEXT: 'backwards' returned <<error: parallel loop starts at 5, past its end 3>>
func.func @backwards() -> !tfrt.chain {
  %lo = tfrt.constant.i32 5
  %hi = tfrt.constant.i32 3
  // expected-error@+1 {{parallel loop starts at 5, past its end 3}}
  %done = tfrt.parallel_for.i32 %lo to %hi fixed %hi {
    tfrt.return
  }
  tfrt.return %done : !tfrt.chain
}

// CHECK-LABEL: --- Running 'no_block_size':
// CHECK-NEXT: 'no_block_size' returned <<error: parallel loop needs a block size of at least 1, not 0>>
func.func @no_block_size() -> !tfrt.chain {
  %lo = tfrt.constant.i32 0
  %hi = tfrt.constant.i32 3
  // expected-error@+1 {{parallel loop needs a block size of at least 1, not 0}}
  %done = tfrt.parallel_for.i32 %lo to %hi fixed %lo {
    tfrt.return
  }
  tfrt.return %done : !tfrt.chain
}

func.func @no_condition(%n: i32) -> (i32, i32) {
  tfrt.return %n, %n : i32, i32
}
func.func @no_value(%n: i32) -> i32 {
  tfrt.return %n : i32
}
// CHECK-LABEL: --- Running 'bad_bodies':
// CHECK-NEXT: 'bad_bodies' returned <<error: tfrt.while needs a condition of type 'bool', but 'no_condition' returned 'int'>>,<<error: tfrt.while needs a body with 1 arguments and 2 results, but 'no_value' has 1 and 1>>
func.func @bad_bodies() -> (i32, i32) {
  %go = tfrt.constant.i1 true
  %n = tfrt.constant.i32 1
  // expected-error@+1 {{tfrt.while needs a condition of type 'bool', but 'no_condition' returned 'int'}}
  %r = tfrt.while %go @no_condition(%n) parallel_iterations(1) : (i32) -> (i32)
  // expected-error@+1 {{tfrt.while needs a body with 1 arguments and 2 results, but 'no_value' has 1 and 1}}
  %s = tfrt.while %go @no_value(%n) parallel_iterations(1) : (i32) -> (i32)
  tfrt.return %r, %s : i32, i32
}

// Errors of the blocks are not passed on.
// CHECK-LABEL: --- Running 'parallel_errors_are_ignored':
// CHECK-NEXT: 'parallel_errors_are_ignored' returned !tfrt.chain value
func.func @parallel_errors_are_ignored() -> !tfrt.chain {
  %lo = tfrt.constant.i32 0
  %hi = tfrt.constant.i32 1
  %c = tfrt.new.chain
  %done = tfrt.parallel_for.i32 %lo to %hi fixed %hi, %c : !tfrt.chain {
    // expected-error@+1 {{error chain}}
    %d = "tfrt_test.error_chain"(%c) : (!tfrt.chain) -> !tfrt.chain
    tfrt.return %d : !tfrt.chain
  }
  tfrt.return %done : !tfrt.chain
}
