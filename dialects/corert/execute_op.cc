#include "dialects/corert/execute_op.h"

#include "dialects/corert/corert_dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tfrt::compiler::corert {

using mlir::ArrayAttr;
using mlir::Attribute;
using mlir::failure;
using mlir::StringAttr;
using mlir::success;

namespace {

// The name of a pair; null if this is none.
StringAttr nameOf(Attribute attribute) {
  auto pair = mlir::dyn_cast<ArrayAttr>(attribute);
  return pair && pair.size() == 2 ? mlir::dyn_cast<StringAttr>(pair[0]) : StringAttr();
}

mlir::ParseResult parsePairs(mlir::OpAsmParser& parser, ArrayAttr& pairs) {
  mlir::NamedAttrList dictionary;
  if (parser.parseOptionalAttrDict(dictionary)) return failure();
  mlir::Builder& builder = parser.getBuilder();
  llvm::SmallVector<Attribute> elements;
  for (mlir::NamedAttribute entry : dictionary) {
    elements.push_back(builder.getArrayAttr(
        {builder.getStringAttr(entry.getName().getValue()), entry.getValue()}));
  }
  pairs = builder.getArrayAttr(elements);
  return success();
}

mlir::ParseResult parseNumResults(mlir::OpAsmParser& parser, size_t& count) {
  count = 0;
  if (mlir::failed(parser.parseOptionalColon())) return success();
  llvm::SMLoc loc = parser.getCurrentLocation();
  mlir::Type i32 = parser.getBuilder().getI32Type();
  Attribute attribute;
  if (parser.parseAttribute(attribute, i32)) return failure();
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute);
  if (!number || number.getType() != i32) {
    return parser.emitError(loc, "invalid kind of attribute specified");
  }
  int64_t value = number.getInt();
  if (value < 0) return parser.emitError(loc, "number of results is negative: ") << value;
  count = static_cast<size_t>(value);
  if (count <= kMaxExecuteOpResults) return success();
  return parser.emitError(loc, "number of results ")
         << value << " is above the limit of " << kMaxExecuteOpResults;
}

void printPairs(mlir::OpAsmPrinter& printer, ArrayAttr pairs) {
  printer << " {";
  llvm::StringRef separator;
  for (Attribute pair : pairs) {
    StringAttr name = nameOf(pair);
    if (!name) continue;
    printer << separator;
    printer.printKeywordOrString(name.getValue());
    printer << " = " << mlir::cast<ArrayAttr>(pair)[1];
    separator = ", ";
  }
  printer << '}';
}

}  // namespace

mlir::ParseResult parseExecuteOp(mlir::OpAsmParser& parser, mlir::OperationState& result,
                                 llvm::ArrayRef<mlir::Type> head_types, bool keeps_func_attrs) {
  using Delimiter = mlir::OpAsmParser::Delimiter;
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4> head, arguments;
  StringAttr op_name;
  ArrayAttr op_attrs, op_func_attrs;
  size_t num_results = 0;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(head, static_cast<int>(head_types.size()), Delimiter::Paren) ||
      parser.parseAttribute(op_name, "op_name", result.attributes) ||
      parser.parseOperandList(arguments, Delimiter::Paren) || parsePairs(parser, op_attrs) ||
      parsePairs(parser, op_func_attrs) || parseNumResults(parser, num_results)) {
    return failure();
  }
  result.addAttribute("op_attrs", op_attrs);
  if (keeps_func_attrs) result.addAttribute("op_func_attrs", op_func_attrs);
  mlir::Type handle = TensorHandleType::get(parser.getContext());
  result.types.append(num_results, handle);
  return mlir::ParseResult(failure(parser.resolveOperands(head, head_types, loc, result.operands) ||
                                   parser.resolveOperands(arguments, handle, result.operands)));
}

void printExecuteOp(mlir::OpAsmPrinter& printer, mlir::OperandRange head, StringAttr op_name,
                    mlir::OperandRange arguments, ArrayAttr op_attrs, ArrayAttr op_func_attrs,
                    size_t num_tensor_handles) {
  printer << '(' << head << ") " << op_name << '(' << arguments << ')';
  bool has_func_attrs = op_func_attrs && !op_func_attrs.empty();
  // The first dictionary is that of the op, so it must be there, if empty, for the second one.
  if (!op_attrs.empty() || has_func_attrs) printPairs(printer, op_attrs);
  if (has_func_attrs) printPairs(printer, op_func_attrs);
  if (num_tensor_handles != 0) printer << " : " << num_tensor_handles;
}

mlir::LogicalResult verifyPairs(mlir::Operation* op, ArrayAttr pairs, llvm::StringRef kind) {
  if (llvm::all_of(pairs, nameOf)) return success();
  return op->emitOpError() << "each " << kind
                           << " should be a key-value pair, where the key is a string";
}

Attribute foldExecuteOp(mlir::Operation* op, llvm::StringRef op_name, ArrayAttr op_attrs) {
  if (op_name != "tf.Const" || op->getNumResults() != 1) return {};
  auto function = op->getParentOfType<mlir::func::FuncOp>();
  if (function && function->hasAttr(TfrtDialect::kMemoryPlanned)) return {};
  for (Attribute pair : op_attrs) {
    StringAttr name = nameOf(pair);
    if (name && name.getValue() == "value") {
      return mlir::dyn_cast<mlir::DenseElementsAttr>(mlir::cast<ArrayAttr>(pair)[1]);
    }
  }
  return {};
}

}  // namespace tfrt::compiler::corert
