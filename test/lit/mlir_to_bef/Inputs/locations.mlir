func.func @l() {
  "k.a"() : () -> () loc(unknown)
  "k.a"() : () -> () loc("nm"("f.py":3:300))
  "k.a"() : () -> () loc(callsite("x" at unknown))
  "k.a"() : () -> () loc(fused["x", "f.py":5:6])
  tfrt.return
} loc("nm")
