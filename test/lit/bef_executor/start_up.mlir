// The first lines of standard output name the allocator and the work queue.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor %t.bef | FileCheck %s --match-full-lines --check-prefixes=LEAK,SINGLE,BODY
// RUN: bef_executor < %t.bef | FileCheck %s --match-full-lines --check-prefixes=LEAK,SINGLE,BODY
// RUN: bef_executor - < %t.bef | FileCheck %s --match-full-lines --check-prefixes=LEAK,SINGLE,BODY
// RUN: bef_executor --host_allocator_type=leak_check_allocator --work_queue_type=s %t.bef \
// RUN:   | FileCheck %s --match-full-lines --check-prefixes=LEAK,SINGLE,BODY
// RUN: bef_executor -host_allocator_type=malloc -work_queue_type=mstd:3 %t.bef \
// RUN:   | FileCheck %s --match-full-lines --check-prefixes=MALLOC,MULTI,BODY
// RUN: bef_executor --host_allocator_type profiled_allocator --work_queue_type mstd:3,5 %t.bef \
// RUN:   | FileCheck %s --match-full-lines --check-prefixes=PROFILED,MULTI5,BODY,PROFILE
// RUN: bef_executor --host_allocator_type=test_fixed_size_1k %t.bef 2>/dev/null \
// RUN:   | FileCheck %s --match-full-lines --check-prefixes=FIXED,SINGLE,BODY
// RUN: bef_executor_lite %t.bef | FileCheck %s --match-full-lines --check-prefixes=LEAK,SINGLE,BODY

// LEAK: Choosing memory leak check allocator.
// MALLOC: Choosing malloc.
// PROFILED: Choosing profiled allocator based on malloc.
// FIXED: Choosing fixed size malloc.
// SINGLE-NEXT: Choosing single-threaded work queue.
// MULTI-NEXT: Choosing Multi-threaded C++ work queue (3 threads, 256 blocking threads) work queue.
// MULTI5-NEXT: Choosing Multi-threaded C++ work queue (3 threads, 5 blocking threads) work queue.
// BODY-NEXT: --- Running 'main':
func.func @main() {
  tfrt.return
}
// PROFILE-NEXT: HostAllocator profile:
// PROFILE-NEXT: Current number of allocations = 0
// PROFILE-NEXT: Max number of allocations = {{[0-9]+}}
// PROFILE-NEXT: Total number of allocations = {{[0-9]+}}
// PROFILE-NEXT: Current number of bytes allocated = 0
// PROFILE-NEXT: Max number of bytes allocated = {{[0-9]+}}
