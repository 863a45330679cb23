// Memory of devices and of the host, and tensors over it.
#ifndef TFRT_DIALECTS_TFRT_GPU_MEMORY_OPS
#define TFRT_DIALECTS_TFRT_GPU_MEMORY_OPS

include "dialects/ht/ht.td"
include "dialects/tfrt_gpu/tfrt_gpu_base.td"
include "dialects/tfrt_tensor/tfrt_tensor.td"
include "dialects/ts/ts_base.td"

def TfrtGpu_AnyBuffer : AnyTypeOf<[TfrtGpu_BufferType, Ht_HostBufferType]>;

// --- memory ---

def TfrtGpu_AllocatorCreateOp : TfrtGpu_Op<"allocator.create", [Pure]> {
  let summary = "an allocator of a context's device memory";
  let arguments = (ins TfrtGpu_ContextType:$context);
  let results = (outs TfrtGpu_AllocatorType);
}
def TfrtGpu_MemAllocateOp : TfrtGpu_Op<"mem.allocate"> {
  let summary = "device memory for a stream, of a size in bytes";
  let arguments = (ins TfrtGpu_AllocatorType:$allocator, TfrtGpu_StreamType:$stream, I64:$size,
                       Tfrt_ChainType:$in_chain);
  let results = (outs TfrtGpu_BufferType);
}
def TfrtGpu_MemAllocateHostOp : TfrtGpu_Op<"mem.allocate_host"> {
  let summary = "page-locked host memory of a size in bytes";
  let arguments = (ins TfrtGpu_ContextType:$context, I64:$size, Tfrt_ChainType:$in_chain);
  let results = (outs TfrtGpu_BufferType);
}
def TfrtGpu_MemDeallocateOp : TfrtGpu_Op<"mem.deallocate"> {
  let summary = "frees memory before its buffer's life ends";
  let arguments = (ins TfrtGpu_BufferType:$buffer, TfrtGpu_StreamType:$stream,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_MemCopyOp : TfrtGpu_Op<"mem.copy"> {
  let summary = "copies a whole buffer";
  let arguments = (ins TfrtGpu_AnyBuffer:$dst, TfrtGpu_AnyBuffer:$src, TfrtGpu_StreamType:$stream,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = "operands attr-dict `:` type($dst) `,` type($src)";
}
def TfrtGpu_MemCopy2DOp : TfrtGpu_Op<"mem.copy_2d"> {
  let summary = "copies rows that lie a pitch apart, all sizes in bytes";
  let arguments = (ins TfrtGpu_BufferType:$dst, UI64:$dst_pitch, TfrtGpu_BufferType:$src, UI64:$src_pitch,
                       UI64:$row_size, UI64:$num_rows, TfrtGpu_StreamType:$stream, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_MemSetOp : TfrtGpu_Op<"mem.set"> {
  let summary = "fills a buffer with a value of 32 bits";
  let arguments = (ins TfrtGpu_BufferType:$dst, AnyType:$value, TfrtGpu_StreamType:$stream,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = "operands attr-dict `:` type($value)";
}
def TfrtGpu_MemRegisterOp : TfrtGpu_Op<"mem.register"> {
  let summary = "page-locks a host buffer for the device";
  let arguments = (ins TfrtGpu_ContextType:$context, Ht_HostBufferType:$buffer);
  let results = (outs TfrtGpu_BufferType);
}
def TfrtGpu_MemViewOp : TfrtGpu_Op<"mem.view", [Pure]> {
  let summary = "a part of a buffer, offset and size in bytes";
  let arguments = (ins TfrtGpu_BufferType:$buffer, UI64:$offset, UI64:$size);
  let results = (outs TfrtGpu_BufferType);
}
def TfrtGpu_MemLoadOp : TfrtGpu_Op<"mem.load"> {
  let summary = "the first element of memory that the host can read";
  let arguments = (ins TfrtGpu_BufferType:$buffer, Tfrt_ChainType:$in_chain, TypeAttr:$type);
  let results = (outs AnyTypeOf<[I1, I32]>:$result);
  let assemblyFormat = "operands attr-dict `:` custom<LoadedType>($type, type($result))";
  let hasVerifier = 1;
}
def TfrtGpu_MemPrintMetadataOp : TfrtGpu_Op<"mem.print_metadata"> {
  let summary = "prints address and size of a buffer";
  let arguments = (ins TfrtGpu_BufferType:$buffer, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_AliasOp
    : TfrtGpu_Op<"alias", [Pure, TypesMatchWith<"types of value and result match", "value", "result",
                                                "$_self">]> {
  let summary = "a value, available when the chain is";
  let arguments = (ins AnyType:$value, Tfrt_ChainType:$in_chain);
  let results = (outs AnyType:$result);
  let assemblyFormat = "operands attr-dict `:` type($value)";
}

// --- tensors ---

foreach dtype = ["i8", "i32", "i64", "f32", "f64"] in {
  def TfrtGpu_TensorMake#!toupper(dtype)#Op : TfrtGpu_Op<"tensor.make." # dtype> {
    let summary = "a tensor over the memory of a buffer";
    let arguments = (ins TfrtGpu_BufferType:$buffer, Ts_ShapeType:$shape, Tfrt_ChainType:$in_chain);
    let results = (outs TfrtTensor_TensorType);
  }
}
def TfrtGpu_TensorPrintMetadataOp : TfrtGpu_Op<"tensor.print_metadata"> {
  let summary = "prints element type, shape and address of a tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}

#endif
