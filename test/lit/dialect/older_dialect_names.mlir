// Other names of the dialect `t` are what they are in any dialect that is not registered.
// RUN: tfrt_opt %s -allow-unregistered-dialect -split-input-file | FileCheck %s
// RUN: not tfrt_opt %s -split-input-file 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK: func.func private @types(!t.other, !t.tensor2, !t.list<!t.tensor>)
// STRICT: `!"t"<"other">` type created with unregistered dialect
func.func private @types(!t.other, !t.tensor2, !t.list<!t.tensor>) attributes {tfrt.native}

// -----
// CHECK: func.func private @attributes() attributes {my.a = #t.some<x>, my.b = #t<opaque text> : i32, tfrt.native}
// STRICT: `#"t"<"some<x>">` attribute created with unregistered dialect
func.func private @attributes() attributes {tfrt.native, my.a = #t.some<x>, my.b = #t<opaque text> : i32}

// -----
func.func @ops() {
  // CHECK: "t.op"() : () -> ()
  // STRICT: unregistered operation 't.op' found in dialect ('t') that does not allow unknown operations
  "t.op"() : () -> ()
  tfrt.return
}
