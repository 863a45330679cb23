// The ops of corert.
// RUN: tfrt_opt %s | FileCheck %s --strict-whitespace
// RUN: tfrt_opt %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: tfrt_opt -mlir-print-op-generic %s | tfrt_opt | FileCheck %s --strict-whitespace
// RUN: mlir_to_bef %s | bef_to_mlir | FileCheck %s --strict-whitespace

// CHECK-LABEL:func.func @create_dense_tensor(
func.func @create_dense_tensor(%unused: i32) {
  // CHECK-NEXT:    %0 = corert.create_dense_tensor.ui8 {shape = [2], value = [7 : ui8, 8 : ui8]}{{$}}
  %0 = corert.create_dense_tensor.ui8 {shape = [2], value = [7 : ui8, 8 : ui8]}
  // CHECK-NEXT:    %1 = corert.create_dense_tensor.ui16 {shape = [2], value = [7 : ui16, 8 : ui16]}{{$}}
  %1 = corert.create_dense_tensor.ui16 {shape = [2], value = [7 : ui16, 8 : ui16]}
  // CHECK-NEXT:    %2 = corert.create_dense_tensor.ui32 {shape = [2], value = [7 : ui32, 8 : ui32]}{{$}}
  %2 = corert.create_dense_tensor.ui32 {shape = [2], value = [7 : ui32, 8 : ui32]}
  // CHECK-NEXT:    %3 = corert.create_dense_tensor.ui64 {shape = [2], value = [7 : ui64, 8 : ui64]}{{$}}
  %3 = corert.create_dense_tensor.ui64 {shape = [2], value = [7 : ui64, 8 : ui64]}
  // CHECK-NEXT:    %4 = corert.create_dense_tensor.i1 {shape = [2], value = [true, false]}{{$}}
  %4 = corert.create_dense_tensor.i1 {shape = [2], value = [true, false]}
  // CHECK-NEXT:    %5 = corert.create_dense_tensor.i8 {shape = [2], value = [-7 : i8, 8 : i8]}{{$}}
  %5 = corert.create_dense_tensor.i8 {shape = [2], value = [-7 : i8, 8 : i8]}
  // CHECK-NEXT:    %6 = corert.create_dense_tensor.i16 {shape = [2], value = [-7 : i16, 8 : i16]}{{$}}
  %6 = corert.create_dense_tensor.i16 {shape = [2], value = [-7 : i16, 8 : i16]}
  // CHECK-NEXT:    %7 = corert.create_dense_tensor.i32 {shape = [2], value = [-7 : i32, 8 : i32]}{{$}}
  %7 = corert.create_dense_tensor.i32 {shape = [2], value = [-7 : i32, 8 : i32]}
  // CHECK-NEXT:    %8 = corert.create_dense_tensor.i64 {shape = [2], value = [-7, 8]}{{$}}
  %8 = corert.create_dense_tensor.i64 {shape = [2], value = [-7, 8]}
  // CHECK-NEXT:    %9 = corert.create_dense_tensor.bf16 {shape = [2], value = [1.500000e+00 : bf16, 2.500000e-01 : bf16]}{{$}}
  %9 = corert.create_dense_tensor.bf16 {shape = [2], value = [1.5 : bf16, 0.25 : bf16]}
  // CHECK-NEXT:    %10 = corert.create_dense_tensor.f16 {shape = [2], value = [1.500000e+00 : f16, 2.500000e-01 : f16]}{{$}}
  %10 = corert.create_dense_tensor.f16 {shape = [2], value = [1.5 : f16, 0.25 : f16]}
  // CHECK-NEXT:    %11 = corert.create_dense_tensor.f32 {shape = [2], value = [1.500000e+00 : f32, 2.500000e-01 : f32]}{{$}}
  %11 = corert.create_dense_tensor.f32 {shape = [2], value = [1.5 : f32, 0.25 : f32]}
  // CHECK-NEXT:    %12 = corert.create_dense_tensor.f64 {shape = [2], value = [1.500000e+00, -2.000000e+00]}{{$}}
  %12 = corert.create_dense_tensor.f64 {shape = [2], value = [1.5, -2.0]}
  // CHECK-NEXT:    %13 = corert.create_dense_tensor.complex64 {shape = [1], value = [1.000000e+00 : f32, 2.000000e+00 : f32]}{{$}}
  %13 = corert.create_dense_tensor.complex64 {shape = [1], value = [1.0 : f32, 2.0 : f32]}
  // CHECK-NEXT:    %14 = corert.create_dense_tensor.complex128 {shape = [1], value = [1.000000e+00, 2.000000e+00]}{{$}}
  %14 = corert.create_dense_tensor.complex128 {shape = [1], value = [1.0, 2.0]}
  tfrt.return
}

