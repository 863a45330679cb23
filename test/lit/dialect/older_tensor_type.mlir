// The type `!t.tensor` of earlier releases is `!tfrt_tensor.tensor` and printed so.
// RUN: tfrt_opt %s | FileCheck %s
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s
// RUN: mlir_to_bef %s -o %t.bef && bef_to_mlir %t.bef | FileCheck %s --check-prefix=BEF
// RUN: bef_executor %t.bef | FileCheck %s --check-prefix=EXEC
// A file that another tool wrote has the old name in it.
// RUN: mlir_to_bef -v0-exact %S/Inputs/opaque_type.mlir -o %t.new.bef
// RUN: sed 's/!q.tensor/!t.tensor/g' %t.new.bef > %t.old.bef
// RUN: bef_to_mlir %t.old.bef | FileCheck %s --check-prefix=OLD

// CHECK-NOT: !t.
// CHECK: func.func @f(%arg0: !tfrt_tensor.tensor, %arg1: !tfrt.chain) -> (!tfrt_tensor.tensor, !tfrt.chain)
// BEF-NOT: !t.
// BEF: func.func @f(%arg0: !tfrt_tensor.tensor
// OLD-NOT: !t.
// OLD: func.func @old(%arg0: !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
func.func @f(%t: !t.tensor, %c: !tfrt.chain) -> (!t.tensor, !tfrt.chain) {
  // Custom forms know their types by themselves.
  // CHECK: tfrt_dht.print_tensor %arg0, %arg1
  %c1 = tfrt_dht.print_tensor %t, %c
  // CHECK: tfrt.call @f(%arg0, %{{.*}}) : (!tfrt_tensor.tensor, !tfrt.chain) -> (!tfrt_tensor.tensor, !tfrt.chain)
  %u, %c2 = tfrt.call @f(%t, %c1) : (!tfrt_tensor.tensor, !tfrt.chain) -> (!t.tensor, !tfrt.chain)
  tfrt.return %u, %c2 : !tfrt_tensor.tensor, !tfrt.chain
}

// Nested in other types and in attributes.
// CHECK: func.func private @native_sink(tuple<!tfrt_tensor.tensor, i32>) attributes {my.types = [!tfrt_tensor.tensor, () -> !tfrt_tensor.tensor], tfrt.native}
func.func private @native_sink(tuple<!t.tensor, i32>) attributes {tfrt.native, my.types = [!t.tensor, () -> !t.tensor]}

// EXEC: 'g' returned !tfrt_tensor.tensor value
func.func @g() -> !t.tensor {
  %t = "tfrt_dht.create_uninitialized_tensor.f32.1"() {shape = [2]} : () -> !t.tensor
  tfrt.return %t : !t.tensor
}
