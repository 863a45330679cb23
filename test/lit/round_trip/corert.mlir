// Eager ops come back with all their attributes: the same bytes again.
// RUN: mlir_to_bef %s -o %t.1.bef
// RUN: bef_to_mlir -mlir-print-debuginfo %t.1.bef -o %t.mlir
// RUN: mlir_to_bef %t.mlir -o %t.2.bef
// RUN: cmp %t.1.bef %t.2.bef
// RUN: mlir_to_bef -v0-exact %s -o %t.3.bef
// RUN: bef_to_mlir -mlir-print-debuginfo %t.3.bef -o %t.mlir
// RUN: mlir_to_bef -v0-exact %t.mlir -o %t.4.bef
// RUN: cmp %t.3.bef %t.4.bef
// The kernel gets op_attrs, op_func_attrs and op_name, in this order, as in the attribute names of the file.
// RUN: bef_to_mlir -mlir-print-op-generic %t.3.bef | FileCheck %s

// CHECK: "corert.executeop"(%{{.*}}) <{op_attrs = {{\[\[}}"z", 1 : i32], ["a", [1.500000e+00 : f32]], ["t", !corert.string], ["s", #corert.shape<1x?>], ["d", dense<1> : tensor<2xi8>], ["e", []], ["m", [1 : i32, "x", [true]]], ["n", "text"]], op_func_attrs = {{\[\[}}"then", "f"], ["else", "g"]], op_name = "tf.Any"}> : (!corert.ophandler) -> (!corert.tensorhandle, !corert.tensorhandle)
func.func @eager(%h: !corert.ophandler, %c: !tfrt.chain) -> (!tfrt.chain, !corert.tensorhandle) {
  %x:2 = corert.executeop(%h) "tf.Any"()
      {z = 1 : i32, a = [1.5 : f32], t = !corert.string, s = #corert.shape<1x?>, d = dense<1> : tensor<2xi8>, e = [],
       m = [1 : i32, "x", [true]], n = "text"} {then = "f", else = "g"} : 2
  %y = corert.executeop(%h) "only functions"(%x#0) {} {f = "g"} : 1
  %z = corert.executeop(%h) "nothing"(%x#1) : 1
  %r:3 = corert.executeop.seq(%h, %c) "ordered"(%y, %z) {a = true} : 2
  %k = corert.const_dense_tensor dense<[1, 2]> : tensor<2xi64>
  %s = corert.const_string_tensor {shape = [2], value = ["", "b"]}
  %n = corert.create_dense_tensor.i64 {shape = [], value = [7]}
  %o = corert.get_op_handler %r#0 "cpu"
  %d = corert.register_op_handler %o "other"
  %e = "corert.execute_crt_op"(%h, %k, %s, %n) {op_attrs = [], op_func_attrs = []}
      : (!corert.ophandler, !corert.tensorhandle, !corert.tensorhandle, !corert.tensorhandle) -> !corert.tensorhandle
  tfrt.return %d, %e : !tfrt.chain, !corert.tensorhandle
}

func.func @sync(%h: !corert.tensorhandle) -> !corert.tensorhandle attributes {tfrt.sync} {
  %a = corert_sync.create_dense_tensor.bf16 {shape = [1, 1], value = [1.0 : bf16]}
  %b = corert_sync.const_dense_tensor dense<false> : tensor<1xi1>
  %o = corert_sync.get_op_handler "cpu"
  tfrt.return %b : !corert.tensorhandle
}
