// corert_sync.executeop is printed with its name twice, which cannot be read back; the generic form can.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: not sh -c 'tfrt_opt %s | tfrt_opt' 2>&1 | FileCheck %s --check-prefix=REREAD

// CHECK-LABEL:func.func @executeop(
func.func @executeop(%arg0: !corert.ophandler, %arg1: !corert.tensorhandle) attributes {tfrt.sync} {
  // CHECK-NEXT:    corert_sync.executeopcorert_sync.executeop(%arg0) "x"(){{$}}
  // REREAD: custom op 'corert_sync.executeopcorert_sync.executeop' is unknown
  corert_sync.executeop(%arg0) "x"()
  // CHECK-NEXT:    %0 = corert_sync.executeopcorert_sync.executeop(%arg0) "tf.Add"(%arg1, %arg1) {note = "n", b = 1 : i64} : 1{{$}}
  // GENERIC: "corert_sync.executeop"(%{{.*}}, %{{.*}}, %{{.*}}) <{op_attrs = {{\[\[}}"note", "n"], ["b", 1]], op_name = "tf.Add"}> : (!corert.ophandler, !corert.tensorhandle, !corert.tensorhandle) -> !corert.tensorhandle
  %0 = corert_sync.executeop(%arg0) "tf.Add"(%arg1, %arg1) {note = "n", b = 1} : 1
  // There are no function attributes here: a second dictionary is forgotten.
  // CHECK-NEXT:    %1:2 = corert_sync.executeopcorert_sync.executeop(%arg0) "y"() {a = 1 : i32} : 2{{$}}
  %1:2 = corert_sync.executeop(%arg0) "y"() {a = 1 : i32} {f = "g"} : 2
  tfrt.return
}
