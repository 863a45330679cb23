// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck %s
// RUN: bef_executor --test_init_function=setup --work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @setup() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

// The last use of a tensor lets the op write into its memory.
// CHECK-LABEL: --- Running 'in_place'
// CHECK-NEXT: DenseHostTensor: buffer=[[ADDRESS:0x[0-9a-f]+]]
// CHECK-NEXT: DenseHostTensor: buffer=[[ADDRESS]]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2], values = [0, 5]
func.func @in_place() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [-4 : i32, 5 : i32]} : 1
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print_address"(%x)
  %c2, %y = corert.executeop.seq(%cpu, %c1) "tfrt_test.relu"(%x) : 1
  %c3 = corert.executeop.seq(%cpu, %c2) "tfrt_test.print_address"(%y)
  %c4 = corert.executeop.seq(%cpu, %c3) "tfrt_test.print"(%y)
  tfrt.return %c4 : !tfrt.chain
}

// Results that come in tasks, with and without metadata before them; side effects in order.
// CHECK-LABEL: --- Running 'later'
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2], values = [4, 4]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2], values = [8, 8]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2], values = [8, 8]
// CHECK-NEXT: 'later' returned !tfrt.chain value
func.func @later() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [4 : i32]} : 1
  %y = corert.executeop(%cpu) "tfrt_test.async.noop"(%x) : 1
  %z = corert.executeop(%cpu) "tfrt_test.async.noop_no_md"(%y) : 1
  %sum = corert.executeop(%cpu) "tfrt_test.add"(%y, %z) : 1
  %again = corert.executeop(%cpu) "tfrt_test.identity"(%sum) : 1
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print"(%z)
  %c2 = corert.executeop.seq(%cpu, %c1) "tfrt_test.print"(%sum)
  %c3 = corert.executeop.seq(%cpu, %c2) "tfrt_test.print"(%again)
  tfrt.return %c3 : !tfrt.chain
}

// The metadata are fine, the tensor is not.
// CHECK-LABEL: --- Running 'error_tensor'
// CHECK-NEXT: returned <<error: error from test.error.tensor implementation>>
func.func @error_tensor() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [4 : i32]} : 1
  // expected-error @+1 {{error from test.error.tensor implementation}}
  %y = corert.executeop(%cpu) "tfrt_test.error.tensor"(%x) : 1
  %z = corert.executeop(%cpu) "tfrt_test.add"(%y, %x) : 1
  tfrt.return %z : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'side_effect_of_error'
// CHECK-NEXT: returned <<error: invalid tensorhandle>>
func.func @side_effect_of_error() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  // expected-error @+1 {{invalid tensorhandle}}
  %x = "tfrt_test.error_tensorhandle"() : () -> !corert.tensorhandle
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print"(%x)
  tfrt.return %c1 : !tfrt.chain
}

// Scalar, sparse and string tensors as their ops take them.
// CHECK-LABEL: --- Running 'kinds'
// CHECK-NEXT: ScalarHostTensor dtype = i32, shape = [2, 2], value = 3
// CHECK-NEXT: ScalarHostTensor dtype = i32, shape = [2, 2], value = 6
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [6, 6, 6, 6]
// CHECK-NEXT: StringHostTensor shape = [1], values = ["s"]
// CHECK-NEXT: CooHostTensor dtype = i32, shape = [2, 2], indices = [0, 1], values = [7]
// CHECK-EMPTY:
func.func @kinds() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_from_scalar"() {shape = [2, 2], value = 3 : i32} : 1
  %c1 = "corert.print_tensorhandle"(%x, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %y = corert.executeop(%cpu) "tfrt_test.add"(%x, %x) : 1
  %c2 = corert.executeop.seq(%cpu, %c1) "tfrt_test.print"(%y)
  %z = corert.executeop(%cpu) "tfrt_test.add.denseonly"(%x, %x) : 1
  %c3 = corert.executeop.seq(%cpu, %c2) "tfrt_test.print"(%z)
  %s = corert.const_string_tensor {shape = [1], value = ["s"]}
  %c4 = corert.executeop.seq(%cpu, %c3) "tfrt_test.print"(%s)
  %indices = corert.const_dense_tensor dense<[[0, 1]]> : tensor<1x2xi64>
  %values = corert.const_dense_tensor dense<7> : tensor<1xi32>
  %coo = corert.executeop(%cpu) "tfrt_test.create_coo_tensor"(%indices, %values) {shape = [2, 2]} : 1
  %c5 = "corert.print_tensorhandle"(%coo, %c4) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// A scalar predicate, and one that comes later.
func.func @small(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %i = corert.tensorhandle_to_int32 %x
  %limit = tfrt.constant.i32 100
  %b = "tfrt.lessequal.i32"(%i, %limit) : (i32, i32) -> i1
  %p = "tfrt.cond"(%b) {a_true_fn = @yes, b_false_fn = @no} : (i1) -> !corert.tensorhandle
  %q = corert.executeop(%cpu) "tfrt_test.async.noop_no_md"(%p) : 1
  tfrt.return %c, %q : !tfrt.chain, !corert.tensorhandle
}
func.func @yes() -> !corert.tensorhandle {
  %t = corert.const_dense_tensor dense<1> : tensor<i64>
  tfrt.return %t : !corert.tensorhandle
}
func.func @no() -> !corert.tensorhandle {
  %t = corert.const_dense_tensor dense<0> : tensor<i64>
  tfrt.return %t : !corert.tensorhandle
}
func.func @double(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %y = corert.executeop(%cpu) "tfrt_test.add"(%x, %x) : 1
  %z = corert.executeop(%cpu) "tfrt_test.async.noop"(%y) : 1
  tfrt.return %c, %z : !tfrt.chain, !corert.tensorhandle
}
// CHECK-LABEL: --- Running 'control'
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [1], values = [192]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [1], values = [384]
func.func @control() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.create_dense_tensor.i32 {shape = [1], value = [3 : i32]}
  %c1, %y = corert.while @small @double (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2 = corert.executeop.seq(%cpu, %c1) "tfrt_test.print"(%y)
  %p = corert.executeop(%cpu) "tfrt_test.create_from_scalar"() {shape = [1], value = 1 : i32} : 1
  %q = corert.executeop(%cpu) "tfrt_test.async.noop"(%p) : 1
  %c3, %z = corert.cond %q @double @small (%c2, %y) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c4 = corert.executeop.seq(%cpu, %c3) "tfrt_test.print"(%z)
  tfrt.return %c4 : !tfrt.chain
}
