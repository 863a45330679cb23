// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck %s
// RUN: bef_executor --test_init_function=setup --work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @setup() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

func.func @relu(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  tfrt.return %c, %y : !tfrt.chain, !corert.tensorhandle
}
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'cond'
// CHECK-NEXT: values = [0.000000e+00]
// CHECK-NEXT: values = [-1.000000e+00]
// CHECK-NEXT: values = [0.000000e+00]
func.func @cond() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [-1.0 : f32]}
  %true = corert.const_dense_tensor dense<true> : tensor<i1>
  %zero = corert.const_dense_tensor dense<0> : tensor<1x1xi64>
  %byte = corert.create_dense_tensor.i8 {shape = [], value = [-128 : i8]}
  %c1, %a = corert.cond %true @relu @keep (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2 = "corert.print_tensorhandle"(%a, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c3, %b = corert.cond %zero @relu @keep (%c2, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c4 = "corert.print_tensorhandle"(%b, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %c5, %d = corert.cond %byte @relu @keep (%c4, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c6 = "corert.print_tensorhandle"(%d, %c5) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'cond_errors'
// CHECK-NEXT: returned <<error: cannot find conversion function for [StringHost]->[DenseHost]>>
func.func @cond_errors() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [-1.0 : f32]}
  %float = corert.const_dense_tensor dense<1.0> : tensor<f32>
  %two = corert.const_dense_tensor dense<1> : tensor<2xi32>
  %string = corert.const_string_tensor {shape = [1], value = ["s"]}
  // expected-error @+1 {{runtime error: corert.cond needs a predicate of an integer type, but it is f32}}
  %c1, %a = corert.cond %float @relu @keep (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  // expected-error @+1 {{runtime error: corert.cond needs a predicate with one element, but its shape is [2]}}
  %c2, %b = corert.cond %two @relu @keep (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  // expected-error @+1 {{runtime error: cannot find conversion function for [StringHost]->[DenseHost]}}
  %c3, %d = corert.cond %string @relu @keep (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return %d : !corert.tensorhandle
}

// Counts down from the value that the handle holds.
func.func @is_positive(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @count_down(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %i = corert.tensorhandle_to_int32 %x
  %c1 = tfrt.print.i32 %i, %c
  %one = tfrt.constant.i32 1
  %less = "tfrt.minus.i32"(%i, %one) : (i32, i32) -> i32
  %t = "tfrt_dht.create_uninitialized_tensor.i32.1"() {shape = [1 : i64]} : () -> !tfrt_tensor.tensor
  %c2 = "tfrt_dht.set_tensor_with_values.i32"(%t, %c1, %less) : (!tfrt_tensor.tensor, !tfrt.chain, i32) -> !tfrt.chain
  %y = "corert.ht_to_tensorhandle"(%t, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !corert.tensorhandle
  tfrt.return %c2, %y : !tfrt.chain, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'while'
// CHECK-NEXT: int32 = 3
// CHECK-NEXT: int32 = 2
// CHECK-NEXT: int32 = 1
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [1], values = [0]
func.func @while() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.i32 {shape = [1], value = [3 : i32]}
  %c1, %y = corert.while @is_positive @count_down (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2 = "corert.print_tensorhandle"(%y, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'while_not_at_all'
// CHECK-NEXT: values = [0]
func.func @while_not_at_all() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.i32 {shape = [1], value = [0 : i32]}
  %c1, %y = corert.while @is_positive @count_down (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2 = "corert.print_tensorhandle"(%y, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// The second predicate is an error.
func.func @fail(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  // expected-error @+1 {{runtime error: invalid tensorhandle}}
  %y = "tfrt_test.error_tensorhandle"() : () -> !corert.tensorhandle
  tfrt.return %c, %y : !tfrt.chain, !corert.tensorhandle
}
// CHECK-LABEL: --- Running 'while_fails'
// CHECK-NEXT: returned <<error: invalid tensorhandle>>,<<error: invalid tensorhandle>>
func.func @while_fails() -> (!tfrt.chain, !corert.tensorhandle) {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.i32 {shape = [1], value = [3 : i32]}
  %c1, %y = corert.while @is_positive @fail (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return %c1, %y : !tfrt.chain, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'while_of_floats'
// CHECK-NEXT: returned <<error: corert.while needs a predicate of an integer type, but it is f32>>,
func.func @while_of_floats() -> (!tfrt.chain, !corert.tensorhandle) {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [3.0 : f32]}
  // expected-error @+1 {{runtime error: corert.while needs a predicate of an integer type, but it is f32}}
  %c1, %y = corert.while @is_positive @fail (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  tfrt.return %c1, %y : !tfrt.chain, !corert.tensorhandle
}

