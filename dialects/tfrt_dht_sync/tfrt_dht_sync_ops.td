// The ops of the tfrt_dht_sync dialect: those of tfrt_dht for sync functions, without chains.
#ifndef TFRT_DIALECTS_TFRT_DHT_SYNC_TFRT_DHT_SYNC_OPS
#define TFRT_DIALECTS_TFRT_DHT_SYNC_TFRT_DHT_SYNC_OPS

include "dialects/ht/ht.td"
include "dialects/tfrt_dht/dense_types.td"
include "dialects/tfrt_tensor/tfrt_tensor.td"
include "dialects/ts/ts_base.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TfrtDhtSync_Dialect : Dialect {
  let name = "tfrt_dht_sync";
  let cppNamespace = "::tfrt::compiler::dht_sync";
  let summary = "dense host tensors in sync functions";
  let dependentDialects = ["::tfrt::compiler::TfrtTensorDialect",
                           "::tfrt::compiler::ht::HtDialect", "::tfrt::compiler::ts::TsDialect"];
}

class TfrtDhtSync_Op<string mnemonic, list<Trait> traits = []>
    : Op<TfrtDhtSync_Dialect, mnemonic, traits> {
  let assemblyFormat = "operands attr-dict";
}

multiclass TfrtDhtSync_DTypeOps<Dense_DType dtype> {
  foreach rank = Dense_Ranks in {
    def TfrtDhtSync_CreateUninitializedTensor#dtype.cpp#Rank#rank#Op
        : TfrtDhtSync_Op<"create_uninitialized_tensor." # dtype.text # "." # rank, [Pure]> {
      let summary = "a tensor whose elements are not set yet";
      let arguments = (ins I64ArrayAttr:$shape);
      let results = (outs TfrtTensor_TensorType:$tensor);
      let assemblyFormat = "$shape attr-dict";
    }
  }
  def TfrtDhtSync_SetTensorWithConstantValues#dtype.cpp#Op
      : TfrtDhtSync_Op<"set_tensor_with_constant_values." # dtype.text> {
    let summary = "sets the elements to values, in row-major order";
    let arguments = (ins TfrtTensor_TensorType:$tensor, ArrayAttr:$values);
    let assemblyFormat = "$tensor $values attr-dict";
  }
  def TfrtDhtSync_MakeTensor#dtype.cpp#Op : TfrtDhtSync_Op<"make_tensor." # dtype.text> {
    let summary = "a tensor over the bytes of a buffer";
    let arguments = (ins Ht_HostBufferType:$buffer, Ts_ShapeType:$shape);
    let results = (outs TfrtTensor_TensorType:$tensor);
  }
}
foreach dtype = Dense_DTypes in defm "" : TfrtDhtSync_DTypeOps<dtype>;

def TfrtDhtSync_PrintTensorOp : TfrtDhtSync_Op<"print_tensor"> {
  let summary = "prints a tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor);
}
def TfrtDhtSync_GetTensorShapeOp : TfrtDhtSync_Op<"get_tensor_shape", [Pure]> {
  let summary = "the shape of a tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor);
  let results = (outs Ts_ShapeType:$shape);
}
def TfrtDhtSync_AllocateBufferOp : TfrtDhtSync_Op<"allocate_buffer"> {
  let summary = "memory of a size and an alignment in bytes";
  let arguments = (ins I64:$size, I64:$alignment);
  let results = (outs Ht_HostBufferType:$buffer);
}
def TfrtDhtSync_GetBufferSliceOp : TfrtDhtSync_Op<"get_buffer_slice"> {
  let summary = "a part of a buffer, over the same memory";
  let arguments = (ins Ht_HostBufferType:$buffer, I64:$offset, I64:$size);
  let results = (outs Ht_HostBufferType:$slice);
}

#endif
