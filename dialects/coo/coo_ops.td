// The ops of the coo dialect: sparse tensors as coordinates and values.
#ifndef TFRT_DIALECTS_COO_COO_OPS
#define TFRT_DIALECTS_COO_COO_OPS

include "dialects/tfrt/tfrt_base.td"
include "dialects/tfrt_tensor/tfrt_tensor.td"

def Coo_Dialect : Dialect {
  let name = "coo";
  let cppNamespace = "::tfrt::compiler::coo";
  let summary = "sparse tensors in coordinate format";
  let dependentDialects = ["::tfrt::compiler::TfrtDialect",
                           "::tfrt::compiler::TfrtTensorDialect"];
}

// Two results stay without names: named ones would print under them, not as %0:2.
class Coo_Op<string mnemonic> : Op<Coo_Dialect, mnemonic> {
  let assemblyFormat = "operands attr-dict";
}

class Coo_ConvertOp<string mnemonic> : Coo_Op<mnemonic> {
  let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain);
  let results = (outs TfrtTensor_TensorType, Tfrt_ChainType);
}

multiclass Coo_Ops<string text, string cpp, int rank> {
  def Coo_ConvertDhtToCoo#cpp#Rank#rank#Op
      : Coo_ConvertOp<"convert_dht_to_coo." # text # "." # rank> {
    let summary = "the elements of a dense tensor that are not zero";
  }
  def Coo_ConvertCooToDht#cpp#Rank#rank#Op
      : Coo_ConvertOp<"convert_coo_to_dht." # text # "." # rank> {
    let summary = "the dense tensor with these elements and zeros elsewhere";
  }
  def Coo_TensorEqual#cpp#Rank#rank#Op : Coo_Op<"tensor_equal." # text # "." # rank> {
    let summary = "whether coordinates and values are the same";
    let arguments = (ins TfrtTensor_TensorType:$lhs, TfrtTensor_TensorType:$rhs,
                         Tfrt_ChainType:$in_chain);
    let results = (outs I1, Tfrt_ChainType);
  }
}
foreach rank = 0...3 in {
  defm "" : Coo_Ops<"i32", "I32", rank>;
  defm "" : Coo_Ops<"f32", "F32", rank>;
}

def Coo_PrintTensorOp : Coo_Op<"print_tensor"> {
  let summary = "prints a sparse tensor";
  let arguments = (ins TfrtTensor_TensorType:$tensor, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType:$out_chain);
}

#endif
