// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 --test_init_function=setup %t.bef | FileCheck %s

// Eager ops in sync functions: they are over when the next one starts.

func.func @setup() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'add'
func.func @add() -> !corert.tensorhandle attributes {tfrt.sync} {
  %cpu = corert_sync.get_op_handler "cpu"
  "corert_sync.register_op_handler"(%cpu) {op_handler_name = "again"} : (!corert.ophandler) -> ()
  %again = corert_sync.get_op_handler "again"
  %a = corert_sync.const_dense_tensor dense<[1, 2, 3]> : tensor<3xi32>
  %b = corert_sync.executeop(%again) "tfrt_test.create_dense_tensor"() {shape = [3], values = [10 : i32]} : 1
  %sum = corert_sync.executeop(%cpu) "tfrt_test.add"(%a, %b) : 1
  // Delivered in a task, for which the function waits.
  %later = corert_sync.executeop(%cpu) "tfrt_test.async.noop"(%sum) : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [11, 12, 13]
  "corert_sync.print_tensorhandle"(%later) : (!corert.tensorhandle) -> ()
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [11, 12, 13]
  corert_sync.executeop(%cpu) "tfrt_test.print"(%sum)
  // CHECK-NEXT: 'add' returned !corert.tensorhandle value
  tfrt.return %sum : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'no_handler'
func.func @no_handler() -> !corert.ophandler attributes {tfrt.sync} {
  // expected-error @+1 {{runtime error: op_handler not found: gpu}}
  %gpu = corert_sync.get_op_handler "gpu"
  // CHECK: 'no_handler' returned <<error: op_handler not found: gpu>>
  tfrt.return %gpu : !corert.ophandler
}

// CHECK-LABEL: --- Running 'unknown_op'
func.func @unknown_op() -> !corert.tensorhandle attributes {tfrt.sync} {
  %cpu = corert_sync.get_op_handler "cpu"
  // expected-error @+1 {{runtime error: tf.Nothing was not supported by NullOpHandler.}}
  %x = corert_sync.executeop(%cpu) "tf.Nothing"() : 1
  tfrt.return %x : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'shapes_differ'
func.func @shapes_differ() -> !corert.tensorhandle attributes {tfrt.sync} {
  %cpu = corert_sync.get_op_handler "cpu"
  %a = corert_sync.const_dense_tensor dense<[1, 2, 3]> : tensor<3xi32>
  %b = corert_sync.const_dense_tensor dense<[1, 2]> : tensor<2xi32>
  // expected-error @+1 {{runtime error: arguments of test.add must have same shape}}
  %sum = corert_sync.executeop(%cpu) "tfrt_test.add"(%a, %b) : 1
  tfrt.return %sum : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'error_tensor'
func.func @error_tensor() -> !corert.tensorhandle attributes {tfrt.sync} {
  %cpu = corert_sync.get_op_handler "cpu"
  %a = corert_sync.const_dense_tensor dense<[1, 2, 3]> : tensor<3xi32>
  // expected-error @+1 {{runtime error: error from test.error.tensor implementation}}
  %x = corert_sync.executeop(%cpu) "tfrt_test.error.tensor"(%a) : 1
  // CHECK: 'error_tensor' returned <<error: error from test.error.tensor implementation>>
  tfrt.return %x : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'not_a_handle'
func.func @not_a_handle() attributes {tfrt.sync} {
  %a = corert_sync.const_dense_tensor dense<1> : tensor<i32>
  // expected-error @+1 {{runtime error: argument 0 of corert_sync.register_op_handler is no op handler}}
  "corert_sync.register_op_handler"(%a) {op_handler_name = "a"} : (!corert.tensorhandle) -> ()
  tfrt.return
}

// CHECK-LABEL: --- Running 'not_a_tensor'
func.func @not_a_tensor() attributes {tfrt.sync} {
  %cpu = corert_sync.get_op_handler "cpu"
  %text = "tfrt_sht_sync.create_tensor"() {shape = [1], values = ["x"]} : () -> !corert.tensorhandle
  // expected-error @+1 {{runtime error: argument 1 of corert_sync.executeop is no tensor handle}}
  corert_sync.executeop(%cpu) "tfrt_test.print"(%text)
  tfrt.return
}
