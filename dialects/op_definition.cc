#include "dialects/op_definition.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tfrt::compiler {
namespace {

using mlir::DictionaryAttr;
using mlir::Operation;

DictionaryAttr& dictionaryOf(mlir::OpaqueProperties properties) {
  return *properties.as<DictionaryAttr*>();
}

// An op without attributes has no dictionary, whatever it was made from.
DictionaryAttr nullIfEmpty(DictionaryAttr attributes) {
  return attributes && attributes.empty() ? DictionaryAttr() : attributes;
}

struct Bytecode : mlir::BytecodeOpInterface::FallbackModel<Bytecode> {
  static llvm::LogicalResult readProperties(mlir::DialectBytecodeReader& reader,
                                            mlir::OperationState& state) {
    return reader.readOptionalAttribute(state.getOrAddProperties<DictionaryAttr>());
  }
  void writeProperties(Operation* op, mlir::DialectBytecodeWriter& writer) const {
    writer.writeOptionalAttribute(dictionaryOf(op->getPropertiesStorage()));
  }
};

struct NoEffects : mlir::MemoryEffectOpInterface::FallbackModel<NoEffects> {
  using Effect = mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>;
  void getEffects(Operation*, llvm::SmallVectorImpl<Effect>&) const {}
};

struct Speculatable : mlir::ConditionallySpeculatable::FallbackModel<Speculatable> {
  mlir::Speculation::Speculatability getSpeculatability(Operation*) const {
    return mlir::Speculation::Speculatable;
  }
};

mlir::detail::InterfaceMap interfaces(bool is_pure) {
  mlir::detail::InterfaceMap map;
  map.insertModels<Bytecode>();
  if (is_pure) map.insertModels<NoEffects, Speculatable>();
  return map;
}

// Gives access to what only classes of ops may call.
struct Printer : mlir::OpState {
  using OpState::printOpName;
};

}  // namespace

OpDefinition::OpDefinition(llvm::StringRef name, mlir::Dialect& dialect, mlir::TypeID id,
                           bool is_pure)
    : Impl(name, &dialect, id, interfaces(is_pure)) {}

DictionaryAttr OpDefinition::attributesOf(Operation* op) {
  return dictionaryOf(op->getPropertiesStorage());
}

void OpDefinition::setAttributes(mlir::OperationState& state, mlir::NamedAttrList& attributes) {
  state.getOrAddProperties<DictionaryAttr>() =
      nullIfEmpty(attributes.getDictionary(state.getContext()));
}

mlir::ParseResult OpDefinition::parseAttributes(mlir::OpAsmParser& parser,
                                                mlir::OperationState& state) const {
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes)) return mlir::failure();
  return verifyKinds(state.attributes, [&] {
    return parser.emitError(at) << "'" << state.name.getStringRef() << "' op ";
  });
}

mlir::LogicalResult OpDefinition::verifyAttributes(Operation* op) const {
  DictionaryAttr attributes = attributesOf(op);
  if (!attributes) return mlir::success();
  for (mlir::NamedAttribute each : attributes) {
    if (isInherent(each.getName())) continue;
    return op->emitOpError("has no attribute '") << each.getName().getValue() << "'";
  }
  return verifyKinds(mlir::NamedAttrList(attributes), [&] { return op->emitOpError(); });
}

bool OpDefinition::hasTrait(mlir::TypeID trait) {
  using mlir::TypeID;
  namespace traits = mlir::OpTrait;
  return trait == TypeID::get<traits::ZeroRegions>() ||
         trait == TypeID::get<traits::ZeroSuccessors>() ||
         trait == TypeID::get<traits::OpInvariants>();
}

mlir::OperationName::ParseAssemblyFn OpDefinition::getParseAssemblyFn() {
  return [this](mlir::OpAsmParser& parser, mlir::OperationState& state) {
    return parse(parser, state);
  };
}

void OpDefinition::printAssembly(Operation* op, mlir::OpAsmPrinter& printer,
                                 llvm::StringRef default_dialect) {
  Printer::printOpName(op, printer, default_dialect);
  print(op, printer);
}

std::optional<mlir::Attribute> OpDefinition::getInherentAttr(Operation* op, llvm::StringRef name) {
  if (!isInherent(name)) return std::nullopt;
  DictionaryAttr attributes = attributesOf(op);
  return attributes ? attributes.get(name) : mlir::Attribute();
}

void OpDefinition::setInherentAttr(Operation* op, mlir::StringAttr name, mlir::Attribute value) {
  mlir::NamedAttrList list(attributesOf(op));
  if (value) {
    list.set(name, value);
  } else {
    list.erase(name);
  }
  dictionaryOf(op->getPropertiesStorage()) = nullIfEmpty(list.getDictionary(op->getContext()));
}

void OpDefinition::populateInherentAttrs(Operation* op, mlir::NamedAttrList& list) {
  if (DictionaryAttr attributes = attributesOf(op)) list.append(attributes.getValue());
}

void OpDefinition::initProperties(mlir::OperationName, mlir::OpaqueProperties storage,
                                  mlir::OpaqueProperties from) {
  new (storage.as<void*>()) DictionaryAttr(from ? nullIfEmpty(dictionaryOf(from)) : nullptr);
}

mlir::LogicalResult OpDefinition::setPropertiesFromAttr(mlir::OperationName,
                                                        mlir::OpaqueProperties properties,
                                                        mlir::Attribute attribute,
                                                        EmitError error) {
  auto dictionary = mlir::dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!dictionary) return error() << "expected DictionaryAttr to set properties";
  for (mlir::NamedAttribute each : dictionary) {
    if (isInherent(each.getName())) continue;
    return error() << "there is no attribute `" << each.getName().getValue() << "`";
  }
  dictionaryOf(properties) = nullIfEmpty(dictionary);
  return mlir::success();
}

void OpDefinition::copyProperties(mlir::OpaqueProperties to, mlir::OpaqueProperties from) {
  dictionaryOf(to) = dictionaryOf(from);
}

bool OpDefinition::compareProperties(mlir::OpaqueProperties a, mlir::OpaqueProperties b) {
  return dictionaryOf(a) == dictionaryOf(b);
}

llvm::hash_code OpDefinition::hashProperties(mlir::OpaqueProperties properties) {
  return mlir::hash_value(dictionaryOf(properties));
}

mlir::LogicalResult verifyResultsAlone(Operation* op, unsigned num_results) {
  namespace checks = mlir::OpTrait::impl;
  if (mlir::failed(checks::verifyZeroRegions(op))) return mlir::failure();
  if (mlir::failed(num_results == 0   ? checks::verifyZeroResults(op)
                   : num_results == 1 ? checks::verifyOneResult(op)
                                      : checks::verifyNResults(op, num_results))) {
    return mlir::failure();
  }
  return checks::verifyZeroSuccessors(op);
}

}  // namespace tfrt::compiler
