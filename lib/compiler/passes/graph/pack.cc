// --graph-pack: constant filters and matrices in the layout that kernels read fastest. Packing
// depends on constants alone, so that lowering moves it into @load. Weights of one product become
// one before.

#include <tuple>

#include "activation.h"
#include "constant_facts.h"
#include "graph_passes.h"
#include "join_weights.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_PACKPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

bool isF32(Value value) { return valueTypeOf(value.getType()).dtype == DType::kF32; }

// The f16 or bf16 that a value is a cast of, perhaps transposed; null for other values.
Value halfOf(Value value) {
  if (Operation* cast = made<CastOp>(value)) {
    const DType dtype = valueTypeOf(cast->getOperand(0).getType()).dtype;
    return dtype == DType::kF16 || dtype == DType::kBF16 ? cast->getOperand(0) : Value();
  }
  Operation* transpose = made<TransposeOp>(value);
  Value half = transpose ? halfOf(transpose->getOperand(0)) : Value();
  if (!half) return {};
  mlir::OpBuilder builder(transpose);
  return GraphBuilder(builder, transpose->getLoc())
      .value("transpose", {half, transpose->getOperand(1)}, tableAttributesOf(transpose));
}

// Weights that are made of f16 or bf16 are packed from these.
void keepHalf(Value& weights, GraphBuilder& graph, mlir::NamedAttrList& attributes) {
  Value half = halfOf(weights);
  if (!half) return;
  weights = half;
  attributes.push_back(graph.attribute("widen", true));
}

// An op of another name with what the op has, but for an operand.
Operation* replaceOp(mlir::OpBuilder& builder, Operation* op, llvm::StringRef name,
                     unsigned operand, Value with, llvm::ArrayRef<mlir::NamedAttribute> attributes,
                     llvm::ArrayRef<int32_t> segments) {
  mlir::OperationState state(op->getLoc(), ("graph." + name).str());
  llvm::SmallVector<Value> operands(op->getOperands());
  operands[operand] = with;
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.addAttributes(attributes);
  if (!segments.empty()) {
    state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  }
  Operation* made = builder.create(state);
  op->replaceAllUsesWith(made->getResults());
  op->erase();
  return made;
}

class PackPass final : public impl::PackPassBase<PackPass> {
 public:
  void runOnOperation() override {
    joinWeights(getOperation());
    constants_ = {};
    packed_.clear();
    llvm::SmallVector<Operation*> convolutions, products, of_bytes;
    getOperation().walk([&](Operation* op) {
      if (mlir::isa<ConvOp, FusedConvOp>(op)) convolutions.push_back(op);
      if (mlir::isa<MatmulOp, BatchMatmulOp, FusedBatchMatmulOp>(op)) products.push_back(op);
      if (mlir::isa<ConvIntegerOp, QuantizedConvOp, MatmulIntegerOp, QuantizedMatmulOp,
                    DynamicQuantizedMatmulOp>(op)) {
        of_bytes.push_back(op);
      }
    });
    for (Operation* op : convolutions) packFilter(op);
    for (Operation* op : products) packMatrix(op);
    for (Operation* op : of_bytes) packBytes(op);
  }

 private:
  bool isPackable(Value weight) {
    return isF32(weight) && constants_.isConstant(weight) &&
           !made<PackFilterOp, PackMatrixOp>(weight);
  }

  // Once for all ops that read a weight in one layout: right behind it, so before all of them.
  Value pack(llvm::StringRef name, Value weight, llvm::ArrayRef<mlir::NamedAttribute> attributes,
             mlir::Location location) {
    mlir::OpBuilder builder(weight.getContext());
    auto key = std::make_tuple(weight, builder.getStringAttr(name).getAsOpaquePointer(),
                               builder.getDictionaryAttr(attributes).getAsOpaquePointer());
    auto [place, is_new] = packed_.try_emplace(key);
    if (is_new) {
      builder.setInsertionPointAfterValue(weight);
      place->second = GraphBuilder(builder, location).value(name, {weight}, attributes);
    }
    return place->second;
  }

