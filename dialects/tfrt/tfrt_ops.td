// The ops of the tfrt dialect.
#ifndef TFRT_DIALECTS_TFRT_TFRT_OPS
#define TFRT_DIALECTS_TFRT_TFRT_OPS

include "dialects/tfrt/tfrt_base.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tfrt_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tfrt_Dialect, mnemonic, !listconcat(traits, [IsolatedFromAbove])>;

// --- return ---

def Tfrt_ReturnOp : Tfrt_Op<"return", [Terminator, Pure]> {
  let summary = "returns values from a function or a region";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let hasVerifier = 1;
}

// --- constants ---

class Tfrt_ConstantOp<string prefix, string suffix, Type type, Attr attr>
    : Tfrt_Op<prefix # "." # suffix, [Pure]> {
  let summary = suffix # " constant";
  let arguments = (ins attr:$value);
  let results = (outs type:$result);
  let assemblyFormat = "$value attr-dict";
}

def Tfrt_ConstantI1Op : Tfrt_ConstantOp<"constant", "i1", I1, I1Attr>;
def Tfrt_ConstantI32Op : Tfrt_ConstantOp<"constant", "i32", I32, I32Attr>;
def Tfrt_ConstantI64Op : Tfrt_ConstantOp<"constant", "i64", I64, I64Attr>;
def Tfrt_ConstantUI32Op : Tfrt_ConstantOp<"constant", "ui32", UI32, UI32Attr>;
def Tfrt_ConstantUI64Op : Tfrt_ConstantOp<"constant", "ui64", UI64, UI64Attr>;
def Tfrt_ConstantBF16Op : Tfrt_ConstantOp<"constant", "bf16", BF16, Tfrt_BF16Attr>;
def Tfrt_ConstantF16Op : Tfrt_ConstantOp<"constant", "f16", F16, Tfrt_F16Attr>;
def Tfrt_ConstantF32Op : Tfrt_ConstantOp<"constant", "f32", F32, F32Attr>;
def Tfrt_ConstantF64Op : Tfrt_ConstantOp<"constant", "f64", F64, F64Attr>;
def Tfrt_ConstantSyncI64Op : Tfrt_ConstantOp<"constant_s", "i64", I64, I64Attr>;
def Tfrt_ConstantSyncF16Op : Tfrt_ConstantOp<"constant_s", "f16", F16, Tfrt_F16Attr>;
def Tfrt_ConstantSyncF32Op : Tfrt_ConstantOp<"constant_s", "f32", F32, F32Attr>;
def Tfrt_ConstantSyncF64Op : Tfrt_ConstantOp<"constant_s", "f64", F64, F64Attr>;

class Tfrt_ComplexConstantOp<string suffix, Type element, Attr attr>
    : Tfrt_Op<"constant." # suffix, [Pure]> {
  let summary = suffix # " constant";
  // Kernels receive attributes in name order: the imaginary part comes first there.
  let arguments = (ins attr:$real, attr:$imaginary);
  let results = (outs Complex<element>:$result);
  let assemblyFormat = "$real `,` $imaginary attr-dict";
}
def Tfrt_ConstantComplex64Op : Tfrt_ComplexConstantOp<"complex64", F32, F32Attr>;
def Tfrt_ConstantComplex128Op : Tfrt_ComplexConstantOp<"complex128", F64, F64Attr>;

// --- arithmetic, comparison, print ---

class Tfrt_SimpleOp<string mnemonic, list<Trait> traits = []> : Tfrt_Op<mnemonic, traits> {
  let assemblyFormat = "operands attr-dict";
}
class Tfrt_BinaryOp<string mnemonic, Type type, Type resultType>
    : Tfrt_SimpleOp<mnemonic, [Pure]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs resultType:$result);
}
def Tfrt_AddI32Op : Tfrt_BinaryOp<"add.i32", I32, I32>;
def Tfrt_AddI64Op : Tfrt_BinaryOp<"add.i64", I64, I64>;
def Tfrt_AddF32Op : Tfrt_BinaryOp<"add.f32", F32, F32>;
def Tfrt_AddF64Op : Tfrt_BinaryOp<"add.f64", F64, F64>;
def Tfrt_AndI1Op : Tfrt_BinaryOp<"and.i1", I1, I1>;
def Tfrt_EqualI32Op : Tfrt_BinaryOp<"equal.i32", I32, I1>;
def Tfrt_EqualI64Op : Tfrt_BinaryOp<"equal.i64", I64, I1>;
def Tfrt_MulI32Op : Tfrt_BinaryOp<"mul.i32", I32, I32>;
def Tfrt_MulI64Op : Tfrt_BinaryOp<"mul.i64", I64, I64>;
def Tfrt_MulSyncI32Op : Tfrt_BinaryOp<"mul_s.i32", I32, I32>;
def Tfrt_MulSyncI64Op : Tfrt_BinaryOp<"mul_s.i64", I64, I64>;

class Tfrt_DivOp<string mnemonic, Type type> : Tfrt_SimpleOp<mnemonic, [Pure]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$quotient, type:$remainder);
}
def Tfrt_DivI32Op : Tfrt_DivOp<"div.i32", I32>;
def Tfrt_DivI64Op : Tfrt_DivOp<"div.i64", I64>;

