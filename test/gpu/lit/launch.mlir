// Device code and its launch.
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

// CHECK-LABEL: 'add'
// CHECK-NEXT: values = [1.100000e+01, 2.200000e+01, 3.300000e+01, 4.400000e+01]
func.func @add() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 16
  %a = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %b = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %out = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %ha = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  %c1 = tfrt_dht.set_tensor_with_constant_values.f32 %ha, %c0 [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32]
  %hb = tfrt_dht.create_uninitialized_tensor.f32.1 [4]
  %c2 = tfrt_dht.set_tensor_with_constant_values.f32 %hb, %c0 [10.0 : f32, 20.0 : f32, 30.0 : f32, 40.0 : f32]
  %ba, %c3 = tfrt_dht.get_buffer %ha, %c1
  %bb, %c4 = tfrt_dht.get_buffer %hb, %c2
  %c5 = tfrt_gpu.mem.copy %a, %ba, %s, %c3 : !tfrt_gpu.buffer, !ht.host_buffer
  %c6 = tfrt_gpu.mem.copy %b, %bb, %s, %c4 : !tfrt_gpu.buffer, !ht.host_buffer
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry add(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b32 %r<3>; .reg .b64 %d<8>; .reg .f32 %f<4>;\nld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];\nmov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\nld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\nret;\n}\n\00"}
  // Names end at their first zero byte.
  %f = tfrt_gpu.module.get_function %m {name = "add\00"}
  %one = tfrt.constant.ui64 1
  %four = tfrt.constant.ui64 4
  %none = tfrt.constant.ui32 0
  %c7 = tfrt.merge.chains %c5, %c6 : !tfrt.chain, !tfrt.chain
  %c8 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%four, %one, %one), %none, %c7, args(%out, %a, %b) : (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer)
  %bo, %c9 = tfrt_dht.get_buffer %ha, %c8
  %c10 = tfrt_gpu.mem.copy %bo, %out, %s, %c9 : !ht.host_buffer, !tfrt_gpu.buffer
  %c11 = tfrt_dht.print_tensor %ha, %c10
  tfrt.return %c11 : !tfrt.chain
}

// The order of streams is the event's; the kernel's buffers may be views.
// CHECK-LABEL: 'two_streams'
// CHECK-NEXT: values = [3.500000e+00, 3.500000e+00]
func.func @two_streams() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %t = tfrt_gpu.stream.create %ctx
  %size = tfrt.constant.i64 24
  %all = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %zero = tfrt.constant.ui64 0
  %eight = tfrt.constant.ui64 8
  %sixteen = tfrt.constant.ui64 16
  %a = tfrt_gpu.mem.view %all, %zero, %eight
  %b = tfrt_gpu.mem.view %all, %eight, %eight
  %out = tfrt_gpu.mem.view %all, %sixteen, %eight
  %x = tfrt.constant.f32 1.5
  %y = tfrt.constant.f32 2.0
  %c1 = tfrt_gpu.mem.set %a, %x, %s, %c0 : f32
  %c2 = tfrt_gpu.mem.set %b, %y, %s, %c1 : f32
  %ev = tfrt_gpu.event.create %ctx
  %c3 = tfrt_gpu.event.record %ev, %s, %c2
  %c4 = tfrt_gpu.stream.wait %t, %ev, %c3
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry add(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b32 %r<3>; .reg .b64 %d<8>; .reg .f32 %f<4>;\nld.param.u64 %d1, [out]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b];\nmov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\nld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7]; add.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;\nret;\n}\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "add"}
  %one = tfrt.constant.ui64 1
  %two = tfrt.constant.ui64 2
  %none = tfrt.constant.ui32 0
  %c5 = tfrt_gpu.function.launch %t, %f, blocks in (%one, %one, %one), threads in (%two, %one, %one), %none, %c4, args(%out, %a, %b) : (!tfrt_gpu.buffer, !tfrt_gpu.buffer, !tfrt_gpu.buffer)
  %h = tfrt_dht.create_uninitialized_tensor.f32.1 [2]
  %hb, %c6 = tfrt_dht.get_buffer %h, %c5
  %c7 = tfrt_gpu.mem.copy %hb, %out, %t, %c6 : !ht.host_buffer, !tfrt_gpu.buffer
  %c8 = tfrt_dht.print_tensor %h, %c7
  tfrt.return %c8 : !tfrt.chain
}

// Numbers of every width that programs have constants of.
// CHECK-LABEL: 'arguments'
// CHECK-NEXT: values = [-7, 2, -3, 5, 1, 300]
func.func @arguments() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 24
  %out = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry store(.param .u64 out, .param .s32 i, .param .f32 f, .param .f64 d, .param .s64 l, .param .u8 b, .param .u32 h) {\n.reg .b16 %h<2>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<3>; .reg .f64 %e<3>;\nld.param.u64 %d1, [out];\nld.param.s32 %r1, [i]; st.global.s32 [%d1], %r1;\nld.param.f32 %f1, [f]; cvt.rzi.s32.f32 %r2, %f1; st.global.s32 [%d1+4], %r2;\nld.param.f64 %e1, [d]; cvt.rzi.s32.f64 %r3, %e1; st.global.s32 [%d1+8], %r3;\nld.param.s64 %d2, [l]; cvt.u32.u64 %r4, %d2; st.global.s32 [%d1+12], %r4;\nld.param.u8 %r5, [b]; st.global.s32 [%d1+16], %r5;\nld.param.u32 %r6, [h]; st.global.s32 [%d1+20], %r6;\nret;\n}\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "store"}
  %one = tfrt.constant.ui64 1
  %none = tfrt.constant.ui32 0
  %i = tfrt.constant.i32 -7
  %g = tfrt.constant.f32 2.5
  %d = tfrt.constant.f64 -3.5
  %l = tfrt.constant.i64 5
  %b = tfrt.constant.i1 true
  %h = tfrt.constant.ui32 300
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c0, args(%out, %i, %g, %d, %l, %b, %h) : (!tfrt_gpu.buffer, i32, f32, f64, i64, i1, ui32)
  %t = tfrt_dht.create_uninitialized_tensor.i32.1 [6]
  %tb, %c2 = tfrt_dht.get_buffer %t, %c1
  %c3 = tfrt_gpu.mem.copy %tb, %out, %s, %c2 : !ht.host_buffer, !tfrt_gpu.buffer
  %c4 = tfrt_dht.print_tensor %t, %c3
  tfrt.return %c4 : !tfrt.chain
}

