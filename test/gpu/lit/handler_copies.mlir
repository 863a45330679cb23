// A program of an op handler with all kinds of commands: gpu/lit/faults has each of its calls fail.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s

// CHECK: DenseHostTensor dtype = f32, shape = [1, 1, 1, 2], values = [7, 10]
// CHECK: DenseHostTensor dtype = f32, shape = [1, 1, 1, 2], values = [7.000000e+00, 1.000000e+01]
func.func @main() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %zero = tfrt.constant.i32 0
  %gpu = "corert.create_gpu_op_handler"(%zero, %null) : (i32, !corert.ophandler) -> !corert.ophandler
  %c0 = corert.register_op_handler %gpu "gpu"
  %x = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [1, 2, 1, 2], values = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32]} : 1
  %filter = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>} : 1
  %y = corert.executeop(%gpu) "tf.Conv2D"(%x, %filter) {data_format = "NCHW", padding = "VALID"} : 1
  %zeros:2 = corert.executeop(%gpu) "tfrt_test.return_multiple_results"() : 2
  %sum = corert.executeop(%gpu) "tf.AddV2"(%y, %zeros#0) : 1
  %relu = corert.executeop(%gpu) "tf.Relu"(%sum) : 1
  %done = corert.executeop(%gpu) "tfrt_test.synchronize"(%relu) : 1
  %host = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%done) : 1
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%host) : 0
  %device = "tfrt.get_device"(%c1) {device_name = "CPU:0"} : (!tfrt.chain) -> !tfrt.device
  %moved = "corert.transfer_inferred_tensortype"(%relu, %device) : (!corert.tensorhandle, !tfrt.device) -> !corert.tensorhandle
  %c2 = "corert.print_tensorhandle"(%moved, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}
