// The sinks of --enable_tracing and --trace_file.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor_debug_tracing --enable_tracing %t.bef \
// RUN:   | FileCheck %s --match-full-lines --check-prefix=DEBUG
// RUN: bef_executor --enable_tracing --tracing_level=verbose %t.bef 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: bef_executor --trace_file=%t.json %t.bef && FileCheck %s --check-prefix=CHROME < %t.json
// RUN: bef_executor %t.bef 2>&1 | FileCheck %s --check-prefix=OFF

// DEBUG: 'f' returned 3
// DEBUG-NEXT: --- Running 'g':
// DEBUG-NEXT: Scope:Bef Executor
// DEBUG-NEXT: Scope:Function: f
// DEBUG-NEXT: End Scope
// DEBUG-NEXT: Scope:Function: g
// DEBUG-NEXT: End Scope
// DEBUG-NEXT: End Scope
// SIMPLE: ] ::: [Bef Executor]: {{[0-9]+}} us -- {{[0-9]+}} ({{[0-9]+}} ns)
// SIMPLE: ] ::: [Function: f]: {{[0-9]+}} us -- {{[0-9]+}} ({{[0-9]+}} ns)
// SIMPLE: ] Total activities collected: 3
// CHROME: {"traceEvents":[
// CHROME-NEXT: {"name":"Bef Executor","ph":"B","ts":{{[0-9.]+}},"pid":{{[0-9]+}},"tid":{{[0-9]+}}},
// CHROME-NEXT: {"name":"Function: f","ph":"B",
// CHROME-NEXT: "ph":"E"
// OFF-NOT: Bef Executor
func.func @f() -> i32 {
  %x = tfrt.constant.i32 3
  tfrt.return %x : i32
}
func.func @g() {
  tfrt.return
}
