// Op handlers of GPUs: tensors and transfers, ops of tests, and ops that differ from the rows of their names.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: env TFRT_GPU_DOUBLE=devices=2 bef_executor %t.bef 2>&1 | FileCheck %s
// RUN: env TFRT_GPU_DOUBLE=devices=2 bef_executor -work_queue_type=mstd:2 %t.bef 2>&1 | FileCheck %s
// A choice of an algorithm that older programs make is no error, whatever it names.
// RUN: env TFRT_GPU_DOUBLE=devices=2 TFRT_DEBUG_DEFAULT_CONV_FWD_ALGO=NO_SUCH_ALGORITHM bef_executor %t.bef 2>&1 | FileCheck %s

// Functions run one after the other: a device is known once it has a handler.
// CHECK-LABEL: --- Running 'no_device'
func.func @no_device() -> !tfrt.device {
  %c = tfrt.new.chain
  // expected-error @+1 {{cannot find device GPU:0}}
  %none = "tfrt.get_device"(%c) {device_name = "GPU:0"} : (!tfrt.chain) -> !tfrt.device
  tfrt.return %none : !tfrt.device
}

func.func @handlers() {
  %null = "corert.create_null_op_handler"() : () -> !corert.ophandler
  %cpu = "corert.create_cpu_op_handler"(%null) : (!corert.ophandler) -> !corert.ophandler
  corert.register_op_handler %cpu "cpu"
  %zero = tfrt.constant.i32 0
  %one = tfrt.constant.i32 1
  %gpu0 = "corert.create_gpu_op_handler"(%zero, %null) : (i32, !corert.ophandler) -> !corert.ophandler
  corert.register_op_handler %gpu0 "gpu"
  // The host computes ops that this device lacks.
  %gpu1 = "corert.create_gpu_op_handler"(%one, %cpu) : (i32, !corert.ophandler) -> !corert.ophandler
  corert.register_op_handler %gpu1 "gpu_or_cpu"
  %log = "corert.create_logging_op_handler"(%gpu0) {sync_log_results = true} : (!corert.ophandler) -> !corert.ophandler
  corert.register_op_handler %log "log"
  tfrt.return
}

