// RUN: mlir_to_bef %s | bef_executor | FileCheck %s

// CHECK-LABEL: --- Running 'strings':
func.func @strings() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %t = "tfrt_sht.create_tensor"() {shape = [1, 2], values = ["one", "two \"quoted\""]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}StringHostTensor shape = [1, 2], values = ["one", "two "quoted""]{{$}}
  %c1 = tfrt_dht.print_tensor %t, %c0
  // 17 strings are cut without a mark.
  %u = "tfrt_sht.create_tensor"() {shape = [17], values = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"]}
      : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}StringHostTensor shape = [17], values = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"]{{$}}
  %c2 = tfrt_dht.print_tensor %u, %c1
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'other_count':
func.func @other_count() -> !tfrt_tensor.tensor {
  // expected-error@+1 {{Shape mismatch}}
  %t = "tfrt_sht.create_tensor"() {shape = [3], values = ["a", "b"]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'other_count' returned <<error: Shape mismatch>>
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'no_strings':
func.func @no_strings() -> !tfrt_tensor.tensor {
  // expected-error@+1 {{value 1 of the string tensor is no string}}
  %t = "tfrt_sht.create_tensor"() {shape = [2], values = ["a", 1 : i32]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: 'no_strings' returned <<error: value 1 of the string tensor is no string>>
  tfrt.return %t : !tfrt_tensor.tensor
}

// CHECK-LABEL: --- Running 'sync_strings':
func.func @sync_strings() attributes {tfrt.sync} {
  %t = "tfrt_sht_sync.create_tensor"() {shape = [2], values = ["a", "b"]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}StringHostTensor shape = [2], values = ["a", "b"]{{$}}
  tfrt_dht_sync.print_tensor %t
  %e = "tfrt_sht_sync.create_uninitialized_tensor"() {shape = [2]} : () -> !tfrt_tensor.tensor
  // CHECK-NEXT: {{^}}StringHostTensor shape = [2], values = ["", ""]{{$}}
  tfrt_dht_sync.print_tensor %e
  tfrt.return
}
