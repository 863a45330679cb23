// Calls of ops of the table, constants, effects.

#include "body_importer.h"

#include <string>
#include <utility>

#include "dialects/graph/table_ops.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace tfrt::compiler::traced {
namespace {

using function::TracedOp;
using function::TracedOpKind;
using mlir::Value;

// The attributes by canonical name, but for that of a folded argument.
bool attributesOf(const TracedOp& op, const OpDescription& row, const OpSpelling& spelling,
                  graph::GraphBuilder& graph,
                  llvm::SmallVectorImpl<mlir::NamedAttribute>& attributes) {
  for (const function::TracedAttr& attr : op.attrs) {
    const std::string_view name = spelling.Canonical(attr.name);
    if (attr.name == spelling.folded_argument) continue;
    for (const OpAttrSpec& spec : row.attrs) {
      if (spec.name != name) continue;
      mlir::Attribute value = graph::attributeOf(spec.kind, attr.value, graph.context());
      if (!value) {
        mlir::emitError(graph.location())
            << llvm::StringRef(op.op) << ": the attribute '" << llvm::StringRef(attr.name)
            << "' has no value of its kind";
        return false;
      }
      attributes.push_back(graph.builder().getNamedAttr(llvm::StringRef(name), value));
    }
  }
  return true;
}

// Puts what the spelling gives as an attribute where the row has an argument.
bool unfoldArgument(const TracedOp& op, const OpDescription& row, const OpSpelling& spelling,
                    graph::GraphBuilder& graph, llvm::SmallVectorImpl<Value>& arguments) {
  if (spelling.folded_argument.empty()) return true;
  for (const function::TracedAttr& attr : op.attrs) {
    if (attr.name != spelling.folded_argument) continue;
    auto* numbers = std::get_if<std::vector<int64_t>>(&attr.value);
    if (!numbers) break;
    size_t at = 0;
    while (row.arguments[at].name != spelling.folded_argument) ++at;
    if (at > arguments.size()) break;
    arguments.insert(arguments.begin() + at, graph.integers(*numbers));
    return true;
  }
  mlir::emitError(graph.location())
      << llvm::StringRef(op.op) << " needs the attribute '"
      << llvm::StringRef(spelling.folded_argument) << "', an array of i64";
  return false;
}

}  // namespace

mlir::Location locationOf(const function::TracedGraph& graph, uint32_t index,
                          mlir::MLIRContext* context) {
  if (index >= graph.locations.size()) return mlir::UnknownLoc::get(context);
  const DecodedLocation& location = graph.locations[index];
  if (location.is_file_location()) {
    return mlir::FileLineColLoc::get(context, location.file, location.line, location.column);
  }
  if (location.name.empty()) return mlir::UnknownLoc::get(context);
  return mlir::NameLoc::get(mlir::StringAttr::get(context, location.name));
}

llvm::LogicalResult BodyImporter::fail(const llvm::Twine& message) {
  return mlir::emitError(graph_.location()) << message;
}

BodyImporter::Values BodyImporter::getAll(llvm::ArrayRef<function::ValueId> ids) const {
  Values values;
  for (function::ValueId id : ids) values.push_back(get(id));
  return values;
}

bool BodyImporter::hasEffects(const TracedOp& op) const {
  if (op.kind == TracedOpKind::kHostCall) return true;
  if (op.kind == TracedOpKind::kTable) {
    return FindOpDescription(FindOpSpelling(op.op)->op)->has_side_effects();
  }
  for (const function::TracedBody& body : op.bodies) {
    for (const TracedOp& inner : body.ops) {
      if (hasEffects(inner)) return true;
    }
  }
  return false;
}

void BodyImporter::setAll(llvm::ArrayRef<function::ValueId> ids, mlir::ValueRange values) {
  for (auto [id, value] : llvm::zip(ids, values)) set(id, value);
}

llvm::LogicalResult BodyImporter::importOps(const function::TracedBody& body) {
  for (const TracedOp& op : body.ops) {
    graph_.setLocation(locationOf(from_, op.location, graph_.context()));
    if (mlir::failed(importOp(op))) return mlir::failure();
  }
  return mlir::success();
}

