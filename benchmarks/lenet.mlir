// LeNet-5 on one image, for the benchmark: examples/lenet's network with the activations fused into what
// precedes them.
func.func @lenet(
    %image: !tfrt_tensor.tensor,
    %w1: !tfrt_tensor.tensor, %b1: !tfrt_tensor.tensor, %w2: !tfrt_tensor.tensor,
    %b2: !tfrt_tensor.tensor, %w3: !tfrt_tensor.tensor, %b3: !tfrt_tensor.tensor,
    %w4: !tfrt_tensor.tensor, %b4: !tfrt_tensor.tensor, %w5: !tfrt_tensor.tensor,
    %b5: !tfrt_tensor.tensor, %c0: !tfrt.chain) -> (!tfrt_tensor.tensor, !tfrt.chain) {
  %conv1 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 28, 28, 6]
  %pool1 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 14, 14, 6]
  %conv2 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 10, 10, 16]
  %pool2 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 5, 5, 16]
  %flat = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 400]
  %fc1 = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 120]
  %fc2 = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 84]
  %logits = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 10]
  %c1 = "tfrt_cpu.conv2d.bias.f32"(%image, %w1, %b1, %conv1, %c0)
      {activation = "relu", dilations = [1, 1], padding = [2, 2, 2, 2], strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_cpu.max_pool2d.f32"(%conv1, %pool1, %c1) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_cpu.conv2d.bias.f32"(%pool1, %w2, %b2, %conv2, %c2)
      {activation = "relu", dilations = [1, 1], padding = [0, 0, 0, 0], strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "tfrt_cpu.max_pool2d.f32"(%conv2, %pool2, %c3) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = "tfrt_cpu.reshape.f32"(%pool2, %flat, %c4)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c6 = "tfrt_cpu.matmul.bias.f32"(%flat, %w3, %b3, %fc1, %c5) {activation = "relu", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c7 = "tfrt_cpu.matmul.bias.f32"(%fc1, %w4, %b4, %fc2, %c6) {activation = "relu", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c8 = "tfrt_cpu.matmul.bias.f32"(%fc2, %w5, %b5, %logits, %c7) {activation = "none", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %logits, %c8 : !tfrt_tensor.tensor, !tfrt.chain
}
