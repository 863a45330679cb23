// RUN: tfrt_translate -mlir-to-bef -split-input-file -verify-diagnostics %s -o /dev/null

// expected-error@+1 {{external functions are not allowed}}
func.func private @external(i32) -> i32

// The walk goes on after an error.
// expected-error@+1 {{external functions are not allowed}}
func.func private @another()

// -----

func.func @no_return() {
  // expected-error@+1 {{all functions need to have a tfrt.return}}
  "tfrt_test.last"() : () -> ()
}

// -----

func.func @outer_value(%a: i32) {
  "tfrt_test.region"() ({
    // expected-error@+1 {{BEF executor only supports references to kernels within the current region}}
    "tfrt_test.use"(%a) : (i32) -> ()
    tfrt.return
  }) : () -> ()
  tfrt.return
}

// -----

// expected-error@+1 {{multi-block regions cannot be emitted to BEF files}}
func.func @blocks() {
  "cf.br"()[^bb1] : () -> ()
^bb1:
  tfrt.return
}

// -----

func.func @unit_attribute() {
  // expected-error@+1 {{BEF files cannot encode the 'flag' attribute}}
  "tfrt_test.op"() {flag} : () -> ()
  // Only the first one is reported.
  "tfrt_test.op"() {another_flag} : () -> ()
  tfrt.return
}

// -----

func.func @kinds_of_attributes() {
  // expected-error@+1 {{BEF files cannot encode the 'a' attribute}}
  "tfrt_test.op"() {a = 1 : index} : () -> ()
  tfrt.return
}

// -----

func.func @dictionary() {
  // expected-error@+1 {{BEF files cannot encode the 'd' attribute}}
  "tfrt_test.op"() {d = {x = 1 : i32}} : () -> ()
  tfrt.return
}

// -----

func.func @odd_width() {
  // expected-error@+1 {{BEF files cannot encode the 'w' attribute}}
  "tfrt_test.op"() {w = 1 : i24} : () -> ()
  tfrt.return
}

// -----

func.func @resource_without_elements() {
  // expected-error@+1 {{the resource 'unknown' has no elements}}
  "tfrt_test.op"() {a = dense_resource<unknown> : tensor<2xf32>} : () -> ()
  tfrt.return
}

// -----

func.func @resource_of_another_size() {
  // expected-error@+1 {{the resource 'short' has 4 bytes, but 'tensor<2xf32>' needs 8}}
  "tfrt_test.op"() {a = dense_resource<short> : tensor<2xf32>} : () -> ()
  tfrt.return
}
{-# dialect_resources: { builtin: { short: "0x040000000000803F" } } #-}

// -----

// expected-error@+1 {{argument 1 has a graph.name, but argument 0 has none}}
func.func @name_behind_none(%a: tensor<f32>, %b: tensor<f32> {graph.name = "b"}) {
  tfrt.return
}

// -----

// expected-error@+1 {{'a' has a graph.name, but no type of tensors: 'i32'}}
func.func @name_of_a_number(%a: i32 {graph.name = "a"}) {
  tfrt.return
}

// -----

// expected-error@+1 {{'a' has 1 names of sizes, but rank 2}}
func.func @too_few_names(%a: tensor<?x?xf32> {graph.name = "a", graph.dims = ["n"]}) {
  tfrt.return
}

// -----

func.func @tensor_type() {
  // expected-error@+1 {{BEF files cannot encode the 't' attribute}}
  "tfrt_test.op"() {t = tensor<2xi32>} : () -> ()
  tfrt.return
}

// -----

func.func @unknown_callee() {
  // expected-error@+1 {{function @nobody not defined}}
  "tfrt_test.op"() {f = @nobody} : () -> ()
  tfrt.return
}

// -----

func.func @returned_argument(%a: i32) -> i32 attributes {tfrt.sync} {
  // expected-error@+1 {{return value 0 is an argument in a sync function}}
  tfrt.return %a : i32
}

// -----

func.func @returned_twice() -> (i32, i32) attributes {tfrt.sync} {
  %a = "tfrt.constant_s.i32"() {value = 1 : i32} : () -> i32
  // expected-error@+1 {{return value 1 is duplicated in a sync function}}
  tfrt.return %a, %a : i32, i32
}

// -----

// expected-error@+1 {{BEF files cannot encode 'tfrt_test.op' outside of functions}}
"tfrt_test.op"() : () -> ()

// -----

func.func @uses_nothing() {
  tfrt.return
}

// expected-warning@+1 {{nothing refers to this compiled module: the BEF file leaves it out}}
module @unused attributes {tfrt.compiled} {}
