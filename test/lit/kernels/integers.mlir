// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK-LABEL: --- Running 'i32':
// CHECK-NEXT: 'i32' returned 42,38,80,20,0
func.func @i32() -> (i32, i32, i32, i32, i32) {
  %a = tfrt.constant.i32 40
  %b = tfrt.constant.i32 2
  %sum = tfrt.add.i32 %a, %b
  %difference = "tfrt.minus.i32"(%a, %b) : (i32, i32) -> i32
  %product = tfrt.mul.i32 %a, %b
  %quotient, %rest = "tfrt.div.i32"(%a, %b) : (i32, i32) -> (i32, i32)
  tfrt.return %sum, %difference, %product, %quotient, %rest : i32, i32, i32, i32, i32
}

// CHECK-LABEL: --- Running 'i64':
// CHECK-NEXT: 'i64' returned -5,-9,-14,-3,-1
func.func @i64() -> (i64, i64, i64, i64, i64) {
  %a = tfrt.constant.i64 -7
  %b = tfrt.constant.i64 2
  %sum = tfrt.add.i64 %a, %b
  %difference = "tfrt.minus.i64"(%a, %b) : (i64, i64) -> i64
  %product = "tfrt.mul.i64"(%a, %b) : (i64, i64) -> i64
  %quotient, %rest = "tfrt.div.i64"(%a, %b) : (i64, i64) -> (i64, i64)
  tfrt.return %sum, %difference, %product, %quotient, %rest : i64, i64, i64, i64, i64
}

// CHECK-LABEL: --- Running 'wrap_around':
// CHECK-NEXT: 'wrap_around' returned -2147483648,-2147483648,0
func.func @wrap_around() -> (i32, i32, i32) {
  %max = tfrt.constant.i32 2147483647
  %one = tfrt.constant.i32 1
  %minus_one = tfrt.constant.i32 -1
  %min = tfrt.add.i32 %max, %one
  %quotient, %rest = "tfrt.div.i32"(%min, %minus_one) : (i32, i32) -> (i32, i32)
  tfrt.return %min, %quotient, %rest : i32, i32, i32
}

// CHECK-LABEL: --- Running 'comparisons':
// CHECK-NEXT: 'comparisons' returned 0,1,0,1,0
func.func @comparisons() -> (i1, i1, i1, i1, i1) {
  %a = tfrt.constant.i32 3
  %b = tfrt.constant.i32 4
  %c = tfrt.constant.i64 3
  %d = tfrt.constant.i64 4
  %0 = "tfrt.equal.i32"(%a, %b) : (i32, i32) -> i1
  %1 = "tfrt.lessequal.i32"(%a, %b) : (i32, i32) -> i1
  %2 = "tfrt.equal.i64"(%c, %d) : (i64, i64) -> i1
  %3 = "tfrt.lessequal.i64"(%c, %d) : (i64, i64) -> i1
  %4 = "tfrt.and.i1"(%0, %1) : (i1, i1) -> i1
  tfrt.return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// CHECK-LABEL: --- Running 'unsigned_values':
// CHECK-NEXT: 'unsigned_values' returned ui32 value,ui64 value
func.func @unsigned_values() -> (ui32, ui64) {
  %a = tfrt.constant.ui32 7
  %b = tfrt.constant.ui64 7
  tfrt.return %a, %b : ui32, ui64
}

// CHECK-LABEL: --- Running 'test_kernels':
// CHECK-NEXT: 'test_kernels' returned 2,3,4,9,6
func.func @test_kernels() -> (i32, i32, i32, i32, i64) {
  %one = tfrt.constant.i32 1
  %x, %y, %z = tfrt_test.count3.i32 %one
  %sum = "tfrt_test.sum"(%x, %y, %z) : (i32, i32, i32) -> i32
  %three = tfrt.constant.i64 3
  %p, %q, %r = tfrt_test.count3.i64 %three
  tfrt.return %x, %y, %z, %sum, %r : i32, i32, i32, i32, i64
}

// CHECK-LABEL: --- Running 'atomic':
// CHECK-NEXT: 'atomic' returned 11
func.func @atomic() -> i32 {
  %n = tfrt.constant.i32 10
  %counter = "tfrt_test.atomic.create.i32"() : () -> !test.atomic.i32
  %c0 = "tfrt_test.atomic.inc.i32"(%counter) : (!test.atomic.i32) -> !tfrt.chain
  %c1 = "tfrt_test.atomic.add.i32"(%counter, %n, %c0)
      : (!test.atomic.i32, i32, !tfrt.chain) -> !tfrt.chain
  %v, %c2 = "tfrt_test.atomic.get.i32"(%counter, %c1)
      : (!test.atomic.i32, !tfrt.chain) -> (i32, !tfrt.chain)
  tfrt.return %v : i32
}

// CHECK-LABEL: --- Running 'cost':
// CHECK-NEXT: id: 5
// CHECK-NEXT: 'cost' returned 0
func.func @cost() -> i32 {
  %n = tfrt.constant.i32 10
  %k = tfrt_test.test_cost %n {id = 5 : i64, _tfrt_cost = 3 : i64} : i32
  tfrt.return %k : i32
}
