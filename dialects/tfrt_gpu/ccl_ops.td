// Collective communication.
#ifndef TFRT_DIALECTS_TFRT_GPU_CCL_OPS
#define TFRT_DIALECTS_TFRT_GPU_CCL_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

def TfrtGpu_CclUniqueIdOp : TfrtGpu_Op<"ccl.unique_id", [Pure]> {
  let summary = "what the ranks of one communicator share";
  let arguments = (ins TfrtGpu_Enum:$platform);
  let results = (outs TfrtGpu_CclIdType);
  let assemblyFormat = "custom<Platform>($platform) attr-dict";
}
def TfrtGpu_CclCreateOp : TfrtGpu_Op<"ccl.create"> {
  let summary = "joins a communicator, when all ranks do";
  let arguments = (ins TfrtGpu_ContextType:$context, I32:$rank, I32:$count, TfrtGpu_CclIdType:$id);
  let results = (outs TfrtGpu_CclHandleType);
}

// A call that the handle notes, for ccl.execute.
class TfrtGpu_CclCallOp<string mnemonic, dag operands_of_it> : TfrtGpu_Op<"ccl." # mnemonic> {
  let arguments = !con((ins TfrtGpu_CclHandleType:$handle), operands_of_it);
  let results = (outs Tfrt_ChainType);
}
class TfrtGpu_CclMoveOp<string mnemonic>
    : TfrtGpu_CclCallOp<mnemonic, (ins TfrtGpu_BufferType:$input, TfrtGpu_BufferType:$output,
                                       TfrtGpu_Enum:$data_type, Tfrt_ChainType:$in_chain)> {
  let assemblyFormat = "$handle `,` $input `,` $output `,` custom<CclDataType>($data_type) `,` $in_chain attr-dict";
}
class TfrtGpu_CclReduceOp<string mnemonic>
    : TfrtGpu_CclCallOp<mnemonic, (ins TfrtGpu_BufferType:$input, TfrtGpu_BufferType:$output,
                                       TfrtGpu_Enum:$data_type, TfrtGpu_Enum:$reduction_op,
                                       Tfrt_ChainType:$in_chain)> {
  let assemblyFormat = [{
    $handle `,` $input `,` $output `,` custom<CclDataType>($data_type) `,`
    custom<CclReductionOp>($reduction_op) `,` $in_chain attr-dict
  }];
}
class TfrtGpu_CclPeerOp<string mnemonic>
    : TfrtGpu_CclCallOp<mnemonic, (ins TfrtGpu_BufferType:$buffer, I32:$peer, TfrtGpu_Enum:$data_type,
                                       Tfrt_ChainType:$in_chain)> {
  let assemblyFormat = "$handle `,` $buffer `,` $peer `,` custom<CclDataType>($data_type) `,` $in_chain attr-dict";
}

def TfrtGpu_CclAllGatherOp : TfrtGpu_CclMoveOp<"all_gather"> {
  let summary = "every rank gets the parts of all";
}
def TfrtGpu_CclAllReduceOp : TfrtGpu_CclReduceOp<"all_reduce"> {
  let summary = "every rank gets the reduction of all";
}
def TfrtGpu_CclReduceScatterOp : TfrtGpu_CclReduceOp<"reduce_scatter"> {
  let summary = "every rank gets a part of the reduction";
}
def TfrtGpu_CclAllToAllOp : TfrtGpu_CclMoveOp<"all_to_all"> {
  let summary = "part j of rank i goes to part i of rank j";
}
def TfrtGpu_CclSendOp : TfrtGpu_CclPeerOp<"send"> {
  let summary = "sends to a rank";
}
def TfrtGpu_CclRecvOp : TfrtGpu_CclPeerOp<"recv"> {
  let summary = "receives from a rank";
}
def TfrtGpu_CclExecuteOp : TfrtGpu_Op<"ccl.execute"> {
  let summary = "runs the noted calls as one group";
  let arguments = (ins TfrtGpu_StreamType:$stream, TfrtGpu_CclHandleType:$handle, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}

#endif
