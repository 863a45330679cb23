// Files without their optional sections, of ops that have definitions: results are `none` and attributes
// have neither names nor values, so most ops do not verify, and the program is printed in generic form.
// RUN: mlir_to_bef --disable-optional-sections %s -o %t.bef
// RUN: bef_to_mlir %t.bef 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING --implicit-check-not=error < %t.err
// RUN: tfrt_translate -bef-to-mlir %t.bef 2>/dev/null | FileCheck %s
// The same program of version 0, and one that lost its names and types to another tool.
// RUN: mlir_to_bef --v0-exact --disable-optional-sections %s -o %t.v0.bef
// RUN: bef_to_mlir %t.v0.bef 2>/dev/null | FileCheck %s --check-prefix=V0
// What is printed is text that MLIR reads.
// RUN: bef_to_mlir %t.bef 2>/dev/null > %t.mlir
// RUN: not tfrt_opt -allow-unregistered-dialect %t.mlir 2>&1 | FileCheck %s --check-prefix=READ

// WARNING: warning: Missing AttributeTypes, AttributeNames or RegisterTypes sections.
// READ: error: 'tfrt.constant.i32' op requires attribute 'value'

// CHECK: "func.func"() <{function_type = (i32) -> i32, sym_name = "twice"}>
// CHECK-NEXT: ^bb0(%[[X:.*]]: i32):
// CHECK-NEXT: %[[SUM:.*]] = "tfrt.add.i32"(%[[X]], %[[X]]) : (i32, i32) -> none
// CHECK-NEXT: "tfrt.return"(%[[SUM]]) : (none) -> ()
func.func @twice(%x: i32) -> i32 {
  %sum = tfrt.add.i32 %x, %x
  tfrt.return %sum : i32
}

// CHECK: sym_name = "f"
// CHECK: %[[N:.*]] = "tfrt.constant.i32"() {attr0 = -559038737 : i32} : () -> none
// CHECK: %[[Y:.*]] = "tfrt.call"(%[[N]]) <{callee = @twice}> : (none) -> none
// V0: "tfrt.call"(%{{.*}}) <{callee = @twice}> : (none) -> none
// CHECK: "tfrt.repeat.i32"(%[[N]], %[[Y]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: i32):
// CHECK: "tfrt.return"
// CHECK: %[[T:.*]] = "tfrt_dht.create_uninitialized_tensor.f32.1"() {attr0 = -559038737 : i32} : () -> none
// CHECK: %[[TENSOR:.*]] = "corert.const_dense_tensor"() {attr0 = -559038737 : i32} : () -> none
// CHECK: "corert.executeop"(%{{.*}}, %[[TENSOR]]) {attr0 = -559038737 : i32, attr1 = -559038737 : i32, attr2 = -559038737 : i32} : (none, none) -> none
// CHECK: "tfrt_test.test_cost"(%[[N]]) {{.*}}attr0 = -559038737 : i32
// CHECK: "tfrt_test.benchmark"(%[[N]]) {{.*}}({
// CHECK: "ts.build_shape"() {attr0 = -559038737 : i32} : () -> none
// CHECK: "my.op"(%[[N]]) {{.*}} : (none) -> (none, none)
func.func @f() {
  %n = tfrt.constant.i32 3
  %y = tfrt.call @twice(%n) : (i32) -> i32
  %z = tfrt.repeat.i32 %n, %y : i32 {
    %w = tfrt.add.i32 %y, %y
    tfrt.return %w : i32
  }
  %t = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  %c = tfrt.new.chain
  %h = corert.get_op_handler %c "cpu"
  %d = corert.const_dense_tensor dense<[1, 2]> : tensor<2xi32>
  %e = corert.executeop(%h) "tf.Relu"(%d) {a = 1 : i32} : 1
  %k = tfrt_test.test_cost %n {id = 1 : i64, _tfrt_cost = 2 : i64} : i32
  %b = tfrt_test.benchmark "b"(%n : i32) duration_secs = 1, max_count = 1 {
    tfrt.return %n : i32
  }
  %s = ts.build_shape [1, 2]
  %p, %q = "my.op"(%n) {x = "text"} : (i32) -> (f32, f32)
  tfrt.return
}

// A sync and a native function, and one that refers to two others.
// CHECK-DAG: sym_name = "s"{{.*}}
// CHECK-DAG: tfrt.sync
// CHECK-DAG: tfrt.native
func.func @s(%x: i32) -> i32 attributes {tfrt.sync} {
  %y = "tfrt.add_s.i32"(%x, %x) : (i32, i32) -> i32
  tfrt.return %y : i32
}
func.func private @native(i32) -> i32 attributes {tfrt.native}
func.func @two(%i: i1, %x: i32) -> i32 {
  %y = tfrt.cond %i @twice @twice (%x) : (i32) -> (i32)
  tfrt.return %y : i32
}
