// y = x + x.
module {
  func.func @load() {
    tfrt.return
  }
  func.func @main(%x: tensor<?x3xf32> {graph.name = "x"}) -> (tensor<?x3xf32> {graph.name = "y"}) {
    %y = graph.add %x, %x : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    tfrt.return %y : tensor<?x3xf32>
  }
}
