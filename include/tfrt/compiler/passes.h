// The passes of tfrt's compiler.
#ifndef TFRT_COMPILER_PASSES_H_
#define TFRT_COMPILER_PASSES_H_

namespace tfrt::compiler {

// Registers -tfrt-print-stream: remarks that show the streams of each function.
void registerTfrtPasses();

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_PASSES_H_
