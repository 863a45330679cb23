// The ops of the corert dialect.
#ifndef TFRT_DIALECTS_CORERT_CORERT_OPS
#define TFRT_DIALECTS_CORERT_CORERT_OPS

include "dialects/corert/corert_base.td"
include "dialects/tfrt/tfrt_base.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Corert_Op<string mnemonic, list<Trait> traits = []>
    : Op<Corert_Dialect, mnemonic, !listconcat(traits, [IsolatedFromAbove])> {
  let assemblyFormat = "operands attr-dict";
}

// --- constants ---

foreach dtype = Corert_DTypes in {
  def Corert_CreateDenseTensor#dtype.cpp#Op
      : Corert_Op<"create_dense_tensor." # dtype.text, [Pure]> {
    let summary = "a dense tensor of the given elements";
    let arguments = (ins I64ArrayAttr:$shape, ArrayAttr:$value);
    let results = (outs Corert_TensorHandleType:$result);
    let assemblyFormat = "attr-dict";
  }
}

def Corert_ConstDenseTensorOp : Corert_Op<"const_dense_tensor", [ConstantLike, Pure]> {
  let summary = "a constant dense tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Corert_TensorHandleType:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def Corert_ConstStringTensorOp : Corert_Op<"const_string_tensor", [Pure]> {
  let summary = "a constant string tensor";
  let arguments = (ins I64ArrayAttr:$shape, StrArrayAttr:$value);
  let results = (outs Corert_TensorHandleType:$result);
  let assemblyFormat = "attr-dict";
}

// --- op handlers and the ops that they execute ---

def Corert_GetOpHandlerOp : Corert_Op<"get_op_handler", [Pure]> {
  let summary = "looks an op handler up by name";
  let arguments = (ins Tfrt_ChainType:$in_op_chain, StrAttr:$op_handler_name);
  let results = (outs Corert_OpHandlerType:$op_handler);
  let assemblyFormat = "$in_op_chain $op_handler_name attr-dict";
}

def Corert_RegisterOpHandlerOp : Corert_Op<"register_op_handler"> {
  let summary = "registers an op handler under a name";
  let arguments = (ins Corert_OpHandlerType:$op_handler, StrAttr:$op_handler_name);
  let results = (outs Tfrt_ChainType:$out_op_chain);
  let assemblyFormat = "$op_handler $op_handler_name attr-dict";
}

// The attributes of the op that is executed are arrays of pairs [name, value], in source order.
def Corert_ExecuteOp : Corert_Op<"executeop", [Pure]> {
  let summary = "executes an op without side effects";
  let arguments = (ins Corert_OpHandlerType:$op_handler,
                       Variadic<Corert_TensorHandleType>:$arguments,
                       ArrayAttr:$op_attrs, ArrayAttr:$op_func_attrs, StrAttr:$op_name);
  let results = (outs Variadic<Corert_TensorHandleType>:$results);
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Corert_ExecuteOpSeq : Corert_Op<"executeop.seq"> {
  let summary = "executes an op with side effects, in the order of the chains";
  let arguments = (ins Corert_OpHandlerType:$op_handler, Tfrt_ChainType:$in_op_chain,
                       Variadic<Corert_TensorHandleType>:$arguments,
                       ArrayAttr:$op_attrs, ArrayAttr:$op_func_attrs, StrAttr:$op_name);
  let results = (outs Tfrt_ChainType:$out_op_chain, Variadic<Corert_TensorHandleType>:$results);
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

// --- control flow by functions: of the lists of types, the chains in and out are no part ---

def Corert_CondOp : Corert_Op<"cond"> {
  let summary = "runs one of two functions";
  let arguments = (ins Corert_TensorHandleType:$cond, Tfrt_ChainType:$in_op_chain,
                       Variadic<AnyType>:$arguments, FlatSymbolRefAttr:$a_true_fn,
                       FlatSymbolRefAttr:$b_false_fn);
  let results = (outs Tfrt_ChainType:$out_op_chain, Variadic<AnyType>:$fn_outputs);
  let assemblyFormat = [{
    $cond $a_true_fn $b_false_fn `(` $in_op_chain (`,` $arguments^)? `)` attr-dict
    `:` custom<TypeLists>(type($arguments), type($fn_outputs))
  }];
  let hasVerifier = 1;
}

def Corert_WhileOp : Corert_Op<"while"> {
  let summary = "runs a function as long as another one says so";
  let arguments = (ins Tfrt_ChainType:$in_op_chain, Variadic<AnyType>:$arguments,
                       FlatSymbolRefAttr:$a_cond_fn, FlatSymbolRefAttr:$b_body_fn);
  let results = (outs Tfrt_ChainType:$out_op_chain, Variadic<AnyType>:$fn_outputs);
  let assemblyFormat = [{
    $a_cond_fn $b_body_fn `(` $in_op_chain (`,` $arguments^)? `)` attr-dict
    `:` custom<TypeLists>(type($arguments), type($fn_outputs))
  }];
  let hasVerifier = 1;
}

// --- tensors between devices and the host ---

def Corert_GetDstTensorTypeOp : Corert_Op<"get_dst_tensor_type"> {
  let summary = "the type that a tensor gets when it is transferred to a device";
  let arguments = (ins Corert_TensorHandleType:$tensor, Tfrt_DeviceType:$device);
  let results = (outs Tfrt_TensorTypeType:$tensor_type);
}

def Corert_TransferOp : Corert_Op<"transfer"> {
  let summary = "a tensor on a device, as a type";
  let arguments = (ins Corert_TensorHandleType:$tensor, Tfrt_DeviceType:$device,
                       Tfrt_TensorTypeType:$tensor_type);
  let results = (outs Corert_TensorHandleType:$result);
}

def Corert_TransferInferredTensorTypeOp : Corert_Op<"transfer_inferred_tensortype"> {
  let summary = "a tensor on a device, as the type that suits it";
  let arguments = (ins Corert_TensorHandleType:$tensor, Tfrt_DeviceType:$device);
  let results = (outs Corert_TensorHandleType:$result);
}

def Corert_TensorHandleToInt32Op : Corert_Op<"tensorhandle_to_int32"> {
  let summary = "the element of a tensor";
  let arguments = (ins Corert_TensorHandleType:$tensor);
  let results = (outs I32:$result);
}

#endif
