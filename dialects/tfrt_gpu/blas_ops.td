// Linear algebra on column-major matrices.
#ifndef TFRT_DIALECTS_TFRT_GPU_BLAS_OPS
#define TFRT_DIALECTS_TFRT_GPU_BLAS_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

def TfrtGpu_BlasCreateOp : TfrtGpu_Op<"blas.create"> {
  let summary = "a handle of the library, for any stream";
  let arguments = (ins TfrtGpu_ContextType:$context);
  let results = (outs TfrtGpu_BlasHandleType);
}

def TfrtGpu_BlasAxpyOp
    : TfrtGpu_ScalarOp<"blas.axpy", "isImplied(GpuEnum::kBlasDataType, getTypeAlpha(), getAlpha())"> {
  let summary = "y = alpha x + y";
  let arguments = (ins TfrtGpu_BlasHandleType:$handle, TfrtGpu_StreamType:$stream, I32:$n,
                       AnyType:$alpha, TfrtGpu_Enum:$typeAlpha,
                       TfrtGpu_BufferType:$x, TfrtGpu_Enum:$typeX, I32:$strideX,
                       TfrtGpu_BufferType:$y, TfrtGpu_Enum:$typeY, I32:$strideY,
                       TfrtGpu_Enum:$executionType, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` $n `,` $alpha `,` custom<BlasDataTypeOf>($typeAlpha, type($alpha)) `,`
    $x `,` custom<BlasDataType>($typeX) `,` $strideX `,`
    $y `,` custom<BlasDataType>($typeY) `,` $strideY `,`
    custom<BlasDataType>($executionType) `,` $in_chain attr-dict
  }];
  let hasVerifier = 1;
}

def TfrtGpu_BlasScalOp
    : TfrtGpu_ScalarOp<"blas.scal", "isImplied(GpuEnum::kBlasDataType, getTypeAlpha(), getAlpha())"> {
  let summary = "x = alpha x";
  let arguments = (ins TfrtGpu_BlasHandleType:$handle, TfrtGpu_StreamType:$stream, I32:$n,
                       AnyType:$alpha, TfrtGpu_Enum:$typeAlpha,
                       TfrtGpu_BufferType:$x, TfrtGpu_Enum:$typeX, I32:$strideX,
                       TfrtGpu_Enum:$executionType, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` $n `,` $alpha `,` custom<BlasDataTypeOf>($typeAlpha, type($alpha)) `,`
    $x `,` custom<BlasDataType>($typeX) `,` $strideX `,`
    custom<BlasDataType>($executionType) `,` $in_chain attr-dict
  }];
  let hasVerifier = 1;
}

def TfrtGpu_BlasGemmAlgoOp : TfrtGpu_Op<"blas.gemm.algo", [Pure]> {
  let summary = "how matrices are to be multiplied";
  let arguments = (ins TfrtGpu_Enum:$algo);
  let results = (outs TfrtGpu_BlasGemmAlgoType);
  let assemblyFormat = "custom<BlasGemmAlgo>($algo) attr-dict";
}

def TfrtGpu_BlasGemmOp
    : TfrtGpu_ScalarOp<"blas.gemm",
                       "isImplied(GpuEnum::kBlasComputeType, getComputeType(), getAlpha(), getBeta())"> {
  let summary = "C = alpha op(A) op(B) + beta C";
  let arguments = (ins TfrtGpu_BlasHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$transA, TfrtGpu_Enum:$transB, I32:$m, I32:$n, I32:$k, AnyType:$alpha,
                       TfrtGpu_BufferType:$A, TfrtGpu_Enum:$typeA, I32:$heightA,
                       TfrtGpu_BufferType:$B, TfrtGpu_Enum:$typeB, I32:$heightB, AnyType:$beta,
                       TfrtGpu_BufferType:$C, TfrtGpu_Enum:$typeC, I32:$heightC,
                       TfrtGpu_Enum:$computeType, TfrtGpu_BlasGemmAlgoType:$algo,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasOperation>($transA) `,` custom<BlasOperation>($transB) `,`
    $m `,` $n `,` $k `,` $alpha `,`
    $A `,` custom<BlasDataType>($typeA) `,` $heightA `,`
    $B `,` custom<BlasDataType>($typeB) `,` $heightB `,` $beta `,`
    $C `,` custom<BlasDataType>($typeC) `,` $heightC `,`
    custom<BlasComputeTypeOf>($computeType, type($alpha), type($beta)) `,` $algo `,` $in_chain attr-dict
  }];
  let hasVerifier = 1;
}

