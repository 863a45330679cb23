// Errors of op handlers of GPUs, and of the ops that only these have.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef 2>&1 | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef 2>&1 | FileCheck %s

// Without the module that has the devices.
// RUN: mlir_to_bef %S/Inputs/handler.mlir -o %t.handler.bef
// RUN: not env TFRT_MODULE_PATH=%t.nowhere bef_executor %t.handler.bef 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: there are no devices of the kind 'gpu' (cannot load the module tfrt_gpu.so: {{.*}}tfrt_gpu.so: cannot open shared object file{{.*}}); the kinds are cpu
// Without a driver.
// RUN: rm -rf %t.driver && mkdir %t.driver && echo "no library" > %t.driver/libcuda.so.1
// RUN: not env TFRT_GPU_LIBRARY_PATH=%t.driver bef_executor %t.handler.bef 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: 'main' returned <<error: {{.*}}libcuda.so.1 cannot be loaded

func.func @wrong_devices() -> (!corert.ophandler, !corert.ophandler) {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %negative = tfrt.constant.i32 -1
  // expected-error @+1 {{a device cannot have the number -1}}
  %a = "corert.create_gpu_op_handler"(%negative, %null) : (i32, !corert.ophandler) -> !corert.ophandler
  %many = tfrt.constant.i32 99
  // expected-error @+1 {{there is no GPU with the number 99}}
  %b = "corert.create_gpu_op_handler"(%many, %null) : (i32, !corert.ophandler) -> !corert.ophandler
  tfrt.return %a, %b : !corert.ophandler, !corert.ophandler
}

func.func @handlers() {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %zero = tfrt.constant.i32 0
  %gpu = "corert.create_gpu_op_handler"(%zero, %null) : (i32, !corert.ophandler) -> !corert.ophandler
  corert.register_op_handler %gpu "gpu"
  tfrt.return
}

// CHECK-LABEL: --- Running 'unknown'
func.func @unknown() -> (!corert.tensorhandle, !corert.tensorhandle) {
  %c = tfrt.new.chain
  %gpu = corert.get_op_handler %c "gpu"
  // expected-error @+1 {{tf.NoSuchOp was not supported by NullOpHandler.}}
  %a = corert.executeop(%gpu) "tf.NoSuchOp"() : 1
  // An op of the host that GPUs have not.
  // expected-error @+1 {{tfrt_test.odd_collector was not supported by NullOpHandler.}}
  %b = corert.executeop(%gpu) "tfrt_test.odd_collector"() : 1
  tfrt.return %a, %b : !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'counts'
func.func @counts() -> (!corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !tfrt.chain) {
  %c = tfrt.new.chain
  %gpu = corert.get_op_handler %c "gpu"
  %x = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [1.0 : f32]} : 1
  // expected-error @+1 {{tf.Relu has 1 results, but is asked for 2}}
  %row:2 = corert.executeop(%gpu) "tf.Relu"(%x) : 2
  // expected-error @+1 {{tf.Softmax has 1 results, but is asked for 2}}
  %own:2 = corert.executeop(%gpu) "tf.Softmax"(%x) : 2
  // expected-error @+1 {{takes 1 arguments, but there are 0}}
  %none = corert.executeop(%gpu) "tf.Softmax"() : 1
  // expected-error @+1 {{takes at least 5 arguments, but there are 3}}
  %few = corert.executeop(%gpu) "tf._FusedBatchNormEx"(%x, %x, %x) : 1
  // expected-error @+1 {{takes at least 1 arguments, but there are 0}}
  %variadic = corert.executeop(%gpu) "tfrt_test.test_variadic_arg"() : 1
  // expected-error @+1 {{the op has 2 results, but is asked for 1}}
  %one = corert.executeop(%gpu) "tfrt_test.return_multiple_results"() : 1
  // expected-error @+1 {{tfrt_test.return_multiple_results has 2 results, but is asked for 3}}
  %three:3 = corert.executeop(%gpu) "tfrt_test.return_multiple_results"() : 3
  // expected-error @+1 {{takes 1 arguments, but there are 2}}
  %printed = corert.executeop.seq(%gpu, %c) "tfrt_test.print"(%x, %x) : 0
  tfrt.return %row#0, %own#1, %none, %few, %variadic, %one, %three#2, %printed : !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !tfrt.chain
}

