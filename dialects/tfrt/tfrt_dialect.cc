#include "dialects/tfrt/tfrt_dialect.h"

#include "dialects/kernel_ops.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "dialects/tfrt/tfrt_ops_dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tfrt/tfrt_ops_types.cpp.inc"

namespace tfrt::compiler {
namespace {

// tfrt.call may be inlined into the body of a function, never into a region of one of our ops,
// which is isolated from above.
struct TfrtInliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation* call, mlir::Operation* callee, bool) const final {
    auto caller = mlir::dyn_cast<mlir::func::FuncOp>(call->getParentOp());
    // A call waits for all its operands, what it stands for need not; and a callee's memory plan
    // holds only where its function says that it has one.
    return mlir::isa<CallOp>(call) && caller && !caller->hasAttr(TfrtDialect::kMemoryPlanned) &&
           !callee->hasAttr(TfrtDialect::kMemoryPlanned);
  }
  bool isLegalToInline(mlir::Operation*, mlir::Region* destination, bool,
                       mlir::IRMapping&) const final {
    return mlir::isa<mlir::func::FuncOp>(destination->getParentOp());
  }
  bool isLegalToInline(mlir::Region* destination, mlir::Region*, bool,
                       mlir::IRMapping&) const final {
    return mlir::isa<mlir::func::FuncOp>(destination->getParentOp());
  }
  // The callee's returned values replace the call's results.
  void handleTerminator(mlir::Operation* op, mlir::ValueRange results) const final {
    for (auto [result, operand] : llvm::zip(results, op->getOperands())) {
      result.replaceAllUsesWith(operand);
    }
  }
};

}  // namespace

void TfrtDialect::initialize() {
  // Kernels without an op definition are used in generic form; types without one are opaque.
  allowUnknownTypes();
  allowUnknownOperations();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tfrt/tfrt_ops_types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/tfrt/tfrt_ops.cpp.inc"
      >();
#include "dialects/tfrt/tfrt_ops_kernels.inc"
  addInterfaces<TfrtInliner>();
}

mlir::Type TfrtDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::StringRef mnemonic;
  mlir::Type type;
  mlir::OptionalParseResult known = generatedTypeParser(parser, &mnemonic, type);
  if (known.has_value()) return type;
  return mlir::OpaqueType::get(mlir::StringAttr::get(getContext(), getNamespace()), mnemonic);
}

void TfrtDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  (void)generatedTypePrinter(type, printer);  // opaque types are printed by the framework
}

}  // namespace tfrt::compiler
