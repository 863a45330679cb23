// The passes cannot convert these.
// RUN: tfrt_gpu_opt %s -split-input-file -verify-diagnostics -gpu-to-tfrt-gpu

// -func-tfrt-streamify: a call outside of a body, whose function has changed.
func.func @copy(%m: memref<4xf32>, %n: memref<4xf32>) {
  %t = gpu.wait async
  gpu.wait [%t]
  tfrt.return
}
func.func @call(%m: memref<4xf32>) {
  // expected-error@+1 {{failed to legalize operation 'tfrt.call' that was explicitly marked illegal}}
  tfrt.call @copy(%m, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  tfrt.return
}

// -----

func.func @loop(%go: i1, %x: i32) {
  // expected-error@+1 {{failed to legalize operation 'tfrt.while' that was explicitly marked illegal}}
  %r = tfrt.while %go @unknown(%x) parallel_iterations(1) : (i32) -> (i32)
  tfrt.return
}

// -----

// The function does not take what is left of the operands.
func.func private @other(!tfrt.chain, !tfrt_gpu.stream, f32) -> (!tfrt.chain, !tfrt_gpu.stream, i32, i1)
func.func @fit(%go: i1, %x: i32) -> i32 {
  %r = tfrt_gpu.streamify {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    // expected-error@+1 {{failed to legalize operation 'tfrt.while' that was explicitly marked illegal}}
    %y = tfrt.while %go @other(%x) parallel_iterations(1) : (i32) -> (i32)
    tfrt.return %c, %y : !tfrt.chain, i32
  } : i32
  tfrt.return %r : i32
}

// -----

// The body has no stream.
func.func @empty() {
  tfrt.return
}
tfrt_gpu.streamify {
^bb0(%c: !tfrt.chain):
  // expected-error@+1 {{failed to legalize operation 'tfrt.call' that was explicitly marked illegal}}
  tfrt.call @empty() : () -> ()
  tfrt.return %c : !tfrt.chain
}

// -----

// -gpu-tfrt-streamify: a wait of the host; one for nothing; one for a token that nothing tells about.
func.func @host(%t: !gpu.async.token) {
  // expected-error@+1 {{failed to legalize operation 'gpu.wait' that was explicitly marked illegal}}
  gpu.wait [%t]
  tfrt.return
}

// -----

func.func @nothing(%x: i32) {
  // expected-error@+1 {{failed to legalize operation 'gpu.wait' that was explicitly marked illegal}}
  %t = gpu.wait async
  tfrt.return
}

// -----

func.func @token(%t: !gpu.async.token) {
  // expected-error@+1 {{failed to legalize operation 'gpu.wait' that was explicitly marked illegal}}
  %u = gpu.wait async [%t]
  tfrt.return
}

// -----

func.func @two_streams(%c: !tfrt.chain, %s: !tfrt_gpu.stream) {
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.wait' that was explicitly marked illegal}}
  %u = gpu.wait async [%t, %t]
  tfrt.return
}

// -----

// There is no stream from which to learn the context.
func.func @no_context(%c: !tfrt.chain, %e: !tfrt_gpu.event) {
  %t = builtin.unrealized_conversion_cast %c, %e : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.wait' that was explicitly marked illegal}}
  %u = gpu.wait async [%t]
  tfrt.return
}

// -----

// Ops that are not asynchronous, or whose first token is that of an event.
func.func @synchronous(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %m: memref<f32>) {
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.memcpy' that was explicitly marked illegal}}
  gpu.memcpy [%t] %m, %m : memref<f32>, memref<f32>
  tfrt.return
}

// -----

func.func @of_event(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %e: !tfrt_gpu.event, %m: memref<f32>) {
  %t = builtin.unrealized_conversion_cast %c, %e : !tfrt.chain, !tfrt_gpu.event to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.dealloc' that was explicitly marked illegal}}
  %u = gpu.dealloc async [%t] %m : memref<f32>
  tfrt.return
}

// -----

func.func @wide_value(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %m: memref<f64>, %x: f64) {
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.memset' that was explicitly marked illegal}}
  %u = gpu.memset async [%t] %m, %x : memref<f64>, f64
  tfrt.return
}

// -----

func.func @unknown_size(%c: !tfrt.chain, %s: !tfrt_gpu.stream, %n: index) {
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.alloc' that was explicitly marked illegal}}
  %m, %u = gpu.alloc async [%t] (%n) : memref<?xf32>
  tfrt.return
}

// -----

func.func @elements_without_size(%c: !tfrt.chain, %s: !tfrt_gpu.stream) {
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'gpu.alloc' that was explicitly marked illegal}}
  %m, %u = gpu.alloc async [%t] () : memref<4xindex>
  tfrt.return
}

// -----

