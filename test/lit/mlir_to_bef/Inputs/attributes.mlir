func.func @f() {
  "k.a"() {a = 7 : i32, b = true, c = "xy", d = i64, e = [1 : i16, 2 : i16]} : () -> ()
  "k.b"() {a = [1 : i32, "x"], b = dense<5> : tensor<2xi32>, c = #corert.shape<?>} : () -> ()
  tfrt.return
} loc(unknown)
