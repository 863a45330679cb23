// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s

// CHECK-LABEL: --- Running 'between_handles_and_tensors'
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [1, 2], values = [1, 2]
// CHECK-NEXT: shape = [1, 2]
// CHECK-NEXT: int32 = 42
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [1, 2], values = [1, 2]
func.func @between_handles_and_tensors() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.create_dense_tensor.i32 {shape = [1, 2], value = [1 : i32, 2 : i32]}
  %ht = "corert.tensorhandle_to_ht"(%x) : (!corert.tensorhandle) -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.print_tensor"(%ht, %c0) : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %shape = "corert.tensorhandle_to_shape"(%x) : (!corert.tensorhandle) -> !ts.shape
  %c2 = "ts.print_shape"(%shape, %c1) : (!ts.shape, !tfrt.chain) -> !tfrt.chain
  %one = corert.const_dense_tensor dense<42> : tensor<1xi32>
  %i = corert.tensorhandle_to_int32 %one
  %c3 = tfrt.print.i32 %i, %c2
  %back = "corert.ht_to_tensorhandle"(%ht, %c3) : (!tfrt_tensor.tensor, !tfrt.chain) -> !corert.tensorhandle
  %c4 = "corert.print_tensorhandle"(%back, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c4 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'devices'
// CHECK-NEXT: tensor_type = DenseHost
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2], values = [7, 7]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2], values = [7, 7]
// CHECK-NEXT: StringHostTensor shape = [1], values = ["s"]
func.func @devices() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %one = tfrt.constant.i32 1
  %h = "corert.create_cpu_op_handler_with_ordinal"(%null, %one) : (!corert.ophandler, i32) -> !corert.ophandler
  %c1 = corert.register_op_handler %h "one"
  %device = "tfrt.get_device"(%c1) {device_name = "CPU:1"} : (!tfrt.chain) -> !tfrt.device
  %x = corert.create_dense_tensor.i32 {shape = [2], value = [7 : i32]}
  %type = corert.get_dst_tensor_type %x, %device
  %c2 = "tfrt_test.print_tensor_type"(%type, %c1) : (!tfrt.tensor_type, !tfrt.chain) -> !tfrt.chain
  %y = corert.transfer %x, %device, %type
  %c3 = "corert.print_tensorhandle"(%y, %c2) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %z = corert.transfer_inferred_tensortype %y, %device
  %c4 = "corert.print_tensorhandle"(%z, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %s = corert.const_string_tensor {shape = [1], value = ["s"]}
  %t = corert.transfer_inferred_tensortype %s, %device
  %c5 = "corert.print_tensorhandle"(%t, %c4) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'errors'
func.func @errors() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %device = "tfrt.get_device"(%c0) {device_name = "CPU:0"} : (!tfrt.chain) -> !tfrt.device
  %type = "tfrt_test.get_static_tensor_type"() {type = "DenseHost"} : () -> !tfrt.tensor_type
  %s = corert.const_string_tensor {shape = [1], value = ["s"]}
  // expected-error @+1 {{runtime error: cannot find conversion function for [StringHost]->[DenseHost]}}
  %t = corert.transfer %s, %device, %type
  // The handle has the error, and can be printed.
  // CHECK-NEXT: Error TensorHandle: 'cannot find conversion function for [StringHost]->[DenseHost]'
  %c1 = "corert.print_tensorhandle"(%t, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  // expected-error @+1 {{corert.tensorhandle_to_int32 does not read StringHost tensors}}
  %i = corert.tensorhandle_to_int32 %s
  %two = corert.const_dense_tensor dense<1> : tensor<2xi32>
  // expected-error @+1 {{The tensor should have only one element, which is the index. Its shape is [2]}}
  %j = corert.tensorhandle_to_int32 %two
  %float = corert.const_dense_tensor dense<1.0> : tensor<f32>
  // expected-error @+1 {{corert.tensorhandle_to_int32 needs a tensor of i32, but it is one of f32}}
  %k = corert.tensorhandle_to_int32 %float
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'sparse_to_scalar'
func.func @sparse_to_scalar() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %device = "tfrt.get_device"(%c0) {device_name = "CPU:0"} : (!tfrt.chain) -> !tfrt.device
  %type = "tfrt_test.get_static_tensor_type"() {type = "ScalarHost"} : () -> !tfrt.tensor_type
  %dense = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [1 : i64, 2 : i64]} : () -> !tfrt_tensor.tensor
  %c1 = "tfrt_dht.set_tensor_with_constant_values.f32"(%dense, %c0) {values = [0.0 : f32, 5.0 : f32]} : (!tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %coo, %c2 = "coo.convert_dht_to_coo.f32.2"(%dense, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> (!tfrt_tensor.tensor, !tfrt.chain)
  %x = "corert.ht_to_tensorhandle"(%coo, %c2) : (!tfrt_tensor.tensor, !tfrt.chain) -> !corert.tensorhandle
  // expected-error @+1 {{failed to convert coo tensor to scalar host tensor}}
  %y = corert.transfer %x, %device, %type
  tfrt.return %c2 : !tfrt.chain
}
