// How results are printed, by declared type.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s --match-full-lines
// RUN: bef_executor --work_queue_type=mstd:2 %t.bef | FileCheck %s --match-full-lines

// CHECK-LABEL: --- Running 'integers':
// CHECK-NEXT: 'integers' returned 1,0,-7,1099511627776
func.func @integers() -> (i1, i1, i32, i64) {
  %t = tfrt.constant.i1 1
  %f = tfrt.constant.i1 0
  %a = tfrt.constant.i32 -7
  %b = tfrt.constant.i64 1099511627776
  tfrt.return %t, %f, %a, %b : i1, i1, i32, i64
}

// CHECK-LABEL: --- Running 'floats':
// CHECK-NEXT: 'floats' returned 2.500000e+00,-1.000000e-01
func.func @floats() -> (f32, f64) {
  %a = tfrt.constant.f32 2.5
  %b = tfrt.constant.f64 -0.1
  tfrt.return %a, %b : f32, f64
}

// CHECK-LABEL: --- Running 'others':
// CHECK-NEXT: 'others' returned !tfrt.chain value,ui32 value,f16 value
func.func @others() -> (!tfrt.chain, ui32, f16) {
  %c = tfrt.new.chain
  %u = tfrt.constant.ui32 3
  %h = tfrt.constant.f16 1.5
  tfrt.return %c, %u, %h : !tfrt.chain, ui32, f16
}

// CHECK-LABEL: --- Running 'none':
// CHECK-NOT: returned
func.func @none() {
  tfrt.return
}

// CHECK: --- Not running 'with_argument' because it has arguments.
func.func @with_argument(%x: i32) -> i32 {
  tfrt.return %x : i32
}
