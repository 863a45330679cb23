// Uses the kernels of custom_kernels.cc. They have no op definition, so they are written in generic form.
func.func @fractions() -> !tfrt.chain {
  %a = "example.fraction.constant"() {denominator = 4 : i32, numerator = 2 : i32}
      : () -> !example.fraction
  %b = "example.fraction.constant"() {denominator = 9 : i32, numerator = 3 : i32}
      : () -> !example.fraction
  %c = "example.fraction.multiply"(%a, %b)
      : (!example.fraction, !example.fraction) -> !example.fraction
  %d = "example.fraction.reduce_later"(%a) : (!example.fraction) -> !example.fraction
  %c0 = tfrt.new.chain
  %c1 = "example.fraction.print"(%c, %c0) : (!example.fraction, !tfrt.chain) -> !tfrt.chain
  %c2 = "example.fraction.print"(%d, %c1) : (!example.fraction, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}
