func.func @main() {
  "tfrt_gpu.no_such_kernel"() : () -> ()
  tfrt.return
}
