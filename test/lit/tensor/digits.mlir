// The example's network on three of its images, without the example's program around it.

// RUN: mlir_to_bef %S/../../../examples/digits/digits.mlir | bef_executor | FileCheck %s
// RUN: mlir_to_bef %S/../../../examples/digits/digits.mlir | bef_executor --work_queue_type=mstd:2 | FileCheck %s

// CHECK: --- Not running 'network' because it has arguments.
// CHECK: --- Not running 'classify' because it has arguments.
// CHECK: --- Running 'main':
// CHECK-NEXT: [3, 10]
// CHECK-NEXT: DenseHostTensor dtype = i32, shape = [3], values = [1, 5, 6]
