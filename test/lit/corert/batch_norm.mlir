// tf.FusedBatchNormV3 with one number for each channel, of shape [1,1,1,C].
// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck %s
// RUN: bef_executor --test_init_function=setup --work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @setup() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'batch_norm'
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [1, 1, 2, 2], values = [1.000000e+01, 2.600000e+01, 1.400000e+01, 3.200000e+01]
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [1, 1, 1, 2], values = [1.000000e+00, 2.000000e+00]
// CHECK-NEXT: DenseHostTensor dtype = f32, shape = [1, 1, 1, 2], values = [7.500000e-01, 0.000000e+00]
func.func @batch_norm() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 2, 2], values = [1.0 : f32, 3.0 : f32, 3.0 : f32, 4.0 : f32]} : 1
  %scale = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 1, 2], values = [2.0 : f32, 3.0 : f32]} : 1
  %offset = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 1, 2], values = [10.0 : f32, 20.0 : f32]} : 1
  %mean = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 1, 2], values = [1.0 : f32, 2.0 : f32]} : 1
  %variance = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 1, 2], values = [0.75 : f32, 0.0 : f32]} : 1
  %y:6 = corert.executeop(%cpu) "tf.FusedBatchNormV3"(%x, %scale, %offset, %mean, %variance) {epsilon = 0.25 : f32} : 6
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print"(%y#0)
  %c2 = corert.executeop.seq(%cpu, %c1) "tfrt_test.print"(%y#1)
  %c3 = corert.executeop.seq(%cpu, %c2) "tfrt_test.print"(%y#2)
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'batch_norm_channels'
// CHECK-NEXT: 'batch_norm_channels' returned <<error: batch_norm: the scale has the shape [3], expected [2]>>
func.func @batch_norm_channels() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 2, 2], values = [1.0 : f32]} : 1
  %s = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 1, 3], values = [1.0 : f32]} : 1
  // expected-error@+1 {{batch_norm: the scale has the shape [3], expected [2]}}
  %y = corert.executeop(%cpu) "tf.FusedBatchNormV3"(%x, %s, %s, %s, %s) {epsilon = 0.25 : f32} : 1
  tfrt.return %y : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'batch_norm_rank'
// CHECK-NEXT: 'batch_norm_rank' returned <<error: batch_norm: the scale has the shape [1, 2], expected [2]>>
func.func @batch_norm_rank() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 2, 2], values = [1.0 : f32]} : 1
  %s = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 2], values = [1.0 : f32]} : 1
  // expected-error@+1 {{batch_norm: the scale has the shape [1, 2], expected [2]}}
  %y = corert.executeop(%cpu) "tf.FusedBatchNormV3"(%x, %s, %s, %s, %s) {epsilon = 0.25 : f32} : 1
  tfrt.return %y : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'batch_norm_mixed'
// CHECK-NEXT: 'batch_norm_mixed' returned <<error: Mean, variance, bias, and scale are expected to have the same shape>>
func.func @batch_norm_mixed() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %x = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 2, 2], values = [1.0 : f32]} : 1
  %s = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2], values = [1.0 : f32]} : 1
  %r = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1, 1, 2], values = [1.0 : f32]} : 1
  // expected-error@+1 {{Mean, variance, bias, and scale are expected to have the same shape}}
  %y = corert.executeop(%cpu) "tf.FusedBatchNormV3"(%x, %s, %s, %r, %r) {epsilon = 0.25 : f32} : 1
  tfrt.return %y : !corert.tensorhandle
}
