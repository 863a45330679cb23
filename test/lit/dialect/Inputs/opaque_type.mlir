func.func @old(%t: !q.tensor) -> !q.tensor {
  tfrt.return %t : !q.tensor
}
