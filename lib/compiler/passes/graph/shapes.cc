// Sizes as far as the compiler can know them: types say what the op table says, integers that are
// known are constants, and those that are sizes of the program's inputs are made once.

#include <map>

#include "graph_passes.h"
#include "mlir/Pass/Pass.h"
#include "rewriting.h"
#include "views.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_SHAPESPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Value;

class ShapeRefinement {
 public:
  explicit ShapeRefinement(mlir::func::FuncOp function)
      : function_(function), facts_(function), rewriter_(function.getContext(), &facts_) {}

  void run() {
    function_.walk([&](mlir::Operation* op) { refine(op); });
    // In reverse, so that what made a shape goes with it.
    llvm::SmallVector<mlir::Operation*> ops;
    function_.walk([&](mlir::Operation* op) {
      if (op->getNumRegions() == 0) ops.push_back(op);
    });
    for (mlir::Operation* op : llvm::reverse(ops)) {
      if (!mlir::isOpTriviallyDead(op)) resolve(op);
      if (mlir::isOpTriviallyDead(op)) rewriter_.eraseOp(op);
    }
    updateResultTypes(function_);
  }

  unsigned num_types = 0, num_constants = 0, num_targets = 0;

 private:
  // The types of the results, where they say less than is known.
  void refine(mlir::Operation* op) {
    if (!descriptionOf(op)) return;
    for (Value result : op->getResults()) {
      mlir::Type type = tensorType(facts_.of(result), op->getContext());
      bool ends_region = llvm::any_of(result.getUsers(), [](mlir::Operation* user) {
        return user->hasTrait<mlir::OpTrait::IsTerminator>() &&
               !mlir::isa<mlir::func::FuncOp>(user->getParentOp());
      });
      if (!type || type == result.getType() || ends_region) continue;
      rewriter_.modifyOpInPlace(op, [&] { result.setType(type); });
      ++num_types;
    }
  }

  void resolve(mlir::Operation* op) {
    if (!descriptionOf(op) || !mlir::isPure(op)) return;
    if (auto reshape = mlir::dyn_cast<ReshapeOp>(op)) resolveTarget(reshape);
    for (Value result : op->getResults()) {
      if (!result.use_empty()) resolveIntegers(op, result);
    }
  }

