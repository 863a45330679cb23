// What is in a file, as text, as JSON, and as a graph.
// RUN: mlir_to_bef %s -o %t.bef && bef_inspect %t.bef | FileCheck %s
// RUN: mlir_to_bef %s | bef_inspect - | FileCheck %s
// RUN: bef_inspect --json %t.bef | %python -c "import json, sys; print(json.dumps(json.load(sys.stdin), sort_keys=True))" | FileCheck %s --check-prefix=JSON
// RUN: bef_inspect --dot %t.bef | FileCheck %s --check-prefix=DOT

// CHECK: {{[0-9]+}} bytes
// CHECK: sections:
// CHECK-NEXT: name id offset bytes
// CHECK-NEXT: Strings 0
// CHECK: Functions 5
// CHECK: functions:
// CHECK-NEXT: (region): async, (i32) -> (i32), 1 kernels, 2 registers, 1 streams
// CHECK-NEXT: (region): async, (i32) -> (i32), 0 kernels, 1 registers, 1 streams
// CHECK-NEXT: choose: async, (i1) -> (i32), 2 kernels, 3 registers, 2 streams
// CHECK-NEXT: elsewhere: native, (i32) -> (i32)
// CHECK: kernels:
// CHECK-NEXT: tfrt.add.i32: 1
// CHECK-NEXT: tfrt.constant.i32: 1
// CHECK-NEXT: tfrt.if: 1
// CHECK: constants:
// CHECK-NEXT: i32 at 0, 4 bytes

// JSON: "constants": [{"bytes": 4, "offset": 0, "type": "i32"}]
// JSON-SAME: "kernels": {"tfrt.add.i32": 1, "tfrt.constant.i32": 1, "tfrt.if": 1}
// JSON-SAME: "name": "Strings"

// DOT: digraph bef {
// DOT: label="choose"
// DOT: f2_k0 [label="tfrt.constant.i32\nstream 1"]
// DOT: f2_arguments -> f2_k1;
// DOT: f2_k0 -> f2_k1;
// DOT: f2_k1 -> f2_results;
func.func @choose(%condition: i1) -> i32 {
  %a = tfrt.constant.i32 3
  %r = tfrt.if %condition, %a : (i32) -> (i32) {
    %sum = tfrt.add.i32 %a, %a
    tfrt.return %sum : i32
  } else {
    tfrt.return %a : i32
  }
  tfrt.return %r : i32
}
func.func private @elsewhere(i32) -> i32 attributes {tfrt.native}
