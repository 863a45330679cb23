// The ops of coo.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s --strict-whitespace


// CHECK-LABEL:func.func @sparse(
func.func @sparse(%arg0: !tfrt_tensor.tensor, %arg1: !tfrt.chain) {
  // CHECK-NEXT:    %0:2 = coo.convert_dht_to_coo.i32.0 %arg0, %arg1{{$}}
  %0:2 = coo.convert_dht_to_coo.i32.0 %arg0, %arg1
  // CHECK-NEXT:    %1:2 = coo.convert_coo_to_dht.i32.0 %arg0, %arg1{{$}}
  %1:2 = coo.convert_coo_to_dht.i32.0 %arg0, %arg1
  // CHECK-NEXT:    %2:2 = coo.tensor_equal.i32.0 %arg0, %arg0, %arg1{{$}}
  %2:2 = coo.tensor_equal.i32.0 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %3:2 = coo.convert_dht_to_coo.i32.1 %arg0, %arg1{{$}}
  %3:2 = coo.convert_dht_to_coo.i32.1 %arg0, %arg1
  // CHECK-NEXT:    %4:2 = coo.convert_coo_to_dht.i32.1 %arg0, %arg1{{$}}
  %4:2 = coo.convert_coo_to_dht.i32.1 %arg0, %arg1
  // CHECK-NEXT:    %5:2 = coo.tensor_equal.i32.1 %arg0, %arg0, %arg1{{$}}
  %5:2 = coo.tensor_equal.i32.1 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %6:2 = coo.convert_dht_to_coo.i32.2 %arg0, %arg1{{$}}
  %6:2 = coo.convert_dht_to_coo.i32.2 %arg0, %arg1
  // CHECK-NEXT:    %7:2 = coo.convert_coo_to_dht.i32.2 %arg0, %arg1{{$}}
  %7:2 = coo.convert_coo_to_dht.i32.2 %arg0, %arg1
  // CHECK-NEXT:    %8:2 = coo.tensor_equal.i32.2 %arg0, %arg0, %arg1{{$}}
  %8:2 = coo.tensor_equal.i32.2 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %9:2 = coo.convert_dht_to_coo.i32.3 %arg0, %arg1{{$}}
  %9:2 = coo.convert_dht_to_coo.i32.3 %arg0, %arg1
  // CHECK-NEXT:    %10:2 = coo.convert_coo_to_dht.i32.3 %arg0, %arg1{{$}}
  %10:2 = coo.convert_coo_to_dht.i32.3 %arg0, %arg1
  // CHECK-NEXT:    %11:2 = coo.tensor_equal.i32.3 %arg0, %arg0, %arg1{{$}}
  %11:2 = coo.tensor_equal.i32.3 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %12:2 = coo.convert_dht_to_coo.f32.0 %arg0, %arg1{{$}}
  %12:2 = coo.convert_dht_to_coo.f32.0 %arg0, %arg1
  // CHECK-NEXT:    %13:2 = coo.convert_coo_to_dht.f32.0 %arg0, %arg1{{$}}
  %13:2 = coo.convert_coo_to_dht.f32.0 %arg0, %arg1
  // CHECK-NEXT:    %14:2 = coo.tensor_equal.f32.0 %arg0, %arg0, %arg1{{$}}
  %14:2 = coo.tensor_equal.f32.0 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %15:2 = coo.convert_dht_to_coo.f32.1 %arg0, %arg1{{$}}
  %15:2 = coo.convert_dht_to_coo.f32.1 %arg0, %arg1
  // CHECK-NEXT:    %16:2 = coo.convert_coo_to_dht.f32.1 %arg0, %arg1{{$}}
  %16:2 = coo.convert_coo_to_dht.f32.1 %arg0, %arg1
  // CHECK-NEXT:    %17:2 = coo.tensor_equal.f32.1 %arg0, %arg0, %arg1{{$}}
  %17:2 = coo.tensor_equal.f32.1 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %18:2 = coo.convert_dht_to_coo.f32.2 %arg0, %arg1{{$}}
  %18:2 = coo.convert_dht_to_coo.f32.2 %arg0, %arg1
  // CHECK-NEXT:    %19:2 = coo.convert_coo_to_dht.f32.2 %arg0, %arg1{{$}}
  %19:2 = coo.convert_coo_to_dht.f32.2 %arg0, %arg1
  // CHECK-NEXT:    %20:2 = coo.tensor_equal.f32.2 %arg0, %arg0, %arg1{{$}}
  %20:2 = coo.tensor_equal.f32.2 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %21:2 = coo.convert_dht_to_coo.f32.3 %arg0, %arg1{{$}}
  %21:2 = coo.convert_dht_to_coo.f32.3 %arg0, %arg1
  // CHECK-NEXT:    %22:2 = coo.convert_coo_to_dht.f32.3 %arg0, %arg1{{$}}
  %22:2 = coo.convert_coo_to_dht.f32.3 %arg0, %arg1
  // CHECK-NEXT:    %23:2 = coo.tensor_equal.f32.3 %arg0, %arg0, %arg1{{$}}
  %23:2 = coo.tensor_equal.f32.3 %arg0, %arg0, %arg1
  // CHECK-NEXT:    %24 = coo.print_tensor %arg0, %arg1{{$}}
  %24 = coo.print_tensor %arg0, %arg1
  tfrt.return
}
