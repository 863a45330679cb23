// Plans that tfrt_gpu_plans makes ahead (plans_tool_test.py). The program is not run.
func.func @plans(%h: !tfrt_gpu.dnn.handle) {
  %graph = tfrt_gpu.dnn.graph.build %h, "conv+addend+bias+relu", CUDNN_DATA_HALF, [2, 8, 6, 6, 8, 8, 3, 3, 2, 8, 6, 6, 1, 8, 1, 1, 2, 8, 6, 6], [288, 1, 48, 8, 72, 1, 24, 8, 288, 1, 48, 8, 8, 1, 8, 8, 288, 1, 48, 8], [1, 1, 1, 1, 1, 1, 1, 1], 0.000000e+00, false
  %again = tfrt_gpu.dnn.graph.build %h, "conv+addend+bias+relu", CUDNN_DATA_HALF, [2, 8, 6, 6, 8, 8, 3, 3, 2, 8, 6, 6, 1, 8, 1, 1, 2, 8, 6, 6], [288, 1, 48, 8, 72, 1, 24, 8, 288, 1, 48, 8, 8, 1, 8, 8, 288, 1, 48, 8], [1, 1, 1, 1, 1, 1, 1, 1], 0.000000e+00, false
  %plain = tfrt_gpu.dnn.build_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, 0, [], []
  %one = tfrt.constant.f64 1.0
  %half = tfrt.constant.f64 0.5
  %fused = tfrt_gpu.dnn.build_fused_convolution %h, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, [1, 1, 3, 3], [9, 9, 3, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 2, 2], [4, 4, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], CUDNN_CROSS_CORRELATION, 2, [1, 1], [1, 1], [2, 2], 10, %one, %half, 1, 0, [], []
  tfrt.return
}
