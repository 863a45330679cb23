// What a model has beside kernels comes back: names, sizes, metadata, weights.
// RUN: mlir_to_bef %s -o %t.bef && bef_to_mlir %t.bef | FileCheck %s
// RUN: bef_to_mlir -mlir-print-debuginfo %t.bef -o %t.mlir && mlir_to_bef %t.mlir | cmp - %t.bef
// RUN: bef_inspect %t.bef | FileCheck %s --check-prefix=INSPECT
// RUN: bef_inspect --json %t.bef | %python -c "import json, sys; j = json.load(sys.stdin); print(json.dumps([j['producer'], j['metadata'], j['signatures'], j['weights']]))" | FileCheck %s --check-prefix=JSON

// CHECK: module attributes {graph.metadata = {author = "me", labels = "cat,dog"}, graph.producer = "maker 1.0"}
module attributes {graph.metadata = {author = "me", labels = "cat,dog"}, graph.producer = "maker 1.0"} {
  // CHECK: func.func @load() -> (tensor<2x2xf32>, tensor<3xi1>, tensor<2x2xf32>)
  func.func @load() -> (tensor<2x2xf32>, tensor<3xi1>, tensor<2x2xf32>) {
    // CHECK-NEXT: %[[W:.*]] = graph.weight dense_resource<w> : tensor<2x2xf32>
    // CHECK-NEXT: %[[MASK:.*]] = graph.weight dense_resource<"a/mask 1"> : tensor<3xi1>
    // CHECK-NEXT: %[[AGAIN:.*]] = graph.weight dense_resource<w> : tensor<2x2xf32>
    %w = graph.weight dense_resource<w> : tensor<2x2xf32>
    %mask = graph.weight dense_resource<"a/mask 1"> : tensor<3xi1>
    %again = graph.weight dense_resource<w> : tensor<2x2xf32>
    tfrt.return %w, %mask, %again : tensor<2x2xf32>, tensor<3xi1>, tensor<2x2xf32>
  }
  // CHECK: func.func @main(%{{.*}}: tensor<?x2xf32> {graph.dims = ["batch", ""], graph.name = "x"}, %{{.*}}: tensor<2x2xf32>)
  // CHECK-SAME: -> (tensor<?x2xf32> {graph.name = "y"})
  func.func @main(%x: tensor<?x2xf32> {graph.name = "x", graph.dims = ["batch", ""]}, %w: tensor<2x2xf32>)
      -> (tensor<?x2xf32> {graph.name = "y"}) {
    // CHECK-NEXT: "my.transpose"(%{{.*}}) {permutation = array<i64: 1, 0>, scales = array<f32: 5.000000e-01, 2.000000e+00>}
    %t = "my.transpose"(%w) {permutation = array<i64: 1, 0>, scales = array<f32: 0.5, 2.0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %y = graph.add %x, %t : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
    tfrt.return %y : tensor<?x2xf32>
  }
}
// CHECK: w: "0x040000000000803F000000400000404000008040"
{-#
  dialect_resources: { builtin: {
    w: "0x040000000000803F000000400000404000008040",
    "a/mask 1": "0x01000000010001"
  } }
#-}

// INSPECT: Signatures 66
// INSPECT-NEXT: Weights 67
// INSPECT: producer: maker 1.0
// INSPECT-NEXT: metadata:
// INSPECT-NEXT: author: me
// INSPECT-NEXT: labels: cat,dog
// INSPECT-NEXT: signatures:
// INSPECT-NEXT: main
// INSPECT-NEXT: input x: f32 [batch,2]
// INSPECT-NEXT: result y: f32 [?,2]
// INSPECT-NEXT: weights:
// INSPECT-NEXT: w: f32 [2,2] at {{[0-9]+}}, 16 bytes
// INSPECT-NEXT: a/mask 1: i1 [3] at {{[0-9]+}}, 3 bytes
// INSPECT-NOT: {{.}}

// JSON: ["maker 1.0", {"author": "me", "labels": "cat,dog"},
// JSON-SAME: [{"function": "main", "inputs": [{"name": "x", "type": "f32 [batch,2]"}], "results": [{"name": "y", "type": "f32 [?,2]"}]}],
// JSON-SAME: [{"name": "w", "type": "f32 [2,2]", "offset": {{[0-9]+}}, "bytes": 16},
