// The op that stands for a piece of work on some stream while programs are compiled.
#ifndef TFRT_DIALECTS_TFRT_GPU_STREAMIFY_OP
#define TFRT_DIALECTS_TFRT_GPU_STREAMIFY_OP

include "dialects/tfrt_gpu/tfrt_gpu_base.td"
include "mlir/Dialect/GPU/IR/GPUBase.td"

def TfrtGpu_StreamifyOp
    : TfrtGpu_Op<"streamify", [SingleBlock, GPU_AsyncOpInterface]> {
  let summary = "a body that runs on a stream";
  let description = [{
    The body takes, by convention, a chain and a stream first, and returns a chain and then the op's results. An op
    marked `async` has one more result in last place, a token. There is no kernel: passes replace the op.
  }];
  let arguments = (ins Variadic<GPU_AsyncToken>:$asyncDependencies);
  let results = (outs Variadic<AnyType>);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    // The token of an op marked `async`, or null.
    ::mlir::Value getAsyncToken();
  }];
}

#endif
