// The passes that make programs of tfrt_gpu: their names, texts and options.
#ifndef TFRT_LIB_COMPILER_GPU_GPU_PASSES
#define TFRT_LIB_COMPILER_GPU_GPU_PASSES

include "mlir/Pass/PassBase.td"

class Gpu_FunctionPass<string name, string text> : Pass<name, "::mlir::func::FuncOp"> {
  let summary = text;
  let dependentDialects = ["TfrtGpuDialect"];
}
class Gpu_ModulePass<string name, string text> : Pass<name, "::mlir::ModuleOp"> {
  let summary = text;
  let dependentDialects = ["TfrtGpuDialect", "::mlir::func::FuncDialect"];
}

def StreamifyOpsPass
    : Gpu_FunctionPass<"tfrt-streamify-ops", "Move runs of listed ops into tfrt_gpu.streamify"> {
  let options = [ListOption<"ops", "ops", "std::string", "Names of the ops">];
}
def FuncStreamifyPass
    : Gpu_ModulePass<"func-tfrt-streamify",
                     "Give functions that wait for a GPU a chain and a stream, and their calls, too">;
def AsyncStreamifyPass
    : Gpu_FunctionPass<"async-tfrt-streamify",
                       "Pass a chain and an event where async values were tokens of a GPU"> {
  let dependentDialects = ["TfrtGpuDialect", "::mlir::async::AsyncDialect"];
}
def GpuStreamifyPass
    : Gpu_ModulePass<"gpu-tfrt-streamify", "Make kernels of ops of the gpu dialect"> {
  let dependentDialects = ["TfrtGpuDialect", "::mlir::func::FuncDialect", "dht::TfrtDhtDialect"];
}
def CastStreamifyPass
    : Gpu_ModulePass<"cast-tfrt-streamify", "Fold casts of tokens, or make kernels of them">;
def AsyncToTfrtPass
    : Gpu_FunctionPass<"async-to-tfrt", "Make tasks of async.execute, and values of async values"> {
  let dependentDialects = ["TfrtDialect", "TfrtTestDialect"];
}
def HoistingPass
    : Gpu_ModulePass<"gpu-tfrt-hoisting",
                     "Create handles of libraries once, in functions that can be called ahead">;
def SetEntryPointPass
    : Gpu_ModulePass<"tfrt-set-entry-point", "Say what tfrt_gpu_executor runs"> {
  let options = [
    Option<"platform", "platform", "std::string", "", "CUDA or ROCm">,
    Option<"functionName", "function_name", "std::string", "",
           "Which function runs; the only one if it is left out">,
    ListOption<"bufferSizes", "buffer_sizes", "int64_t", "Sizes of its buffers in bytes">,
  ];
}

#endif
