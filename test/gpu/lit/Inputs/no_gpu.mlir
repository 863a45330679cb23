func.func @main() -> i32 {
  %n = tfrt.constant.i32 3
  tfrt.return %n : i32
}
