// What tf_sync.* say of operands that do not fit.
// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'no_broadcast':
// CHECK-NEXT: 'no_broadcast' returned <<error: the shapes [2, 3] and [2] cannot be broadcast together>>
func.func @no_broadcast() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  // expected-error@+1 {{runtime error: the shapes [2, 3] and [2] cannot be broadcast together}}
  "tf_sync.AddV2.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'binary_shape':
// CHECK-NEXT: 'binary_shape' returned <<error: sub: the output has the shape [3, 2], expected [2, 3]>>
func.func @binary_shape() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [3, 2]
  // expected-error@+1 {{runtime error: sub: the output has the shape [3, 2], expected [2, 3]}}
  "tf_sync.Sub.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'binary_dtype':
// CHECK-NEXT: 'binary_dtype' returned <<error: the second input is a tensor of i32, expected f32>>
func.func @binary_dtype() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %b = tfrt_dht_sync.create_uninitialized_tensor.i32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: the second input is a tensor of i32, expected f32}}
  "tf_sync.Mul.f32"(%a, %b, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'binary_out_dtype':
// CHECK-NEXT: 'binary_out_dtype' returned <<error: the output is a tensor of i32, expected f32>>
func.func @binary_out_dtype() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.i32.1 [2]
  // expected-error@+1 {{runtime error: the output is a tensor of i32, expected f32}}
  "tf_sync.RealDiv.f32"(%a, %a, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'binary_alias':
// CHECK-NEXT: 'binary_alias' returned <<error: add: the output overlaps an input>>
func.func @binary_alias() -> i32 attributes {tfrt.sync} {
  %a = "tfrt.constant_s.i64"() {value = 32 : i64} : () -> i64
  %align = "tfrt.constant_s.i64"() {value = 8 : i64} : () -> i64
  %four = "tfrt.constant_s.i64"() {value = 4 : i64} : () -> i64
  %zero = "tfrt.constant_s.i64"() {value = 0 : i64} : () -> i64
  %size = "tfrt.constant_s.i64"() {value = 8 : i64} : () -> i64
  %buffer = tfrt_dht_sync.allocate_buffer %a, %align
  %first = tfrt_dht_sync.get_buffer_slice %buffer, %zero, %size
  %second = tfrt_dht_sync.get_buffer_slice %buffer, %four, %size
  %shape = "ts_sync.build_shape"() {value = [2]} : () -> !ts.shape
  %x = tfrt_dht_sync.make_tensor.f32 %first, %shape
  %out = tfrt_dht_sync.make_tensor.f32 %second, %shape
  // expected-error@+1 {{runtime error: add: the output overlaps an input}}
  "tf_sync.AddV2.f32"(%x, %x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'unary_shape':
// CHECK-NEXT: 'unary_shape' returned <<error: log: the output has the shape [3], expected [2]>>
func.func @unary_shape() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  // expected-error@+1 {{runtime error: log: the output has the shape [3], expected [2]}}
  "tf_sync.Log.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'log1p_shape':
// CHECK-NEXT: 'log1p_shape' returned <<error: log1p: the output has the shape [3], expected [2]>>
func.func @log1p_shape() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  // expected-error@+1 {{runtime error: log1p: the output has the shape [3], expected [2]}}
  "tf_sync.Log1p.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'unary_dtype':
// CHECK-NEXT: 'unary_dtype' returned <<error: the input is a tensor of i64, expected f32>>
func.func @unary_dtype() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.i64.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: the input is a tensor of i64, expected f32}}
  "tf_sync.Sigmoid.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'unary_constant':
// CHECK-NEXT: 'unary_constant' returned <<error: cannot write to the constant tensor of shape [2]>>
func.func @unary_constant() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_test.sync.const_dense_attr"() {value = dense<1.0> : tensor<2xf32>} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: cannot write to the constant tensor of shape [2]}}
  "tf_sync.Rsqrt.f32"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'softmax_rank':
// CHECK-NEXT: 'softmax_rank' returned <<error: softmax: a tensor of rank 0 has no last axis>>
func.func @softmax_rank() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.0 []
  // expected-error@+1 {{runtime error: softmax: a tensor of rank 0 has no last axis}}
  "tf_sync.Softmax.f32"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'log_softmax_shape':
// CHECK-NEXT: 'log_softmax_shape' returned <<error: log_softmax: the output has the shape [1, 2], expected [2]>>
func.func @log_softmax_shape() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [1, 2]
  // expected-error@+1 {{runtime error: log_softmax: the output has the shape [1, 2], expected [2]}}
  "tf_sync.LogSoftmax.f32"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_rank':
// CHECK-NEXT: 'tile_rank' returned <<error: Tile multiples must be a vector>>
func.func @tile_rank() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %m = tfrt_dht_sync.create_uninitialized_tensor.i32.2 [1, 1]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: Tile multiples must be a vector}}
  "tf_sync.Tile.f32"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_multiples':