// CHECK-LABEL:func.func @constants(
func.func @constants(%unused: i32) {
  // CHECK-NEXT:    %0 = corert.const_dense_tensor dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>{{$}}
  %0 = corert.const_dense_tensor dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK-NEXT:    %1 = corert.const_dense_tensor dense<true> : tensor<i1>{{$}}
  %1 = corert.const_dense_tensor dense<true> : tensor<i1>
  // CHECK-NEXT:    %2 = corert.const_dense_tensor dense<(1.000000e+00,-2.000000e+00)> : tensor<1xcomplex<f32>> {note = "n"}{{$}}
  %2 = corert.const_dense_tensor dense<(1.0, -2.0)> : tensor<1xcomplex<f32>> {note = "n"}
  // CHECK-NEXT:    %3 = corert.const_string_tensor {shape = [2, 1], value = ["up", ""]}{{$}}
  %3 = corert.const_string_tensor {shape = [2, 1], value = ["up", ""]}
  // CHECK-NEXT:    %4 = corert.const_string_tensor {shape = [], value = []}{{$}}
  %4 = corert.const_string_tensor {shape = [], value = []}
  tfrt.return
}

// CHECK-LABEL:func.func @handlers(
func.func @handlers(%arg0: !tfrt.chain, %arg1: !corert.ophandler) {
  // CHECK-NEXT:    %0 = corert.get_op_handler %arg0 "cpu"{{$}}
  %0 = corert.get_op_handler %arg0 "cpu"
  // CHECK-NEXT:    %1 = corert.get_op_handler %arg0 "c\22u" {a = 1 : i32}{{$}}
  %1 = corert.get_op_handler %arg0 "c\22u" {a = 1 : i32}
  // CHECK-NEXT:    %2 = corert.register_op_handler %arg1 "again"{{$}}
  %2 = corert.register_op_handler %arg1 "again"
  tfrt.return
}

// CHECK-LABEL:func.func @transfers(
func.func @transfers(%arg0: !corert.tensorhandle, %arg1: !tfrt.device, %arg2: !tfrt.tensor_type) {
  // CHECK-NEXT:    %0 = corert.get_dst_tensor_type %arg0, %arg1{{$}}
  %0 = corert.get_dst_tensor_type %arg0, %arg1
  // CHECK-NEXT:    %1 = corert.transfer %arg0, %arg1, %arg2{{$}}
  %1 = corert.transfer %arg0, %arg1, %arg2
  // CHECK-NEXT:    %2 = corert.transfer_inferred_tensortype %arg0, %arg1{{$}}
  %2 = corert.transfer_inferred_tensortype %arg0, %arg1
  // CHECK-NEXT:    %3 = corert.tensorhandle_to_int32 %arg0{{$}}
  %3 = corert.tensorhandle_to_int32 %arg0
  tfrt.return
}

