// The tfrt_gpu dialect, its types, and what the definitions of its ops share.
#ifndef TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_BASE
#define TFRT_DIALECTS_TFRT_GPU_TFRT_GPU_BASE

include "dialects/tfrt/tfrt_base.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TfrtGpu_Dialect : Dialect {
  let name = "tfrt_gpu";
  let cppNamespace = "::tfrt::compiler::gpu";
  let summary = "devices, streams and the vendors' libraries";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::tfrt::compiler::TfrtDialect",
                           "::tfrt::compiler::TfrtTensorDialect", "::tfrt::compiler::ht::HtDialect",
                           "::tfrt::compiler::ts::TsDialect"];
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

// --- types ---

class TfrtGpu_Type<string cppName, string text> : TypeDef<TfrtGpu_Dialect, cppName> {
  let mnemonic = text;
  let summary = "!tfrt_gpu." # text # " type";
}

def TfrtGpu_DeviceType : TfrtGpu_Type<"Device", "device">;
def TfrtGpu_ContextType : TfrtGpu_Type<"Context", "context">;
def TfrtGpu_StreamType : TfrtGpu_Type<"Stream", "stream">;
def TfrtGpu_EventType : TfrtGpu_Type<"Event", "event">;
def TfrtGpu_AllocatorType : TfrtGpu_Type<"Allocator", "allocator">;
def TfrtGpu_BufferType : TfrtGpu_Type<"Buffer", "buffer">;
def TfrtGpu_ModuleType : TfrtGpu_Type<"Module", "module">;
def TfrtGpu_FunctionType : TfrtGpu_Type<"Function", "function">;
def TfrtGpu_BlasHandleType : TfrtGpu_Type<"BlasHandle", "blas.handle">;
def TfrtGpu_BlasGemmAlgoType : TfrtGpu_Type<"BlasGemmAlgo", "blas.gemm.algo">;
def TfrtGpu_DnnHandleType : TfrtGpu_Type<"DnnHandle", "dnn.handle">;
def TfrtGpu_DnnPlanType : TfrtGpu_Type<"DnnPlan", "dnn.plan">;
def TfrtGpu_DnnConvolutionPlanType : TfrtGpu_Type<"DnnConvolutionPlan", "dnn.convolution.plan">;
def TfrtGpu_DnnConvolutionAlgorithmType
    : TfrtGpu_Type<"DnnConvolutionAlgorithm", "dnn.convolution.algorithm">;
def TfrtGpu_DnnActivationDescriptorType
    : TfrtGpu_Type<"DnnActivationDescriptor", "dnn.activation.descriptor">;
def TfrtGpu_DnnConvolutionDescriptorType
    : TfrtGpu_Type<"DnnConvolutionDescriptor", "dnn.convolution.descriptor">;
def TfrtGpu_DnnFilterDescriptorType : TfrtGpu_Type<"DnnFilterDescriptor", "dnn.filter.descriptor">;
def TfrtGpu_DnnPoolingDescriptorType : TfrtGpu_Type<"DnnPoolingDescriptor", "dnn.pooling.descriptor">;
def TfrtGpu_DnnTensorDescriptorType : TfrtGpu_Type<"DnnTensorDescriptor", "dnn.tensor.descriptor">;
def TfrtGpu_FftHandleType : TfrtGpu_Type<"FftHandle", "fft.handle">;
def TfrtGpu_SolverHandleType : TfrtGpu_Type<"SolverHandle", "solver.handle">;
def TfrtGpu_CclIdType : TfrtGpu_Type<"CclId", "ccl.id">;
def TfrtGpu_CclHandleType : TfrtGpu_Type<"CclHandle", "ccl.handle">;

// --- attributes ---

// Integers that stand for a vendor's value (lib/format/op_table/gpu_enums.h). Custom forms have the vendor's spelling,
// custom<BlasOperation>($transA). BEF files do not keep that a type is signed, so one without a sign is taken, too.
class TfrtGpu_EnumAttr<Pred predicate, string text> : Attr<predicate, text> {
  let storageType = "::mlir::IntegerAttr";
  let returnType = "::mlir::IntegerAttr";
  let convertFromStorage = "$_self";
}
def TfrtGpu_Enum : TfrtGpu_EnumAttr<
    CPred<"::tfrt::compiler::gpu::isIntegerAttr($_self, [](::mlir::Type type) { return type.isSignedInteger(32) || "
          "type.isSignlessInteger(32); })">,
    "32-bit signed integer attribute">;
def TfrtGpu_Enum64 : TfrtGpu_EnumAttr<
    CPred<"::tfrt::compiler::gpu::isIntegerAttr($_self, [](::mlir::Type type) { return type.isUnsignedInteger(64); })">,
    "64-bit unsigned integer attribute">;

// --- ops ---

// An op of operands alone is written `operands attr-dict`. No results have names of their own.
class TfrtGpu_Op<string mnemonic, list<Trait> traits = []> : Op<TfrtGpu_Dialect, mnemonic, traits> {
  let assemblyFormat = "operands attr-dict";
}

// `implied`, a C++ expression, says whether the custom form, which leaves out the types of scalars, gives back
// those that the op has. An op of other types, which only the generic form can have, is printed in that.
class TfrtGpu_ScalarOp<string mnemonic, string implied, list<Trait> traits = []>
    : TfrtGpu_Op<mnemonic, traits> {
  let extraClassDeclaration = [{
    bool hasImpliedScalarTypes() { return }] # implied # [{; }
    static ::mlir::OperationName::PrintAssemblyFn getPrintAssemblyFn() {
      return [](::mlir::Operation *op, ::mlir::OpAsmPrinter &printer, ::llvm::StringRef dialect) {
        auto self = ::llvm::cast<}] # !subst("TfrtGpu_", "", NAME) # [{>(op);
        if (!self.hasImpliedScalarTypes()) return printer.printGenericOp(op);
        printOpName(op, printer, dialect);
        self.print(printer);
      };
    }
  }];
}

#endif
