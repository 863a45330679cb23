// LeNet-5 on images [N,28,28,1]: inference, and a step of training. The weights are operands: w1 [5,5,1,6] and
// w2 [5,5,6,16] of the convolutions, w3 [400,120], w4 [120,84] and w5 [84,10] of the layers behind them, each
// with its bias.
//
// Kernels write into tensors that are made before; chains tell when they have done so. A merged chain is what
// makes a kernel wait for several.

// Writes the outputs of all layers; the chain is ready when %logits are there.
func.func @forward(
    %images: !tfrt_tensor.tensor,
    %w1: !tfrt_tensor.tensor, %b1: !tfrt_tensor.tensor, %w2: !tfrt_tensor.tensor, %b2: !tfrt_tensor.tensor, %w3: !tfrt_tensor.tensor,
    %b3: !tfrt_tensor.tensor, %w4: !tfrt_tensor.tensor, %b4: !tfrt_tensor.tensor, %w5: !tfrt_tensor.tensor, %b5: !tfrt_tensor.tensor,
    %conv1: !tfrt_tensor.tensor, %pool1: !tfrt_tensor.tensor, %conv2: !tfrt_tensor.tensor, %pool2: !tfrt_tensor.tensor,
    %flat: !tfrt_tensor.tensor, %fc1: !tfrt_tensor.tensor, %fc2: !tfrt_tensor.tensor, %logits: !tfrt_tensor.tensor,
    %c0: !tfrt.chain) -> !tfrt.chain {
  %c1 = "eigen.conv2d.bias.f32"(%images, %w1, %b1, %conv1, %c0) {padding = "same", strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_cpu.relu.f32"(%conv1, %conv1, %c1)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c3 = "tfrt_cpu.max_pool2d.f32"(%conv1, %pool1, %c2) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c4 = "eigen.conv2d.bias.f32"(%pool1, %w2, %b2, %conv2, %c3) {padding = "valid", strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c5 = "tfrt_cpu.relu.f32"(%conv2, %conv2, %c4)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c6 = "tfrt_cpu.max_pool2d.f32"(%conv2, %pool2, %c5) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c7 = "tfrt_cpu.reshape.f32"(%pool2, %flat, %c6)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c8 = "tfrt_cpu.matmul.bias.f32"(%flat, %w3, %b3, %fc1, %c7) {activation = "relu", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c9 = "tfrt_cpu.matmul.bias.f32"(%fc1, %w4, %b4, %fc2, %c8) {activation = "relu", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c10 = "tfrt_cpu.matmul.bias.f32"(%fc2, %w5, %b5, %logits, %c9) {activation = "none", transpose_a = false, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c10 : !tfrt.chain
}

// images [1,28,28,1] -> logits [1,10], classes i32 [1].
func.func @classify_1(
    %images: !tfrt_tensor.tensor,
    %w1: !tfrt_tensor.tensor, %b1: !tfrt_tensor.tensor, %w2: !tfrt_tensor.tensor, %b2: !tfrt_tensor.tensor, %w3: !tfrt_tensor.tensor,
    %b3: !tfrt_tensor.tensor, %w4: !tfrt_tensor.tensor, %b4: !tfrt_tensor.tensor, %w5: !tfrt_tensor.tensor, %b5: !tfrt_tensor.tensor) -> (!tfrt_tensor.tensor, !tfrt_tensor.tensor) {
  %c0 = tfrt.new.chain
  %conv1 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 28, 28, 6]
  %pool1 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 14, 14, 6]
  %conv2 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 10, 10, 16]
  %pool2 = tfrt_dht.create_uninitialized_tensor.f32.4 [1, 5, 5, 16]
  %flat = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 400]
  %fc1 = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 120]
  %fc2 = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 84]
  %logits = tfrt_dht.create_uninitialized_tensor.f32.2 [1, 10]
  %classes = tfrt_dht.create_uninitialized_tensor.i32.1 [1]
  %c1 = tfrt.call @forward(
      %images, %w1, %b1, %w2, %b2, %w3, %b3, %w4, %b4, %w5, %b5,
      %conv1, %pool1, %conv2, %pool2, %flat, %fc1, %fc2, %logits, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor,
         !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_cpu.argmax.f32"(%logits, %classes, %c1) {axis = 1 : i64} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %logits_done = "tfrt.alias.value"(%c2, %logits) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  %classes_done = "tfrt.alias.value"(%c2, %classes) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %logits_done, %classes_done : !tfrt_tensor.tensor, !tfrt_tensor.tensor
}