// CHECK-LABEL:func.func @executeop(
func.func @executeop(%arg0: !corert.ophandler, %arg1: !corert.tensorhandle, %arg2: !tfrt.chain) {
  // CHECK-NEXT:    corert.executeop(%arg0) "nothing"(){{$}}
  corert.executeop(%arg0) "nothing"()
  // CHECK-NEXT:    corert.executeop(%arg0) "nothing"(){{$}}
  corert.executeop(%arg0) "nothing"() {} {} : 0
  // CHECK-NEXT:    %0 = corert.executeop(%arg0) "tf.Add"(%arg1, %arg1) : 1{{$}}
  %0 = corert.executeop(%arg0) "tf.Add"(%arg1, %arg1) : 1
  // Attributes stay in the order of the source.
  // CHECK-NEXT:    %1:2 = corert.executeop(%arg0) "a\22b"(%arg1) {z = 1 : i32, a = "x", "odd key" = 2 : i64, t = !corert.string, s = #corert.shape<1x?>, d = dense<1> : tensor<2xi8>, e = [], m = [1 : i32, "x", [true]]} : 2{{$}}
  %1:2 = corert.executeop(%arg0) "a\22b"(%arg1)
      {z = 1 : i32, a = "x", "odd key" = 2, t = !corert.string, s = #corert.shape<1x?>, d = dense<1> : tensor<2xi8>, e = [],
       m = [1 : i32, "x", [true]]} : 2
  // CHECK-NEXT:    %2 = corert.executeop(%arg0) "tf.If"(%arg1) {a = 1 : i32} {then = "f", else = "g"} : 1{{$}}
  %2 = corert.executeop(%arg0) "tf.If"(%arg1) {a = 1 : i32} {then = "f", else = "g"} : 1
  // The first dictionary is the op's even if it is empty.
  // CHECK-NEXT:    %3 = corert.executeop(%arg0) "tf.If"(%arg1) {} {then = "f"} : 1{{$}}
  %3 = corert.executeop(%arg0) "tf.If"(%arg1) {} {then = "f"} : 1
  tfrt.return
}

// CHECK-LABEL:func.func @executeop.seq(
func.func @executeop.seq(%arg0: !corert.ophandler, %arg1: !corert.tensorhandle, %arg2: !tfrt.chain) {
  // CHECK-NEXT:    %out_op_chain = corert.executeop.seq(%arg0, %arg2) "print"(%arg1){{$}}
  %c = corert.executeop.seq(%arg0, %arg2) "print"(%arg1)
  // CHECK-NEXT:    %out_op_chain_0, %results = corert.executeop.seq(%arg0, %out_op_chain) "read"() {name = "n"} {f = "g"} : 1{{$}}
  %d, %r = corert.executeop.seq(%arg0, %c) "read"() {name = "n"} {f = "g"} : 1
  // CHECK-NEXT:    %out_op_chain_1, %results_2:2 = corert.executeop.seq(%arg0, %out_op_chain_0) "read"(%results, %results) : 2{{$}}
  %s:3 = corert.executeop.seq(%arg0, %d) "read"(%r, %r) : 2
  tfrt.return
}

func.func @none(%c: !tfrt.chain) -> !tfrt.chain {
  tfrt.return %c : !tfrt.chain
}
func.func @two(%c: !tfrt.chain, %x: !corert.tensorhandle, %n: i32) -> (!tfrt.chain, !corert.tensorhandle, i32) {
  tfrt.return %c, %x, %n : !tfrt.chain, !corert.tensorhandle, i32
}

// CHECK-LABEL:func.func @control_flow(
func.func @control_flow(%arg0: !tfrt.chain, %arg1: !corert.tensorhandle, %arg2: i32) {
  // CHECK-NEXT:    %out_op_chain, %fn_outputs:2 = corert.cond %arg1 @two @two(%arg0, %arg1, %arg2) : (!corert.tensorhandle, i32) -> (!corert.tensorhandle, i32){{$}}
  %0:3 = corert.cond %arg1 @two @two (%arg0, %arg1, %arg2) : (!corert.tensorhandle, i32) -> (!corert.tensorhandle, i32)
  // CHECK-NEXT:    %out_op_chain_0, %fn_outputs_1:2 = corert.while @two @two(%arg0, %arg1, %arg2) {n = 1 : i32} : (!corert.tensorhandle, i32) -> (!corert.tensorhandle, i32){{$}}
  %1:3 = corert.while @two @two (%arg0, %arg1, %arg2) {n = 1 : i32} : (!corert.tensorhandle, i32) -> (!corert.tensorhandle, i32)
  // CHECK-NEXT:    %out_op_chain_2 = corert.cond %arg1 @none @none(%arg0) : () -> (){{$}}
  %2 = corert.cond %arg1 @none @none(%arg0) : () -> ()
  // CHECK-NEXT:    %out_op_chain_3 = corert.while @none @none(%arg0) : () -> (){{$}}
  %3 = corert.while @none @none(%arg0) : () -> ()
  tfrt.return
}

