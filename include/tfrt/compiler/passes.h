// The passes of tfrt's compiler.
#ifndef TFRT_COMPILER_PASSES_H_
#define TFRT_COMPILER_PASSES_H_

namespace tfrt::compiler {

// Registers -tfrt-print-stream: remarks that show the streams of each function; and
// -tfrt-plan-memory: tensors of known shape share one buffer per function (plan_memory.h), with
// remarks that say what was gained.
void registerTfrtPasses();

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_PASSES_H_