// Loads: outside of a body, of a type that is not loaded, of more than one element.
func.func @load(%m: memref<i32>) {
  // expected-error@+1 {{failed to legalize operation 'memref.load' that was explicitly marked illegal}}
  %x = memref.load %m[] : memref<i32>
  tfrt.return
}

// -----

func.func @load_float(%t: !gpu.async.token, %m: memref<f32>) {
  %u = tfrt_gpu.streamify async [%t] {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    // expected-error@+1 {{failed to legalize operation 'memref.load' that was explicitly marked illegal}}
    %x = memref.load %m[] : memref<f32>
    tfrt.return %c : !tfrt.chain
  }
  tfrt.return
}

// -----

func.func @load_one_of_many(%t: !gpu.async.token, %m: memref<2xi32>, %i: index) {
  %u = tfrt_gpu.streamify async [%t] {
  ^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
    // expected-error@+1 {{failed to legalize operation 'memref.load' that was explicitly marked illegal}}
    %x = memref.load %m[%i] : memref<2xi32>
    tfrt.return %c : !tfrt.chain
  }
  tfrt.return
}

// -----

// A body of which nothing says on what stream it is to run, and one with more arguments.
// expected-error@+1 {{failed to legalize operation 'tfrt_gpu.streamify' that was explicitly marked illegal}}
tfrt_gpu.streamify {
^bb0(%c: !tfrt.chain, %s: !tfrt_gpu.stream):
  tfrt.return %c : !tfrt.chain
}

// -----

func.func @argument(%c: !tfrt.chain, %s: !tfrt_gpu.stream) {
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  // expected-error@+1 {{failed to legalize operation 'tfrt_gpu.streamify' that was explicitly marked illegal}}
  %u = tfrt_gpu.streamify async [%t] {
  ^bb0(%c0: !tfrt.chain, %s0: !tfrt_gpu.stream, %x: i32):
    tfrt.return %c0 : !tfrt.chain
  }
  tfrt.return
}

// -----

// Globals: only declared, of elements without a kernel; one in a function without a stream.
// expected-error@+1 {{failed to legalize operation 'memref.global' that was explicitly marked illegal}}
memref.global "private" @declared : memref<2xf32>

// -----

// expected-error@+1 {{failed to legalize operation 'memref.global' that was explicitly marked illegal}}
memref.global @signed : memref<2xsi32> = dense<1>

// -----

memref.global @table : memref<f32> = dense<1.0>
func.func @get_global() -> memref<f32> {
  // expected-error@+1 {{failed to legalize operation 'memref.get_global' that was explicitly marked illegal}}
  %m = memref.get_global @table : memref<f32>
  tfrt.return %m : memref<f32>
}

// -----

// Of two modules one has no code; a constant that is none.
gpu.module @compiled attributes {binary = "image"} {}
// expected-error@+1 {{failed to legalize operation 'gpu.module' that was explicitly marked illegal}}
gpu.module @source {}

// -----

// expected-error@+1 {{failed to legalize operation 'gpu.module' that was explicitly marked illegal}}
gpu.module @code attributes {binary = "image", constants = [@missing]} {}

// -----

func.func @other_op() {
  // expected-error@+1 {{failed to legalize operation 'gpu.barrier' that was explicitly marked illegal}}
  gpu.barrier
  tfrt.return
}

// -----

// -cast-tfrt-streamify: what nothing makes, an event without a context, a number that is not known.
func.func @cast(%m: memref<f32>) -> !tfrt_gpu.buffer {
  // expected-error@+1 {{failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal}}
  %b = builtin.unrealized_conversion_cast %m : memref<f32> to !tfrt_gpu.buffer
  tfrt.return %b : !tfrt_gpu.buffer
}

// -----

func.func @event(%s: !tfrt_gpu.stream, %c: !tfrt.chain) -> !tfrt_gpu.event {
  // expected-error@+1 {{failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal}}
  %t = builtin.unrealized_conversion_cast %c, %s : !tfrt.chain, !tfrt_gpu.stream to !gpu.async.token
  %d, %e = builtin.unrealized_conversion_cast %t : !gpu.async.token to !tfrt.chain, !tfrt_gpu.event
  tfrt.return %e : !tfrt_gpu.event
}

// -----

func.func @number(%n: index) -> ui64 {
  // expected-error@+1 {{failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal}}
  %0 = builtin.unrealized_conversion_cast %n : index to ui64
  tfrt.return %0 : ui64
}

// -----

// -async-to-tfrt: a token that something else needs; other ops.
func.func @kept_token() -> !async.token {
  // expected-error@+1 {{failed to legalize operation 'async.execute' that was explicitly marked illegal}}
  %t = async.execute {
    async.yield
  }
  tfrt.return %t : !async.token
}

// -----

func.func @group(%n: index) {
  // expected-error@+1 {{failed to legalize operation 'async.create_group' that was explicitly marked illegal}}
  %g = async.create_group %n : !async.group
  tfrt.return
}
