// RUN: mlir_to_bef %s -o %t.bef && bef_executor --test_init_function=setup %t.bef | FileCheck --match-full-lines %s
// RUN: bef_executor --test_init_function=setup --work_queue_type=mstd:2 %t.bef | FileCheck --match-full-lines %s

// CHECK: --- Running 'setup':
// CHECK-NEXT: 'setup' returned !tfrt.chain value
// CHECK-NEXT: --- Not running 'dbl' because it has arguments.
// CHECK-NEXT: --- Not running 'keep' because it has arguments.
// CHECK-NEXT: --- Running 'on':
// CHECK-NEXT: 'on' returned !corert.tensorhandle value
// CHECK-NEXT: --- Running 'off':
// CHECK-NEXT: 'off' returned !corert.tensorhandle value
// CHECK-NEXT: --- Not running 'below10' because it has arguments.
// CHECK-NEXT: --- Running 'control':
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [], values = [12]
// CHECK-NEXT: 'control' returned !tfrt.chain value

func.func @setup() -> !tfrt.chain {
  %n = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %h = "corert.create_cpu_op_handler"(%n) : (!corert.ophandler) -> !corert.ophandler
  %c = corert.register_op_handler %h "cpu"
  tfrt.return %c : !tfrt.chain
}
func.func @dbl(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %cpu = corert.get_op_handler %c "cpu"
  %y = corert.executeop(%cpu) "tfrt_test.add"(%x, %x) : 1
  tfrt.return %c, %y : !tfrt.chain, !corert.tensorhandle
}
func.func @keep(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  tfrt.return %c, %x : !tfrt.chain, !corert.tensorhandle
}
func.func @on() -> !corert.tensorhandle {
  %t = corert.const_dense_tensor dense<true> : tensor<i1>
  tfrt.return %t : !corert.tensorhandle
}
func.func @off() -> !corert.tensorhandle {
  %t = corert.const_dense_tensor dense<false> : tensor<i1>
  tfrt.return %t : !corert.tensorhandle
}
func.func @below10(%c: !tfrt.chain, %x: !corert.tensorhandle) -> (!tfrt.chain, !corert.tensorhandle) {
  %v = corert.tensorhandle_to_int32 %x
  %lim = tfrt.constant.i32 10
  %b = "tfrt.lessequal.i32"(%v, %lim) : (i32, i32) -> i1
  %p = "tfrt.cond"(%b) {a_true_fn = @on, b_false_fn = @off} : (i1) -> !corert.tensorhandle
  tfrt.return %c, %p : !tfrt.chain, !corert.tensorhandle
}
func.func @control() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %x = corert.const_dense_tensor dense<3> : tensor<i32>
  %zero = corert.const_dense_tensor dense<0> : tensor<1xi64>
  %c1, %y = corert.while @below10 @dbl (%c0, %x) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c2, %z = corert.cond %zero @dbl @keep (%c1, %y) : (!corert.tensorhandle) -> (!corert.tensorhandle)
  %c3 = "corert.print_tensorhandle"(%z, %c2) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c3 : !tfrt.chain
}
