// An empty module: every section is there, and empty.
// RUN: mlir_to_bef %s | od -An -tx1 -v | FileCheck %s --check-prefix=ALL
// RUN: mlir_to_bef --disable-optional-sections %s | od -An -tx1 -v | FileCheck %s --check-prefix=FEW
// RUN: tfrt_translate -mlir-to-bef %s -o - | od -An -tx1 -v | FileCheck %s --check-prefix=ALL

// ALL:      0b ef 00 00 00 01 00 02 02 00 03 02 00 04 02 00
// ALL-NEXT: 05 00 08 02 00 09 02 00 0a 02 00
// ALL-NOT: {{[0-9a-f]}}

// FEW:      0b ef 00 00 00 01 00 02 02 00 03 02 00 04 02 00
// FEW-NEXT: 05 00
// FEW-NOT: {{[0-9a-f]}}
