// What the kernels of modules and launches refuse, and how a kernel fails.
// RUN: tfrt_gpu_translate -mlir-to-bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s
// RUN: bef_executor -work_queue_type=mstd:2 %t.bef | FileCheck %s

func.func @open() -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator) {
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.primary %dev
  %s = tfrt_gpu.stream.create %ctx
  %al = tfrt_gpu.allocator.create %ctx
  tfrt.return %ctx, %s, %al : !tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator
}

// CHECK-LABEL: 'images'
func.func @images() -> (!tfrt_gpu.module, !tfrt_gpu.module, !tfrt_gpu.module) {
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  // expected-error @+1 {{data attribute must be null-terminated}}
  %a = tfrt_gpu.module.load %ctx {data = ".version 6.0"}
  // expected-error @+1 {{data attribute must be null-terminated}}
  %b = tfrt_gpu.module.load %ctx {data = ""}
  // expected-error @+1 {{CUDA_ERROR_INVALID_IMAGE}}
  %c = tfrt_gpu.module.load %ctx {data = "no code\00"}
  tfrt.return %a, %b, %c : !tfrt_gpu.module, !tfrt_gpu.module, !tfrt_gpu.module
}

// CHECK-LABEL: 'names'
func.func @names() -> (!tfrt_gpu.buffer, !tfrt_gpu.function) {
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry add(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b32 %r<3>; .reg .b64 %d<8>; .reg .f32 %f<4>;\nld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];\nmov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\nld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\nret;\n}\n\00"}
  // expected-error @+1 {{CUDA_ERROR_NOT_FOUND}}
  %g = tfrt_gpu.module.get_global %m {name = "add"}
  // expected-error @+1 {{CUDA_ERROR_NOT_FOUND}}
  %f = tfrt_gpu.module.get_function %m {name = "subtract"}
  tfrt.return %g, %f : !tfrt_gpu.buffer, !tfrt_gpu.function
}

// CHECK-LABEL: 'launches'
func.func @launches() -> (!tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry add(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b32 %r<3>; .reg .b64 %d<8>; .reg .f32 %f<4>;\nld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];\nmov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\nld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\nret;\n}\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "add"}
  %zero = tfrt.constant.ui64 0
  %one = tfrt.constant.ui64 1
  %none = tfrt.constant.ui32 0
  %x = tfrt.constant.i32 0
  // expected-error @+1 {{kernel 'add' takes 3 arguments, not 1}}
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c0, args(%x) : (i32)
  // expected-error @+1 {{argument 0 of kernel 'add' has 8 bytes, not 4}}
  %c2 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c0, args(%x, %x, %x) : (i32, i32, i32)
  // expected-error @+1 {{Unsupported argument type}}
  %c3 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c0, args(%s, %x, %x) : (!tfrt_gpu.stream, i32, i32)
  %y = tfrt.constant.i64 0
  // expected-error @+1 {{kernel 'add' has a grid without blocks}}
  %c4 = tfrt_gpu.function.launch %s, %f, blocks in (%zero, %one, %one), threads in (%one, %one, %one), %none, %c0, args(%y, %y, %y) : (i64, i64, i64)
  // Sizes have 32 bits.
  %wide = tfrt.constant.ui64 4294967297
  // expected-error @+1 {{a launch of 4294967297 threads along a dimension}}
  %c5 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%wide, %one, %one), %none, %c0, args(%y, %y, %y) : (i64, i64, i64)
  // expected-error @+1 {{a launch of 4294967297 blocks along a dimension}}
  %c6 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %wide, %one), threads in (%one, %one, %one), %none, %c0, args(%y, %y, %y) : (i64, i64, i64)
  // expected-error @+1 {{kernel 'add' has blocks without threads}}
  %c7 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%zero, %one, %one), %none, %c0, args(%y, %y, %y) : (i64, i64, i64)
  tfrt.return %c1, %c2, %c3, %c4, %c5, %c6, %c7 : !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: 'limits'
func.func @limits() -> (!tfrt.chain, !tfrt.chain) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry add(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b32 %r<3>; .reg .b64 %d<8>; .reg .f32 %f<4>;\nld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];\nmov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\nld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\nret;\n}\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "add"}
  %one = tfrt.constant.ui64 1
  %many = tfrt.constant.ui64 2048
  %none = tfrt.constant.ui32 0
  %much = tfrt.constant.ui32 1073741824
  %y = tfrt.constant.i64 0
  // expected-error-re @+1 {{kernel 'add' runs in blocks of up to {{[0-9]+}} threads, not 2048 x 1 x 1}}
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%many, %one, %one), %none, %c0, args(%y, %y, %y) : (i64, i64, i64)
  // expected-error-re @+1 {{kernel 'add' can have up to {{[0-9]+}} bytes of dynamic shared memory, not 1073741824}}
  %c2 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %much, %c0, args(%y, %y, %y) : (i64, i64, i64)
  tfrt.return %c1, %c2 : !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: 'contexts'
func.func @contexts() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %own = tfrt_gpu.context.create %dev
  %m = tfrt_gpu.module.load %own {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry add(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b32 %r<3>; .reg .b64 %d<8>; .reg .f32 %f<4>;\nld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];\nmov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\nld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\nret;\n}\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "add"}
  %one = tfrt.constant.ui64 1
  %none = tfrt.constant.ui32 0
  // expected-error @+1 {{stream and function are of different contexts}}
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c0
  tfrt.return %c1 : !tfrt.chain
}

// The kernel's error appears where the program waits, and stays: in a context of its own, for the others' sake.
// CHECK-LABEL: 'fault'
// CHECK: 'fault' returned <<error: {{.*}}CUDA_ERROR_{{.*}}>>,!tfrt_gpu.stream value
func.func @fault() -> (!tfrt.chain, !tfrt_gpu.stream) {
  %c0 = tfrt.new.chain
  %n = tfrt.constant.i32 0
  %dev = tfrt_gpu.device.get CUDA, %n
  %ctx = tfrt_gpu.context.create %dev
  %s = tfrt_gpu.stream.create %ctx
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry stop() { trap; ret; }\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "stop"}
  %one = tfrt.constant.ui64 1
  %none = tfrt.constant.ui32 0
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c0
  // expected-error @+1 {{tfrt_gpu.function.launch}}
  %c2 = tfrt_gpu.stream.synchronize %s, %c1
  tfrt.return %c2, %s : !tfrt.chain, !tfrt_gpu.stream
}