def TfrtGpu_BlasGemmBatchOp
    : TfrtGpu_ScalarOp<"blas.gemm.batch",
                       "isImplied(GpuEnum::kBlasComputeType, getComputeType(), getAlpha(), getBeta())"> {
  let summary = "the same for many matrices, a stride apart";
  let arguments = (ins TfrtGpu_BlasHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$transA, TfrtGpu_Enum:$transB, I32:$m, I32:$n, I32:$k, AnyType:$alpha,
                       TfrtGpu_BufferType:$A, TfrtGpu_Enum:$typeA, I32:$heightA, I64:$strideA,
                       TfrtGpu_BufferType:$B, TfrtGpu_Enum:$typeB, I32:$heightB, I64:$strideB, AnyType:$beta,
                       TfrtGpu_BufferType:$C, TfrtGpu_Enum:$typeC, I32:$heightC, I64:$strideC,
                       I32:$batchCount, TfrtGpu_Enum:$computeType, TfrtGpu_BlasGemmAlgoType:$algo,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasOperation>($transA) `,` custom<BlasOperation>($transB) `,`
    $m `,` $n `,` $k `,` $alpha `,`
    $A `,` custom<BlasDataType>($typeA) `,` $heightA `,` $strideA `,`
    $B `,` custom<BlasDataType>($typeB) `,` $heightB `,` $strideB `,` $beta `,`
    $C `,` custom<BlasDataType>($typeC) `,` $heightC `,` $strideC `,` $batchCount `,`
    custom<BlasComputeTypeOf>($computeType, type($alpha), type($beta)) `,` $algo `,` $in_chain attr-dict
  }];
  let hasVerifier = 1;
}

def TfrtGpu_BlasLtMatmulOp
    : TfrtGpu_ScalarOp<"blas.lt_matmul",
                       "isImplied(GpuEnum::kBlasComputeType, getComputeType(), getAlpha(), getBeta())"> {
  let summary = "C = epilogue(alpha op(A) op(B) + beta C + bias)";
  let arguments = (ins TfrtGpu_BlasHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$transA, TfrtGpu_Enum:$transB, I32:$m, I32:$n, I32:$k, AnyType:$alpha,
                       TfrtGpu_BufferType:$A, TfrtGpu_Enum:$typeA, I32:$heightA,
                       TfrtGpu_BufferType:$B, TfrtGpu_Enum:$typeB, I32:$heightB, AnyType:$beta,
                       TfrtGpu_BufferType:$C, TfrtGpu_Enum:$typeC, I32:$heightC,
                       TfrtGpu_Enum:$computeType, StrAttr:$epilogue, Tfrt_ChainType:$in_chain,
                       Optional<TfrtGpu_BufferType>:$bias);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasOperation>($transA) `,` custom<BlasOperation>($transB) `,`
    $m `,` $n `,` $k `,` $alpha `,`
    $A `,` custom<BlasDataType>($typeA) `,` $heightA `,`
    $B `,` custom<BlasDataType>($typeB) `,` $heightB `,` $beta `,`
    $C `,` custom<BlasDataType>($typeC) `,` $heightC `,`
    custom<BlasComputeTypeOf>($computeType, type($alpha), type($beta)) `,` $epilogue `,` $in_chain
    (`,` `bias` `(` $bias^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def TfrtGpu_BlasTrsmBatchOp
    : TfrtGpu_ScalarOp<"blas.trsm.batch", "isImplied(GpuEnum::kBlasDataType, getDataType(), getAlpha())"> {
  let summary = "solves op(A) X = alpha B or X op(A) = alpha B for triangular matrices";
  let arguments = (ins TfrtGpu_BlasHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$sideMode, TfrtGpu_Enum:$fillMode, TfrtGpu_Enum:$trans,
                       TfrtGpu_Enum:$diagType, I32:$m, I32:$n, TfrtGpu_Enum:$dataType, AnyType:$alpha,
                       TfrtGpu_BufferType:$A, I32:$heightA, TfrtGpu_BufferType:$B, I32:$heightB,
                       I32:$batchCount, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<BlasSideMode>($sideMode) `,` custom<BlasFillMode>($fillMode) `,`
    custom<BlasOperation>($trans) `,` custom<BlasDiagType>($diagType) `,` $m `,` $n `,`
    custom<BlasDataTypeOf>($dataType, type($alpha)) `,` $alpha `,`
    $A `,` $heightA `,` $B `,` $heightB `,` $batchCount `,` $in_chain attr-dict
  }];
}

#endif
