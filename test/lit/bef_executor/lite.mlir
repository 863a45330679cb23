// The lite tools have all kernels but eigen.* and all eager ops but tf.*; corert.* among them.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor_lite %t.bef 2>&1 | FileCheck %s
// RUN: bef_executor_debug_tracing %t.bef 2>&1 | FileCheck %s
// RUN: bef_executor_debug_tracing --enable_tracing --tracing_level=verbose --functions=eager --test_init_function=register %t.bef 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: mlir_to_bef %S/Inputs/eigen.mlir -o %t.eigen.bef
// RUN: not bef_executor_lite %t.eigen.bef 2>&1 | FileCheck %s --check-prefix=EIGEN
// RUN: not bef_executor_debug_tracing %t.eigen.bef 2>&1 | FileCheck %s --check-prefix=EIGEN
// RUN: bef_executor %t.eigen.bef 2>&1 | FileCheck %s --check-prefix=FULL

// EIGEN: runtime error: unknown kernel name 'eigen.matmul.f32'
// FULL: Not running 'main'

func.func @register() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %handler = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %handler "cpu"
  tfrt.return %c : !tfrt.chain
}

// CHECK: --- Running 'eager':
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [8, 10, 12]
// TRACE: Scope:tfrt_test.add#op_handler=cpu#
// TRACE-NEXT: Scope:RunMetadataFunction
// TRACE-NEXT: End Scope
// TRACE-NEXT: Scope:RunDispatch: tfrt_test.add
func.func @eager() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"()
      {shape = [3 : i64], values = [4 : i32, 5 : i32, 6 : i32]} : 1
  %y = corert.executeop(%cpu) "tfrt_test.add"(%x, %x) : 1
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print"(%y)
  tfrt.return %c1 : !tfrt.chain
}

// CHECK: --- Running 'tf':
func.func @tf() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.const_dense_tensor dense<1.0> : tensor<2xf32>
  // CHECK-NEXT: 'tf' returned <<error: tf.Relu was not supported by NullOpHandler.>>
  // expected-error@+1 {{tf.Relu was not supported by NullOpHandler.}}
  %y = corert.executeop(%cpu) "tf.Relu"(%x) : 1
  tfrt.return %y : !corert.tensorhandle
}

// CHECK: --- Running 'tf_with_underscore':
func.func @tf_with_underscore() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.const_dense_tensor dense<1.0> : tensor<2xf32>
  %axes = corert.const_dense_tensor dense<0> : tensor<1xi32>
  // expected-error@+1 {{_tf.Mean was not supported by NullOpHandler.}}
  %y = corert.executeop(%cpu) "_tf.Mean"(%x, %axes) : 1
  tfrt.return %y : !corert.tensorhandle
}
