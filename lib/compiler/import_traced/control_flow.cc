// Branches and loops as graph.if and graph.loop. Effects go through them as a token: behind the
// results of a branch, and behind what a loop carries.

#include <utility>

#include "body_importer.h"
#include "dialects/graph/table_ops.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler::traced {
using function::TracedOp;
using mlir::Value;

llvm::LogicalResult BodyImporter::importIf(const TracedOp& op) {
  Value condition = get(op.arguments[0]);
  if (auto known = graph_.elementsOf(condition); known && known->size() == 1) {
    const function::TracedBody& taken = op.bodies[(*known)[0] != 0 ? 0 : 1];
    Values results;
    if (mlir::failed(importBody(taken, {}, results))) return mlir::failure();
    setAll(op.results, results);
    return mlir::success();
  }
  const bool has_token = hasEffects(op);
  // A branch sees the token around it.
  auto branch = [&](const function::TracedBody& body) {
    return [&, token = token_](llvm::ArrayRef<Value>, llvm::SmallVectorImpl<Value>& values) {
      if (mlir::failed(importBody(body, {}, values))) return mlir::failure();
      if (has_token) values.push_back(std::exchange(token_, token));
      return mlir::success();
    };
  };
  mlir::Operation* made =
      graph_.createIf(condition, branch(op.bodies[0]), branch(op.bodies[1]),
                      [&] { return fail("the branches of an if make values of other types"); });
  if (!made) return mlir::failure();
  setAll(op.results, made->getResults());
  if (has_token) token_ = made->getResults().back();
  return mlir::success();
}

// Sets the results of graph.loop. A loop with effects carries its own token, the last one of what
// it carries.
llvm::LogicalResult BodyImporter::makeLoop(const TracedOp& op, Value count, Value condition,
                                           Values initial, graph::GraphBuilder::FillRegion body) {
  const bool has_token = hasEffects(op);
  const size_t carried = initial.size();
  const Value outer = token_;
  if (has_token) initial.push_back(outer);
  auto fill = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
    if (has_token) {
      token_ = arguments.back();
      arguments = arguments.drop_back();
    }
    if (mlir::failed(body(arguments, values))) return mlir::failure();
    if (has_token) values.insert(values.begin() + 1 + carried, std::exchange(token_, outer));
    return mlir::success();
  };
  mlir::Operation* made = graph_.createLoop(count, condition, initial, fill, [&] {
    return fail("a carried value of a loop changes its type");
  });
  if (!made) return mlir::failure();
  Values results(made->getResults());
  if (has_token) {
    token_ = results[carried];
    results.erase(results.begin() + carried);
  }
  setAll(op.results, results);
  return mlir::success();
}

llvm::LogicalResult BodyImporter::importWhile(const TracedOp& op) {
  const function::TracedBody &condition = op.bodies[0], &body = op.bodies[1];
  const Values initial = getAll(op.arguments);
  const mlir::Location location = graph_.location();
  // Asked before the first run, and at the end of each.
  Values first;
  if (mlir::failed(importBody(condition, initial, first))) return mlir::failure();
  graph_.setLocation(location);
  auto fill = [&](llvm::ArrayRef<Value> arguments, llvm::SmallVectorImpl<Value>& values) {
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
  return makeLoop(op, {}, first[0], initial, fill);
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
  const llvm::ArrayRef<Value> initial = llvm::ArrayRef(arguments).slice(1, carried);
  const llvm::ArrayRef<Value> scanned = llvm::ArrayRef(arguments).drop_front(1 + carried);
  const Value count = arguments[0] ? arguments[0] : lengthOf(scanned[0]);
  if (!count) return mlir::failure();
  auto fill = [&](llvm::ArrayRef<Value> own, llvm::SmallVectorImpl<Value>& values) {
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
  return makeLoop(op, count, {}, Values(initial), fill);
}

}  // namespace tfrt::compiler::traced