class Tfrt_PrintOp<string suffix, Type type> : Tfrt_SimpleOp<"print." # suffix> {
  let arguments = (ins type:$value, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType:$out_chain);
}
def Tfrt_PrintI1Op : Tfrt_PrintOp<"i1", I1>;
def Tfrt_PrintI32Op : Tfrt_PrintOp<"i32", I32>;
def Tfrt_PrintI64Op : Tfrt_PrintOp<"i64", I64>;
def Tfrt_PrintF32Op : Tfrt_PrintOp<"f32", F32>;
def Tfrt_PrintF64Op : Tfrt_PrintOp<"f64", F64>;

def Tfrt_GetDeviceOp : Tfrt_SimpleOp<"get_device"> {
  let summary = "looks a device up by name";
  let arguments = (ins Tfrt_ChainType:$in_chain, StrAttr:$device_name);
  let results = (outs Tfrt_DeviceType:$device);
}

// --- chains ---

def Tfrt_NewChainOp : Tfrt_Op<"new.chain", [Pure]> {
  let summary = "a chain that is ready";
  let results = (outs Tfrt_ChainType:$result);
  let assemblyFormat = "attr-dict";
}

def Tfrt_MergeChainsOp : Tfrt_Op<"merge.chains", [Pure]> {
  let summary = "a chain that is ready when all operands are";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Tfrt_ChainType:$result);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
  let hasCanonicalizeMethod = 1;
}

// --- calls and control flow by functions ---

def Tfrt_CallOp : Tfrt_Op<"call", [DeclareOpInterfaceMethods<CallOpInterface>]> {
  let summary = "runs a function";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat =
      "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // Calls carry no argument or result attributes.
    ::mlir::ArrayAttr getArgAttrsAttr() { return nullptr; }
    ::mlir::ArrayAttr getResAttrsAttr() { return nullptr; }
    void setArgAttrsAttr(::mlir::ArrayAttr) {}
    void setResAttrsAttr(::mlir::ArrayAttr) {}
    ::mlir::Attribute removeArgAttrsAttr() { return nullptr; }
    ::mlir::Attribute removeResAttrsAttr() { return nullptr; }
  }];
}

def Tfrt_CaseOp : Tfrt_Op<"case"> {
  let summary = "runs the function that an index selects";
  let arguments = (ins I32:$branch_index, ArrayAttr:$branches, Variadic<AnyType>:$branch_operands);
  let results = (outs Variadic<AnyType>:$branch_outputs);
  let assemblyFormat = [{
    $branch_index $branches `(` $branch_operands `)` attr-dict
    `:` `(` type($branch_operands) `)` `->` `(` type($branch_outputs) `)`
  }];
}

def Tfrt_CondOp : Tfrt_Op<"cond"> {
  let summary = "runs one of two functions";
  let arguments = (ins I1:$cond, FlatSymbolRefAttr:$a_true_fn, FlatSymbolRefAttr:$b_false_fn,
                       Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $cond $a_true_fn $b_false_fn `(` $arguments `)` attr-dict
    `:` `(` type($arguments) `)` `->` `(` type($results) `)`
  }];
  let hasVerifier = 1;
}

def Tfrt_WhileOp : Tfrt_Op<"while"> {
  let summary = "runs a function as long as its last result is true";
  let arguments = (ins I1:$cond, Variadic<AnyType>:$arguments, FlatSymbolRefAttr:$body_fn,
                       I64Attr:$parallel_iterations);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $cond $body_fn `(` $arguments `)` attr-dict `parallel_iterations` `(` $parallel_iterations `)`
    `:` `(` type($arguments) `)` `->` `(` type($results) `)`
  }];
}

def Tfrt_OnceOp : Tfrt_Op<"once"> {
  let summary = "runs a function once per resource context";
  let arguments = (ins FlatSymbolRefAttr:$function, Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $function `(` $arguments `)` attr-dict
    `:` `(` type($arguments) `)` `->` `(` type($results) `)`
  }];
}

// --- control flow with regions ---

def Tfrt_IfOp : Tfrt_Op<"if"> {
  let summary = "runs one of two regions";
  let arguments = (ins I1:$cond, Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tfrt_RepeatI32Op : Tfrt_Op<"repeat.i32"> {
  let summary = "runs a region a number of times";
  let arguments = (ins I32:$trip_count, Variadic<AnyType>:$loop_operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tfrt_ParallelForI32Op : Tfrt_Op<"parallel_for.i32"> {
  let summary = "runs a region over blocks of an index range, in parallel";
  let arguments = (ins I32:$start, I32:$end, I32:$block_size, Variadic<AnyType>:$loop_operands);
  let results = (outs Tfrt_ChainType:$done);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tfrt_ParallelCallI32Op : Tfrt_Op<"parallel_call.i32"> {
  let summary = "runs a function over blocks of an index range, in parallel";
  let arguments = (ins I32:$start, I32:$end, I32:$block_size, Variadic<AnyType>:$loop_operands,
                       FlatSymbolRefAttr:$callee);
  let results = (outs Tfrt_ChainType:$done);
  let assemblyFormat = [{
    $start `to` $end `fixed` $block_size $callee `(` $loop_operands `)`
    (`:` type($loop_operands)^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif
