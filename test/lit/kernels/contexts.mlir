// RUN: mlir_to_bef %s | bef_executor | FileCheck %s
// RUN: mlir_to_bef %s | bef_executor --work_queue_type=mstd:2 | FileCheck %s
// RUN: mlir_to_bef %s > %t.bef
// RUN: bef_executor --functions=logging %t.bef 2>&1 | FileCheck %s --check-prefix=LOG

// CHECK-LABEL: --- Running 'shared_context':
// CHECK-NEXT: string = sample_shared_context0
func.func @shared_context() -> !tfrt.chain {
  %c0 = tfrt.new.chain
  %s, %c1 = "tfrt_test.use_sample_shared_context"(%c0)
      : (!tfrt.chain) -> (!tfrt.string, !tfrt.chain)
  %c2 = "tfrt_test.print_string"(%s, %c1) : (!tfrt.string, !tfrt.chain) -> !tfrt.chain
  tfrt.return %c2 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'thread_id':
// CHECK-NEXT: 'thread_id' returned {{[0-9]+}}
func.func @thread_id() -> i32 {
  %c = tfrt.new.chain
  %id = "tfrt_test.get_thread_id"(%c) : (!tfrt.chain) -> i32
  tfrt.return %id : i32
}

// CHECK-LABEL: --- Running 'device':
// CHECK-NEXT: 'device' returned !tfrt.device value
func.func @device() -> !tfrt.device {
  %c = tfrt.new.chain
  %d = "tfrt.get_device"(%c) {device_name = "CPU:0"} : (!tfrt.chain) -> !tfrt.device
  tfrt.return %d : !tfrt.device
}

// CHECK-LABEL: --- Running 'debug_info':
// CHECK-NEXT: Kernel has no debug info
// CHECK-NEXT: the name
func.func @debug_info() -> !tfrt.chain {
  %c0 = "tfrt_test.print_debug_info"() : () -> !tfrt.chain
  %c1 = "tfrt_test.print_debug_info"(%c0) : (!tfrt.chain) -> !tfrt.chain loc("the name")
  tfrt.return %c1 : !tfrt.chain
}

// CHECK-LABEL: --- Running 'locations':
// CHECK-NEXT: 'locations' returned !tfrt.chain value,!tfrt.chain value
func.func @locations() -> (!tfrt.chain, !tfrt.chain) {
  %a = "tfrt_test.unique_loc"() {name = "a"} : () -> !tfrt.chain
  %b = "tfrt_test.unique_loc"() {name = "b"} : () -> !tfrt.chain
  tfrt.return %a, %b : !tfrt.chain, !tfrt.chain
}

// CHECK-LABEL: --- Running 'logging':
// CHECK-NEXT: 'logging' returned !tfrt.chain value
// LOG-DAG: I {{.*}}] from TFRT_LOG(INFO): text
// LOG-DAG: W {{.*}}] from TFRT_LOG(WARNING): text
// LOG-DAG: E {{.*}}] from TFRT_LOG(ERROR): text
// LOG-DAG: I {{.*}}] from TFRT_LOG_IF(INFO, true): text
// LOG-DAG: W {{.*}}] from TFRT_LOG_IF(WARNING, true): text
// LOG-DAG: E {{.*}}] from TFRT_LOG_IF(ERROR, true): text
func.func @logging() -> !tfrt.chain {
  %s = tfrt_test.get_string {value = "text"}
  %c = "tfrt_test.logging"(%s) : (!tfrt.string) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}
