// Half of x + 1, by a kernel of a plug-in library.
module {
  func.func @load() -> tensor<f32> {
    %one = graph.constant dense<1.0> : tensor<f32>
    tfrt.return %one : tensor<f32>
  }
  func.func @main(%x: tensor<?x3xf32> {graph.name = "x"}, %one: tensor<f32>) -> (tensor<?x3xf32> {graph.name = "y"}) {
    %sum = graph.add %x, %one : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
    %y = "example.tensor.halve"(%sum) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    tfrt.return %y : tensor<?x3xf32>
  }
}
