// Syntax and verifier of tfrt_gpu.streamify.

#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"
#include "mlir/IR/Builders.h"

namespace tfrt::compiler::gpu {

using mlir::failure;
using mlir::success;

static bool isToken(mlir::Type type) { return mlir::isa<mlir::gpu::AsyncTokenType>(type); }

static void addMissingReturn(mlir::Region& body, mlir::Location location) {
  mlir::Block& block = body.empty() ? body.emplaceBlock() : body.front();
  if (block.mightHaveTerminator()) return;
  mlir::OpBuilder builder(location.getContext());
  builder.setInsertionPointToEnd(&block);
  ReturnOp::create(builder, location, mlir::ValueRange());
}

// The op has a token if it has as many results as the body returns values: of those the first, a
// chain, is no result. Without a return the last result's type has to do.
mlir::Value StreamifyOp::getAsyncToken() {
  if (getNumResults() == 0) return {};
  mlir::Value last = getResults().back();
  if (!isToken(last.getType())) return {};
  if (getBody().empty() || getBody().front().empty()) return last;
  mlir::Operation& end = getBody().front().back();
  if (mlir::isa<ReturnOp>(end) && end.getNumOperands() == getNumResults() + 1) return {};
  return last;
}

mlir::ParseResult StreamifyOp::parse(mlir::OpAsmParser& parser, mlir::OperationState& result) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  const bool is_async = mlir::succeeded(parser.parseOptionalKeyword("async"));
  if (is_async && parser.getNumResults() == 0) {
    return parser.emitError(loc, "needs to be named when marked 'async'");
  }
  mlir::Type token = mlir::gpu::AsyncTokenType::get(parser.getContext());
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4> tokens;
  if (parser.parseOperandList(tokens, mlir::OpAsmParser::Delimiter::OptionalSquare) ||
      parser.resolveOperands(tokens, token, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes)) {
    return failure();
  }
  mlir::Region* body = result.addRegion();
  if (parser.parseRegion(*body)) return failure();
  addMissingReturn(*body, result.location);
  if (parser.parseOptionalColonTypeList(result.types)) return failure();
  if (is_async) result.addTypes(token);
  return success();
}

void StreamifyOp::print(mlir::OpAsmPrinter& printer) {
  const bool is_async = static_cast<bool>(getAsyncToken());
  if (is_async) printer << " async";
  if (!getAsyncDependencies().empty()) printer << " [" << getAsyncDependencies() << ']';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody());
  mlir::TypeRange types = getResultTypes();
  if (is_async) types = types.drop_back();
  if (!types.empty()) printer << " : " << types;
}

mlir::LogicalResult StreamifyOp::verifyRegions() {
  mlir::Operation* end = getBody().front().getTerminator();
  if (!mlir::isa<ReturnOp>(end)) {
    return emitOpError("body ends with '") << end->getName() << "', not with 'tfrt.return'";
  }
  mlir::TypeRange returned = end->getOperandTypes();
  if (returned.empty() || !mlir::isa<ChainType>(returned.front())) {
    return emitOpError("first return operand type is not a !tfrt.chain");
  }
  mlir::TypeRange types = getResultTypes();
  if (getAsyncToken()) types = types.drop_back();
  if (returned.drop_front() == types) return success();
  return emitOpError("trailing return types don't match result types");
}

}  // namespace tfrt::compiler::gpu