// CHECK-LABEL: --- Running 'tensors'
func.func @tensors() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  %x = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [2, 2], values = [1 : i32, 2 : i32, 3 : i32, 4 : i32]} : 1
  // A printed tensor is not moved.
  // CHECK-NEXT: DenseGpuTensor<dtype=i32, shape=[2, 2], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>
  %c1 = "corert.print_tensorhandle"(%x, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  // CHECK-NEXT: DenseGpuTensor<dtype=i32, shape=[2, 2], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%x) : 0
  %y = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%x) : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [1, 2, 3, 4]
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%y) : 0
  %back = corert.executeop(%gpu) "tfrt_test.dht_to_gpu_tensor"(%y) : 1
  // CHECK-NEXT: DenseGpuTensor<dtype=i32, shape=[2, 2], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>
  %c4 = corert.executeop.seq(%gpu, %c3) "tfrt_test.print"(%back) : 0
  // Operands go where the op computes.
  %sum = corert.executeop(%gpu) "tfrt_test.add"(%back, %y) : 1
  %same = corert.executeop(%gpu) "tfrt_test.synchronize"(%sum) : 1
  %host = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%same) : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [2, 2], values = [2, 4, 6, 8]
  %c5 = corert.executeop.seq(%gpu, %c4) "tfrt_test.print"(%host) : 0
  // One number for all elements.
  %filled = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [3], values = [0.5 : f32]} : 1
  %filled_host = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%filled) : 1
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [3], values = [0.5, 0.5, 0.5]
  %c6 = corert.executeop.seq(%gpu, %c5) "tfrt_test.print"(%filled_host) : 0
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'print'
func.func @print() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  // So many digits that each number has a text of its own.
  %f32 = corert.const_dense_tensor dense<[0.1, -1.5, 1.0e+30, 3.0]> : tensor<4xf32>
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [4], values = [0.100000001, -1.5, 1.00000002e+30, 3]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%f32) : 0
  %f64 = corert.const_dense_tensor dense<[0.1, -1.5]> : tensor<2xf64>
  // CHECK-NEXT: DenseHostTensor dtype = f64, shape = [2], values = [0.10000000000000001, -1.5]
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%f64) : 0
  // The first 32 elements.
  %many = corert.const_dense_tensor dense<7> : tensor<4x8xi64>
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [4, 8], values = [{{(7, ){31}[7]}}]{{$}}
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%many) : 0
  %more = corert.const_dense_tensor dense<7> : tensor<33xi64>
  // CHECK-NEXT: DenseHostTensor dtype = i64, shape = [33], values = [{{(7, ){32}[.]}}.. ]{{$}}
  %c4 = corert.executeop.seq(%gpu, %c3) "tfrt_test.print"(%more) : 0
  %none = corert.const_dense_tensor dense<> : tensor<0xi32>
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [0], values = []
  %c5 = corert.executeop.seq(%gpu, %c4) "tfrt_test.print"(%none) : 0
  // Texts are tensors of the host on each device.
  %text = corert.const_string_tensor {shape = [2], value = ["a", "b"]}
  // CHECK-NEXT: StringHostTensor shape = [2], values = ["a", "b"]
  %c6 = corert.executeop.seq(%gpu, %c5) "tfrt_test.print"(%text) : 0
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'arguments'
func.func @arguments() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  %a = corert.executeop(%gpu) "tf.Const"() {dtype = i32, value = dense<1> : tensor<1xi32>} : 1
  %b = corert.executeop(%gpu) "tf.Const"() {dtype = i32, value = dense<2> : tensor<1xi32>} : 1
  %o1 = corert.executeop(%gpu) "tfrt_test.test_optional_arg"(%a) : 1
  %o2 = corert.executeop(%gpu) "tfrt_test.test_optional_arg"(%a, %b) : 1
  %v1 = corert.executeop(%gpu) "tfrt_test.test_variadic_arg"(%a) : 1
  %v3 = corert.executeop(%gpu) "tfrt_test.test_variadic_arg"(%a, %a, %b) : 1
  %two:2 = corert.executeop(%gpu) "tfrt_test.return_multiple_results"() : 2
  %h1 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%o1) : 1
  %h2 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%o2) : 1
  %h3 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%v1) : 1
  %h4 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%v3) : 1
  %h5 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%two#0) : 1
  %h6 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%two#1) : 1
  // CHECK-NEXT: values = [1]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%h1) : 0
  // CHECK-NEXT: values = [2]
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%h2) : 0
  // CHECK-NEXT: values = [1]
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%h3) : 0
  // CHECK-NEXT: values = [2]
  %c4 = corert.executeop.seq(%gpu, %c3) "tfrt_test.print"(%h4) : 0
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2], values = [0, 0]
  %c5 = corert.executeop.seq(%gpu, %c4) "tfrt_test.print"(%h5) : 0
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [1], values = [0]
  %c6 = corert.executeop.seq(%gpu, %c5) "tfrt_test.print"(%h6) : 0
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'transfers'
func.func @transfers() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  %gpu0 = "tfrt.get_device"(%c0) {device_name = "GPU:0"} : (!tfrt.chain) -> !tfrt.device
  %gpu1 = "tfrt.get_device"(%c0) {device_name = "GPU:1"} : (!tfrt.chain) -> !tfrt.device
  %cpu0 = "tfrt.get_device"(%c0) {device_name = "CPU:0"} : (!tfrt.chain) -> !tfrt.device
  %x = corert.const_dense_tensor dense<[1.5, 2.5]> : tensor<2xf32>
  %there_type = corert.get_dst_tensor_type %x, %gpu1
  // CHECK-NEXT: tensor_type = DenseGpu
  %c1 = "tfrt_test.print_tensor_type"(%there_type, %c0) : (!tfrt.tensor_type, !tfrt.chain) -> !tfrt.chain
  %there = corert.transfer %x, %gpu1, %there_type
  // To the other device and to the host.
  %other = "corert.transfer_inferred_tensortype"(%there, %gpu0) : (!corert.tensorhandle, !tfrt.device) -> !corert.tensorhandle
  // CHECK-NEXT: DenseGpuTensor<dtype=f32, shape=[2]
  %c2 = "corert.print_tensorhandle"(%other, %c1) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  %host = "corert.transfer_inferred_tensortype"(%other, %cpu0) : (!corert.tensorhandle, !tfrt.device) -> !corert.tensorhandle
  // CHECK-NEXT: DenseHostTensor dtype = f32, shape = [2], values = [1.500000e+00, 2.500000e+00]
  %c3 = "corert.print_tensorhandle"(%host, %c2) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  // A tensor that an op has moved to the host is one of the host.
  %moved = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%other) : 1
  %again = "corert.transfer_inferred_tensortype"(%moved, %gpu1) : (!corert.tensorhandle, !tfrt.device) -> !corert.tensorhandle
  // CHECK-NEXT: DenseGpuTensor<dtype=f32, shape=[2]
  %c4 = "corert.print_tensorhandle"(%again, %c3) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  // A handle can be printed whose tensor cannot be made.
  %strings = "tfrt_test.get_static_tensor_type"() {tensor_type = "StringHost"} : () -> !tfrt.tensor_type
  // expected-error @+1 {{cannot find conversion function for [DenseGpu]->[StringHost]}}
  %wrong = corert.transfer %other, %cpu0, %strings
  // CHECK-NEXT: Error TensorHandle: 'cannot find conversion function for [DenseGpu]->[StringHost]'
  %c5 = "corert.print_tensorhandle"(%wrong, %c4) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c5 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'fallback'
