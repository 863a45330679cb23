#include "value_facts.h"

#include <algorithm>
#include <utility>

namespace tfrt::compiler::graph {

namespace {

// Returns the older of two symbols, which is more often that of an argument.
Dim mergedDim(Dim a, Dim b) {
  if (a.is_symbol() && b.is_symbol()) return a.symbol() <= b.symbol() ? a : b;
  return Unify(a, b).value_or(a);
}

}  // namespace

ValueType mergedType(const ValueType& a, const ValueType& b) {
  ValueType both = a;
  if (!both.has_dtype()) both.dtype = b.dtype;
  auto merge = [](std::vector<Dim>& into, llvm::ArrayRef<Dim> from) {
    for (auto [dim, other] : llvm::zip(into, from)) dim = mergedDim(dim, other);
  };
  if (!both.shape.has_rank()) {
    both.shape = b.shape;
  } else if (b.shape.has_rank() && b.shape.rank() == both.shape.rank()) {
    std::vector<Dim> dims(both.shape.dims().begin(), both.shape.dims().end());
    merge(dims, b.shape.dims());
    both.shape = SymbolicShape(std::move(dims));
  }
  if (!both.elements) {
    both.elements = b.elements;
  } else if (b.elements && b.elements->size() == both.elements->size()) {
    merge(*both.elements, *b.elements);
  }
  return both;
}

ValueFacts::ValueFacts(mlir::func::FuncOp function) {
  if (function.isExternal()) return;
  llvm::StringMap<Dim> names;
  for (auto [index, argument] : llvm::enumerate(function.getArguments())) {
    ValueType type = valueTypeOf(argument.getType());
    auto dims =
        function.getArgAttrOfType<mlir::ArrayAttr>(static_cast<unsigned>(index), "graph.dims");
    if (dims && type.shape.has_rank() && dims.size() == type.shape.rank()) {
      std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
      for (auto [axis, size] : llvm::enumerate(sizes)) {
        auto name = mlir::dyn_cast<mlir::StringAttr>(dims[axis]);
        if (!name || name.empty() || size.is_known()) continue;
        auto [found, is_new] = names.try_emplace(name.getValue());
        if (is_new) {
          found->second = freshSymbol();
          sources_[found->second.symbol()] = {argument, axis};
        }
        size = found->second;
      }
      type.shape = SymbolicShape(std::move(sizes));
    }
    const ValueType& known = set(argument, std::move(type));
    for (size_t axis = 0; known.shape.has_rank() && axis < known.shape.rank(); ++axis) {
      Dim size = known.shape.dim(axis);
      if (size.is_symbol()) sources_.try_emplace(size.symbol(), argument, axis);
    }
  }
  function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
    for (mlir::Value result : op->getResults()) of(result);
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& block : region) addArguments(block);
    }
  });
}

void ValueFacts::addArguments(mlir::Block& block) {
  for (mlir::Value argument : block.getArguments()) of(argument);
}

ValueType& ValueFacts::set(mlir::Value value, ValueType type) {
  if (type.shape.has_rank()) {
    std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
    for (Dim& dim : dims) {
      if (dim.is_unknown()) dim = freshSymbol();
    }
    type.shape = SymbolicShape(std::move(dims));
  }
  std::unique_ptr<ValueType>& slot = types_[value];
  slot = std::make_unique<ValueType>(std::move(type));
  return *slot;
}

const ValueType& ValueFacts::of(mlir::Value value) {
  if (auto found = types_.find(value); found != types_.end()) return *found->second;
  mlir::Operation* op = value.getDefiningOp();
  if (!op || !descriptionOf(op)) return set(value, valueTypeOf(value));
  infer(op);
  return *types_.find(value)->second;
}

void ValueFacts::infer(mlir::Operation* op) {
  llvm::SmallVector<const ValueType*> known;
  for (mlir::Value argument : argumentsOf(op)) known.push_back(argument ? &of(argument) : nullptr);
  StatusOr<std::vector<ValueType>> inferred = inferResults(op, known);
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    ValueType type = valueTypeOf(result.getType());
    // A contradiction is left for the run to report.
    if (inferred.ok() && index < inferred->size() && (*inferred)[index].IsCompatibleWith(type)) {
      type = mergedType(type, (*inferred)[index]);
    }
    useBounds(op, type);
    set(result, std::move(type));
  }
  noteBound(op);
}