  void packFilter(Operation* op) {
    Value input = op->getOperand(0), filter = op->getOperand(1);
    if (!isPackable(filter) || constants_.isConstant(input) || !isF32(input)) return;
    auto image = mlir::dyn_cast<mlir::RankedTensorType>(input.getType());
    if (!image) return;
    mlir::OpBuilder builder(op);
    GraphBuilder graph(builder, op->getLoc());
    llvm::SmallVector<int64_t> sizes;
    for (int64_t size : image.getShape()) {
      sizes.push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
    }
    mlir::NamedAttrList attributes = plainAttributesOf(op);
    attributes.push_back(graph.attribute("input_shape", sizes));
    keepHalf(filter, graph, attributes);
    Value packed = pack("pack_filter", filter, attributes, op->getLoc());
    if (!packed) return signalPassFailure();
    if (mlir::isa<FusedConvOp>(op)) {
      op->setOperand(1, packed);
      return;
    }
    const int32_t biases = op->getNumOperands() == 3;
    replaceOp(builder, op, "fused_conv", 1, packed, op->getAttrs(), {1, 1, biases, 0});
  }

  void packMatrix(Operation* op) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (!isPackable(b) || constants_.isConstant(a) || !isF32(a)) return;
    auto left = mlir::dyn_cast<mlir::RankedTensorType>(a.getType());
    auto right = mlir::dyn_cast<mlir::RankedTensorType>(b.getType());
    if (!left || !right || left.getRank() < 2 || right.getRank() != 2) return;
    // Several matrices that lie the other way round are not the rows of one.
    if (left.getRank() > 2 && boolOf(op, "transpose_a")) return;
    mlir::OpBuilder builder(op);
    GraphBuilder graph(builder, op->getLoc());
    // The rows of all matrices are one matrix's.
    int64_t rows = 1;
    const bool transpose_a = boolOf(op, "transpose_a");
    for (auto [i, size] : llvm::enumerate(left.getShape())) {
      if (static_cast<int64_t>(i) == left.getRank() - (transpose_a ? 2 : 1)) continue;
      bool fits = !mlir::ShapedType::isDynamic(size) && !llvm::MulOverflow(rows, size, rows);
      if (!fits) rows = 0;
      if (rows == 0) break;
    }
    const bool transpose_b = boolOf(op, "transpose_b");
    mlir::NamedAttrList attributes;
    attributes.push_back(graph.attribute("rows", rows));
    attributes.push_back(graph.attribute("transpose_b", transpose_b));
    keepHalf(b, graph, attributes);
    Value packed = pack("pack_matrix", b, attributes, op->getLoc());
    if (!packed) return signalPassFailure();
    if (mlir::isa<FusedBatchMatmulOp>(op)) {
      op->setOperand(1, packed);
      return;
    }
    replaceOp(
        builder, op, "fused_batch_matmul", 1, packed,
        {graph.attribute("transpose_a", transpose_a), graph.attribute("transpose_b", transpose_b)},
        {1, 1, 0, 0});
  }

  // The op reads packed bytes as it is: no other one replaces it.
  void packBytes(Operation* op) {
    Value weight = op->getOperand(1);
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(weight.getType());
    if (!type || !constants_.isConstant(weight) || constants_.isConstant(op->getOperand(0)) ||
        made<PackFilterOp, PackMatrixOp>(weight)) {
      return;
    }
    mlir::OpBuilder builder(op);
    GraphBuilder graph(builder, op->getLoc());
    Value packed;
    if (mlir::isa<ConvIntegerOp, QuantizedConvOp>(op)) {
      mlir::NamedAttrList attributes;
      for (llvm::StringRef name : {"channels_last", "groups"}) {
        if (mlir::Attribute value = op->getAttr(name)) attributes.set(name, value);
      }
      packed = pack("pack_filter", weight, attributes, op->getLoc());
    } else {
      // A matrix for each of several products is not packed.
      if (type.getRank() != 2) return;
      const bool transposed = !mlir::isa<MatmulIntegerOp>(op) && boolOf(op, "transpose_b");
      packed =
          pack("pack_matrix", weight, {graph.attribute("transpose_b", transposed)}, op->getLoc());
    }
    if (!packed) return signalPassFailure();
    op->setOperand(1, packed);
  }

  ConstantFacts constants_;  // of a run, which erases no constant
  // By weight, name and attributes.
  llvm::DenseMap<std::tuple<Value, const void*, const void*>, Value> packed_;
};

}  // namespace

}  // namespace tfrt::compiler::graph
