// A descriptor of six numbers for a buffer of four: the average of the first three is one, and that of the others is
// made of bytes that nobody has written. The latter is reported where it is copied out, and nowhere else.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: not bef_executor %t.bef > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=REPORT < %t.err

func.func @pool(%size: i64, %part: ui64) -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.create %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %h = tfrt_gpu.dnn.create %ctx
  %x_size = tfrt.constant.i64 16
  %y_size = tfrt.constant.i64 8
  %x = tfrt_gpu.mem.allocate %al, %s, %x_size, %c0
  %y = tfrt_gpu.mem.allocate %al, %s, %y_size, %c0
  %from = tfrt_dht.create_uninitialized_tensor.f32.1 [4 : i64]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %from, %c0 [1.0 : f32, 2.0 : f32, 6.0 : f32, 4.0 : f32]
  %from_buffer, %c2 = tfrt_dht.get_buffer %from, %c1
  %c3 = tfrt_gpu.mem.copy %x, %from_buffer, %s, %c2 : !tfrt_gpu.buffer, !ht.host_buffer
  %mode = tfrt.constant.ui32 1
  %nan = tfrt.constant.ui32 0
  %pool = tfrt_gpu.dnn.create_pooling_descriptor %ctx, %mode, %nan, [1 : i32, 3 : i32], [0 : i32, 0 : i32], [1 : i32, 3 : i32]
  %xd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 2 : i32, 3 : i32], [6 : i32, 6 : i32, 3 : i32, 1 : i32]
  %yd = tfrt_gpu.dnn.create_tensor_descriptor CUDNN_DATA_FLOAT, [1 : i32, 1 : i32, 2 : i32, 1 : i32], [2 : i32, 2 : i32, 1 : i32, 1 : i32]
  %one = tfrt.constant.f32 1.0
  %zero = tfrt.constant.f32 0.0
  %c4 = tfrt_gpu.dnn.pooling_forward %h, %s, %pool, %one, %xd, %x, %zero, %yd, %y, %c3
  %offset = tfrt.constant.ui64 0
  %view = tfrt_gpu.mem.view %y, %offset, %part
  %pinned = tfrt_gpu.mem.allocate_host %ctx, %size, %c0
  %c5 = tfrt_gpu.mem.copy %pinned, %view, %s, %c4 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  %c6 = tfrt_gpu.stream.synchronize %s, %c5
  tfrt.return %c6 : !tfrt.chain
}

// CHECK-LABEL: 'first'
// CHECK-NEXT: 'first' returned !tfrt.chain value
func.func @first() -> !tfrt.chain {
  %size = tfrt.constant.i64 4
  %part = tfrt.constant.ui64 4
  %c = tfrt.call @pool(%size, %part) : (i64, ui64) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}

// CHECK-LABEL: 'both'
// CHECK-NEXT: 'both' returned !tfrt.chain value
// REPORT: read of unwritten: 'cuMemcpy
// REPORT-NOT: read of unwritten
func.func @both() -> !tfrt.chain {
  %size = tfrt.constant.i64 8
  %part = tfrt.constant.ui64 8
  %c = tfrt.call @pool(%size, %part) : (i64, ui64) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}
