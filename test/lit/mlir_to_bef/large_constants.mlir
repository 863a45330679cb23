// Dense constants of 256 bytes and more lie 64-byte aligned in the file, except with -v0-exact.
// The value 0x01020304 marks the first byte of the data.
// RUN: mlir_to_bef %s | od -Ad -tx1 -v -w64 | FileCheck %s
// RUN: mlir_to_bef -v0-exact %s -o %t.v0.bef
// RUN: mlir_to_bef %s -o %t.bef
// RUN: not cmp -s %t.v0.bef %t.bef

// CHECK: {{^[0-9]+}} 04 03 02 01 04 03 02 01
func.func @f() {
  "k.a"() {v = dense<16909060> : tensor<64xi32>} : () -> ()
  tfrt.return
}
