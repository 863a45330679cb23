// Device code and its launch.
#ifndef TFRT_DIALECTS_TFRT_GPU_MODULE_OPS
#define TFRT_DIALECTS_TFRT_GPU_MODULE_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

def TfrtGpu_ModuleLoadOp : TfrtGpu_Op<"module.load"> {
  let summary = "device code, whose last byte is zero";
  let arguments = (ins TfrtGpu_ContextType:$context, StrAttr:$data);
  let results = (outs TfrtGpu_ModuleType);
}
def TfrtGpu_ModuleGetGlobalOp : TfrtGpu_Op<"module.get_global"> {
  let summary = "the memory of a module's variable";
  let arguments = (ins TfrtGpu_ModuleType:$module, StrAttr:$name);
  let results = (outs TfrtGpu_BufferType);
}
def TfrtGpu_ModuleGetFunctionOp : TfrtGpu_Op<"module.get_function", [Pure]> {
  let summary = "a kernel of a module";
  let arguments = (ins TfrtGpu_ModuleType:$module, StrAttr:$name);
  let results = (outs TfrtGpu_FunctionType);
}
def TfrtGpu_FunctionLaunchOp : TfrtGpu_Op<"function.launch"> {
  let summary = "launches a kernel: sizes of grid and blocks, bytes of shared memory, arguments";
  let arguments = (ins TfrtGpu_StreamType:$stream, TfrtGpu_FunctionType:$function,
                       UI64:$grid_x, UI64:$grid_y, UI64:$grid_z,
                       UI64:$block_x, UI64:$block_y, UI64:$block_z,
                       UI32:$shared_bytes, Tfrt_ChainType:$in_chain, Variadic<AnyType>:$args);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $stream `,` $function `,`
    `blocks` `in` ` ` `(` $grid_x `,` $grid_y `,` $grid_z `)` `,`
    `threads` `in` ` ` `(` $block_x `,` $block_y `,` $block_z `)` `,`
    $shared_bytes `,` $in_chain (`,` `args` `(` $args^ `)` `:` ` ` `(` type($args) `)`)? attr-dict
  }];
}

def TfrtGpu_SizesAttr : TypedArrayAttrBase<UI32Attr, "array of 32-bit unsigned integers">;
def TfrtGpu_FunctionLaunchStaticOp : TfrtGpu_Op<"function.launch.static"> {
  let summary = "a launch whose sizes are constants, as the compiler writes it";
  let arguments = (ins TfrtGpu_StreamType:$stream, TfrtGpu_FunctionType:$function,
                       Tfrt_ChainType:$in_chain, Variadic<AnyType>:$args,
                       TfrtGpu_SizesAttr:$blocks, UI32Attr:$shared_bytes, TfrtGpu_SizesAttr:$threads);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $stream `,` $function `,`
    `blocks` `in` ` ` custom<Sizes>($blocks) `,` `threads` `in` ` ` custom<Sizes>($threads) `,`
    $shared_bytes `,` $in_chain (`,` `args` `(` $args^ `)` `:` ` ` `(` type($args) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif
