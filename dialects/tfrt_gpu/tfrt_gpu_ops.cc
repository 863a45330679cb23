// The generated code of the tfrt_gpu ops, and their verifiers.

#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"
#include "mlir/IR/Builders.h"

namespace tfrt::compiler::gpu {

using mlir::LogicalResult;
using mlir::success;

// The type behind the colon of mem.load is that of the result and an attribute for the kernel.
static mlir::ParseResult parseLoadedType(mlir::OpAsmParser& parser, mlir::TypeAttr& attribute,
                                         mlir::Type& type) {
  if (parser.parseType(type)) return mlir::failure();
  attribute = mlir::TypeAttr::get(type);
  return success();
}

static void printLoadedType(mlir::OpAsmPrinter& printer, mlir::Operation*, mlir::TypeAttr,
                            mlir::Type type) {
  printer << type;
}

// The sizes of a grid or of a block: (4, 1, 1).
static mlir::ParseResult parseSizes(mlir::OpAsmParser& parser, mlir::ArrayAttr& attribute) {
  mlir::Builder builder(parser.getContext());
  const mlir::Type type = builder.getIntegerType(32, /*isSigned=*/false);
  llvm::SmallVector<mlir::Attribute> sizes;
  auto parse_size = [&]() -> mlir::ParseResult {
    int64_t size = 0;
    const llvm::SMLoc where = parser.getCurrentLocation();
    if (parser.parseInteger(size)) return mlir::failure();
    if (size < 0 || size > UINT32_MAX) {
      return parser.emitError(where, "a size is a number of 32 bits");
    }
    sizes.push_back(builder.getIntegerAttr(type, size));
    return success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Paren, parse_size)) {
    return mlir::failure();
  }
  attribute = builder.getArrayAttr(sizes);
  return success();
}

static void printSizes(mlir::OpAsmPrinter& printer, mlir::Operation*, mlir::ArrayAttr sizes) {
  printer << '(';
  llvm::interleaveComma(sizes, printer, [&](mlir::Attribute size) {
    printer << mlir::cast<mlir::IntegerAttr>(size).getValue().getZExtValue();
  });
  printer << ')';
}

}  // namespace tfrt::compiler::gpu

#define GET_OP_CLASSES
#include "dialects/tfrt_gpu/tfrt_gpu_ops.cpp.inc"

namespace tfrt::compiler::gpu {

// Whether all attributes stand for one value, with or without a sign.
static bool areEqual(mlir::IntegerAttr first, llvm::ArrayRef<mlir::IntegerAttr> others) {
  return llvm::all_of(others,
                      [&](mlir::IntegerAttr other) { return valueOf(other) == valueOf(first); });
}

static LogicalResult verifyAlpha(mlir::Operation* op, mlir::IntegerAttr type_alpha,
                                 mlir::Value alpha) {
  mlir::Type type = impliedType(GpuEnum::kBlasDataType, type_alpha);
  if (!type) {
    return op->emitOpError("could not infer type from ")
           << PrintGpuEnum(GpuEnum::kBlasDataType, valueOf(type_alpha));
  }
  if (alpha.getType() == type) return success();
  return op->emitOpError("alpha's type doesn't match typeAlpha");
}

LogicalResult BlasAxpyOp::verify() {
  if (!areEqual(getTypeAlpha(), {getTypeX(), getTypeY(), getExecutionType()})) {
    return emitOpError("typeAlpha, typeX, typeY and executionType need to match");
  }
  return verifyAlpha(*this, getTypeAlpha(), getAlpha());
}

LogicalResult BlasScalOp::verify() {
  if (!areEqual(getTypeAlpha(), {getTypeX(), getExecutionType()})) {
    return emitOpError("typeAlpha, typeX, and executionType need to match");
  }
  return verifyAlpha(*this, getTypeAlpha(), getAlpha());
}

LogicalResult BlasGemmOp::verify() {
  if (areEqual(getTypeA(), getTypeB())) return success();
  return emitOpError("typeA and typeB need to match");
}

LogicalResult BlasGemmBatchOp::verify() {
  if (areEqual(getTypeA(), getTypeB())) return success();
  return emitOpError("typeA and typeB need to match");
}

LogicalResult BlasLtMatmulOp::verify() {
  if (!areEqual(getTypeA(), getTypeB())) return emitOpError("typeA and typeB need to match");
  const llvm::StringRef epilogue = getEpilogue();
  const llvm::StringRef known[] = {"none", "bias",      "relu",      "relu_bias",
                                   "gelu", "gelu_bias", "gelu_tanh", "gelu_tanh_bias"};
  if (!llvm::is_contained(known, epilogue)) {
    return emitOpError("unknown epilogue '") << epilogue << "'";
  }
  if (epilogue.ends_with("bias") == static_cast<bool>(getBias())) return success();
  return emitOpError("epilogue '") << epilogue << (getBias() ? "' has no bias" : "' needs a bias");
}

LogicalResult DnnGraphBuildOp::verify() {
  if (getDims().size() == getStrides().size()) return mlir::success();
  return emitOpError("has ") << getDims().size() << " dimensions and " << getStrides().size()
                             << " strides";
}

LogicalResult FftCreateOp::verify() {
  const size_t rank = getDims().size();
  if (rank < 1 || rank > 3) return emitOpError("dims should have rank 1, 2, or 3.");
  if (getInStrides().size() != rank + 1) {
    return emitOpError("in_strides should be one larger than dims.");
  }
  if (getOutStrides().size() != rank + 1) {
    return emitOpError("out_strides should be one larger than dims.");
  }
  return success();
}

LogicalResult FunctionLaunchStaticOp::verify() {
  if (getBlocks().size() == 3 && getThreads().size() == 3) return success();
  return emitOpError("blocks and threads have three sizes each");
}

LogicalResult MemLoadOp::verify() {
  if (getTypeAttr().getValue() == getResult().getType()) return success();
  return emitOpError("type ") << getTypeAttr() << " is not that of the result, "
                              << getResult().getType();
}

}  // namespace tfrt::compiler::gpu