// images [64,28,28,1] -> logits [64,10], classes i32 [64].
func.func @classify_64(
    %images: !tfrt_tensor.tensor,
    %w1: !tfrt_tensor.tensor, %b1: !tfrt_tensor.tensor, %w2: !tfrt_tensor.tensor, %b2: !tfrt_tensor.tensor, %w3: !tfrt_tensor.tensor,
    %b3: !tfrt_tensor.tensor, %w4: !tfrt_tensor.tensor, %b4: !tfrt_tensor.tensor, %w5: !tfrt_tensor.tensor, %b5: !tfrt_tensor.tensor) -> (!tfrt_tensor.tensor, !tfrt_tensor.tensor) {
  %c0 = tfrt.new.chain
  %conv1 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 28, 28, 6]
  %pool1 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 14, 14, 6]
  %conv2 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 10, 10, 16]
  %pool2 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 5, 5, 16]
  %flat = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 400]
  %fc1 = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 120]
  %fc2 = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 84]
  %logits = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 10]
  %classes = tfrt_dht.create_uninitialized_tensor.i32.1 [64]
  %c1 = tfrt.call @forward(
      %images, %w1, %b1, %w2, %b2, %w3, %b3, %w4, %b4, %w5, %b5,
      %conv1, %pool1, %conv2, %pool2, %flat, %fc1, %fc2, %logits, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor,
         !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_cpu.argmax.f32"(%logits, %classes, %c1) {axis = 1 : i64} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %logits_done = "tfrt.alias.value"(%c2, %logits) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  %classes_done = "tfrt.alias.value"(%c2, %classes) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %logits_done, %classes_done : !tfrt_tensor.tensor, !tfrt_tensor.tensor
}

