// The ops of the tfrt_dht dialect.
#ifndef TFRT_DIALECTS_TFRT_DHT_TFRT_DHT_OPS
#define TFRT_DIALECTS_TFRT_DHT_TFRT_DHT_OPS

include "dialects/ht/ht.td"
include "dialects/tfrt/tfrt_base.td"
include "dialects/tfrt_dht/dense_types.td"
include "dialects/tfrt_tensor/tfrt_tensor.td"
include "dialects/ts/ts_base.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TfrtDht_Dialect : Dialect {
  let name = "tfrt_dht";
  let cppNamespace = "::tfrt::compiler::dht";
  let summary = "dense host tensors and their buffers";
  let dependentDialects = ["::tfrt::compiler::TfrtDialect", "::tfrt::compiler::TfrtTensorDialect",
                           "::tfrt::compiler::ht::HtDialect", "::tfrt::compiler::ts::TsDialect"];
}

// Two results stay without names: named ones would print under them, not as %0:2.
class TfrtDht_Op<string mnemonic, list<Trait> traits = []> : Op<TfrtDht_Dialect, mnemonic, traits> {
  let assemblyFormat = "operands attr-dict";
}

// --- one op per element type, and per rank where it is in the name ---

multiclass TfrtDht_CreateUninitializedTensorOps<Dense_DType dtype> {
  foreach rank = Dense_Ranks in {
    def TfrtDht_CreateUninitializedTensor#dtype.cpp#Rank#rank#Op
        : TfrtDht_Op<"create_uninitialized_tensor." # dtype.text # "." # rank, [Pure]> {
      let summary = "a tensor whose elements are not set yet";
      let arguments = (ins I64ArrayAttr:$shape);
      let results = (outs TfrtTensor_TensorType:$tensor);
      let assemblyFormat = "$shape attr-dict";
    }
  }
}

multiclass TfrtDht_DTypeOps<Dense_DType dtype> {
  defm "" : TfrtDht_CreateUninitializedTensorOps<dtype>;

  def TfrtDht_FillTensorWithConstant#dtype.cpp#Op
      : TfrtDht_Op<"fill_tensor_with_constant." # dtype.text> {
    let summary = "sets all elements to one value";
    let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain, AnyAttr:$value);
    let results = (outs Tfrt_ChainType:$out_chain);
    let assemblyFormat = "$tensor `,` $in_chain $value attr-dict";
  }
  def TfrtDht_SetTensorWithConstantValues#dtype.cpp#Op
      : TfrtDht_Op<"set_tensor_with_constant_values." # dtype.text> {
    let summary = "sets the elements to values, in row-major order";
    let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain,
                         ArrayAttr:$values);
    let results = (outs Tfrt_ChainType:$out_chain);
    let assemblyFormat = "$tensor `,` $in_chain $values attr-dict";
  }
  def TfrtDht_MakeTensor#dtype.cpp#Op : TfrtDht_Op<"make_tensor." # dtype.text> {
    let summary = "a tensor over the bytes of a buffer";
    let arguments = (ins Ht_HostBufferType:$buffer, Ts_ShapeType:$shape, Tfrt_ChainType:$in_chain);
    let results = (outs TfrtTensor_TensorType, Tfrt_ChainType);
  }
  def TfrtDht_TensorEqual#dtype.cpp#Op : TfrtDht_Op<"tensor_equal." # dtype.text> {
    let summary = "whether element type, shape and elements are the same";
    let arguments = (ins TfrtTensor_TensorType:$lhs, TfrtTensor_TensorType:$rhs,
                         Tfrt_ChainType:$in_chain);
    let results = (outs I1, Tfrt_ChainType);
  }
}
foreach dtype = Dense_DTypes in defm "" : TfrtDht_DTypeOps<dtype>;

// What memory planning makes of create_uninitialized_tensor, for all element types that have kernels.
foreach dtype = Dense_CreationDTypes in {
  def TfrtDht_TensorInBuffer#dtype.cpp#Op
      : TfrtDht_Op<"tensor_in_buffer." # dtype.text, [Pure]> {
    let summary = "a tensor over a part of a buffer, at an offset in bytes";
    let arguments = (ins Ht_HostBufferType:$buffer, I64ArrayAttr:$shape, I64Attr:$offset);
    let results = (outs TfrtTensor_TensorType:$tensor);
    let assemblyFormat = "$buffer $shape `at` $offset attr-dict";
  }
}

// --- all kinds of tensors ---

def TfrtDht_PrintTensorOp : TfrtDht_Op<"print_tensor"> {
  let summary = "prints a tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType:$out_chain);
}
def TfrtDht_GetTensorShapeOp : TfrtDht_Op<"get_tensor_shape", [Pure]> {
  let summary = "the shape of a tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor);
  let results = (outs Ts_ShapeType:$shape);
}

// --- buffers ---

def TfrtDht_AllocateBufferOp : TfrtDht_Op<"allocate_buffer"> {
  let summary = "memory of a size and an alignment in bytes";
  let arguments = (ins I64:$size, I64:$alignment);
  let results = (outs Ht_HostBufferType:$buffer);
}
def TfrtDht_GetBufferOp : TfrtDht_Op<"get_buffer"> {
  let summary = "the memory of a tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain);
  let results = (outs Ht_HostBufferType, Tfrt_ChainType);
}
def TfrtDht_GetBufferSliceOp : TfrtDht_Op<"get_buffer_slice"> {
  let summary = "a part of a buffer, over the same memory";
  let arguments = (ins Ht_HostBufferType:$buffer, I64:$offset, I64:$size);
  let results = (outs Ht_HostBufferType:$slice);
}
def TfrtDht_PrintBufferOp : TfrtDht_Op<"print_buffer"> {
  let summary = "prints a buffer";
  let arguments = (ins Ht_HostBufferType:$buffer, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType:$out_chain);
}

#endif
