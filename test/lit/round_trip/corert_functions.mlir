// The functions of corert.cond and corert.while come back under their names, and corert_sync.executeop in generic form.
// RUN: mlir_to_bef %s -o %t.1.bef
// RUN: bef_to_mlir -mlir-print-debuginfo -mlir-print-op-generic %t.1.bef -o %t.mlir
// RUN: mlir_to_bef %t.mlir -o %t.2.bef
// RUN: cmp %t.1.bef %t.2.bef
// RUN: FileCheck %s < %t.mlir

func.func @a(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @b(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @control_flow(%c: !tfrt.chain, %x: !corert.tensorhandle) -> !tfrt.chain {
  // CHECK: "corert.cond"(%{{.*}}, %{{.*}}) <{a_true_fn = @b, b_false_fn = @a}>
  %0 = corert.cond %x @b @a (%c) : () -> ()
  // CHECK: "corert.while"(%{{.*}}) <{a_cond_fn = @a, b_body_fn = @b}>
  %1 = corert.while @a @b (%0) : () -> ()
  tfrt.return %1 : !tfrt.chain
}
func.func @sync(%h: !corert.ophandler) -> !corert.tensorhandle attributes {tfrt.sync} {
  // CHECK: "corert_sync.executeop"(%{{.*}}) <{op_attrs = {{\[\[}}"b", 1 : i32], ["a", i32]], op_name = "make"}>
  %x = corert_sync.executeop(%h) "make"() {b = 1 : i32, a = i32} : 1
  tfrt.return %x : !corert.tensorhandle
}
