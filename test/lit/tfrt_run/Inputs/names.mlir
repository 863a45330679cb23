// Inputs and a size with equals signs in their names, long metadata, and sizes that must be right: c = a=b x w, with w of [3,2].
module attributes {graph.metadata = {config = "{\0A  \22labels\22: [\22cat\22, \22dog\22]\0A}", words = "one two three four five six seven eight nine ten eleven twelve"}} {
  func.func @load() -> tensor<3x2xf32> {
    %w = graph.constant dense<1.0> : tensor<3x2xf32>
    tfrt.return %w : tensor<3x2xf32>
  }
  func.func @main(%a: tensor<?xf32> {graph.name = "a", graph.dims = ["n=2"]},
                  %b: tensor<?x?xf32> {graph.name = "a=b", graph.dims = ["batch", ""]}, %w: tensor<3x2xf32>)
      -> (tensor<?xf32> {graph.name = "c"}, tensor<?x2xf32> {graph.name = "c=d"}) {
    %c = graph.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %d = graph.matmul %b, %w {transpose_a = false, transpose_b = false} : (tensor<?x?xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
    tfrt.return %c, %d : tensor<?xf32>, tensor<?x2xf32>
  }
}
