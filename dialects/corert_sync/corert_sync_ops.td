// The ops of the corert_sync dialect: those of corert for sync functions, without chains.
#ifndef TFRT_DIALECTS_CORERT_SYNC_CORERT_SYNC_OPS
#define TFRT_DIALECTS_CORERT_SYNC_CORERT_SYNC_OPS

include "dialects/corert/corert_base.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CorertSync_Dialect : Dialect {
  let name = "corert_sync";
  let cppNamespace = "::tfrt::compiler::corert_sync";
  let summary = "eager execution in sync functions";
  let dependentDialects = ["::tfrt::compiler::corert::CorertDialect"];
  let hasConstantMaterializer = 1;
}

class CorertSync_Op<string mnemonic, list<Trait> traits = []>
    : Op<CorertSync_Dialect, mnemonic, !listconcat(traits, [IsolatedFromAbove])>;

foreach dtype = Corert_DTypes in {
  def CorertSync_CreateDenseTensor#dtype.cpp#Op
      : CorertSync_Op<"create_dense_tensor." # dtype.text, [Pure]> {
    let summary = "a dense tensor of the given elements";
    let arguments = (ins I64ArrayAttr:$shape, ArrayAttr:$value);
    let results = (outs Corert_TensorHandleType:$result);
    let assemblyFormat = "attr-dict";
  }
}

def CorertSync_ConstDenseTensorOp : CorertSync_Op<"const_dense_tensor", [ConstantLike, Pure]> {
  let summary = "a constant dense tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Corert_TensorHandleType:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def CorertSync_GetOpHandlerOp : CorertSync_Op<"get_op_handler", [Pure]> {
  let summary = "looks an op handler up by name";
  let arguments = (ins StrAttr:$device_name);
  let results = (outs Corert_OpHandlerType:$op_handler);
  let assemblyFormat = "$device_name attr-dict";
}

def CorertSync_ExecuteOp : CorertSync_Op<"executeop", [Pure]> {
  let summary = "executes an op";
  let arguments = (ins Corert_OpHandlerType:$op_handler,
                       Variadic<Corert_TensorHandleType>:$arguments,
                       ArrayAttr:$op_attrs, StrAttr:$op_name);
  let results = (outs Variadic<Corert_TensorHandleType>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif
