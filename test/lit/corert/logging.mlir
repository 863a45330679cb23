// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef 2>%t.log | FileCheck %s
// RUN: FileCheck --check-prefix=LOG --match-full-lines --strict-whitespace %s < %t.log
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env LOGGING_DEV_METADATA_DUMP_PREFIX=%t.d/m- LOGGING_DEV_TENSOR_DUMP_PREFIX=%t.d/t- bef_executor %t.bef
// RUN: FileCheck --check-prefix=LOG --match-full-lines --strict-whitespace %s < %t.d/m-metadata.log
// RUN: FileCheck --check-prefix=IN %s < %t.d/t-op_0_tf.Relu_input_0
// RUN: FileCheck --check-prefix=OUT %s < %t.d/t-op_0_tf.Relu_output_0
// RUN: not env LOGGING_DEV_METADATA_DUMP_PREFIX=%t.none/ bef_executor %t.bef 2>&1 | FileCheck --check-prefix=NOFILE %s
// RUN: env LOGGING_DEV_TENSOR_DUMP_PREFIX=%t.none/ bef_executor %t.bef 2>&1 | FileCheck --check-prefix=NOTENSOR %s

// CHECK-LABEL: --- Running 'logged'
// CHECK-NEXT: 'logged' returned !tfrt.chain value

//      LOG:[0] dispatch 'tf.Relu' 1 argument, 1 result, no attributes
// LOG-NEXT:Inputs for [0]: 'tf.Relu':
// LOG-NEXT:  Input for [0] tensor 0: DenseHostTensor dtype = f32, shape = [2], values = [-1.000000e+00, 2.500000e+00]
// LOG-EMPTY:
// LOG-NEXT:Outputs for [0]: 'tf.Relu':
// LOG-NEXT:  Output for [0] tensor 0: DenseHostTensor dtype = f32, shape = [2], values = [0.000000e+00, 2.500000e+00]
// LOG-EMPTY:
// LOG-NEXT:[1] dispatch 'tf.MatMul' 2 arguments, 1 result, OpAttrs contains 2 entries:
// LOG-NEXT:  'transpose_a' type=BOOL value=0
// LOG-NEXT:  'transpose_b' type=BOOL value=0
// LOG-EMPTY:
// LOG-NEXT:Inputs for [1]: 'tf.MatMul':
// LOG-NEXT:  Input for [1] tensor 0: DenseHostTensor dtype = f32, shape = [1, 1], values = [2.000000e+00]
// LOG-NEXT:  Input for [1] tensor 1: DenseHostTensor dtype = f32, shape = [1, 1], values = [2.000000e+00]
// LOG-EMPTY:
// LOG-NEXT:Outputs for [1]: 'tf.MatMul':
// LOG-NEXT:  Output for [1] tensor 0: DenseHostTensor dtype = f32, shape = [1, 1], values = [4.000000e+00]
// LOG-EMPTY:
//  LOG-NOT:{{.}}
// IN: {{^}}-1.000000e+00,2.500000e+00{{$}}
// OUT: {{^}}0.000000e+00,2.500000e+00{{$}}
// NOFILE: error opening file {{.*}}.none/metadata.log: No such file or directory
// NOTENSOR: error opening file {{.*}}.none/op_0_tf.Relu_input_0: No such file or directory
func.func @logged() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %h = "corert.create_logging_op_handler"(%cpu) {sync_log_results = true} : (!corert.ophandler) -> !corert.ophandler
  %x = corert.create_dense_tensor.f32 {shape = [2], value = [-1.0 : f32, 2.5 : f32]}
  %c1, %y = corert.executeop.seq(%h, %c0) "tf.Relu"(%x) : 1
  %a = corert.const_dense_tensor dense<2.0> : tensor<1x1xf32>
  %c2, %z = corert.executeop.seq(%h, %c1) "tf.MatMul"(%a, %a) {transpose_a = false, transpose_b = false} : 1
  tfrt.return %c2 : !tfrt.chain
}