// Kernels without an op definition.
// CHECK-LABEL:func.func @generic_only(
func.func @generic_only(%arg0: !tfrt.chain, %arg1: !corert.tensorhandle) {
  // CHECK-NEXT:    %0 = "corert.create_null_op_handler"() : () -> !corert.ophandler{{$}}
  %0 = "corert.create_null_op_handler"() : () -> !corert.ophandler
  // CHECK-NEXT:    %1 = "corert.create_logging_op_handler"(%0) {sync_log_results = true} : (!corert.ophandler) -> !corert.ophandler{{$}}
  %1 = "corert.create_logging_op_handler"(%0) {sync_log_results = true} : (!corert.ophandler) -> !corert.ophandler
  // CHECK-NEXT:    %2 = "corert.make_composite_op"() {callee = @none} : () -> !corert.op{{$}}
  %2 = "corert.make_composite_op"() {callee = @none} : () -> !corert.op
  // CHECK-NEXT:    %3 = "corert.execute_crt_op"(%2, %arg1) {op_attrs = {{\[\[}}"a", 1 : i32]], op_func_attrs = []} : (!corert.op, !corert.tensorhandle) -> !corert.tensorhandle{{$}}
  %3 = "corert.execute_crt_op"(%2, %arg1) {op_attrs = [["a", 1 : i32]], op_func_attrs = []} : (!corert.op, !corert.tensorhandle) -> !corert.tensorhandle
  // CHECK-NEXT:    %4 = "corert.create_op_attrs"() : () -> !corert.opattrs{{$}}
  %4 = "corert.create_op_attrs"() : () -> !corert.opattrs
  // CHECK-NEXT:    %5 = "corert.op_attrs_set.shape"(%4) {key = "s", value = #corert.shape<*>} : (!corert.opattrs) -> !tfrt.chain{{$}}
  %5 = "corert.op_attrs_set.shape"(%4) {key = "s", value = #corert.shape<*>} : (!corert.opattrs) -> !tfrt.chain
  // CHECK-NEXT:    %6 = "corert.print_tensorhandle"(%arg1, %arg0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain{{$}}
  %6 = "corert.print_tensorhandle"(%arg1, %arg0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return
}

// CHECK-LABEL:func.func @types(
func.func @types(%arg0: !corert.opattrs_ref, %arg1: !corert.any.name, %arg2: !corert.resource) {
  // CHECK-NEXT:    "corert.types"() {a = !corert.string, b = !corert.resource, c = !corert.variant, d = !corert.quint8, e = !corert.quint16, f = !corert.qint8, g = !corert.qint16, h = !corert.qint32} : () -> (){{$}}
  "corert.types"() {a = !corert.string, b = !corert.resource, c = !corert.variant, d = !corert.quint8, e = !corert.quint16, f = !corert.qint8, g = !corert.qint16, h = !corert.qint32} : () -> ()
  // CHECK-NEXT:    "corert.shapes"() {a = #corert.shape<*>, b = #corert.shape<>, c = #corert.shape<1x2>, d = #corert.shape<?x2>, e = #corert.shape<0x?x10>} : () -> (){{$}}
  "corert.shapes"() {a = #corert.shape<*>, b = #corert.shape<>, c = #corert.shape<1x2x>, d = #corert.shape<?2>, e = #corert.shape<0x?10>} : () -> ()
  tfrt.return
}