func.func @fallback() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu_or_cpu"
  %x = corert.executeop(%gpu) "tfrt_test.create_dense_tensor"() {shape = [4], values = [1 : i32, 2 : i32, 3 : i32, 5 : i32]} : 1
  %odd = corert.executeop(%gpu) "tfrt_test.odd_collector"(%x) : 1
  %double = corert.executeop(%gpu) "tf.AddV2"(%odd, %odd) : 1
  %host = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%double) : 1
  // CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [2, 6, 10]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%host) : 0
  tfrt.return %c1 : !tfrt.chain
}

// Over all elements of an image, which a matrix is, too.
// CHECK-LABEL: --- Running 'softmax'
func.func @softmax() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  %matrix = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<0.0> : tensor<2x4xf32>} : 1
  %of_matrix = corert.executeop(%gpu) "tf.Softmax"(%matrix) {T = f32} : 1
  %h1 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%of_matrix) : 1
  // CHECK-NEXT: shape = [2, 4], values = [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%h1) : 0
  %images = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<3.0> : tensor<2x2x1x2xf32>} : 1
  %of_images = corert.executeop(%gpu) "tf.Softmax"(%images) {T = f32} : 1
  %h2 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%of_images) : 1
  // CHECK-NEXT: shape = [2, 2, 1, 2], values = [0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25]
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%h2) : 0
  // A row is an op of its own, which is as everywhere.
  %rows = corert.executeop(%gpu) "tf.LogSoftmax"(%matrix) {T = f32} : 1
  %h3 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%rows) : 1
  // CHECK-NEXT: shape = [2, 4], values = [-1.386294{{[0-9]*}}, -1.386294{{[0-9]*}},
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%h3) : 0
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'cast'
func.func @cast() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %cpu = corert.get_op_handler %c0 "cpu"
  %gpu = corert.get_op_handler %c0 "gpu"
  %x = corert.executeop(%gpu) "tf.Const"() {dtype = f64, value = dense<[0.7, -0.7, 1.0e+300, -1.0e-300]> : tensor<4xf64>} : 1
  %nearest = corert.executeop(%gpu) "tf.Cast"(%x) {DstT = f32, SrcT = f64} : 1
  %h1 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%nearest) : 1
  // CHECK-NEXT: dtype = f32, shape = [4], values = [0.699999988, -0.699999988, inf, -0]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%h1) : 0
  %cut = corert.executeop(%gpu) "tf.Cast"(%x) {DstT = f32, SrcT = f64, Truncate = true} : 1
  %h2 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%cut) : 1
  // CHECK-NEXT: dtype = f32, shape = [4], values = [0.699999988, -0.699999988, 3.40282347e+38, -0]
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%h2) : 0
  // The type of the argument is its own, and 0.7 is nearer to the larger one of two f16.
  %f16 = corert.executeop(%gpu) "tf.Cast"(%x) {DstT = f16, SrcT = i32, Truncate = false} : 1
  %f16_cut = corert.executeop(%gpu) "tf.Cast"(%x) {DstT = f16, SrcT = f32, Truncate = true} : 1
  %wide = corert.executeop(%gpu) "tf.Cast"(%f16) {DstT = f32, SrcT = f16, Truncate = true} : 1
  %wide_cut = corert.executeop(%gpu) "tf.Cast"(%f16_cut) {DstT = f32, SrcT = f16, Truncate = true} : 1
  %h3 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%wide) : 1
  %h4 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%wide_cut) : 1
  // CHECK-NEXT: dtype = f32, shape = [4], values = [0.700195312, -0.700195312, inf, -0]
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%h3) : 0
  // CHECK-NEXT: dtype = f32, shape = [4], values = [0.699707031, -0.699707031, 65504, -0]
  %c4 = corert.executeop.seq(%gpu, %c3) "tfrt_test.print"(%h4) : 0
  // On other handlers the attribute is ignored.
  %on_host = corert.executeop(%cpu) "tf.Const"() {dtype = f64, value = dense<1.0e+300> : tensor<1xf64>} : 1
  %host = corert.executeop(%cpu) "tf.Cast"(%on_host) {DstT = f32, SrcT = f64, Truncate = true} : 1
  // CHECK-NEXT: dtype = f32, shape = [1], values = [inf]
  %c5 = corert.executeop.seq(%gpu, %c4) "tfrt_test.print"(%host) : 0
  tfrt.return %c5 : !tfrt.chain
}

