// Operands of sync kernels tf_sync.* as programs of TFRT of 2023 have them.
// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s

// Tensors of one value for all elements, on either side or both; their shapes are broadcast, too.
// CHECK-LABEL: --- Running 'scalars':
func.func @scalars() attributes {tfrt.sync} {
  %a = "tfrt_dht_sync.create_dense_tensor.f32"() {shape = [2, 2], values = [1.0 : f32, 2.0 : f32, 4.0 : f32, 8.0 : f32]} : () -> !tfrt_tensor.tensor
  %two = "tfrt_dht_sync.create_from_scalar.f32"() {shape = [], value = 2.0 : f32} : () -> !tfrt_tensor.tensor
  %rows = "tfrt_dht_sync.create_from_scalar.f32"() {shape = [2, 1], value = 3.0 : f32} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  "tf_sync.AddV2.f32"(%two, %a, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: shape = [2, 2], values = [3.000000e+00, 4.000000e+00, 6.000000e+00, 1.000000e+01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.AddV2.f32"(%a, %two, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: shape = [2, 2], values = [3.000000e+00, 4.000000e+00, 6.000000e+00, 1.000000e+01]
  tfrt_dht_sync.print_tensor %out
  "tf_sync.RealDiv.f32"(%two, %a, %a) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [2.000000e+00, 1.000000e+00, 5.000000e-01, 2.500000e-01]
  tfrt_dht_sync.print_tensor %a
  %column = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 1]
  "tf_sync.Sub.f32"(%two, %rows, %column) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: shape = [2, 1], values = [-1.000000e+00, -1.000000e+00]
  tfrt_dht_sync.print_tensor %column
  "tf_sync.Mul.f32"(%rows, %a, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: values = [6.000000e+00, 3.000000e+00, 1.500000e+00, 7.500000e-01]
  tfrt_dht_sync.print_tensor %out
  tfrt.return
}

// Without multiples the output's shape says how often; its ends may be parts.
// CHECK-LABEL: --- Running 'tile_to_shape':
func.func @tile_to_shape() attributes {tfrt.sync} {
  %s = "tfrt_sht_sync.create_tensor"() {shape = [2, 2], value = ["a", "b", "c", "d"]} : () -> !tfrt_tensor.tensor
  %wide = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2, 4]} : () -> !tfrt_tensor.tensor
  "tf_sync.Tile.string"(%s, %wide) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: StringHostTensor shape = [2, 4], values = ["a", "b", "a", "b", "c", "d", "c", "d"]
  tfrt_dht_sync.print_tensor %wide
  %part = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [3, 1]} : () -> !tfrt_tensor.tensor
  "tf_sync.Tile.string"(%s, %part) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: StringHostTensor shape = [3, 1], values = ["a", "c", "a"]
  tfrt_dht_sync.print_tensor %part
  %nothing = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [0, 3]} : () -> !tfrt_tensor.tensor
  "tf_sync.Tile.string"(%nothing, %nothing) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  // CHECK-NEXT: StringHostTensor shape = [0, 3], values = []
  tfrt_dht_sync.print_tensor %nothing
  tfrt.return
}
