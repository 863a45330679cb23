// The ops of ts, but for those on !ts.fixed_rank_shape (fixed_rank_shape.mlir).
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s --strict-whitespace


// CHECK-LABEL:func.func @shapes(
func.func @shapes(%arg0: !ts.shape, %arg1: !ts.partial_shape, %arg2: i32, %arg3: !tfrt.chain) {
  // CHECK-NEXT:    %0 = ts.build_shape [2, 5]{{$}}
  %0 = ts.build_shape [2, 5]
  // CHECK-NEXT:    %1 = ts.build_shape [] {k = 1 : i32}{{$}}
  %1 = ts.build_shape [] {k = 1 : i32}
  // CHECK-NEXT:    %2 = ts.equal_shape %arg0, %arg0{{$}}
  %2 = ts.equal_shape %arg0, %arg0
  // CHECK-NEXT:    %3 = ts.get_dimension %arg0, %arg2{{$}}
  %3 = ts.get_dimension %arg0, %arg2
  // CHECK-NEXT:    %4 = ts.get_num_elements %arg0{{$}}
  %4 = ts.get_num_elements %arg0
  // CHECK-NEXT:    %5 = ts.print_shape %arg0, %arg3{{$}}
  %5 = ts.print_shape %arg0, %arg3
  // CHECK-NEXT:    %6 = ts.build_partial_shape [-1, 5]{{$}}
  %6 = ts.build_partial_shape [-1, 5]
  // CHECK-NEXT:    %7 = ts.build_unranked_partial_shape{{$}}
  %7 = ts.build_unranked_partial_shape
  // CHECK-NEXT:    %8 = ts.print_partial_shape %arg1, %arg3{{$}}
  %8 = ts.print_partial_shape %arg1, %arg3
  // CHECK-NEXT:    %9 = ts.to_shape %arg1{{$}}
  %9 = ts.to_shape %arg1
  // CHECK-NEXT:    %10 = ts.to_partial_shape %arg0{{$}}
  %10 = ts.to_partial_shape %arg0
  tfrt.return
}
