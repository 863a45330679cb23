// y = relu(x + w) + 1, and its sum with itself.
module attributes {graph.metadata = {labels = "cat,dog"}, graph.producer = "maker 1.0"} {
  func.func @load() -> (tensor<3xf32>, tensor<f32>) {
    %w = graph.weight dense_resource<w> : tensor<3xf32>
    %one = graph.constant dense<1.0> : tensor<f32>
    tfrt.return %w, %one : tensor<3xf32>, tensor<f32>
  }
  func.func @main(%x: tensor<?x3xf32> {graph.name = "x", graph.dims = ["batch", ""]}, %w: tensor<3xf32>, %one: tensor<f32>)
      -> (tensor<?x3xf32> {graph.name = "y"}, tensor<?x3xf32> {graph.name = "twice"}) {
    %sum = graph.add %x, %w : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32> loc("/layers/bias"("m.onnx: Add"))
    %relu = graph.relu %sum : (tensor<?x3xf32>) -> tensor<?x3xf32> loc(fused["/layers/relu"("m.onnx: Relu"), "m.onnx: Identity"])
    %y = graph.add %relu, %one : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32> loc("m.onnx: Add")
    %twice = graph.add %y, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32> loc("twice"("m.onnx: Add"))
    tfrt.return %y, %twice : tensor<?x3xf32>, tensor<?x3xf32>
  }
}
{-# dialect_resources: { builtin: { w: "0x04000000000020410000A041000000C2" } } #-}
