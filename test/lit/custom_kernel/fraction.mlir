// RUN: mlir_to_bef %source_dir/examples/custom_kernel/fraction.mlir > %t.bef
// RUN: bef_executor --shared_libs=%build_dir/examples/custom_kernel/libcustom_kernels.so %t.bef | FileCheck %s
// RUN: bef_executor --shared_libs=%build_dir/examples/custom_kernel/libcustom_kernels.so --work_queue_type=mstd:2 %t.bef | FileCheck %s
// Without the library the kernels are unknown, one without RegisterKernels and one loaded twice are refused.
// RUN: not bef_executor %t.bef 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not bef_executor --shared_libs=%build_dir/examples/custom_kernel/libno_kernels.so %t.bef 2>&1 | FileCheck %s --check-prefix=NO-SYMBOL
// RUN: not bef_executor --shared_libs=%build_dir/examples/custom_kernel/libcustom_kernels.so,%build_dir/examples/custom_kernel/libcustom_kernels.so %t.bef 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not bef_executor --shared_libs=/no/such/library.so %t.bef 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: --- Running 'fractions':
// CHECK-NEXT: 1/6
// CHECK-NEXT: 1/2
// CHECK-NEXT: 'fractions' returned !tfrt.chain value

// UNKNOWN: unknown kernel name 'example.fraction.
// NO-SYMBOL: couldn't load library {{.*}}has no C symbol 'RegisterKernels'
// TWICE: couldn't load library {{.*}}kernel 'example.fraction.constant' is registered twice
// MISSING: couldn't load library {{.*}}/no/such/library.so
