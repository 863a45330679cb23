// Constants are merged and a tf.Const becomes one; unused pure ops go, all others stay.
// RUN: tfrt_opt -canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants(%h: !corert.ophandler) -> (!corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle) {
  // CHECK-NEXT: %[[A:.*]] = corert.const_dense_tensor dense<1> : tensor<2xi32>
  // CHECK-NEXT: %[[B:.*]] = corert.executeop(%arg0) "make"() : 1
  // CHECK-NEXT: tfrt.return %[[A]], %[[B]], %[[A]]
  %b = corert.executeop(%h) "make"() : 1
  %a = corert.const_dense_tensor dense<1> : tensor<2xi32>
  %c = corert.const_dense_tensor dense<1> : tensor<2xi32>
  tfrt.return %a, %b, %c : !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: func.func @tf_const
func.func @tf_const(%h: !corert.ophandler) -> (!corert.tensorhandle, !corert.tensorhandle) {
  // CHECK-NEXT: %[[A:.*]] = corert.const_dense_tensor dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK-NEXT: tfrt.return %[[A]], %[[A]]
  %a = corert.executeop(%h) "tf.Const"() {dtype = f32, value = dense<[1.0, 2.0]> : tensor<2xf32>} : 1
  %b = corert.executeop(%h) "tf.Const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : 1
  tfrt.return %a, %b : !corert.tensorhandle, !corert.tensorhandle
}

// Only with one result and a dense value.
// CHECK-LABEL: func.func @no_tf_const
func.func @no_tf_const(%h: !corert.ophandler)
    -> (!corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle) {
  // CHECK-NEXT: corert.executeop(%arg0) "tf.Const"() {value = 1 : i32} : 1
  %a = corert.executeop(%h) "tf.Const"() {value = 1 : i32} : 1
  // CHECK-NEXT: corert.executeop(%arg0) "tf.Const"() : 1
  %b = corert.executeop(%h) "tf.Const"() : 1
  // CHECK-NEXT: corert.executeop(%arg0) "tf.Const"() {value = dense<1> : tensor<2xi32>} : 2
  %c:2 = corert.executeop(%h) "tf.Const"() {value = dense<1> : tensor<2xi32>} : 2
  // CHECK-NEXT: corert.executeop(%arg0) "tf.Constant"() {value = dense<1> : tensor<2xi32>} : 1
  %d = corert.executeop(%h) "tf.Constant"() {value = dense<1> : tensor<2xi32>} : 1
  tfrt.return %a, %b, %c#0, %c#1, %d
      : !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle
}

// A memory plan counts on what the constant waits for.
// CHECK-LABEL: func.func @planned
func.func @planned(%h: !corert.ophandler) -> !corert.tensorhandle attributes {tfrt.memory_planned} {
  // CHECK-NEXT: corert.executeop
  %a = corert.executeop(%h) "tf.Const"() {value = dense<1> : tensor<2xi32>} : 1
  tfrt.return %a : !corert.tensorhandle
}

// CHECK-LABEL: func.func @sync
func.func @sync(%h: !corert.ophandler) -> (!corert.tensorhandle, !corert.tensorhandle) attributes {tfrt.sync} {
  // CHECK-NEXT: %[[A:.*]] = corert_sync.const_dense_tensor dense<1> : tensor<2xi32>
  // CHECK-NEXT: tfrt.return %[[A]], %[[A]]
  %a = corert_sync.executeop(%h) "tf.Const"() {value = dense<1> : tensor<2xi32>} : 1
  %b = corert_sync.const_dense_tensor dense<1> : tensor<2xi32>
  %c = corert_sync.create_dense_tensor.i32 {shape = [1], value = [1 : i32]}
  %d = corert_sync.get_op_handler "cpu"
  %e = corert_sync.executeop(%h) "unused"(%a) : 1
  tfrt.return %a, %b : !corert.tensorhandle, !corert.tensorhandle
}

// CHECK-LABEL: func.func @unused
func.func @unused(%h: !corert.ophandler, %c: !tfrt.chain, %t: !corert.tensorhandle, %d: !tfrt.device, %y: !tfrt.tensor_type) {
  // CHECK-NEXT: corert.register_op_handler
  // CHECK-NEXT: corert.executeop.seq
  // CHECK-NEXT: corert.get_dst_tensor_type
  // CHECK-NEXT: corert.transfer %
  // CHECK-NEXT: corert.transfer_inferred_tensortype
  // CHECK-NEXT: corert.tensorhandle_to_int32
  // CHECK-NEXT: tfrt.return
  %0 = corert.create_dense_tensor.i32 {shape = [1], value = [1 : i32]}
  %1 = corert.const_dense_tensor dense<1> : tensor<2xi32>
  %2 = corert.const_string_tensor {shape = [1], value = ["a"]}
  %3 = corert.executeop(%h) "unused"(%t) : 1
  corert.executeop(%h) "without results"(%t)
  %4 = corert.get_op_handler %c "cpu"
  %5 = corert.register_op_handler %h "cpu"
  %6 = corert.executeop.seq(%h, %c) "print"(%t)
  %7 = corert.get_dst_tensor_type %t, %d
  %8 = corert.transfer %t, %d, %y
  %9 = corert.transfer_inferred_tensortype %t, %d
  %10 = corert.tensorhandle_to_int32 %t
  tfrt.return
}