// CHECK-LABEL: --- Running 'attributes'
func.func @attributes() -> (!corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle) {
  %c = tfrt.new.chain
  %gpu = corert.get_op_handler %c "gpu"
  %x = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [1, 2, 2, 2], values = [1.0 : f32]} : 1
  %v = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [1.0 : f32]} : 1
  // expected-error @+1 {{tf._FusedBatchNormEx: activation_mode is 'Elu', expected 'Identity' or 'Relu'}}
  %mode = corert.executeop(%gpu) "tf._FusedBatchNormEx"(%x, %v, %v, %v, %v) {activation_mode = "Elu"} : 1
  // expected-error @+1 {{tf._FusedBatchNormEx: data_format is 'CHWN', expected 'NHWC' or 'NCHW'}}
  %format = corert.executeop(%gpu) "tf._FusedBatchNormEx"(%x, %v, %v, %v, %v) {data_format = "CHWN"} : 1
  // expected-error @+1 {{tf.FusedBatchNormV3: x is f32 [2], expected [N,C,H,W]}}
  %rank:6 = corert.executeop(%gpu) "tf.FusedBatchNormV3"(%v, %v, %v, %v, %v) {data_format = "NCHW"} : 6
  // expected-error @+1 {{tf.Cast: the attribute 'Truncate' is not a bool}}
  %truncate = corert.executeop(%gpu) "tf.Cast"(%x) {DstT = f16, Truncate = 1 : i32} : 1
  // expected-error @+1 {{'DstT' attribute is not specified for Cast op}}
  %type = corert.executeop(%gpu) "tf.Cast"(%x) : 1
  tfrt.return %mode, %format, %rank#0, %truncate, %type : !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'tensors'
func.func @tensors() -> (!corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle) {
  %c = tfrt.new.chain
  %gpu = corert.get_op_handler %c "gpu"
  %a = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [1.0 : f32]} : 1
  %b = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [3], values = [1.0 : f32]} : 1
  // expected-error @+1 {{tfrt_test.add: a is f32 [2], and b is f32 [3]}}
  %sum = corert.executeop(%gpu) "tfrt_test.add"(%a, %b) : 1
  // expected-error @+1 {{error from ReturnMultipleResultsWithError op}}
  %failed:2 = corert.executeop(%gpu) "tfrt_test.return_multiple_results_with_error"() : 2
  // An error is not reported again by those that depend on it.
  %later = corert.executeop(%gpu) "tf.Relu"(%failed#0) : 1
  // Elements have the wrong number.
  // expected-error @+1 {{size of 'values' must either be 1 or match num of elements.}}
  %made = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [3], values = [1.0 : f32, 2.0 : f32]} : 1
  // Texts cannot lie on a GPU.
  %text = corert.const_string_tensor {shape = [1], value = ["text"]}
  // expected-error @+1 {{Cannot implictly convert StringHost to DenseHost}}
  %relu = corert.executeop(%gpu) "tf.Relu"(%text) : 1
  // expected-error @+1 {{Cannot implictly convert StringHost to DenseHost}}
  %moved = corert.executeop(%gpu) "tfrt_test.dht_to_gpu_tensor"(%text) : 1
  tfrt.return %sum, %failed#1, %later, %made, %relu, %moved : !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'images'
func.func @images() -> (!corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle) {
  %c = tfrt.new.chain
  %gpu = corert.get_op_handler %c "gpu"
  %x = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [1, 2, 5, 4], values = [1.0 : f32]} : 1
  %rows = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [2, 5, 4], values = [1.0 : f32]} : 1
  %filter = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 4, 1], values = [1.0 : f32]} : 1
  // The channels are the second dimension.
  // expected-error @+1 {{sizes that must be equal are 2 and 4}}
  %channels = corert.executeop(%gpu) "tf.Conv2D"(%x, %filter) {data_format = "NCHW", padding = "SAME"} : 1
  // expected-error @+1 {{the input has the shape [2, 5, 4], expected rank 4}}
  %rank = corert.executeop(%gpu) "tf.Conv2D"(%rows, %filter) {data_format = "NCHW", padding = "SAME"} : 1
  // expected-error @+1 {{ksize are not four numbers with 1 for batch and channels}}
  %pool = corert.executeop(%gpu) "tf.MaxPool"(%x) {data_format = "NCHW", ksize = [1, 2, 2, 1], padding = "VALID", strides = [1, 1, 1, 1]} : 1
  tfrt.return %channels, %rank, %pool : !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle
}
