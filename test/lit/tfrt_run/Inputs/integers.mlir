// y = x + 1, and whether that is less than 3.
module {
  func.func @load() -> (tensor<i32>, tensor<i32>) {
    %one = graph.constant dense<1> : tensor<i32>
    %three = graph.constant dense<3> : tensor<i32>
    tfrt.return %one, %three : tensor<i32>, tensor<i32>
  }
  func.func @main(%x: tensor<2xi32> {graph.name = "x"}, %one: tensor<i32>, %three: tensor<i32>)
      -> (tensor<2xi32> {graph.name = "y"}, tensor<2xi1> {graph.name = "twice"}) {
    %y = graph.add %x, %one : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %z = graph.less %y, %three : (tensor<2xi32>, tensor<i32>) -> tensor<2xi1>
    tfrt.return %y, %z : tensor<2xi32>, tensor<2xi1>
  }
}