// images [450,28,28,1] -> logits [450,10], classes i32 [450].
func.func @classify_450(
    %images: !tfrt_tensor.tensor,
    %w1: !tfrt_tensor.tensor, %b1: !tfrt_tensor.tensor, %w2: !tfrt_tensor.tensor, %b2: !tfrt_tensor.tensor, %w3: !tfrt_tensor.tensor,
    %b3: !tfrt_tensor.tensor, %w4: !tfrt_tensor.tensor, %b4: !tfrt_tensor.tensor, %w5: !tfrt_tensor.tensor, %b5: !tfrt_tensor.tensor) -> (!tfrt_tensor.tensor, !tfrt_tensor.tensor) {
  %c0 = tfrt.new.chain
  %conv1 = tfrt_dht.create_uninitialized_tensor.f32.4 [450, 28, 28, 6]
  %pool1 = tfrt_dht.create_uninitialized_tensor.f32.4 [450, 14, 14, 6]
  %conv2 = tfrt_dht.create_uninitialized_tensor.f32.4 [450, 10, 10, 16]
  %pool2 = tfrt_dht.create_uninitialized_tensor.f32.4 [450, 5, 5, 16]
  %flat = tfrt_dht.create_uninitialized_tensor.f32.2 [450, 400]
  %fc1 = tfrt_dht.create_uninitialized_tensor.f32.2 [450, 120]
  %fc2 = tfrt_dht.create_uninitialized_tensor.f32.2 [450, 84]
  %logits = tfrt_dht.create_uninitialized_tensor.f32.2 [450, 10]
  %classes = tfrt_dht.create_uninitialized_tensor.i32.1 [450]
  %c1 = tfrt.call @forward(
      %images, %w1, %b1, %w2, %b2, %w3, %b3, %w4, %b4, %w5, %b5,
      %conv1, %pool1, %conv2, %pool2, %flat, %fc1, %fc2, %logits, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor,
         !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_cpu.argmax.f32"(%logits, %classes, %c1) {axis = 1 : i64} : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %logits_done = "tfrt.alias.value"(%c2, %logits) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  %classes_done = "tfrt.alias.value"(%c2, %classes) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %logits_done, %classes_done : !tfrt_tensor.tensor, !tfrt_tensor.tensor
}

// One step of gradient descent: images [64,28,28,1], labels i32 [64] -> the mean loss before the step. The
// weights are changed in place.
func.func @train_step(
    %images: !tfrt_tensor.tensor, %labels: !tfrt_tensor.tensor,
    %w1: !tfrt_tensor.tensor, %b1: !tfrt_tensor.tensor, %w2: !tfrt_tensor.tensor, %b2: !tfrt_tensor.tensor, %w3: !tfrt_tensor.tensor,
    %b3: !tfrt_tensor.tensor, %w4: !tfrt_tensor.tensor, %b4: !tfrt_tensor.tensor, %w5: !tfrt_tensor.tensor, %b5: !tfrt_tensor.tensor)
    -> (!tfrt_tensor.tensor, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %conv1 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 28, 28, 6]
  %pool1 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 14, 14, 6]
  %conv2 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 10, 10, 16]
  %pool2 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 5, 5, 16]
  %flat = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 400]
  %fc1 = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 120]
  %fc2 = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 84]
  %logits = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 10]
  %forward = tfrt.call @forward(
      %images, %w1, %b1, %w2, %b2, %w3, %b3, %w4, %b4, %w5, %b5,
      %conv1, %pool1, %conv2, %pool2, %flat, %fc1, %fc2, %logits, %c0)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor,
         !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // The loss, and its gradient with respect to the logits: every example counts a 64th.
  %losses = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %loss = tfrt_dht.create_uninitialized_tensor.f32.0 []
  %c11 = "tfrt_cpu.softmax_cross_entropy.f32"(%logits, %labels, %losses, %forward)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c12 = "tfrt_cpu.reduce_mean.f32"(%losses, %loss, %c11) {axes = [0], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %share = tfrt_dht.create_uninitialized_tensor.f32.1 [64]
  %c13 = tfrt_dht.fill_tensor_with_constant.f32 %share, %forward 0.015625 : f32
  %d_logits = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 10]
  %c14 = "tfrt_cpu.softmax_cross_entropy_grad.f32"(%logits, %labels, %share, %d_logits, %c13)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // d_logits: gradients of %w5 and %b5, and %d_fc2.
  %g_w5 = tfrt_dht.create_uninitialized_tensor.f32.2 [84, 10]
  %g_b5 = tfrt_dht.create_uninitialized_tensor.f32.1 [10]
  %d_fc2 = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 84]
  %c15 = "tfrt_cpu.matmul.f32"(%fc2, %d_logits, %g_w5, %c14) {transpose_a = true, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c16 = "tfrt_cpu.reduce_sum.f32"(%d_logits, %g_b5, %c14) {axes = [0], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c17 = "tfrt_cpu.matmul.f32"(%d_logits, %w5, %d_fc2, %c14) {transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c18 = "tfrt_cpu.relu_grad.f32"(%fc2, %d_fc2, %d_fc2, %c17)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // d_fc2: gradients of %w4 and %b4, and %d_fc1.
  %g_w4 = tfrt_dht.create_uninitialized_tensor.f32.2 [120, 84]
  %g_b4 = tfrt_dht.create_uninitialized_tensor.f32.1 [84]
  %d_fc1 = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 120]
  %c19 = "tfrt_cpu.matmul.f32"(%fc1, %d_fc2, %g_w4, %c18) {transpose_a = true, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c20 = "tfrt_cpu.reduce_sum.f32"(%d_fc2, %g_b4, %c18) {axes = [0], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c21 = "tfrt_cpu.matmul.f32"(%d_fc2, %w4, %d_fc1, %c18) {transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c22 = "tfrt_cpu.relu_grad.f32"(%fc1, %d_fc1, %d_fc1, %c21)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // d_fc1: gradients of %w3 and %b3, and %d_flat.
  %g_w3 = tfrt_dht.create_uninitialized_tensor.f32.2 [400, 120]
  %g_b3 = tfrt_dht.create_uninitialized_tensor.f32.1 [120]
  %d_flat = tfrt_dht.create_uninitialized_tensor.f32.2 [64, 400]
  %c23 = "tfrt_cpu.matmul.f32"(%flat, %d_fc1, %g_w3, %c22) {transpose_a = true, transpose_b = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c24 = "tfrt_cpu.reduce_sum.f32"(%d_fc1, %g_b3, %c22) {axes = [0], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c25 = "tfrt_cpu.matmul.f32"(%d_fc1, %w3, %d_flat, %c22) {transpose_a = false, transpose_b = true}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // Back through the pooling and the activation to the second convolution.
  %d_pool2 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 5, 5, 16]
  %c26 = "tfrt_cpu.reshape.f32"(%d_flat, %d_pool2, %c25)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %d_conv2 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 10, 10, 16]
  %c27 = "tfrt_cpu.max_pool2d_grad.f32"(%conv2, %pool2, %d_pool2, %d_conv2, %c26) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c28 = "tfrt_cpu.relu_grad.f32"(%conv2, %d_conv2, %d_conv2, %c27)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %g_w2 = tfrt_dht.create_uninitialized_tensor.f32.4 [5, 5, 6, 16]
  %g_b2 = tfrt_dht.create_uninitialized_tensor.f32.1 [16]
  %d_pool1 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 14, 14, 6]
  %c29 = "eigen.conv2d.grad.filter.f32"(%d_conv2, %pool1, %g_w2, %c28) {padding = "valid", strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c30 = "tfrt_cpu.reduce_sum.f32"(%d_conv2, %g_b2, %c28) {axes = [0, 1, 2], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c31 = "eigen.conv2d.grad.input.f32"(%d_conv2, %w2, %d_pool1, %c28) {padding = "valid", strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // The same for the first, whose input needs no gradient.
  %d_conv1 = tfrt_dht.create_uninitialized_tensor.f32.4 [64, 28, 28, 6]
  %c32 = "tfrt_cpu.max_pool2d_grad.f32"(%conv1, %pool1, %d_pool1, %d_conv1, %c31) {ksize = [2, 2], padding = "valid", strides = [2, 2]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c33 = "tfrt_cpu.relu_grad.f32"(%conv1, %d_conv1, %d_conv1, %c32)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %g_w1 = tfrt_dht.create_uninitialized_tensor.f32.4 [5, 5, 1, 6]
  %g_b1 = tfrt_dht.create_uninitialized_tensor.f32.1 [6]
  %c34 = "eigen.conv2d.grad.filter.f32"(%d_conv1, %images, %g_w1, %c33) {padding = "same", strides = [1, 1]}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c35 = "tfrt_cpu.reduce_sum.f32"(%d_conv1, %g_b1, %c33) {axes = [0, 1, 2], keep_dims = false}
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  // The step. Nothing reads the old weights any more when all gradients are there.
  %rate = "tfrt_test.const_dense_attr"() {value = dense<0.03> : tensor<1xf32>} : () -> !tfrt_tensor.tensor
  %c36 = tfrt.merge.chains %c34, %c35, %c29, %c30, %c23, %c24, %c19, %c20, %c15, %c16 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
  %c37 = "tfrt_cpu.sgd_update.f32"(%g_w1, %rate, %w1, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c38 = "tfrt_cpu.sgd_update.f32"(%g_b1, %rate, %b1, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c39 = "tfrt_cpu.sgd_update.f32"(%g_w2, %rate, %w2, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c40 = "tfrt_cpu.sgd_update.f32"(%g_b2, %rate, %b2, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c41 = "tfrt_cpu.sgd_update.f32"(%g_w3, %rate, %w3, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c42 = "tfrt_cpu.sgd_update.f32"(%g_b3, %rate, %b3, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c43 = "tfrt_cpu.sgd_update.f32"(%g_w4, %rate, %w4, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c44 = "tfrt_cpu.sgd_update.f32"(%g_b4, %rate, %b4, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c45 = "tfrt_cpu.sgd_update.f32"(%g_w5, %rate, %w5, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c46 = "tfrt_cpu.sgd_update.f32"(%g_b5, %rate, %b5, %c36)
      : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain
  %c47 = tfrt.merge.chains %c37, %c38, %c39, %c40, %c41, %c42, %c43, %c44, %c45, %c46, %c12 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
  %loss_done = "tfrt.alias.value"(%c12, %loss) : (!tfrt.chain, !tfrt_tensor.tensor) -> !tfrt_tensor.tensor
  tfrt.return %loss_done, %c47 : !tfrt_tensor.tensor, !tfrt.chain
}
