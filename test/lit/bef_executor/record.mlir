// A run recorded into a file: by a flag, by the environment, at a level; and what cannot be recorded.
// RUN: mlir_to_bef %s -o %t.bef
// RUN: bef_executor --record=%t.pftrace %t.bef | FileCheck %s
// RUN: tfrt_prof query %t.pftrace "SELECT type, name FROM span WHERE level IN ('kernel', 'model') AND kind = 'scope' ORDER BY begin_ns" | FileCheck %s --check-prefix=KERNEL
// RUN: bef_executor --record=%t.pftrace --level=model %t.bef | FileCheck %s
// RUN: tfrt_prof query %t.pftrace "SELECT type, name FROM span WHERE kind = 'scope' ORDER BY begin_ns" | FileCheck %s --check-prefix=MODEL
// RUN: rm %t.pftrace
// RUN: env TFRT_RECORD=%t.pftrace TFRT_RECORD_LEVEL=layer TFRT_RECORD_BUFFER_MB=1 TFRT_RECORD_PROPERTIES=model=sum bef_executor %t.bef | FileCheck %s
// RUN: tfrt_prof query %t.pftrace "SELECT value FROM property WHERE key IN ('level', 'model') ORDER BY key" | FileCheck %s --check-prefix=FACTS

// RUN: not bef_executor --record=%t.pftrace --level=op %t.bef 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not bef_executor --record=%t.missing/run.pftrace %t.bef 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not env TFRT_RECORD=%t.pftrace TFRT_RECORD_PROPERTIES=model bef_executor %t.bef 2>&1 | FileCheck %s --check-prefix=PROPERTY

// CHECK: int32 = 42
// KERNEL: bef_executor
// KERNEL: bef_executor.function add
// KERNEL: function add
// KERNEL: kernel tfrt.constant.i32
// KERNEL: kernel tfrt.add.i32
// KERNEL: kernel tfrt.print.i32
// MODEL: function add
// MODEL-NOT: tfrt.add.i32
// FACTS: layer
// FACTS: sum
// LEVEL: there is no level 'op': it is model, layer, kernel or metrics
// FOLDER: cannot write '{{.*}}.missing/run.pftrace': No such file or directory
// PROPERTY: TFRT_RECORD_PROPERTIES has a line 'model', which is not KEY=VALUE
func.func @add() {
  %x = tfrt.constant.i32 40
  %y = tfrt.constant.i32 2
  %sum = tfrt.add.i32 %x, %y
  %start = tfrt.new.chain
  %done = tfrt.print.i32 %sum, %start
  tfrt.return
}
