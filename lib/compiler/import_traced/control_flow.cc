// Branches and loops as graph.if and graph.loop. Effects go through them as a token: behind the
// results of a branch, and behind what a loop carries.

#include <algorithm>
#include <utility>

#include "body_importer.h"
#include "dialects/graph/table_ops.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler::traced {
namespace {

using function::TracedOp;
using mlir::Value;

bool isTrue(graph::GraphBuilder& graph, Value value) {
  auto known = graph.elementsOf(value);
  return known && known->size() == 1 && (*known)[0] != 0;
}

// Returns the type of a stack of values of a type.
ValueType stackOf(ValueType type, Dim runs) {
  type.elements.reset();
  if (!type.shape.has_rank()) return type;
  std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
  dims.insert(dims.begin(), runs);
  type.shape = SymbolicShape(std::move(dims));
  return type;
}

}  // namespace

std::unique_ptr<mlir::Region> BodyImporter::makeRegion(llvm::ArrayRef<ValueType> arguments,
                                                       bool has_token, size_t token_at, Fill fill,
                                                       Values& returned) {
  mlir::OpBuilder& builder = graph_.builder();
  mlir::OpBuilder::InsertionGuard guard(builder);
  const mlir::Location location = graph_.location();
  const Value outer_token = token_;
  auto region = std::make_unique<mlir::Region>();
  mlir::Block* block = builder.createBlock(region.get());
  for (const ValueType& type : arguments) {
    Value argument = block->addArgument(graph::tensorType(type, graph_.context()), location);
    graph_.setType(argument, type);
  }
  const Values own(block->getArguments());
  // A branch sees the token around it, a loop carries its own.
  if (has_token && token_at != SIZE_MAX) {
    token_ = block->addArgument(graph::TokenType::get(graph_.context()), location);
  }
  llvm::LogicalResult filled = fill(own, returned);
  graph_.setLocation(location);
  if (mlir::failed(filled)) return nullptr;
  if (has_token) {
    const size_t at = std::min(token_at, returned.size());
    returned.insert(returned.begin() + at, token_);
  }
  token_ = outer_token;
  graph::ReturnOp::create(builder, location, returned);
  return region;
}

llvm::LogicalResult BodyImporter::importIf(const TracedOp& op) {
  Value condition = get(op.arguments[0]);
  if (auto known = graph_.elementsOf(condition); known && known->size() == 1) {
    const function::TracedBody& taken = op.bodies[(*known)[0] != 0 ? 0 : 1];
    Values results;
    if (mlir::failed(importBody(taken, {}, results))) return mlir::failure();
    for (auto [id, result] : llvm::zip(op.results, results)) set(id, result);
    return mlir::success();
  }
  const bool has_token = hasEffects(op);
  mlir::OperationState state(graph_.location(), graph::IfOp::getOperationName());
  state.addOperands(condition);
  Types types;
  for (const function::TracedBody& body : op.bodies) {
    Values returned;
    auto fill = [&](llvm::ArrayRef<Value>, Values& values) { return importBody(body, {}, values); };
    auto region = makeRegion({}, has_token, SIZE_MAX, fill, returned);
    if (!region) return mlir::failure();
    state.addRegion(std::move(region));
    for (size_t i = 0; i < op.results.size(); ++i) {
      ValueType type = graph_.typeOf(returned[i]);
      type.elements.reset();
      if (types.size() == i) {
        types.push_back(std::move(type));
      } else {
        types[i] = graph::join(types[i], type);
      }
      if (!types[i].has_dtype()) return fail("the branches of an if make values of other types");
    }
  }
  for (const ValueType& type : types) state.addTypes(graph::tensorType(type, graph_.context()));
  if (has_token) state.addTypes(graph::TokenType::get(graph_.context()));
  mlir::Operation* made = graph_.builder().create(state);
  for (auto [index, id] : llvm::enumerate(op.results)) {
    Value result = made->getResult(static_cast<unsigned>(index));
    graph_.setType(result, types[index]);
    set(id, result);
  }
  if (has_token) token_ = made->getResults().back();
  return mlir::success();
}

