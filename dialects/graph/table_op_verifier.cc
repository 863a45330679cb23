// Text and bytecode may say anything: each check relies on those before it alone, in the order of
// table_op_verifier.h.

#include "dialects/graph/table_op_verifier.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "dialects/graph/graph_dialect.h"
#include "dialects/op_definition.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler::graph {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;
using llvm::LogicalResult;
using mlir::Attribute;

template <typename T>
bool isA(Attribute attribute) {
  return mlir::isa<T>(attribute);
}
template <unsigned bits>
bool isInteger(Attribute attribute) {
  auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute);
  return integer && integer.getType().isSignlessInteger(bits);
}
bool isF32(Attribute attribute) {
  auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute);
  return number && number.getType().isF32();
}
bool isStringArray(Attribute attribute) {
  auto array = mlir::dyn_cast<mlir::ArrayAttr>(attribute);
  return array && llvm::all_of(array, llvm::IsaPred<mlir::StringAttr>);
}

struct KindInfo {
  llvm::StringRef name;  // as MLIR's own constraints have it
  bool (*holds)(Attribute attribute);
};
// By OpAttrSpec::Kind.
constexpr KindInfo kKinds[] = {
    {"any attribute", isA<Attribute>},
    {"bool attribute", isA<mlir::BoolAttr>},
    {"32-bit signless integer attribute", isInteger<32>},
    {"64-bit signless integer attribute", isInteger<64>},
    {"32-bit float attribute", isF32},
    {"string attribute", isA<mlir::StringAttr>},
    {"any type attribute", isA<mlir::TypeAttr>},
    {"i64 dense array attribute", isA<mlir::DenseI64ArrayAttr>},
    {"constant vector/tensor attribute", isA<mlir::ElementsAttr>},
    {"i64 dense array attribute", isA<mlir::DenseI64ArrayAttr>},
    {"f32 dense array attribute", isA<mlir::DenseF32ArrayAttr>},
    {"string array attribute", isStringArray},
    {"flat symbol reference attribute", isA<mlir::FlatSymbolRefAttr>},
};
static_assert(std::size(kKinds) == static_cast<size_t>(OpAttrSpec::Kind::kFunction) + 1);
constexpr KindInfo kSegments = {"i32 dense array attribute", isA<mlir::DenseI32ArrayAttr>};

size_t numRequired(const OpDescription& row) {
  return static_cast<size_t>(llvm::count_if(row.arguments, [](const OpArgumentSpec& argument) {
    return argument.kind == ArgumentKind::kRequired;
  }));
}

LogicalResult verifyCounts(mlir::Operation* op, const OpDescription& row) {
  namespace checks = mlir::OpTrait::impl;
  const unsigned tokens = row.has_side_effects() ? 1 : 0;
  const auto results = static_cast<unsigned>(row.results.size()) + tokens;
  const auto required = static_cast<unsigned>(numRequired(row)) + tokens;
  const bool is_exact = numRequired(row) == row.arguments.size();
  if (mlir::failed(verifyResultsAlone(op, results))) return mlir::failure();
  return is_exact ? checks::verifyNOperands(op, required)
                  : checks::verifyAtLeastNOperands(op, required);
}

LogicalResult verifySegments(mlir::Operation* op, const OpDescription& row) {
  // A token is an operand with a segment of its own.
  const size_t expected = row.arguments.size() + (row.has_side_effects() ? 1 : 0);
  auto attribute = op->getAttrOfType<mlir::DenseI32ArrayAttr>(kSegmentSizes);
  llvm::ArrayRef<int32_t> sizes = attribute ? attribute.asArrayRef() : llvm::ArrayRef<int32_t>();
  if (attribute && sizes.size() != expected) {
    return op->emitOpError() << "'" << kSegmentSizes << "' attribute has " << sizes.size()
                             << " elements, expected " << expected;
  }
  if (llvm::any_of(sizes, [](int32_t size) { return size < 0; })) {
    return op->emitOpError() << "'" << kSegmentSizes << "' attribute cannot have negative elements";
  }
  int64_t total = 0;
  for (int32_t size : sizes) total += size;
  if (total != static_cast<int64_t>(op->getNumOperands())) {
    return op->emitOpError() << "operand count (" << op->getNumOperands()
                             << ") does not match with the total size (" << total
                             << ") specified in attribute '" << kSegmentSizes << "'";
  }
  return mlir::success();
}

LogicalResult verifyTensor(mlir::Operation* op, mlir::Type type, llvm::StringRef what,
                           unsigned index, bool is_variadic = false) {
  if (mlir::isa<mlir::TensorType>(type)) return mlir::success();
  return op->emitOpError(what) << " #" << index << " must be "
                               << (is_variadic ? "variadic of " : "")
                               << "tensor of any type values, but got " << type;
}

