// RUN: mlir_to_bef %s > %t.bef
// RUN: not bef_executor %t.bef | FileCheck %s
// RUN: bef_executor --host_allocator_type=malloc %t.bef

// CHECK: Memory leak detected: 1 alive allocations, 4 alive bytes
func.func @leak() {
  "tfrt_test.memory_leak_one_int32"() : () -> ()
  tfrt.return
}