llvm::LogicalResult BodyImporter::makeLoop(const Loop& loop, Fill body, Values& results) {
  const size_t carried = loop.initial.size();
  Types types = {{DType::kI64, SymbolicShape({})}, {DType::kI1, SymbolicShape({})}};
  for (Value value : loop.initial) {
    types.push_back(graph_.typeOf(value));
    types.back().elements.reset();
  }
  std::unique_ptr<mlir::Region> region;
  Values returned;
  // With wider types until those of the end fit those of the beginning.
  for (bool changed = true; changed;) {
    changed = false;
    if (region) graph_.forget(*region);
    returned.clear();
    region = makeRegion(types, loop.has_token, 1 + carried, body, returned);
    if (!region) return mlir::failure();
    for (size_t i = 0; i < carried; ++i) {
      ValueType wider = graph::join(types[2 + i], graph_.typeOf(returned[1 + i]));
      if (!wider.has_dtype()) return fail("a carried value of a loop changes its type");
      changed |= wider != types[2 + i];
      types[2 + i] = std::move(wider);
    }
  }
  Dim runs;
  if (loop.count && isTrue(graph_, returned[0])) {
    if (auto known = graph_.elementsOf(loop.count); known && known->size() == 1) {
      runs = std::max<int64_t>((*known)[0], 0);
    }
  }
  Types result_types(types.begin() + 2, types.end());
  for (size_t i = 1 + carried + (loop.has_token ? 1 : 0); i < returned.size(); ++i) {
    result_types.push_back(stackOf(graph_.typeOf(returned[i]), runs));
  }
  mlir::OperationState state(graph_.location(), graph::LoopOp::getOperationName());
  if (loop.count) state.addOperands(loop.count);
  if (loop.condition) state.addOperands(loop.condition);
  state.addOperands(loop.initial);
  if (loop.has_token) state.addOperands(token_);
  state.addAttribute(graph::LoopOp::getOperandSegmentSizeAttr(),
                     graph_.builder().getDenseI32ArrayAttr(
                         {loop.count ? 1 : 0, loop.condition ? 1 : 0,
                          static_cast<int32_t>(carried + (loop.has_token ? 1 : 0))}));
  for (auto [index, type] : llvm::enumerate(result_types)) {
    if (loop.has_token && index == carried) {
      state.addTypes(graph::TokenType::get(graph_.context()));
    }
    state.addTypes(graph::tensorType(type, graph_.context()));
  }
  if (loop.has_token && result_types.size() == carried) {
    state.addTypes(graph::TokenType::get(graph_.context()));
  }
  state.addRegion(std::move(region));
  mlir::Operation* made = graph_.builder().create(state);
  results.assign(made->result_begin(), made->result_end());
  if (loop.has_token) {
    token_ = results[carried];
    results.erase(results.begin() + carried);
  }
  for (auto [value, type] : llvm::zip(results, result_types)) graph_.setType(value, type);
  return mlir::success();
}

llvm::LogicalResult BodyImporter::importWhile(const TracedOp& op) {
  const function::TracedBody &condition = op.bodies[0], &body = op.bodies[1];
  Loop loop{.initial = getAll(op.arguments), .has_token = hasEffects(op)};
  const mlir::Location location = graph_.location();
  // Asked before the first run, and at the end of each.
  Values first;
  if (mlir::failed(importBody(condition, loop.initial, first))) return mlir::failure();
  graph_.setLocation(location);
  loop.condition = first[0];
  auto fill = [&](llvm::ArrayRef<Value> arguments, Values& values) {
    Values next, again;
    if (mlir::failed(importBody(body, arguments.drop_front(2), next)) ||
        mlir::failed(
            importBody(condition, llvm::ArrayRef(next).take_front(op.arguments.size()), again))) {
      return mlir::failure();
    }
    values.push_back(again[0]);
    values.append(next);
    return mlir::success();
  };
  Values results;
  if (mlir::failed(makeLoop(loop, fill, results))) return mlir::failure();
  for (auto [id, result] : llvm::zip(op.results, results)) set(id, result);
  return mlir::success();
}

// The first size, as an i64.
Value BodyImporter::lengthOf(Value value) {
  const ValueType type = graph_.typeOf(value);
  if (type.shape.has_rank() && type.shape.dim(0).is_known()) {
    return graph_.integer(type.shape.dim(0).value());
  }
  Value sizes =
      graph_.value("shape_of", {value}, {graph_.attribute("dtype", graph_.builder().getI64Type())});
  if (!sizes) return {};
  return graph_.value("gather", {sizes, graph_.integer(0), graph_.integer(0)});
}

llvm::LogicalResult BodyImporter::importFor(const TracedOp& op) {
  const size_t carried = op.index;
  const Values arguments = getAll(op.arguments);
  Loop loop{.count = arguments[0], .has_token = hasEffects(op)};
  loop.initial.append(arguments.begin() + 1, arguments.begin() + 1 + carried);
  const llvm::ArrayRef<Value> scanned = llvm::ArrayRef(arguments).drop_front(1 + carried);
  if (!loop.count) loop.count = lengthOf(scanned[0]);
  if (!loop.count) return mlir::failure();
  auto fill = [&](llvm::ArrayRef<Value> own, Values& values) {
    Values given = {own[0]};
    given.append(own.begin() + 2, own.end());
    Value go_on = graph_.constant(mlir::DenseElementsAttr::get(
        mlir::RankedTensorType::get({}, graph_.builder().getI1Type()), true));
    for (Value value : scanned) {
      given.push_back(graph_.value("gather", {value, own[0], graph_.integer(0)}));
      if (!given.back()) return mlir::failure();
    }
    values.push_back(go_on);
    return importBody(op.bodies[0], given, values);
  };
  Values results;
  if (mlir::failed(makeLoop(loop, fill, results))) return mlir::failure();
  for (auto [id, result] : llvm::zip(op.results, results)) set(id, result);
  return mlir::success();
}

}  // namespace tfrt::compiler::traced