// table[0:s], of one dimension.
void ValueFacts::noteBound(mlir::Operation* op) {
  auto slice = mlir::dyn_cast<StridedSliceOp>(op);
  if (!slice) return;
  const SymbolicShape &in = of(slice.argument("input")).shape, &out = of(slice.result()).shape;
  const auto &begin = of(slice.argument("begin")).elements,
             &end = of(slice.argument("end")).elements,
             &steps = of(slice.argument("strides")).elements;
  AttributeReader attributes(op->getAttrDictionary());
  auto mask = [&](std::string_view name) {
    auto value = attributes.Get(name);
    return value ? static_cast<uint64_t>(std::get<int64_t>(*value)) : 0;
  };
  if (!in.has_rank() || !out.has_rank() || in.rank() != out.rank() || !end || !steps) return;
  if ((mask("ellipsis_mask") | mask("new_axis_mask") | mask("shrink_axis_mask")) != 0) return;
  for (size_t i = 0; i < end->size(); ++i) {
    const bool from_start = (mask("begin_mask") >> i & 1) != 0 || (begin && (*begin)[i].is(0));
    if ((mask("end_mask") >> i & 1) != 0 || !from_start || !(*steps)[i].is(1)) continue;
    if ((*end)[i].is_symbol() && out.dim(i).is_symbol() && in.dim(i).is_known() &&
        in.dim(i).value() > 1) {
      bounds_[out.dim(i).symbol()] = (*end)[i];
    }
  }
}

// A size s that is broadcast with min(s, n), n > 1, is s: equal, or 1 both, or nothing fits.
void ValueFacts::useBounds(mlir::Operation* op, ValueType& type) {
  if (bounds_.empty() || !type.shape.has_rank()) return;
  if (!mlir::isa<AddOp, SubOp, MulOp, DivOp, MaximumOp, MinimumOp>(op)) return;
  std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
  const SymbolicShape &a = of(op->getOperand(0)).shape, &b = of(op->getOperand(1)).shape;
  if (!a.has_rank() || !b.has_rank()) return;
  for (size_t i = 0; i < std::min({a.rank(), b.rank(), dims.size()}); ++i) {
    Dim& dim = dims[dims.size() - 1 - i];
    Dim x = a.dim(a.rank() - 1 - i), y = b.dim(b.rank() - 1 - i);
    if (!dim.is_unknown() || !x.is_symbol() || !y.is_symbol()) continue;
    auto isBoundOf = [&](Dim small, Dim large) {
      auto found = bounds_.find(small.symbol());
      return found != bounds_.end() && found->second.IsSameAs(large);
    };
    if (isBoundOf(y, x)) dim = x;
    if (isBoundOf(x, y)) dim = y;
  }
  type.shape = SymbolicShape(std::move(dims));
}

void ValueFacts::refine(mlir::Value value, const ValueType& type) {
  ValueType merged = mergedType(of(value), type);
  set(value, std::move(merged));
}

std::optional<std::vector<int64_t>> ValueFacts::sizesOf(mlir::Value value) {
  const SymbolicShape& shape = of(value).shape;
  if (!shape.is_known()) return std::nullopt;
  std::vector<int64_t> sizes;
  for (Dim dim : shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

std::optional<size_t> ValueFacts::rankOf(mlir::Value value) {
  const SymbolicShape& shape = of(value).shape;
  return shape.has_rank() ? std::optional(shape.rank()) : std::nullopt;
}

bool ValueFacts::haveSameShape(mlir::Value a, mlir::Value b) {
  const SymbolicShape &x = of(a).shape, &y = of(b).shape;
  return x.has_rank() && y.has_rank() &&
         std::ranges::equal(x.dims(), y.dims(), [](Dim p, Dim q) { return p.IsSameAs(q); });
}

std::pair<mlir::Value, size_t> ValueFacts::sourceOf(uint32_t symbol) const {
  auto found = sources_.find(symbol);
  return found == sources_.end() ? std::pair<mlir::Value, size_t>() : found->second;
}

void ValueFacts::notifyOperationErased(mlir::Operation* op) {
  for (mlir::Value result : op->getResults()) types_.erase(result);
  constants_.forget(op);
}

void ValueFacts::notifyBlockErased(mlir::Block* block) {
  for (mlir::Value argument : block->getArguments()) types_.erase(argument);
}

}  // namespace tfrt::compiler::graph
