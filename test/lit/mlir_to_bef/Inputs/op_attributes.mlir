func.func @f(%h: !corert.ophandler) {
  corert.executeop(%h) "op"() {n = 7 : i32, s = #corert.shape<?>} {fn = "g"}
  tfrt.return
} loc(unknown)
