// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'shapes':
func.func @shapes() -> (i64, i64, i1, i1) {
  %c0 = tfrt.new.chain
  %s = "ts.build_shape"() {value = [2, 5]} : () -> !ts.shape
  %one = tfrt.constant.i32 1
  %n = "ts.get_num_elements"(%s) : (!ts.shape) -> i64
  %d = "ts.get_dimension"(%s, %one) : (!ts.shape, i32) -> i64
  %t = "tfrt_dht.create_uninitialized_tensor.f32.2"() {shape = [2, 5]} : () -> !tfrt_tensor.tensor
  %u = "tfrt_dht.get_tensor_shape"(%t) : (!tfrt_tensor.tensor) -> !ts.shape
  %e = "ts.equal_shape"(%s, %u) : (!ts.shape, !ts.shape) -> i1
  %r = "ts.build_shape"() {value = []} : () -> !ts.shape
  %f = "ts.equal_shape"(%s, %r) : (!ts.shape, !ts.shape) -> i1
  // CHECK-NEXT: 'shapes' returned 10,5,1,0
  tfrt.return %n, %d, %e, %f : i64, i64, i1, i1
}

// CHECK-LABEL: --- Running 'print':
func.func @print() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s = "ts.build_shape"() {value = [2, 0, 5]} : () -> !ts.shape
  // CHECK-NEXT: shape = [2, 0, 5]
  %c1 = "ts.print_shape"(%s, %c0) : (!ts.shape, !tfrt.chain) -> !tfrt.chain
  %r = "ts.build_shape"() {value = []} : () -> !ts.shape
  // CHECK-NEXT: shape = []
  %c2 = "ts.print_shape"(%r, %c1) : (!ts.shape, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}