// CHECK-NEXT: 'tile_multiples' returned <<error: Unsupported multiples data type>>
func.func @tile_multiples() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: Unsupported multiples data type}}
  "tf_sync.Tile.f32"(%x, %x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_size':
// CHECK-NEXT: 'tile_size' returned <<error: Tile multiples must have the same size as input rank>>
func.func @tile_size() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [2], values = [1 : i32, 1 : i32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: Tile multiples must have the same size as input rank}}
  "tf_sync.Tile.f32"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_negative':
// CHECK-NEXT: 'tile_negative' returned <<error: Tile: dimension 0 of the shape [2] cannot be repeated -1 times>>
func.func @tile_negative() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [-1 : i32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: Tile: dimension 0 of the shape [2] cannot be repeated -1 times}}
  "tf_sync.Tile.f32"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_shape':
// CHECK-NEXT: 'tile_shape' returned <<error: Tile: the output has the shape [2], expected [4]>>
func.func @tile_shape() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [2 : i32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: Tile: the output has the shape [2], expected [4]}}
  "tf_sync.Tile.f32"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_dtype':
// CHECK-NEXT: 'tile_dtype' returned <<error: the input is a tensor of i32, expected f32>>
func.func @tile_dtype() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.i32.1 [2]
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [1 : i32]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: the input is a tensor of i32, expected f32}}
  "tf_sync.Tile.f32"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_alias':
// CHECK-NEXT: 'tile_alias' returned <<error: Tile: the output overlaps an input>>
func.func @tile_alias() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [1 : i32]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile: the output overlaps an input}}
  "tf_sync.Tile.f32"(%x, %m, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_strings_shape':
// CHECK-NEXT: 'tile_strings_shape' returned <<error: Tile: the output has the shape [3], expected [4]>>
func.func @tile_strings_shape() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [2 : i32]} : () -> !tfrt_tensor.tensor
  %out = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [3]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile: the output has the shape [3], expected [4]}}
  "tf_sync.Tile.string"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_strings_alias':
// CHECK-NEXT: 'tile_strings_alias' returned <<error: Tile: the output overlaps an input>>
func.func @tile_strings_alias() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [1 : i32]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile: the output overlaps an input}}
  "tf_sync.Tile.string"(%x, %m, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_strings_type':
// CHECK-NEXT: 'tile_strings_type' returned <<error: argument 0 has type 'tfrt::DenseHostTensor', but the kernel takes 'tfrt::StringHostTensor'>>
func.func @tile_strings_type() -> i32 attributes {tfrt.sync} {
  %x = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %m = "tfrt_dht_sync.create_dense_tensor.i32"() {shape = [1], values = [1 : i32]} : () -> !tfrt_tensor.tensor
  %out = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: argument 0 has type 'tfrt::DenseHostTensor', but the kernel takes 'tfrt::StringHostTensor'}}
  "tf_sync.Tile.string"(%x, %m, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_to_rank':
// CHECK-NEXT: 'tile_to_rank' returned <<error: Tile: the shape [2] cannot be repeated to the shape [2, 2]>>
func.func @tile_to_rank() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %out = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2, 2]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile: the shape [2] cannot be repeated to the shape [2, 2]}}
  "tf_sync.Tile.string"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_nothing':
// CHECK-NEXT: 'tile_nothing' returned <<error: Tile: the shape [0, 2] cannot be repeated to the shape [1, 2]>>
func.func @tile_nothing() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [0, 2]} : () -> !tfrt_tensor.tensor
  %out = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [1, 2]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile: the shape [0, 2] cannot be repeated to the shape [1, 2]}}
  "tf_sync.Tile.string"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_to_itself':
// CHECK-NEXT: 'tile_to_itself' returned <<error: Tile: the output overlaps an input>>
func.func @tile_to_itself() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile: the output overlaps an input}}
  "tf_sync.Tile.string"(%x, %x) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_to_dense':
