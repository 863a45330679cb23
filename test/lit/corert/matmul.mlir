// The op tfrt_test.matmul.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck %s
// RUN: bef_executor --test_init_function=setup --work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @setup() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %cpu "cpu"
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: --- Running 'matmul'
func.func @matmul() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2, 3], values = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32]} : 1
  %b = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [3, 2], values = [1.0 : f32, 0.0 : f32, -1.0 : f32, 2.0 : f32, 0.5 : f32, 1.0 : f32]} : 1
  %ab = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %b) {transpose_a = false, transpose_b = false} : 1
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [5.000000e-01, 7.000000e+00, 2.000000e+00, 1.600000e+01]
  %c1 = corert.executeop.seq(%cpu, %c0) "tfrt_test.print"(%ab)
  %aa = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %a) {transpose_a = false, transpose_b = true} : 1
  // CHECK-NEXT: shape = [2, 2], values = [1.400000e+01, 3.200000e+01, 3.200000e+01, 7.700000e+01]
  %c2 = corert.executeop.seq(%cpu, %c1) "tfrt_test.print"(%aa)
  %both = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %b) {transpose_a = true, transpose_b = true} : 1
  // CHECK-NEXT: shape = [3, 3], values = [1.000000e+00, 7.000000e+00, 4.500000e+00, 2.000000e+00, 8.000000e+00, 6.000000e+00, 3.000000e+00, 9.000000e+00, 7.500000e+00]
  %c3 = corert.executeop.seq(%cpu, %c2) "tfrt_test.print"(%both)
  %i = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2, 1], values = [65536 : i32, 3 : i32]} : 1
  %ii = corert.executeop(%cpu) "tfrt_test.matmul"(%i, %i) {transpose_a = false, transpose_b = true} : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [0, 196608, 196608, 9]
  %c4 = corert.executeop.seq(%cpu, %c3) "tfrt_test.print"(%ii)
  %d = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 2], values = [0.5 : f64, 3.0 : f64]} : 1
  %dd = corert.executeop(%cpu) "tfrt_test.matmul"(%d, %d) {transpose_a = false, transpose_b = true} : 1
  // CHECK-NEXT: DenseHostTensor dtype = f64, shape = [1, 1], values = [9.250000e+00]
  %c5 = corert.executeop.seq(%cpu, %c4) "tfrt_test.print"(%dd)
  %l = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [1, 1], values = [3000000000]} : 1
  %ll = corert.executeop(%cpu) "tfrt_test.matmul"(%l, %l) {transpose_a = false, transpose_b = false} : 1
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [1, 1], values = [9000000000000000000]
  %c6 = corert.executeop.seq(%cpu, %c5) "tfrt_test.print"(%ll)
  // No rows, and no inner dimension.
  %none = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [0, 2], values = [1 : i32]} : 1
  %empty = corert.executeop(%cpu) "tfrt_test.matmul"(%none, %none) {transpose_a = false, transpose_b = true} : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [0, 0], values = []
  %c7 = corert.executeop.seq(%cpu, %c6) "tfrt_test.print"(%empty)
  %zeros = corert.executeop(%cpu) "tfrt_test.matmul"(%none, %none) {transpose_a = true, transpose_b = false} : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [0, 0, 0, 0]
  %c8 = corert.executeop.seq(%cpu, %c7) "tfrt_test.print"(%zeros)
  tfrt.return %c8 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'matmul_shapes'
// CHECK-NEXT: 'matmul_shapes' returned <<error: matmul arguments have incompatible shapes: In[0]: [2, 3], In[1]: [2, 3]. transpose_a: 0, transpose_b: 0>>
func.func @matmul_shapes() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2, 3], values = [1 : i32]} : 1
  // expected-error@+1 {{matmul arguments have incompatible shapes: In[0]: [2, 3], In[1]: [2, 3]. transpose_a: 0, transpose_b: 0}}
  %b = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %a) {transpose_a = false, transpose_b = false} : 1
  tfrt.return %b : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'matmul_dtypes'
// CHECK-NEXT: 'matmul_dtypes' returned <<error: incompatible dtypes for MatMul: In[0]: i32, In[1]: f32>>
func.func @matmul_dtypes() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2, 2], values = [1 : i32]} : 1
  %b = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2, 2], values = [1.0 : f32]} : 1
  // expected-error@+1 {{incompatible dtypes for MatMul: In[0]: i32, In[1]: f32}}
  %c = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %b) {transpose_a = false, transpose_b = false} : 1
  tfrt.return %c : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'matmul_dtype'
// CHECK-NEXT: 'matmul_dtype' returned <<error: tfrt_test.matmul: no matrix product of i1>>
func.func @matmul_dtype() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.const_dense_tensor dense<true> : tensor<2x2xi1>
  // expected-error@+1 {{tfrt_test.matmul: no matrix product of i1}}
  %b = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %a) {transpose_a = false, transpose_b = false} : 1
  tfrt.return %b : !corert.tensorhandle
}

// CHECK-LABEL: --- Running 'matmul_attribute'
// CHECK-NEXT: 'matmul_attribute' returned <<error: 'transpose_b' attribute is not specified for MatMul op>>
func.func @matmul_attribute() -> !corert.tensorhandle {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %a = corert.executeop(%cpu) "tfrt_test.create_dense_tensor"() {shape = [2, 2], values = [1 : i32]} : 1
  // expected-error@+1 {{'transpose_b' attribute is not specified for MatMul op}}
  %b = corert.executeop(%cpu) "tfrt_test.matmul"(%a, %a) {transpose_a = false} : 1
  tfrt.return %b : !corert.tensorhandle
}
