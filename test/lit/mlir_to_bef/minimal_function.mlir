// The smallest function, byte by byte. Standard input keeps the file name out of the bytes.
// RUN: echo 'func.func @g() { tfrt.return }' | mlir_to_bef -disable-optional-sections | od -An -tx1 -v | FileCheck %s

// Magic; Strings: "g"; Attributes, Kernels, Types: empty; FunctionIndex: one async function.
// CHECK:      0b ef 00 00 04 67 00 01 00 02 02 00 03 02 00 04
// Functions: 40 bytes, aligned by 4 at position 28: location 0, no registers, the pseudo kernel.
// CHECK-NEXT: 0c 01 00 00 00 00 00 05 51 04 cc cc 00 00 01 00
// CHECK-NEXT: 00 00 cc cc ab ab ab ab cd cd cd cd 00 00 00 00
// CHECK-NEXT: 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00
// LocationStrings: "<stdin>"; Locations: file 0, line 1, column 1.
// CHECK-NEXT: 00 00 00 00 06 10 3c 73 74 64 69 6e 3e 00 07 08
// CHECK-NEXT: 01 00 01 01
