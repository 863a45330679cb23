#include "dialects/kernel_ops.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>

#include "dialects/element_type_interface.h"
#include "dialects/op_definition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

namespace tfrt::compiler {
namespace {

using Kind = KernelAttr::Kind;

struct KindInfo {
  llvm::StringRef name;                // as MLIR's own constraints have it
  DType number = DType::kUnsupported;  // of elements, if it is an array; kUnsupported for others
  bool is_array = false;
};
// By Kind.
constexpr KindInfo kKinds[] = {
    {"any attribute"},
    {"array attribute", DType::kUnsupported, true},
    {"bf16 attribute", DType::kBF16},
    {"f16 attribute", DType::kF16},
    {"32-bit float attribute", DType::kF32},
    {"64-bit float attribute", DType::kF64},
    {"1-bit signless integer attribute", DType::kI1},
    {"32-bit signless integer attribute", DType::kI32},
    {"32-bit integer array attribute", DType::kI32, true},
    {"64-bit signless integer attribute", DType::kI64},
    {"64-bit integer array attribute", DType::kI64, true},
    {"string attribute"},
    {"string array attribute", DType::kUnsupported, true},
    {"32-bit unsigned integer attribute", DType::kUI32},
    {"64-bit unsigned integer attribute", DType::kUI64},
};
static_assert(std::size(kKinds) == static_cast<size_t>(Kind::kUI64) + 1);
const KindInfo& infoOf(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

bool isArray(Kind kind) { return infoOf(kind).is_array; }

// The type of a number; null for other kinds.
mlir::Type numberType(Kind kind, mlir::MLIRContext* context) {
  return elementType(infoOf(kind).number, context);
}

bool isNumber(mlir::Attribute attribute, mlir::Type type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) return integer.getType() == type;
  auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute);
  return number && number.getType() == type;
}

bool isOfKind(mlir::Attribute attribute, Kind kind) {
  if (kind == Kind::kAny) return true;
  if (kind == Kind::kString) return mlir::isa<mlir::StringAttr>(attribute);
  mlir::Type type = numberType(kind, attribute.getContext());
  if (!isArray(kind)) return isNumber(attribute, type);
  auto array = mlir::dyn_cast<mlir::ArrayAttr>(attribute);
  if (!array || kind == Kind::kArray) return static_cast<bool>(array);
  return llvm::all_of(array, [&](mlir::Attribute element) {
    return type ? isNumber(element, type) : mlir::isa<mlir::StringAttr>(element);
  });
}

// Checks the part that the parser can check before the op is verified: that the attribute has the
// right class.
bool isOfClass(mlir::Attribute attribute, Kind kind) {
  if (kind == Kind::kAny) return true;
  if (kind == Kind::kString) return mlir::isa<mlir::StringAttr>(attribute);
  if (isArray(kind)) return mlir::isa<mlir::ArrayAttr>(attribute);
  return mlir::isa<mlir::FloatType>(numberType(kind, attribute.getContext()))
             ? mlir::isa<mlir::FloatAttr>(attribute)
             : mlir::isa<mlir::IntegerAttr>(attribute);
}

// The type that an attribute's text need not say; null where it must.
mlir::Type impliedType(Kind kind, mlir::Builder& builder) {
  if (kind == Kind::kAny) return {};
  if (isArray(kind) || kind == Kind::kString) return builder.getNoneType();
  return numberType(kind, builder.getContext());
}

// Without the quotes of diagnostics.
std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

class KernelOpDefinition final : public OpDefinition {
 public:
  KernelOpDefinition(const KernelOp& row, mlir::Dialect& dialect, llvm::ArrayRef<mlir::Type> types)
      : OpDefinition(row.name, dialect, mlir::TypeID::getFromOpaquePointer(&row), row.is_pure),
        row_(row),
        operands_(typesOf(row.operands, types)),
        results_(typesOf(row.results, types)) {}

 private:
  static llvm::SmallVector<mlir::Type> typesOf(std::string_view letters,
                                               llvm::ArrayRef<mlir::Type> types) {
    return llvm::map_to_vector(letters, [&](char letter) { return types[letter - 'a']; });
  }

  bool isInherent(llvm::StringRef name) const override {
    return llvm::any_of(row_.attrs,
                        [&](const KernelAttr& attr) { return llvm::StringRef(attr.name) == name; });
  }
  mlir::LogicalResult verifyKinds(const mlir::NamedAttrList& attributes,
                                  EmitError error) const override {
    for (const KernelAttr& attr : row_.attrs) {
      mlir::Attribute attribute = attributes.get(attr.name);
      if (!attribute || isOfKind(attribute, attr.kind)) continue;
      return error() << "attribute '" << llvm::StringRef(attr.name)
                     << "' failed to satisfy constraint: " << infoOf(attr.kind).name;
    }
    return mlir::success();
  }

