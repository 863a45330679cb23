// RUN: mlir_to_bef %s -o %t.bef && bef_executor %t.bef | FileCheck %s

// A name is given once: a second handler changes nothing.
// CHECK-LABEL: --- Running 'boot'
// CHECK-NEXT: 'boot' returned !tfrt.chain value
func.func @boot() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %one = tfrt.constant.i32 1
  %cpu = "corert.create_cpu_op_handler_with_ordinal"(%null, %one) : (!corert.ophandler, i32) -> !corert.ophandler
  %c1 = corert.register_op_handler %cpu "device"
  tfrt.return %c1 : !tfrt.chain
}
// CHECK-LABEL: --- Running 'boot_again'
// CHECK-NEXT: 'boot_again' returned !tfrt.chain value
func.func @boot_again() -> !tfrt.chain {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %c1 = corert.register_op_handler %null "device"
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'first_wins'
// CHECK-NEXT: values = [1.000000e+00]
func.func @first_wins() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %h = corert.get_op_handler %c0 "device"
  %device = "tfrt.get_device"(%c0) {device_name = "CPU:1"} : (!tfrt.chain) -> !tfrt.device
  %x = corert.create_dense_tensor.f32 {shape = [1], value = [1.0 : f32]}
  %y = corert.executeop(%h) "tf.Relu"(%x) : 1
  %c1 = "corert.print_tensorhandle"(%y, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'bad_ordinal'
func.func @bad_ordinal() -> !corert.ophandler {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %n = tfrt.constant.i32 -1
  // expected-error @+1 {{a device cannot have the number -1}}
  %cpu = "corert.create_cpu_op_handler_with_ordinal"(%null, %n) : (!corert.ophandler, i32) -> !corert.ophandler
  tfrt.return %cpu : !corert.ophandler
}
