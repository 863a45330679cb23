// Fourier transforms.
#ifndef TFRT_DIALECTS_TFRT_GPU_FFT_OPS
#define TFRT_DIALECTS_TFRT_GPU_FFT_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

def TfrtGpu_FftCreateOp : TfrtGpu_Op<"fft.create"> {
  let summary = "a plan of transforms of rank 1 to 3";
  let arguments = (ins TfrtGpu_ContextType:$context, TfrtGpu_Enum:$type, I64Attr:$batch,
                       I64ArrayAttr:$dims, I64ArrayAttr:$in_strides, I64ArrayAttr:$out_strides);
  let results = (outs TfrtGpu_FftHandleType);
  let assemblyFormat = [{
    $context `,` custom<FftType>($type) `,` $batch `,` $dims `,` $in_strides `,` $out_strides attr-dict
  }];
  let hasVerifier = 1;
}
def TfrtGpu_FftGetWorkspaceSizeOp : TfrtGpu_Op<"fft.get_workspace_size", [Pure]> {
  let summary = "the bytes of workspace that a plan needs";
  let arguments = (ins TfrtGpu_FftHandleType:$handle);
  let results = (outs I64);
}
def TfrtGpu_FftExecuteOp : TfrtGpu_Op<"fft.execute"> {
  let summary = "transforms, without scaling";
  let arguments = (ins TfrtGpu_StreamType:$stream, TfrtGpu_FftHandleType:$handle,
                       TfrtGpu_BufferType:$input, TfrtGpu_BufferType:$output,
                       TfrtGpu_BufferType:$workspace, TfrtGpu_Enum:$direction, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $stream `,` $handle `,` $input `,` $output `,` $workspace `,` custom<FftDirection>($direction) `,`
    $in_chain attr-dict
  }];
}

#endif
