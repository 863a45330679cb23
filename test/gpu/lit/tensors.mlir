// Tensors over the memory of buffers.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @buffer(%size: i64) -> (!tfrt_gpu.buffer, !tfrt_gpu.stream) {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  tfrt.return %b, %s : !tfrt_gpu.buffer, !tfrt_gpu.stream
}

// CHECK-LABEL: 'make'
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=i8, shape=[4, 4], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>{{$}}
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=i32, shape=[2, 2], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>{{$}}
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=i64, shape=[2], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>{{$}}
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=f32, shape=[4], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>{{$}}
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=f64, shape=[1, 2], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>{{$}}
// CHECK-NEXT: 'make' returned !t{{(frt_tensor)?}}.tensor value
func.func @make() -> !t.tensor {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 16
  %b, %s = tfrt.call @buffer(%size) : (i64) -> (!tfrt_gpu.buffer, !tfrt_gpu.stream)
  %s0 = ts.build_shape [4, 4]
  %s1 = ts.build_shape [2, 2]
  %s2 = ts.build_shape [2]
  %s3 = ts.build_shape [4]
  %s4 = ts.build_shape [1, 2]
  %t0 = tfrt_gpu.tensor.make.i8 %b, %s0, %c0
  %t1 = tfrt_gpu.tensor.make.i32 %b, %s1, %c0
  %t2 = tfrt_gpu.tensor.make.i64 %b, %s2, %c0
  %t3 = tfrt_gpu.tensor.make.f32 %b, %s3, %c0
  %t4 = tfrt_gpu.tensor.make.f64 %b, %s4, %c0
  %c1 = tfrt_gpu.tensor.print_metadata %t0, %c0
  %c2 = tfrt_gpu.tensor.print_metadata %t1, %c1
  %c3 = tfrt_gpu.tensor.print_metadata %t2, %c2
  %c4 = tfrt_gpu.tensor.print_metadata %t3, %c3
  %c5 = tfrt_gpu.tensor.print_metadata %t4, %c4
  // The tensor keeps what the buffer gives up.
  %c6 = tfrt_gpu.mem.deallocate %b, %s, %c5
  %late = tfrt_gpu.alias %t4, %c6 : !t.tensor
  tfrt.return %late : !t.tensor
}

// CHECK-LABEL: 'scalar'
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=f64, shape=[], pointer=0x{{[1-9a-f][0-9a-f]+}} (CUDA)>{{$}}
func.func @scalar() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 8
  %b, %s = tfrt.call @buffer(%size) : (i64) -> (!tfrt_gpu.buffer, !tfrt_gpu.stream)
  %shape = ts.build_shape []
  %t = tfrt_gpu.tensor.make.f64 %b, %shape, %c0
  %c1 = tfrt_gpu.tensor.print_metadata %t, %c0
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: 'nothing'
// CHECK-NEXT: {{^}}DenseGpuTensor<dtype=f32, shape=[0, 3], pointer=0x0 (NONE)>{{$}}
func.func @nothing() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 0
  %b, %s = tfrt.call @buffer(%size) : (i64) -> (!tfrt_gpu.buffer, !tfrt_gpu.stream)
  %shape = ts.build_shape [0, 3]
  %t = tfrt_gpu.tensor.make.f32 %b, %shape, %c0
  %c1 = tfrt_gpu.tensor.print_metadata %t, %c0
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: 'errors'
func.func @errors() -> (!t.tensor, !t.tensor, !t.tensor) {
  %c0 = tfrt.new.chain
  %size = tfrt.constant.i64 16
  %b, %s = tfrt.call @buffer(%size) : (i64) -> (!tfrt_gpu.buffer, !tfrt_gpu.stream)
  %shape = ts.build_shape [5, 4]
  // expected-error @+1 {{tfrt_gpu.tensor.make failed: buffer_size (16) is not equal to the number of elements in shape ([5, 4]) times element size (4)}}
  %t = tfrt_gpu.tensor.make.f32 %b, %shape, %c0
  %huge = ts.build_shape [4611686018427387904]
  // expected-error @+1 {{tfrt_gpu.tensor.make failed: buffer_size (16) is not equal to the number of elements in shape ([4611686018427387904]) times element size (8)}}
  %u = tfrt_gpu.tensor.make.f64 %b, %huge, %c0
  %freed, %s2 = tfrt.call @buffer(%size) : (i64) -> (!tfrt_gpu.buffer, !tfrt_gpu.stream)
  %c1 = tfrt_gpu.mem.deallocate %freed, %s2, %c0
  %small = ts.build_shape [4]
  // expected-error @+1 {{Cannot make tensor from invalid (moved from?) buffer}}
  %v = tfrt_gpu.tensor.make.f32 %freed, %small, %c1
  tfrt.return %t, %u, %v : !t.tensor, !t.tensor, !t.tensor
}