llvm::LogicalResult BodyImporter::importBody(const function::TracedBody& body,
                                             llvm::ArrayRef<Value> arguments,
                                             llvm::SmallVectorImpl<Value>& results) {
  setAll(body.arguments, arguments);
  if (mlir::failed(importOps(body))) return mlir::failure();
  results.append(getAll(body.results));
  return mlir::success();
}

llvm::LogicalResult BodyImporter::importOp(const TracedOp& op) {
  switch (op.kind) {
    case TracedOpKind::kTable:
      return importTableOp(op);
    case TracedOpKind::kConstant:
      return importConstant(op);
    case TracedOpKind::kIf:
      return importIf(op);
    case TracedOpKind::kWhile:
      return importWhile(op);
    case TracedOpKind::kFor:
      return importFor(op);
    case TracedOpKind::kHostCall:
      return importHostCall(op);
    case TracedOpKind::kRead:
    case TracedOpKind::kAssign:
    case TracedOpKind::kCall:
      break;
  }
  return fail("a graph that is not flat");
}

llvm::LogicalResult BodyImporter::importTableOp(const TracedOp& op) {
  const OpSpelling& spelling = *FindOpSpelling(op.op);
  const OpDescription& row = *FindOpDescription(spelling.op);
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  Values arguments = getAll(op.arguments);
  if (!attributesOf(op, row, spelling, graph_, attributes) ||
      !unfoldArgument(op, row, spelling, graph_, arguments)) {
    return mlir::failure();
  }
  while (!arguments.empty() && !arguments.back()) arguments.pop_back();
  const Value token = row.has_side_effects() ? token_ : Value();
  mlir::Operation* made = graph_.create(llvm::StringRef(row.name), arguments, attributes, token);
  if (!made) return mlir::failure();
  setAll(op.results, made->getResults());
  if (token) token_ = made->getResults().back();
  return mlir::success();
}

llvm::LogicalResult BodyImporter::importConstant(const TracedOp& op) {
  const function::TracedConstant& constant = from_.constants[op.index];
  if (!elementType(constant.type.dtype, graph_.context())) {
    return fail("there are no constants of " + llvm::StringRef(DTypeName(constant.type.dtype)));
  }
  if (std::string why = graph::whyTooLarge(
          graph::valueTypeOf(
              mlir::RankedTensorType::get(*constant.type.dims, graph_.builder().getI8Type()))
              .shape);
      !why.empty()) {
    return fail("a constant " + llvm::Twine(why));
  }
  auto type = mlir::RankedTensorType::get(*constant.type.dims,
                                          elementType(constant.type.dtype, graph_.context()));
  set(op.results[0],
      graph_.constant(graph::constantOf(type, constant.data, "constant", constant.owner)));
  return mlir::success();
}

llvm::LogicalResult BodyImporter::importHostCall(const TracedOp& op) {
  mlir::OpBuilder& builder = graph_.builder();
  llvm::SmallVector<mlir::Type> types;
  for (function::ValueId id : op.results) {
    const function::TracedType& type = function_.values[id];
    mlir::Type element = elementType(type.dtype, graph_.context());
    if (!element)
      return fail("a callback makes a tensor of " + llvm::StringRef(DTypeName(type.dtype)));
    if (!type.dims) {
      types.push_back(mlir::UnrankedTensorType::get(element));
      continue;
    }
    llvm::SmallVector<int64_t> sizes;
    for (int64_t size : *type.dims) sizes.push_back(size < 0 ? mlir::ShapedType::kDynamic : size);
    types.push_back(mlir::RankedTensorType::get(sizes, element));
  }
  types.push_back(graph::TokenType::get(graph_.context()));
  auto call = graph::HostCallOp::create(builder, graph_.location(), types, getAll(op.arguments),
                                        token_, builder.getI64IntegerAttr(op.index),
                                        builder.getStringAttr(from_.callbacks[op.index]));
  setAll(op.results, call.getResults());
  token_ = call.getNextToken();
  return mlir::success();
}

}  // namespace tfrt::compiler::traced