// Variables of a module: written by the host, changed by the kernel, read by both. Page-locked memory as an argument.
// CHECK-LABEL: 'globals'
// CHECK-NEXT: {{^}}GpuBuffer<pointer=0x{{[0-9a-f]+}} (CUDA), size=4>'globals' returned 3,42
func.func @globals() -> (i32, i32) {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 4
  %out = tfrt_gpu.mem.allocate_host %ctx, %size, %c0
  %copy = tfrt_gpu.mem.allocate_host %ctx, %size, %c0
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.4\n.target sm_60\n.address_size 64\n.visible .const .align 4 .f32 factor = 0f40400000;\n.visible .global .align 4 .u32 counter;\n.visible .entry count(.param .u64 out) {\n.reg .b32 %r<3>; .reg .b64 %d<3>; .reg .f32 %f<2>;\nld.param.u64 %d1, [out];\nmov.u64 %d2, counter; ld.global.u32 %r1, [%d2]; add.u32 %r1, %r1, 1; st.global.u32 [%d2], %r1;\nld.const.f32 %f1, [factor]; cvt.rzi.s32.f32 %r2, %f1; st.global.u32 [%d1], %r2;\nret;\n}\n\00"}
  %factor = tfrt_gpu.module.get_global %m {name = "factor"}
  %counter = tfrt_gpu.module.get_global %m {name = "counter\00"}
  %c1 = tfrt_gpu.mem.print_metadata %factor, %c0
  %v = tfrt.constant.i32 41
  %c2 = tfrt_gpu.mem.set %counter, %v, %s, %c1 : i32
  %f = tfrt_gpu.module.get_function %m {name = "count"}
  %one = tfrt.constant.ui64 1
  %none = tfrt.constant.ui32 0
  %c3 = tfrt_gpu.function.launch %s, %f, blocks in (%one, %one, %one), threads in (%one, %one, %one), %none, %c2, args(%out) : (!tfrt_gpu.buffer)
  %c4 = tfrt_gpu.mem.copy %copy, %counter, %s, %c3 : !tfrt_gpu.buffer, !tfrt_gpu.buffer
  // Gives up the value, not the module's variable.
  %c5 = tfrt_gpu.mem.deallocate %counter, %s, %c4
  %c6 = tfrt_gpu.stream.synchronize %s, %c5
  %i = tfrt_gpu.mem.load %out, %c6 : i32
  %j = tfrt_gpu.mem.load %copy, %c6 : i32
  tfrt.return %i, %j : i32, i32
}

// Sizes that the compiler knows, and the same ones from elsewhere.
// CHECK-LABEL: 'sizes'
// CHECK-NEXT: values = [3005, 3005]
func.func private @three_and_five() -> (ui64, ui64, ui32) {
  %three = tfrt.constant.ui64 3
  %five = tfrt.constant.ui64 5
  %none = tfrt.constant.ui32 0
  tfrt.return %three, %five, %none : ui64, ui64, ui32
}
func.func @sizes() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %ctx, %s, %al = tfrt.call @open() : () -> (!tfrt_gpu.context, !tfrt_gpu.stream, !tfrt_gpu.allocator)
  %size = tfrt.constant.i64 8
  %all = tfrt_gpu.mem.allocate %al, %s, %size, %c0
  %zero = tfrt.constant.ui64 0
  %four = tfrt.constant.ui64 4
  %a = tfrt_gpu.mem.view %all, %zero, %four
  %b = tfrt_gpu.mem.view %all, %four, %four
  %m = tfrt_gpu.module.load %ctx {data = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry size(.param .u64 out) {\n.reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>;\nmov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; or.b32 %r1, %r1, %r2;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\nld.param.u64 %d1, [out]; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ntid.x;\nmad.lo.u32 %r3, %r1, 1000, %r2; st.global.u32 [%d1], %r3;\nret;\n}\n\00"}
  %f = tfrt_gpu.module.get_function %m {name = "size"}
  %one = tfrt.constant.ui64 1
  %three = tfrt.constant.ui64 3
  %five = tfrt.constant.ui64 5
  %none = tfrt.constant.ui32 0
  %c1 = tfrt_gpu.function.launch %s, %f, blocks in (%three, %one, %one), threads in (%five, %one, %one), %none, %c0, args(%a) : (!tfrt_gpu.buffer)
  %x, %y, %bytes = tfrt.call @three_and_five() : () -> (ui64, ui64, ui32)
  %c2 = tfrt_gpu.function.launch %s, %f, blocks in (%x, %one, %one), threads in (%y, %one, %one), %bytes, %c1, args(%b) : (!tfrt_gpu.buffer)
  %t = tfrt_dht.create_uninitialized_tensor.i32.1 [2]
  %tb, %c3 = tfrt_dht.get_buffer %t, %c2
  %c4 = tfrt_gpu.mem.copy %tb, %all, %s, %c3 : !ht.host_buffer, !tfrt_gpu.buffer
  %c5 = tfrt_dht.print_tensor %t, %c4
  tfrt.return %c5 : !tfrt.chain
}