  mlir::ParseResult parse(mlir::OpAsmParser& parser, mlir::OperationState& state) const override {
    llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> operands;
    llvm::SMLoc at = parser.getCurrentLocation();
    if (llvm::all_of(row_.attrs, [](auto& attr) { return attr.is_in_dictionary; })) {
      // The token after an op without operands may be the next one's result.
      if (!operands_.empty() && parser.parseOperandList(operands)) return mlir::failure();
    } else if (parseSyntax(parser, state, operands)) {
      return mlir::failure();
    }
    if (parseAttributes(parser, state)) return mlir::failure();
    state.addTypes(results_);
    return parser.resolveOperands(operands, operands_, at, state.operands);
  }
  mlir::ParseResult parseSyntax(
      mlir::OpAsmParser& parser, mlir::OperationState& state,
      llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>& operands) const {
    for (size_t i = 0; i < operands_.size(); ++i) {
      if ((i > 0 && parser.parseComma()) || parser.parseOperand(operands.emplace_back())) {
        return mlir::failure();
      }
    }
    mlir::NamedAttrList attributes;
    for (const KernelAttr& attr : row_.attrs) {
      if (attr.is_in_dictionary) continue;
      if (!attr.keyword.empty() && parser.parseKeyword(attr.keyword)) return mlir::failure();
      llvm::SMLoc at = parser.getCurrentLocation();
      mlir::Attribute attribute;
      if (parser.parseAttribute(attribute, impliedType(attr.kind, parser.getBuilder()))) {
        return mlir::failure();
      }
      if (!isOfClass(attribute, attr.kind)) {
        return parser.emitError(at, "invalid kind of attribute specified");
      }
      attributes.append(attr.name, attribute);
    }
    setAttributes(state, attributes);
    return mlir::success();
  }
  void print(mlir::Operation* op, mlir::OpAsmPrinter& printer) const override {
    if (op->getNumOperands() > 0) printer << ' ' << op->getOperands();
    llvm::SmallVector<llvm::StringRef> printed;
    for (const KernelAttr& attr : row_.attrs) {
      if (attr.is_in_dictionary) continue;
      printer << ' ';
      if (!attr.keyword.empty()) printer << llvm::StringRef(attr.keyword) << ' ';
      mlir::Attribute attribute = op->getAttr(attr.name);
      if (attr.kind == Kind::kAny) {
        printer.printAttribute(attribute);
      } else {
        printer.printAttributeWithoutType(attribute);
      }
      printed.push_back(attr.name);
    }
    printer.printOptionalAttrDict(op->getAttrs(), printed);
  }

  mlir::LogicalResult verifyInvariants(mlir::Operation* op) override {
    if (mlir::failed(verifyResultsAlone(op, static_cast<unsigned>(results_.size()))) ||
        mlir::failed(verifyNumOperands(op))) {
      return mlir::failure();
    }
    for (const KernelAttr& attr : row_.attrs) {
      if (op->hasAttr(attr.name)) continue;
      return op->emitOpError("requires attribute '") << llvm::StringRef(attr.name) << "'";
    }
    return mlir::success(
        mlir::succeeded(verifyAttributes(op)) &&
        mlir::succeeded(verifyTypes(op, op->getOperandTypes(), operands_, "operand")) &&
        mlir::succeeded(verifyTypes(op, op->getResultTypes(), results_, "result")));
  }
  mlir::LogicalResult verifyNumOperands(mlir::Operation* op) const {
    namespace checks = mlir::OpTrait::impl;
    const auto num_operands = static_cast<unsigned>(operands_.size());
    if (num_operands == 0) return checks::verifyZeroOperands(op);
    if (num_operands == 1) return checks::verifyOneOperand(op);
    return checks::verifyNOperands(op, num_operands);
  }
  static mlir::LogicalResult verifyTypes(mlir::Operation* op, mlir::TypeRange types,
                                         llvm::ArrayRef<mlir::Type> wanted, llvm::StringRef what) {
    for (auto [index, type] : llvm::enumerate(wanted)) {
      if (types[index] == type) continue;
      auto error = op->emitOpError(what) << " #" << index << " must be ";
      if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
        error << integer.getWidth() << "-bit signless integer";
      } else {
        error << textOf(type) << " type";
      }
      return error << ", but got " << types[index];
    }
    return mlir::success();
  }

  const KernelOp& row_;
  const llvm::SmallVector<mlir::Type> operands_;
  const llvm::SmallVector<mlir::Type> results_;
};

}  // namespace

void registerKernelOps(mlir::Dialect& dialect, std::span<const KernelOp> ops,
                       llvm::ArrayRef<mlir::Type> types) {
  for (const KernelOp& op : ops) {
    mlir::RegisteredOperationName::insert(std::make_unique<KernelOpDefinition>(op, dialect, types),
                                          {});
  }
}

}  // namespace tfrt::compiler