// CHECK-NEXT: 'tile_to_dense' returned <<error: Tile: the output is no tensor of strings>>
func.func @tile_to_dense() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: Tile: the output is no tensor of strings}}
  "tf_sync.Tile.string"(%x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_string_multiples':
// CHECK-NEXT: 'tile_string_multiples' returned <<error: Unsupported multiples data type>>
func.func @tile_string_multiples() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %out = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Unsupported multiples data type}}
  "tf_sync.Tile.string"(%x, %x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'tile_operands':
// CHECK-NEXT: 'tile_operands' returned <<error: Tile takes 2 or 3 operands, but there are 1>>
func.func @tile_operands() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  // expected-error@+1 {{runtime error: Tile takes 2 or 3 operands, but there are 1}}
  "tf_sync.Tile.string"(%x) : (!tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'binary_strings':
// CHECK-NEXT: 'binary_strings' returned <<error: cannot find conversion function for [StringHost]->[DenseHost]>>
func.func @binary_strings() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: cannot find conversion function for [StringHost]->[DenseHost]}}
  "tf_sync.AddV2.f32"(%out, %x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'binary_scalar_shape':
// CHECK-NEXT: 'binary_scalar_shape' returned <<error: add: the output has the shape [2], expected [3, 2]>>
func.func @binary_scalar_shape() -> i32 attributes {tfrt.sync} {
  %x = "tfrt_dht_sync.create_from_scalar.f32"() {shape = [3, 1], value = 2.0 : f32} : () -> !tfrt_tensor.tensor
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: add: the output has the shape [2], expected [3, 2]}}
  "tf_sync.AddV2.f32"(%out, %x, %out) : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_inner':
// CHECK-NEXT: 'fused_inner' returned <<error: MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 3]>>
func.func @fused_inner() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  // expected-error@+1 {{runtime error: MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 3]}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_output':
// CHECK-NEXT: 'fused_output' returned <<error: MatMul output shape [4, 2] does not match product shape of inputs: [2, 3] * [3, 4]>>
func.func @fused_output() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [3, 4]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [4]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [4, 2]
  // expected-error@+1 {{runtime error: MatMul output shape [4, 2] does not match product shape of inputs: [2, 3] * [3, 4]}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_bias_rank':
// CHECK-NEXT: 'fused_bias_rank' returned <<error: Bias tensor must a vector>>
func.func @fused_bias_rank() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [3, 4]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [1, 4]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 4]
  // expected-error@+1 {{runtime error: Bias tensor must a vector}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_bias_size':
// CHECK-NEXT: 'fused_bias_size' returned <<error: The number of bias elements 3 doesn't match output inner dimension 4>>
func.func @fused_bias_size() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [3, 4]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 4]
  // expected-error@+1 {{runtime error: The number of bias elements 3 doesn't match output inner dimension 4}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_rank':
// CHECK-NEXT: 'fused_rank' returned <<error: the second matmul input has the shape [3], expected rank 2>>
func.func @fused_rank() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [3]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 4]
  // expected-error@+1 {{runtime error: the second matmul input has the shape [3], expected rank 2}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_dtype':
// CHECK-NEXT: 'fused_dtype' returned <<error: the second matmul input is a tensor of i32, expected f32>>
func.func @fused_dtype() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 3]
  %b = tfrt_dht_sync.create_uninitialized_tensor.i32.2 [3, 4]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [4]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 4]
  // expected-error@+1 {{runtime error: the second matmul input is a tensor of i32, expected f32}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %out) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_nothing':
// CHECK-NEXT: 'fused_nothing' returned <<error: FusedMatMul must specify fused operations>>
func.func @fused_nothing() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  // expected-error@+1 {{runtime error: FusedMatMul must specify fused operations}}
  "tf_sync._FusedMatMul.f32"(%a, %a, %bias, %out) {fused_ops = [], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_unknown':
// CHECK-NEXT: 'fused_unknown' returned <<error: Unsupported fusion type>>
func.func @fused_unknown() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  %out = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  // expected-error@+1 {{runtime error: Unsupported fusion type}}
  "tf_sync._FusedMatMul.f32"(%a, %a, %bias, %out) {fused_ops = ["BiasAdd", "Tanh"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'fused_alias':
// CHECK-NEXT: 'fused_alias' returned <<error: the matmul output shares memory with an input>>
func.func @fused_alias() -> i32 attributes {tfrt.sync} {
  %a = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  %b = tfrt_dht_sync.create_uninitialized_tensor.f32.2 [2, 2]
  %bias = tfrt_dht_sync.create_uninitialized_tensor.f32.1 [2]
  // expected-error@+1 {{runtime error: the matmul output shares memory with an input}}
  "tf_sync._FusedMatMul.f32"(%a, %b, %bias, %a) {fused_ops = ["BiasAdd"], transpose_a = false, transpose_b = false} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor) -> ()
  %r = "tfrt.constant_s.i32"() {value = 0 : i32} : () -> i32
  tfrt.return %r : i32
}

