func.func @main() -> !corert.ophandler {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %zero = tfrt.constant.i32 0
  %gpu = "corert.create_gpu_op_handler"(%zero, %null) : (i32, !corert.ophandler) -> !corert.ophandler
  tfrt.return %gpu : !corert.ophandler
}
