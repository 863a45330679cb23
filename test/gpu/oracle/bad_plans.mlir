// Plans that cannot be made ahead: a form that is not on the list, and a factor that is not known.
func.func @plans(%h: !tfrt_gpu.dnn.handle, %alpha: f64) {
  %graph = tfrt_gpu.dnn.graph.build %h, "matmul", CUDNN_DATA_FLOAT, [1, 2, 2, 1, 2, 2, 1, 2, 2], [4, 2, 1, 4, 2, 1, 4, 2, 1], [], 0.000000e+00, false
  %fused = tfrt_gpu.dnn.build_fused_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %alpha, %alpha, 1, 0, [], []
  tfrt.return
}