  // Integers that are known, or all sizes of arguments.
  void resolveIntegers(mlir::Operation* op, Value result) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
    const auto& elements = facts_.of(result).elements;
    if (!type || !type.hasStaticShape() || !elements) return;
    if (static_cast<int64_t>(elements->size()) != type.getNumElements()) return;
    rewriter_.setInsertionPoint(op);
    Value known;
    if (auto numbers = facts_.elementsOf(result)) {
      known = constantOf(op->getLoc(), type, *numbers);
      ++num_constants;
    } else if (type.getRank() == 1 && type.getElementType().isInteger(64)) {
      known = sizesOf(*elements);
    }
    if (known && known != result) rewriter_.replaceAllUsesWith(result, known);
  }

  Value constantOf(mlir::Location location, mlir::RankedTensorType type,
                   llvm::ArrayRef<int64_t> numbers) {
    llvm::SmallVector<llvm::APInt> values;
    const unsigned width = type.getElementType().getIntOrFloatBitWidth();
    for (int64_t number : numbers) {
      values.emplace_back(width, static_cast<uint64_t>(number), /*isSigned=*/true,
                          /*implicitTrunc=*/true);
    }
    return ConstantOp::create(rewriter_, location, type,
                              mlir::DenseElementsAttr::get(type, values));
  }

  // A vector of numbers and sizes of arguments, made once, where the function begins. Null if it is
  // of something else.
  Value sizesOf(llvm::ArrayRef<Dim> elements) {
    std::vector<std::pair<bool, int64_t>> key;  // whether it is a symbol, and what
    for (Dim element : elements) {
      if (element.is_unknown()) return {};
      if (element.is_symbol() && !facts_.sourceOf(element.symbol()).first) return {};
      key.emplace_back(element.is_symbol(),
                       element.is_symbol() ? element.symbol() : element.value());
    }
    Value& vector = vectors_[key];
    if (vector) return vector;
    mlir::Location location = function_.getLoc();
    atStart();
    GraphBuilder graph(rewriter_, location);
    llvm::SmallVector<Value> pieces;
    llvm::SmallVector<int64_t> numbers;
    auto flush = [&] {
      if (!numbers.empty()) pieces.push_back(graph.integers(numbers));
      numbers.clear();
    };
    for (size_t i = 0; i < elements.size(); ++i) {
      if (elements[i].is_known()) {
        numbers.push_back(elements[i].value());
        continue;
      }
      flush();
      // As many as lie side by side in one argument.
      auto [argument, axis] = facts_.sourceOf(elements[i].symbol());
      size_t count = 1;
      for (; i + count < elements.size(); ++count) {
        Dim next = facts_.of(argument).shape.rank() > axis + count
                       ? facts_.of(argument).shape.dim(axis + count)
                       : Dim();
        if (!next.IsSameAs(elements[i + count])) break;
      }
      pieces.push_back(sizesOf(graph, argument, axis, count));
      i += count - 1;
    }
    flush();
    if (pieces.size() == 1) return vector = pieces[0];
    pieces.push_back(graph.integer(0));
    vector = graph.value("concat", pieces);
    ValueType known = facts_.of(vector);
    known.elements.emplace(elements.begin(), elements.end());
    facts_.refine(vector, known);
    last_ = vector.getDefiningOp();
    return vector;
  }

  // So many sizes of an argument from one on.
  Value sizesOf(GraphBuilder& graph, Value argument, size_t axis, size_t count) {
    Value& all = shapes_[argument];
    if (!all) {
      all = graph.value("shape_of", {argument},
                        {graph.attribute("dtype", mlir::Type(rewriter_.getI64Type()))});
      last_ = all.getDefiningOp();
      atStart();
    }
    if (count == facts_.of(argument).shape.rank()) return all;
    Value& piece = pieces_[{all.getAsOpaquePointer(), {axis, count}}];
    if (!piece) {
      piece = graph.value("slice", {all, graph.integers({static_cast<int64_t>(axis)}),
                                    graph.integers({static_cast<int64_t>(count)})});
      last_ = piece.getDefiningOp();
      atStart();
    }
    return piece;
  }

  // Behind what is there already of sizes.
  void atStart() {
    if (last_) {
      rewriter_.setInsertionPointAfter(last_);
    } else {
      rewriter_.setInsertionPointToStart(&function_.getBody().front());
    }
  }

  // Whether the program itself leaves a size to the op.
  bool leavesOne(ReshapeOp op) {
    const auto& sizes = facts_.of(op.argument("shape")).elements;
    return sizes && std::ranges::any_of(*sizes, [](Dim size) { return size.is(-1); });
  }

  // A target of which one size is left to the op.
  void resolveTarget(ReshapeOp op) {
    const SymbolicShape& shape = facts_.of(op.result()).shape;
    if (!shape.has_rank() || facts_.elementsOf(op.argument("shape"))) return;
    // The op would take any size where the program says which.
    if (!leavesOne(op) && !haveSameCount(shape, facts_.of(op.argument("tensor")).shape)) return;
    llvm::SmallVector<int64_t> sizes;
    size_t open = 0;
    for (Dim dim : shape.dims()) {
      if (dim.is(0)) return;  // leaves no answer
      open += !dim.is_known();
      sizes.push_back(dim.is_known() ? dim.value() : -1);
    }
    if (open > 1) return;
    rewriter_.setInsertionPoint(op);
    Value target = GraphBuilder(rewriter_, op.getLoc()).integers(sizes);
    rewriter_.modifyOpInPlace(op, [&] { op->setOperand(1, target); });
    ++num_targets;
  }

  mlir::func::FuncOp function_;
  ValueFacts facts_;
  mlir::IRRewriter rewriter_;
  std::map<std::vector<std::pair<bool, int64_t>>, Value> vectors_;
  std::map<std::pair<const void*, std::pair<size_t, size_t>>, Value> pieces_;
  llvm::DenseMap<Value, Value> shapes_;
  mlir::Operation* last_ = nullptr;
};

struct ShapesPass : impl::ShapesPassBase<ShapesPass> {
  using ShapesPassBase::ShapesPassBase;
  void runOnOperation() override {
    if (getOperation().isExternal()) return;
    ShapeRefinement refinement(getOperation());
    refinement.run();
    if (remarks) {
      getOperation().emitRemark() << "refined " << refinement.num_types << " types, made "
                                  << refinement.num_constants << " constants of integers and "
                                  << refinement.num_targets << " of targets";
    }
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
