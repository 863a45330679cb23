// Four ops, one after the other.
module {
  func.func @load() -> tensor<f32> {
    %one = graph.constant dense<1.0> : tensor<f32>
    tfrt.return %one : tensor<f32>
  }
  func.func @main(%x: tensor<?x64xf32> {graph.name = "x", graph.dims = ["batch", ""]}, %one: tensor<f32>)
      -> (tensor<?x64xf32> {graph.name = "y"}) {
    %a = graph.relu %x : (tensor<?x64xf32>) -> tensor<?x64xf32> loc("/a/relu"("m.onnx: Relu"))
    %b = graph.add %a, %one : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32> loc("/b/add"("m.onnx: Add"))
    %c = graph.add %b, %b : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32> loc("/c/add"("m.onnx: Add"))
    %y = graph.relu %c : (tensor<?x64xf32>) -> tensor<?x64xf32> loc("/d/relu"("m.onnx: Relu"))
    tfrt.return %y : tensor<?x64xf32>
  }
}
