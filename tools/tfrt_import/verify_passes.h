// Looks for a pass that changes what a model computes.
#ifndef TFRT_TOOLS_TFRT_IMPORT_VERIFY_PASSES_H_
#define TFRT_TOOLS_TFRT_IMPORT_VERIFY_PASSES_H_

#include <string>

#include "lib/compiler/passes/graph/pipeline.h"
#include "mlir/IR/BuiltinOps.h"

namespace tfrt {

struct VerifyPassesOptions {
  std::string runner;       // the program tfrt_run
  double tolerance = 1e-3;  // differences up to tolerance * (1 + |expected|) are none
  int64_t size = 2;         // of inputs, where the model has a name for it
};

// Compiles the module, as compileGraph, and runs it before the first pass and after each pass. The
// runs have the same random inputs and are processes of the runner. A pass whose results differ
// from the earlier ones is reported on standard error, with the two model files, which are kept. A
// pass after which the model does not compile or run is reported likewise. Otherwise no file is
// left.
mlir::LogicalResult verifyPasses(mlir::ModuleOp module, const compiler::GraphPassOptions& passes,
                                 const VerifyPassesOptions& options);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_IMPORT_VERIFY_PASSES_H_