LogicalResult verifyToken(mlir::Operation* op, mlir::Type type, llvm::StringRef what,
                          unsigned index) {
  if (mlir::isa<TokenType>(type)) return mlir::success();
  return op->emitOpError(what) << " #" << index
                               << " must be what orders effects: an op that takes it comes behind "
                                  "the one that made it, but got "
                               << type;
}

LogicalResult verifyTensors(mlir::Operation* op, const OpDescription& row) {
  unsigned operand = 0;
  for (auto [argument, size] : llvm::zip_equal(row.arguments, segmentsOf(op, row))) {
    if (argument.kind != ArgumentKind::kVariadic && size > 1) {
      return op->emitOpError("operand group starting at #")
             << operand << " requires "
             << (argument.kind == ArgumentKind::kOptional ? "0 or 1 element" : "1 element")
             << ", but found " << size;
    }
    if (argument.kind == ArgumentKind::kRequired && size == 0) {
      return op->emitOpError("operand group starting at #")
             << operand << " requires 1 element, but found 0";
    }
    const bool is_variadic = argument.kind == ArgumentKind::kVariadic;
    for (unsigned i = 0; i < size; ++i, ++operand) {
      mlir::Type type = op->getOperand(operand).getType();
      if (mlir::failed(verifyTensor(op, type, "operand", operand, is_variadic))) {
        return mlir::failure();
      }
    }
  }
  const auto results = static_cast<unsigned>(row.results.size());
  if (row.has_side_effects() &&
      mlir::failed(verifyToken(op, op->getOperand(operand).getType(), "operand", operand))) {
    return mlir::failure();
  }
  for (unsigned i = 0; i < results; ++i) {
    if (mlir::failed(verifyTensor(op, op->getResult(i).getType(), "result", i))) {
      return mlir::failure();
    }
  }
  if (!row.has_side_effects()) return mlir::success();
  return verifyToken(op, op->getResult(results).getType(), "result", results);
}

// Compares the results with those of the row's shape function.
LogicalResult verifyResults(mlir::Operation* op, const OpDescription& row) {
  llvm::SmallVector<ValueType> types;
  types.reserve(op->getNumOperands());
  llvm::SmallVector<const ValueType*> arguments;
  for (mlir::Value argument : argumentsOf(op)) {
    if (argument) types.push_back(valueTypeOf(argument));
    arguments.push_back(argument ? &types.back() : nullptr);
  }
  StatusOr<std::vector<ValueType>> results = inferResults(op, arguments);
  if (!results.ok()) return op->emitOpError(llvm::StringRef(results.status().message()));
  for (auto [index, inferred] : llvm::enumerate(*results)) {
    ValueType actual = valueTypeOf(op->getResult(static_cast<unsigned>(index)).getType());
    if (actual.IsCompatibleWith(inferred)) continue;
    return op->emitOpError("has a result '")
           << llvm::StringRef(row.results[index]) << "' of " << actual.ToString() << ", but it is "
           << inferred.ToString();
  }
  return mlir::success();
}

}  // namespace

bool hasSegments(const OpDescription& row) { return row.arguments.size() - numRequired(row) > 1; }

bool isInherent(const OpDescription& row, llvm::StringRef name) {
  if (name == kSegmentSizes) return hasSegments(row);
  return llvm::any_of(row.attrs,
                      [&](const OpAttrSpec& attr) { return llvm::StringRef(attr.name) == name; });
}

LogicalResult verifyKinds(const OpDescription& row, const mlir::NamedAttrList& attributes,
                          llvm::function_ref<mlir::InFlightDiagnostic()> error) {
  auto verify = [&](llvm::StringRef name, const KindInfo& kind) -> LogicalResult {
    Attribute attribute = attributes.get(name);
    if (!attribute || kind.holds(attribute)) return mlir::success();
    return error() << "attribute '" << name << "' failed to satisfy constraint: " << kind.name;
  };
  for (const OpAttrSpec& attr : row.attrs) {
    const KindInfo& kind = kKinds[static_cast<size_t>(attr.kind)];
    if (mlir::failed(verify(llvm::StringRef(attr.name), kind))) return mlir::failure();
  }
  return hasSegments(row) ? verify(kSegmentSizes, kSegments) : mlir::success();
}

LogicalResult verifyNumbers(mlir::Operation* op, const OpDescription& row) {
  if (mlir::failed(verifyCounts(op, row))) return mlir::failure();
  return hasSegments(row) ? verifySegments(op, row) : mlir::success();
}

LogicalResult verifyRequired(mlir::Operation* op, const OpDescription& row) {
  for (const OpAttrSpec& attr : row.attrs) {
    if (!attr.default_value.empty() || op->hasAttr(llvm::StringRef(attr.name))) continue;
    return op->emitOpError("requires attribute '") << llvm::StringRef(attr.name) << "'";
  }
  return mlir::success();
}

LogicalResult verifyTypes(mlir::Operation* op, const OpDescription& row) {
  if (mlir::failed(verifyTensors(op, row))) return mlir::failure();
  return verifyResults(op, row);
}

}  // namespace tfrt::compiler::graph
