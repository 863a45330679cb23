// Text and bytecode may say anything: each check relies on those before it alone, in the order of
// table_op_verifier.h.

#include "dialects/graph/table_op_verifier.h"

#include <cstdint>
#include <vector>

#include "dialects/graph/graph_dialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler::graph {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;
using AttrKind = OpAttrSpec::Kind;
using llvm::LogicalResult;
using mlir::Attribute;

bool isInteger(Attribute attribute, unsigned bits) {
  auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute);
  return integer && integer.getType().isSignlessInteger(bits);
}

bool isOfKind(Attribute attribute, AttrKind kind) {
  switch (kind) {
    case AttrKind::kAny:
      return true;
    case AttrKind::kBool:
      return mlir::isa<mlir::BoolAttr>(attribute);
    case AttrKind::kI32:
      return isInteger(attribute, 32);
    case AttrKind::kI64:
      return isInteger(attribute, 64);
    case AttrKind::kF32: {
      auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute);
      return number && number.getType().isF32();
    }
    case AttrKind::kString:
      return mlir::isa<mlir::StringAttr>(attribute);
    case AttrKind::kType:
      return mlir::isa<mlir::TypeAttr>(attribute);
    case AttrKind::kShape:
    case AttrKind::kI64Array:
      return mlir::isa<mlir::DenseI64ArrayAttr>(attribute);
    case AttrKind::kDense:
      return mlir::isa<mlir::ElementsAttr>(attribute);
    case AttrKind::kF32Array:
      return mlir::isa<mlir::DenseF32ArrayAttr>(attribute);
    case AttrKind::kStringArray: {
      auto array = mlir::dyn_cast<mlir::ArrayAttr>(attribute);
      return array && llvm::all_of(array, llvm::IsaPred<mlir::StringAttr>);
    }
    case AttrKind::kFunction:
      return mlir::isa<mlir::FlatSymbolRefAttr>(attribute);
  }
  return false;
}

// As MLIR's own constraints name them.
llvm::StringRef nameOf(AttrKind kind) {
  switch (kind) {
    case AttrKind::kAny:
      return "any attribute";
    case AttrKind::kBool:
      return "bool attribute";
    case AttrKind::kI32:
      return "32-bit signless integer attribute";
    case AttrKind::kI64:
      return "64-bit signless integer attribute";
    case AttrKind::kF32:
      return "32-bit float attribute";
    case AttrKind::kString:
      return "string attribute";
    case AttrKind::kType:
      return "any type attribute";
    case AttrKind::kShape:
    case AttrKind::kI64Array:
      return "i64 dense array attribute";
    case AttrKind::kDense:
      return "constant vector/tensor attribute";
    case AttrKind::kF32Array:
      return "f32 dense array attribute";
    case AttrKind::kStringArray:
      return "string array attribute";
    case AttrKind::kFunction:
      return "flat symbol reference attribute";
  }
  return "";
}

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
  if (mlir::failed(checks::verifyZeroRegions(op)) ||
      mlir::failed(results == 0   ? checks::verifyZeroResults(op)
                   : results == 1 ? checks::verifyOneResult(op)
                                  : checks::verifyNResults(op, results)) ||
      mlir::failed(checks::verifyZeroSuccessors(op))) {
    return mlir::failure();
  }
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
  auto verify = [&](llvm::StringRef name, bool (*is_right)(Attribute, AttrKind), AttrKind kind,
                    llvm::StringRef wanted) -> LogicalResult {
    Attribute attribute = attributes.get(name);
    if (!attribute || is_right(attribute, kind)) return mlir::success();
    return error() << "attribute '" << name << "' failed to satisfy constraint: " << wanted;
  };
  for (const OpAttrSpec& attr : row.attrs) {
    if (mlir::failed(verify(llvm::StringRef(attr.name), isOfKind, attr.kind, nameOf(attr.kind)))) {
      return mlir::failure();
    }
  }
  if (!hasSegments(row)) return mlir::success();
  auto is_array = [](Attribute attribute, AttrKind) {
    return mlir::isa<mlir::DenseI32ArrayAttr>(attribute);
  };
  return verify(kSegmentSizes, is_array, AttrKind::kAny, "i32 dense array attribute");
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
