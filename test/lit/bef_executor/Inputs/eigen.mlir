func.func @main(%one: f32, %t: !tfrt_tensor.tensor, %c: !tfrt.chain) -> !tfrt.chain {
  %d = "eigen.matmul.f32"(%one, %t, %t, %one, %t, %c) : (f32, !tfrt_tensor.tensor, !tfrt_tensor.tensor, f32, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %d : !tfrt.chain
}