// Images [N,C,H,W], with the filters of images [N,H,W,C].
// CHECK-LABEL: --- Running 'convolution'
func.func @convolution() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  %x = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[[[[1.0, 2.0], [3.0, 4.0]], [[10.0, 20.0], [30.0, 40.0]]]]> : tensor<1x2x2x2xf32>} : 1
  %filter = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 100.0], [0.0, 0.0]]]]> : tensor<1x2x2x2xf32>} : 1
  %y = corert.executeop(%gpu) "tf.Conv2D"(%x, %filter) {T = f16, data_format = "NCHW", dilations = [1, 1, 1, 1], explicit_paddings = [], padding = "VALID", strides = [1, 1, 1, 1], use_cudnn_on_gpu = true} : 1
  %h1 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%y) : 1
  // CHECK-NEXT: shape = [1, 2, 2, 1], values = [3, 7, 210, 430]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%h1) : 0
  // Two numbers before the image's rows, none behind.
  %z = corert.executeop(%gpu) "tf.Conv2D"(%x, %filter) {data_format = "NCHW", explicit_paddings = [0, 0, 0, 0, 2, 0, 0, 0], padding = "EXPLICIT", strides = [1, 1, 2, 1]} : 1
  %h2 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%z) : 1
  // CHECK-NEXT: shape = [1, 2, 2, 1], values = [0, 3, 0, 210]
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%h2) : 0
  %pooled = corert.executeop(%gpu) "tf.MaxPool"(%x) {data_format = "NCHW", ksize = [1, 1, 1, 2], padding = "VALID", strides = [1, 1, 1, 1]} : 1
  %h3 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%pooled) : 1
  // CHECK-NEXT: shape = [1, 2, 2, 1], values = [2, 4, 20, 40]
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%h3) : 0
  tfrt.return %c3 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'batch_norm'
func.func @batch_norm() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %gpu = corert.get_op_handler %c0 "gpu"
  %x = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[[[[1.0, 2.0]], [[-3.0, 4.0]]]]> : tensor<1x2x1x2xf32>} : 1
  %scale = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[1.0, 10.0]> : tensor<2xf32>} : 1
  %offset = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[0.5, 0.0]> : tensor<2xf32>} : 1
  %mean = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<[1.0, 0.0]> : tensor<2xf32>} : 1
  %variance = corert.executeop(%gpu) "tf.Const"() {dtype = f32, value = dense<1.0> : tensor<2xf32>} : 1
  %y:6 = corert.executeop(%gpu) "tf.FusedBatchNormV3"(%x, %scale, %offset, %mean, %variance) {T = f32, U = f32, data_format = "NCHW", epsilon = 0.0 : f32, is_training = false} : 6
  %h1 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%y#0) : 1
  // CHECK-NEXT: shape = [1, 2, 1, 2], values = [0.5, 1.5, -30, 40]
  %c1 = corert.executeop.seq(%gpu, %c0) "tfrt_test.print"(%h1) : 0
  %relu = corert.executeop(%gpu) "tf._FusedBatchNormEx"(%x, %scale, %offset, %mean, %variance) {activation_mode = "Relu", data_format = "NCHW", epsilon = 0.0 : f32} : 1
  %h2 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%relu) : 1
  // CHECK-NEXT: shape = [1, 2, 1, 2], values = [0.5, 1.5, 0, 40]
  %c2 = corert.executeop.seq(%gpu, %c1) "tfrt_test.print"(%h2) : 0
  %added = corert.executeop(%gpu) "tf._FusedBatchNormEx"(%x, %scale, %offset, %mean, %variance, %x) {data_format = "NCHW", epsilon = 0.0 : f32} : 1
  %h3 = corert.executeop(%gpu) "tfrt_test.gpu_tensor_to_host_tensor"(%added) : 1
  // CHECK-NEXT: shape = [1, 2, 1, 2], values = [1.5, 3.5, -33, 44]
  %c3 = corert.executeop.seq(%gpu, %c2) "tfrt_test.print"(%h3) : 0
  tfrt.return %c3 : !tfrt.chain
}

// The text of a logged result comes after its line in the log.
// CHECK-LABEL: --- Running 'logged'
func.func @logged() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %log = corert.get_op_handler %c0 "log"
  // CHECK: dispatch 'tfrt_test.create_dense_tensor' 0 arguments, 1 result
  // CHECK: Output for [0] tensor 0: DenseHostTensor dtype = i32, shape = [2], values = [4, 5]
  %x = corert.executeop(%log) "tfrt_test.create_dense_tensor"() {shape = [2], values = [4 : i32, 5 : i32]} : 1
  // CHECK: DenseGpuTensor<dtype=i32, shape=[2]
  %c1 = "corert.print_tensorhandle"(%x, %c0) : (!corert.tensorhandle, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c1 : !tfrt.chain
}
