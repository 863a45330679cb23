func.func private @n(i32) -> i32 attributes {tfrt.native}
func.func @f(%a: i32) -> i32 {
  %b = "k.r"(%a) ({
  ^bb0(%x: i32):
    tfrt.return %x : i32
  }) {callee = @n} : (i32) -> i32
  tfrt.return %b : i32
}
