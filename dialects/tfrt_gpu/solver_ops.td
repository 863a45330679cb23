// Cholesky factors.
#ifndef TFRT_DIALECTS_TFRT_GPU_SOLVER_OPS
#define TFRT_DIALECTS_TFRT_GPU_SOLVER_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

def TfrtGpu_SolverCreateOp : TfrtGpu_Op<"solver.create"> {
  let summary = "a handle of the library, for any stream";
  let arguments = (ins TfrtGpu_ContextType:$context);
  let results = (outs TfrtGpu_SolverHandleType);
}
def TfrtGpu_SolverPotrfBufferSizeOp : TfrtGpu_Op<"solver.potrf.buffer_size", [Pure]> {
  let summary = "the bytes of workspace that solver.potrf needs";
  let arguments = (ins TfrtGpu_SolverHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$fillMode, I32:$n, TfrtGpu_Enum:$dataType, I32:$stride,
                       Tfrt_ChainType:$in_chain);
  let results = (outs I64);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasFillMode>($fillMode) `,` $n `,` custom<BlasDataType>($dataType) `,`
    $stride `,` $in_chain attr-dict
  }];
}
def TfrtGpu_SolverPotrfOp : TfrtGpu_Op<"solver.potrf"> {
  let summary = "the Cholesky factor of a matrix, in place";
  let arguments = (ins TfrtGpu_SolverHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$fillMode, I32:$n, TfrtGpu_Enum:$dataType,
                       TfrtGpu_BufferType:$buffer, I32:$stride, TfrtGpu_BufferType:$workspace,
                       TfrtGpu_BufferType:$devinfo, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasFillMode>($fillMode) `,` $n `,` custom<BlasDataType>($dataType) `,`
    $buffer `,` $stride `,` $workspace `,` $devinfo `,` $in_chain attr-dict
  }];
}
def TfrtGpu_SolverPotrfBatchOp : TfrtGpu_Op<"solver.potrf.batch"> {
  let summary = "the Cholesky factors of contiguous matrices, in place";
  let arguments = (ins TfrtGpu_SolverHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$fillMode, I32:$n, TfrtGpu_Enum:$dataType,
                       TfrtGpu_BufferType:$buffer, I32:$stride, TfrtGpu_BufferType:$devinfo,
                       I32:$batch_size, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasFillMode>($fillMode) `,` $n `,` custom<BlasDataType>($dataType) `,`
    $buffer `,` $stride `,` $devinfo `,` $batch_size `,` $in_chain attr-dict
  }];
}

#endif
