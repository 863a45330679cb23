// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'fail':
// CHECK-NEXT: 'fail' returned <<error: something bad happened>>
func.func @fail() -> i32 {
  // expected-error@+1 {{runtime error: something bad happened}}
  %r = "tfrt_test.fail"() : () -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'partial_fail':
// CHECK-NEXT: 'partial_fail' returned 1,<<error: something bad happened>>
func.func @partial_fail() -> (i32, i32) {
  // expected-error@+1 {{something bad happened}}
  %r, %s = "tfrt_test.partial_fail"() : () -> (i32, i32)
  tfrt.return %r, %s : i32, i32
}

// CHECK-LABEL: --- Running 'divide':
// CHECK-NEXT: 'divide' returned <<error: Divide by zero>>,<<error: Divide by zero>>,<<error: Divide by zero>>,<<error: Divide by zero>>
func.func @divide() -> (i32, i64, f32, f64) {
  %0 = tfrt.constant.i32 0
  %1 = tfrt.constant.i64 0
  %2 = tfrt.constant.f32 0.0
  %3 = tfrt.constant.f64 -0.0
  // expected-error@+1 {{Divide by zero}}
  %4, %5 = "tfrt.div.i32"(%0, %0) : (i32, i32) -> (i32, i32)
  // expected-error@+1 {{Divide by zero}}
  %6, %7 = "tfrt.div.i64"(%1, %1) : (i64, i64) -> (i64, i64)
  // expected-error@+1 {{Divide by zero}}
  %8 = "tfrt.div.f32"(%2, %2) : (f32, f32) -> f32
  // expected-error@+1 {{Divide by zero}}
  %9 = "tfrt.div.f64"(%3, %3) : (f64, f64) -> f64
  tfrt.return %4, %6, %8, %9 : i32, i64, f32, f64
}

// CHECK-LABEL: --- Running 'asynchronous':
// CHECK-NEXT: 'asynchronous' returned <<error: something bad happened asynchronously>>,<<error: something bad happened asynchronously>>,<<error: something bad happened asynchronously>>,0,0
func.func @asynchronous() -> (i32, i32, i32, i32, i32) {
  %zero = tfrt.constant.i32 0
  %one = tfrt.constant.i32 1
  // expected-error@+1 {{something bad happened asynchronously}}
  %a = "tfrt_test.report_error_async"() : () -> i32
  // expected-error@+1 {{something bad happened asynchronously}}
  %b = "tfrt_test.report_error_concrete_async"(%one) : (i32) -> i32
  // expected-error@+1 {{something bad happened asynchronously}}
  %c = "tfrt_test.report_error_indirect_async"(%one) : (i32) -> i32
  %d = "tfrt_test.report_error_concrete_async"(%zero) : (i32) -> i32
  %e = "tfrt_test.report_error_indirect_async"(%zero) : (i32) -> i32
  tfrt.return %a, %b, %c, %d, %e : i32, i32, i32, i32, i32
}

// CHECK-LABEL: --- Running 'error_chain':
// CHECK-NEXT: 'error_chain' returned <<error: error chain>>
func.func @error_chain() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  // expected-error@+1 {{error chain}}
  %c1 = "tfrt_test.error_chain"(%c0) : (!tfrt.chain) -> !tfrt.chain
  %c2 = "tfrt_test.print_hello"(%c1) : (!tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'no_device':
// CHECK-NEXT: 'no_device' returned <<error: cannot find device GPU:7>>
func.func @no_device() -> !tfrt.device {
  %c = tfrt.new.chain
  // expected-error@+1 {{cannot find device GPU:7}}
  %d = "tfrt.get_device"(%c) {device_name = "GPU:7"} : (!tfrt.chain) -> !tfrt.device
  tfrt.return %d : !tfrt.device
}

// CHECK-LABEL: --- Running 'no_file':
// CHECK-NEXT: 'no_file' returned <<error: failed to read from file /no/such/file>>
func.func @no_file() -> !tfrt.string {
  %path = tfrt_test.get_string {value = "/no/such/file"}
  // expected-error@+1 {{failed to read from file /no/such/file}}
  %s = "tfrt_test.read_string_from_file"(%path) : (!tfrt.string) -> !tfrt.string
  tfrt.return %s : !tfrt.string
}

// CHECK-LABEL: --- Running 'bad_format':
// CHECK-NEXT: 'bad_format' returned <<error: format '%s' needs exactly one integer conversion>>
func.func @bad_format() -> !tfrt.string {
  %format = tfrt_test.get_string {value = "%s"}
  %n = tfrt.constant.i32 7
  // expected-error@+1 {{format '%s' needs exactly one integer conversion}}
  %s = "tfrt_test.format_string"(%format, %n) : (!tfrt.string, i32) -> !tfrt.string
  tfrt.return %s : !tfrt.string
}

// CHECK-LABEL: --- Running 'bad_sum':
// CHECK-NEXT: 'bad_sum' returned <<error: Cannot convert 12x to target int>>,<<error: request has no data of type int>>
func.func @bad_sum() -> (i32, i32) {
  // expected-error@+1 {{Cannot convert 12x to target int}}
  %a = "tfrt_test.sum_array_attr.i32"() {a = "12x", b = [1 : i32]} : () -> i32
  // expected-error@+1 {{request has no data of type int}}
  %b = "tfrt_test.get_request_context_data.i32"() : () -> i32
  tfrt.return %a, %b : i32, i32
}

// CHECK-LABEL: --- Running 'wrong_type':
// CHECK-NEXT: 'wrong_type' returned <<error: argument 1 has type 'float', but the kernel takes 'int'>>
func.func @wrong_type() -> i32 {
  %a = tfrt.constant.i32 1
  %b = tfrt.constant.f32 1.0
  // expected-error@+1 {{argument 1 has type 'float', but the kernel takes 'int'}}
  %r = "tfrt_test.sum"(%a, %b) : (i32, f32) -> i32
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'forwarding':
// CHECK-NEXT: 'forwarding' returned <<error: cannot forward 1 values to 2 results>>
func.func @forwarding() -> i32 {
  %a = tfrt.constant.i32 1
  // expected-error@+1 {{cannot forward 1 values to 2 results}}
  %r, %s = "tfrt_test.multi_arg_result"(%a) : (i32) -> (i32, i32)
  tfrt.return %r : i32
}

// CHECK-LABEL: --- Running 'flat':
// CHECK-NEXT: 'flat' returned <<error: element 1 is not an array with an element 1>>,<<error: element 0 of element 0 is not a string>>,<<error: element 0 is not an aggregate>>
func.func @flat() -> (i32, i32, f32) {
  // expected-error@+1 {{element 1 is not an array with an element 1}}
  %a, %b, %c, %d = "tfrt_test.flat"() {value = [["s", [1 : i32]], [1.5 : f32]]} : () -> (!tfrt.string, i32, i32, f32)
  // expected-error@+1 {{element 0 of element 0 is not a string}}
  %e, %f, %g, %h = "tfrt_test.flat"() {value = [[[1.5 : f32], [1 : i32]], [1.5 : f32]]} : () -> (!tfrt.string, i32, i32, f32)
  // expected-error@+1 {{element 0 is not an aggregate}}
  %i, %j, %k, %l = "tfrt_test.flat"() {value = ["s", [1.5 : f32]]} : () -> (!tfrt.string, i32, i32, f32)
  tfrt.return %b, %g, %l : i32, i32, f32
}
