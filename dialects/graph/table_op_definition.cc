// One definition for all rows: it answers from the row what the generated class of an op would.

#include "dialects/graph/table_op_definition.h"

#include <memory>
#include <string>

#include "dialects/graph/graph_dialect.h"
#include "dialects/graph/table_op_verifier.h"
#include "dialects/op_definition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tfrt::compiler::graph {
namespace {

struct AllEffects : mlir::MemoryEffectOpInterface::FallbackModel<AllEffects> {
  using Effect = mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>;
  void getEffects(mlir::Operation*, llvm::SmallVectorImpl<Effect>& effects) const {
    effects.emplace_back(mlir::MemoryEffects::Read::get());
    effects.emplace_back(mlir::MemoryEffects::Write::get());
  }
};

// Several results are printed under the row's names: %values, %indices = graph.top_k ...
struct ResultNames : mlir::OpAsmOpInterface::FallbackModel<ResultNames> {
  void getAsmResultNames(mlir::Operation* op, mlir::OpAsmSetValueNameFn set_name) const {
    const OpDescription& row = *descriptionOf(op);
    for (mlir::OpResult result : op->getResults()) {
      const unsigned i = result.getResultNumber();
      set_name(result, i < row.results.size() ? llvm::StringRef(row.results[i]) : "next_token");
    }
  }
  void getAsmBlockArgumentNames(mlir::Operation*, mlir::Region&, mlir::OpAsmSetValueNameFn) const {}
  void getAsmBlockNames(mlir::Operation*, mlir::OpAsmSetBlockNameFn) const {}
  static llvm::StringRef getDefaultDialect() { return ""; }
};

class TableOpDefinition final : public OpDefinition {
 public:
  TableOpDefinition(const OpDescription& row, mlir::Dialect& dialect)
      : OpDefinition(std::string(kGraphOpPrefix) + std::string(row.name), dialect, typeIdOf(row),
                     !row.has_side_effects()),
        row_(row) {
    if (row.has_side_effects()) getInterfaceMap().insertModels<AllEffects>();
    if (row.results.size() + row.has_side_effects() > 1) {
      getInterfaceMap().insertModels<ResultNames>();
    }
  }

 private:
  bool hasTrait(mlir::TypeID trait) override {
    using mlir::TypeID;
    return trait == TypeID::get<TableOpTrait>() || OpDefinition::hasTrait(trait) ||
           (trait == TypeID::get<mlir::OpTrait::AttrSizedOperandSegments>() && hasSegments(row_));
  }
  bool isInherent(llvm::StringRef name) const override { return graph::isInherent(row_, name); }
  mlir::LogicalResult verifyKinds(const mlir::NamedAttrList& attributes,
                                  EmitError error) const override {
    return graph::verifyKinds(row_, attributes, error);
  }

  // operands attr-dict `:` functional-type(operands, results)
  mlir::ParseResult parse(mlir::OpAsmParser& parser, mlir::OperationState& state) const override {
    llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> operands;
    llvm::SMLoc at = parser.getCurrentLocation();
    mlir::FunctionType type;
    if (parser.parseOperandList(operands) || parseAttributes(parser, state) ||
        parser.parseColon() || parser.parseType(type)) {
      return mlir::failure();
    }
    state.addTypes(type.getResults());
    return parser.resolveOperands(operands, type.getInputs(), at, state.operands);
  }
  void print(mlir::Operation* op, mlir::OpAsmPrinter& printer) const override {
    printer << ' ' << op->getOperands();
    printer.printOptionalAttrDict(op->getAttrs());
    printer << " : ";
    printer.printFunctionalType(op->getOperandTypes(), op->getResultTypes());
  }

  mlir::LogicalResult verifyInvariants(mlir::Operation* op) override {
    return mlir::success(
        mlir::succeeded(verifyNumbers(op, row_)) && mlir::succeeded(verifyRequired(op, row_)) &&
        mlir::succeeded(verifyAttributes(op)) && mlir::succeeded(verifyTypes(op, row_)));
  }

  const OpDescription& row_;
};

}  // namespace

void registerTableOps(mlir::Dialect& dialect) {
  for (const OpDescription* row : AllOpDescriptions()) {
    // `constant` has a syntax of its own, in graph_ops.td.
    if (HasFlag(row->flags, OpFlags::kConstant)) continue;
    mlir::RegisteredOperationName::insert(std::make_unique<TableOpDefinition>(*row, dialect), {});
  }
}

}  // namespace tfrt::compiler::graph
