// Values of !ts.fixed_rank_shape.R print their type in generic form, which cannot be read.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: not sh -c 'tfrt_opt -mlir-print-op-generic %s | tfrt_opt' 2>&1 | FileCheck %s --check-prefix=REREAD
// RUN: mlir_to_bef %s -o %t.bef
// RUN: not bef_to_mlir %t.bef 2>&1 | FileCheck %s --check-prefix=REREAD

// CHECK-LABEL:func.func @fixed_rank_shapes(
// GENERIC: "ts.as_fixed_rank_shape.0"(%arg0) : (!ts.shape) -> !ts.fixed_rank_shape.0
// GENERIC: "ts.print_fixed_rank_shape.3"(%{{.*}}, %arg1) : (!ts.fixed_rank_shape.3, !tfrt.chain) -> !tfrt.chain
// REREAD: error: unknown shape type: fixed_rank_shape.0
func.func @fixed_rank_shapes(%arg0: !ts.shape, %arg1: !tfrt.chain) {
  // CHECK-NEXT:    %0 = ts.as_fixed_rank_shape.0 %arg0{{$}}
  %0 = ts.as_fixed_rank_shape.0 %arg0
  // CHECK-NEXT:    %1 = ts.as_fixed_rank_shape.1 %arg0{{$}}
  %1 = ts.as_fixed_rank_shape.1 %arg0
  // CHECK-NEXT:    %2 = ts.as_fixed_rank_shape.2 %arg0{{$}}
  %2 = ts.as_fixed_rank_shape.2 %arg0
  // CHECK-NEXT:    %3 = ts.as_fixed_rank_shape.3 %arg0{{$}}
  %3 = ts.as_fixed_rank_shape.3 %arg0
  // CHECK-NEXT:    %4 = ts.print_fixed_rank_shape.0 %0, %arg1{{$}}
  %4 = ts.print_fixed_rank_shape.0 %0, %arg1
  // CHECK-NEXT:    %5 = ts.print_fixed_rank_shape.1 %1, %arg1{{$}}
  %5 = ts.print_fixed_rank_shape.1 %1, %arg1
  // CHECK-NEXT:    %6 = ts.print_fixed_rank_shape.2 %2, %arg1{{$}}
  %6 = ts.print_fixed_rank_shape.2 %2, %arg1
  // CHECK-NEXT:    %7 = ts.print_fixed_rank_shape.3 %3, %arg1{{$}}
  %7 = ts.print_fixed_rank_shape.3 %3, %arg1
  tfrt.return
}
