// Passes run before the conversion.
// RUN: mlir_to_bef --pass-pipeline='builtin.module(inline,symbol-dce)' %s | bef_to_mlir | FileCheck %s
// RUN: mlir_to_bef --pass-pipeline='builtin.module(inline,symbol-dce)' %s | bef_executor | FileCheck %s --check-prefix=RESULT
// RUN: tfrt_opt -inline -symbol-dce -cse %s | FileCheck %s
// RUN: not mlir_to_bef --pass-pipeline='builtin.module(no-such-pass)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mlir_to_bef --pass-pipeline='func.func(canonicalize)' %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not mlir_to_bef --pass-pipeline='builtin.module(inline)' --plan-memory %s 2>&1 | FileCheck %s --check-prefix=BOTH

// UNKNOWN: error: pass pipeline 'builtin.module(no-such-pass)': {{.*}}'no-such-pass' does not refer to a registered pass
// ANCHOR: error: pass pipeline 'func.func(canonicalize)': it is for 'func.func', but must be for 'builtin.module'
// BOTH: mlir_to_bef: give either --plan-memory or --pass-pipeline

// CHECK-NOT: @double
// CHECK-LABEL: func @main
// CHECK-NOT: tfrt.call
// CHECK: tfrt.add.i32
// RESULT: 'main' returned 42
func.func private @double(%x: i32) -> i32 {
  %sum = tfrt.add.i32 %x, %x
  tfrt.return %sum : i32
}

func.func @main() -> i32 {
  %x = tfrt.constant.i32 21
  %sum = tfrt.call @double(%x) : (i32) -> (i32)
  tfrt.return %sum : i32
}
