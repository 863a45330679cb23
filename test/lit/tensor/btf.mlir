// RUN: %python %S/Inputs/make_btf.py %t
// RUN: sed 's|FOLDER|%t|' %s > %t.mlir
// RUN: mlir_to_bef %t.mlir | bef_executor | FileCheck %s
// RUN: mlir_to_bef %t.mlir | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'dense':
func.func @dense() -> !tfrt.chain {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %c0 = tfrt.new.chain
  %i0 = tfrt.constant.i32 0
  %i1 = tfrt.constant.i32 1
  %i2 = tfrt.constant.i32 2
  %a = "btf.read_dense_tensor.f32.2"(%path, %i0) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: DenseHostTensor dtype = f32, shape = [2, 2], values = [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]
  %c1 = tfrt_dht.print_tensor %a, %c0
  %b = "btf.read_dense_tensor.ui8.1"(%path, %i1) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = u8, shape = [3], values = [1, 2, 255]
  %c2 = tfrt_dht.print_tensor %b, %c1
  %c = "btf.read_dense_tensor.i32.0"(%path, %i2) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [], values = [-7]
  %c3 = tfrt_dht.print_tensor %c, %c2
  tfrt.return %c3 : !tfrt.chain
}

// What is written to one tensor is in no other, and not in the file.
// CHECK-LABEL: --- Running 'tensors_can_be_written':
func.func @tensors_can_be_written() -> !tfrt.chain {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %c0 = tfrt.new.chain
  %i0 = tfrt.constant.i32 0
  %a = "btf.read_dense_tensor.f32.2"(%path, %i0) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  %b = "btf.read_dense_tensor.f32.2"(%path, %i0) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %a, %c0 0.5 : f32
  // CHECK: DenseHostTensor dtype = f32, shape = [2, 2], values = [5.000000e-01, 5.000000e-01, 5.000000e-01, 5.000000e-01]
  %c2 = tfrt_dht.print_tensor %a, %c1
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2, 2], values = [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]
  %c3 = tfrt_dht.print_tensor %b, %c2
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'sparse':
func.func @sparse() -> !tfrt.chain {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i3 = tfrt.constant.i32 3
  %a = "btf.read_coo_tensor.i8.2"(%path, %i3) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  %c0 = tfrt.new.chain
  // CHECK: CooHostTensor dtype = i8, shape = [2, 3], indices = [0, 1, 1, 2], values = [10, 20]
  %c1 = tfrt_dht.print_tensor %a, %c0
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'no_file':
func.func @no_file() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/absent.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{failed to open file FOLDER/absent.btf for reading}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'no_file' returned <<error: failed to open file {{.*}}absent.btf for reading
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_count':
func.func @no_count() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/empty.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{failed to read tensor num_tensors from path FOLDER/empty.btf}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'no_count' returned <<error: failed to read tensor num_tensors from path {{.*}}empty.btf
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'bad_index':
func.func @bad_index() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i = tfrt.constant.i32 4
  // expected-error@+1 {{invalid tensor index 4 to read tensor from path FOLDER/good.btf which contains 4 tensors}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'bad_index' returned <<error: invalid tensor index 4 to read tensor from path {{.*}}good.btf which contains 4 tensors
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'negative_index':
func.func @negative_index() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i = tfrt.constant.i32 -1
  // expected-error@+1 {{invalid tensor index -1 to read tensor from path FOLDER/good.btf which contains 4 tensors}}
  %t = "btf.read_coo_tensor.i8.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'negative_index' returned <<error: invalid tensor index -1 to read tensor from path {{.*}}good.btf which contains 4 tensors
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_offset':
func.func @no_offset() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/offsets.btf"}
  %i = tfrt.constant.i32 1
  // expected-error@+1 {{failed to read tensor offset from FOLDER/offsets.btf for tensor index 1}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'no_offset' returned <<error: failed to read tensor offset from {{.*}}offsets.btf for tensor index 1
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_header':
func.func @no_header() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/headers.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{failed to read tensor header from stream at offset 1000}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'no_header' returned <<error: failed to read tensor header from stream at offset 1000
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'misaligned':
func.func @misaligned() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/misaligned.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{failed to read tensor header from stream at offset 17, which is not a multiple of 8}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'misaligned' returned <<error: failed to read tensor header from stream at offset 17, which is not a multiple of 8
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'other_dtype':
func.func @other_dtype() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{unexpected tensor dtype f32. Expected dtype is i32}}
  %t = "btf.read_dense_tensor.i32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'other_dtype' returned <<error: unexpected tensor dtype f32. Expected dtype is i32
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'unknown_dtype':
func.func @unknown_dtype() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/unknown.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{unexpected tensor dtype BadDtype(77). Expected dtype is ui8}}
  %t = "btf.read_dense_tensor.ui8.1"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'unknown_dtype' returned <<error: unexpected tensor dtype BadDtype(77). Expected dtype is ui8
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'other_rank':
func.func @other_rank() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{unexpected tensor rank 2. Expected rank is 1}}
  %t = "btf.read_dense_tensor.f32.1"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'other_rank' returned <<error: unexpected tensor rank 2. Expected rank is 1
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'other_layout':
func.func @other_layout() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i = tfrt.constant.i32 3
  // expected-error@+1 {{unexpected tensor layout COOrdinate list sparse tensor}}
  %t = "btf.read_dense_tensor.i8.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'other_layout' returned <<error: unexpected tensor layout COOrdinate list sparse tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'not_sparse':
func.func @not_sparse() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/good.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{unexpected tensor layout Row-Major Dense tensor}}
  %t = "btf.read_coo_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'not_sparse' returned <<error: unexpected tensor layout Row-Major Dense tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'unknown_layout':
func.func @unknown_layout() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/unknown.btf"}
  %i = tfrt.constant.i32 1
  // expected-error@+1 {{unexpected tensor layout Unknown}}
  %t = "btf.read_dense_tensor.f32.1"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'unknown_layout' returned <<error: unexpected tensor layout Unknown
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_dims':
func.func @no_dims() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/dims.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{failed to read tensor dims at offset 16}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'no_dims' returned <<error: failed to read tensor dims at offset 16
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_data':
func.func @no_data() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/data.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{failed to read tensor data from stream at offset 16}}
  %t = "btf.read_dense_tensor.f32.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'no_data' returned <<error: failed to read tensor data from stream at offset 16
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'other_sizes':
func.func @other_sizes() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/sizes.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{the tensor is not corectly formatted, the indices and values tensors do not match in size COOrdinate list sparse tensor}}
  %t = "btf.read_coo_tensor.i8.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'other_sizes' returned <<error: the tensor is not corectly formatted, the indices and values tensors do not match in size COOrdinate list sparse tensor
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'index_outside':
func.func @index_outside() -> !tfrt_tensor.tensor {
  %path = tfrt_test.get_string {value = "FOLDER/indices.btf"}
  %i = tfrt.constant.i32 0
  // expected-error@+1 {{the indices tensor has an element at position 1, 1 that bigger than the respective dimension. Element: 3, limit: 3}}
  %t = "btf.read_coo_tensor.i8.2"(%path, %i) : (!tfrt.string, i32) -> !tfrt_tensor.tensor
  // CHECK: 'index_outside' returned <<error: the indices tensor has an element at position 1, 1 that bigger than the respective dimension. Element: 3, limit: 3
  tfrt.return %t : !tfrt_tensor.tensor
}
