// A model as tfrt_import makes them, small enough to read: which colour is it?
// probabilities = softmax(rgb * weights + bias).
module attributes {graph.metadata = {labels = "red,green,blue,grey"}, graph.producer = "by hand"} {
  func.func @load() -> (tensor<3x4xf32>, tensor<4xf32>) {
    %weights = graph.constant dense<[[8.0, -4.0, -4.0, 0.0], [-4.0, 8.0, -4.0, 0.0], [-4.0, -4.0, 8.0, 0.0]]> : tensor<3x4xf32>
    %bias = graph.constant dense<[0.0, 0.0, 0.0, 2.0]> : tensor<4xf32>
    tfrt.return %weights, %bias : tensor<3x4xf32>, tensor<4xf32>
  }
  func.func @main(%rgb: tensor<?x3xf32> {graph.name = "rgb", graph.dims = ["batch", ""]},
                  %weights: tensor<3x4xf32>, %bias: tensor<4xf32>)
      -> (tensor<?x4xf32> {graph.name = "probabilities", graph.dims = ["batch", ""]}) {
    %product = graph.matmul %rgb, %weights {transpose_a = false, transpose_b = false} : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
    %scores = graph.add %product, %bias : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    %probabilities = graph.softmax %scores : (tensor<?x4xf32>) -> tensor<?x4xf32>
    tfrt.return %probabilities : tensor<?x4xf32>
  }
}
