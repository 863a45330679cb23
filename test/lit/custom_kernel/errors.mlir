// RUN: mlir_to_bef %s | bef_executor --shared_libs=%build_dir/examples/custom_kernel/libcustom_kernels.so | FileCheck %s

// CHECK: 'zero_denominator' returned <<error: denominator must be positive, but is 0>>
func.func @zero_denominator() -> !example.fraction {
  // expected-error@+1 {{denominator must be positive, but is 0}}
  %a = "example.fraction.constant"() {denominator = 0 : i32, numerator = 2 : i32}
      : () -> !example.fraction
  tfrt.return %a : !example.fraction
}

// A value of another type is refused, not read as a fraction.
// CHECK: 'not_a_fraction' returned <<error: argument 0 has type 'int', but the kernel takes
func.func @not_a_fraction() -> !tfrt.chain {
  %n = tfrt.constant.i32 1
  %c = tfrt.new.chain
  // expected-error@+1 {{argument 0 has type 'int', but the kernel takes}}
  %d = "example.fraction.print"(%n, %c) : (i32, !tfrt.chain) -> !tfrt.chain
  tfrt.return %d : !tfrt.chain
}
