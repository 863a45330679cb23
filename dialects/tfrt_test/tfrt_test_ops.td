// The tfrt_test dialect: ops for tests of the runtime.
#ifndef TFRT_DIALECTS_TFRT_TEST_TFRT_TEST_OPS
#define TFRT_DIALECTS_TFRT_TEST_TFRT_TEST_OPS

include "dialects/tfrt/tfrt_base.td"
include "dialects/tfrt_tensor/tfrt_tensor.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TfrtTest_Dialect : Dialect {
  let name = "tfrt_test";
  let cppNamespace = "::tfrt::compiler";
  let summary = "ops for tests of the runtime";
  let dependentDialects = ["::tfrt::compiler::TfrtDialect",
                           "::tfrt::compiler::TfrtTensorDialect"];
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class TfrtTest_Op<string mnemonic, list<Trait> traits = []>
    : Op<TfrtTest_Dialect, mnemonic, !listconcat(traits, [IsolatedFromAbove])>;
class TfrtTest_SimpleOp<string mnemonic, list<Trait> traits = []>
    : TfrtTest_Op<mnemonic, traits> {
  let assemblyFormat = "operands attr-dict";
}

def TfrtTest_ProtoExample
    : Type<CPred<"::tfrt::compiler::isProtoExample($_self)">, "!proto.example type">,
      BuildableType<"::tfrt::compiler::getProtoExampleType($_builder.getContext())">;

def TfrtTest_DoAsyncOp : TfrtTest_Op<"do.async"> {
  let summary = "runs a region as a task";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TfrtTest_BenchmarkOp : TfrtTest_Op<"benchmark"> {
  let summary = "runs a region repeatedly and prints times";
  let arguments = (ins Variadic<AnyType>:$operands, I32Attr:$duration_secs, I32Attr:$max_count,
                       StrAttr:$name, DefaultValuedAttr<I32Attr, "1">:$num_warmup_runs);
  let results = (outs Tfrt_ChainType:$done);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TfrtTest_SyncBenchmarkOp : TfrtTest_Op<"sync_benchmark"> {
  let summary = "runs a sync function repeatedly and prints times";
  let arguments = (ins Variadic<AnyType>:$operands, I32Attr:$duration_secs, I32Attr:$max_count,
                       DefaultValuedAttr<I32Attr, "1">:$num_warmup_runs,
                       FlatSymbolRefAttr:$target_fn);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class TfrtTest_Count3Op<string suffix, Type type> : TfrtTest_SimpleOp<"count3." # suffix, [Pure]> {
  let arguments = (ins type:$input);
  let results = (outs type:$one, type:$two, type:$three);
}
def TfrtTest_Count3I32Op : TfrtTest_Count3Op<"i32", I32>;
def TfrtTest_Count3I64Op : TfrtTest_Count3Op<"i64", I64>;

def TfrtTest_DecodeJpegOp : TfrtTest_SimpleOp<"decode_jpeg"> {
  let arguments = (ins Tfrt_StringType:$data);
  let results = (outs TfrtTensor_TensorType:$image);
}
def TfrtTest_ResizeBilinearOp : TfrtTest_SimpleOp<"resize_bilinear"> {
  let arguments = (ins TfrtTensor_TensorType:$image, I64:$height, I64:$width);
  let results = (outs TfrtTensor_TensorType:$result);
}
def TfrtTest_ParseExampleFromBytesOp : TfrtTest_SimpleOp<"parse_example_from_bytes"> {
  let arguments = (ins Tfrt_StringType:$data);
  let results = (outs TfrtTest_ProtoExample:$example);
}
def TfrtTest_GetBytesFieldFromExampleOp : TfrtTest_SimpleOp<"get_bytes_field_from_example"> {
  let arguments = (ins TfrtTest_ProtoExample:$example, Tfrt_StringType:$key);
  let results = (outs Tfrt_StringType:$value);
}
def TfrtTest_GetInt64FieldFromExampleOp : TfrtTest_SimpleOp<"get_int64_field_from_example"> {
  let arguments = (ins TfrtTest_ProtoExample:$example, Tfrt_StringType:$key);
  let results = (outs I64:$value);
}

class TfrtTest_GetStringOpBase<string mnemonic> : TfrtTest_Op<mnemonic> {
  let arguments = (ins StrAttr:$value);
  let results = (outs Tfrt_StringType:$result);
  let assemblyFormat = "attr-dict";
}
def TfrtTest_GetStringOp : TfrtTest_GetStringOpBase<"get_string">;
def TfrtTest_GetStringSyncOp : TfrtTest_GetStringOpBase<"get_string_sync">;

def TfrtTest_TestCostOp : TfrtTest_Op<"test_cost"> {
  let summary = "an op whose cost is an attribute";
  let arguments = (ins Variadic<AnyType>:$operands, I64Attr:$id, I64Attr:$_tfrt_cost);
  let results = (outs I32:$result);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif
