// --graph-narrow: constant matrices of products and filters of convolutions in 16 bits. They are
// cast to f32 when the program is loaded, or packed as they are (--graph-pack).

#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "constant_facts.h"
#include "graph_passes.h"
#include "kept_nodes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/Pass.h"
#include "quantized.h"
#include "tfrt/support/half.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_NARROWPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

using Halves = std::vector<uint16_t>;

// Rounds half to even. Null if a number becomes infinite, or none is large enough to keep all
// digits.
std::shared_ptr<Halves> narrow(llvm::ArrayRef<char> bytes, DType dtype) {
  constexpr float kLeastNormal = 0x1p-14f;  // of f16
  float largest = 0;
  auto halves = std::make_shared<Halves>(bytes.size() / sizeof(float));
  for (size_t i = 0; i < halves->size(); ++i) {
    float number;
    std::memcpy(&number, bytes.data() + i * sizeof(number), sizeof(number));
    const bool is_bf16 = dtype == DType::kBF16;
    const uint16_t half =
        is_bf16 ? internal::Bf16BitsFromFloat(number) : internal::Fp16BitsFromFloat(number);
    const float rounded =
        is_bf16 ? internal::Bf16BitsToFloat(half) : internal::Fp16BitsToFloat(half);
    if (std::isinf(rounded) && !std::isinf(number)) return nullptr;
    largest = std::fmax(largest, std::fabs(number));
    (*halves)[i] = half;
  }
  if (dtype == DType::kF16 && largest > 0 && largest < kLeastNormal) return nullptr;
  return halves;
}

// Whether a value in f32 is made of f16 or bf16, perhaps transposed.
bool isHalf(Value value) {
  if (Operation* transpose = made<TransposeOp>(value)) return isHalf(transpose->getOperand(0));
  Operation* cast = made<CastOp>(value);
  if (!cast) return false;
  const DType from = valueTypeOf(cast->getOperand(0).getType()).dtype;
  return from == DType::kF16 || from == DType::kBF16;
}

class NarrowPass final : public impl::NarrowPassBase<NarrowPass> {
 public:
  using NarrowPassBase::NarrowPassBase;

  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    if (dtype != "bf16" && dtype != "f16") {
      function.emitError() << "cannot narrow to '" << dtype << "', but to bf16 and f16";
      return signalPassFailure();
    }
    narrowed_.clear();
    KeptNodes kept(keep);
    ConstantFacts constants;
    size_t num_ops = 0, num_narrowed = 0;
    llvm::SmallVector<Operation*> ops;
    function.walk([&](Operation* op) {
      if (mlir::isa<MatmulOp, BatchMatmulOp, FusedBatchMatmulOp, ConvOp, FusedConvOp>(op)) {
        ops.push_back(op);
      }
    });
    for (Operation* op : ops) {
      const bool is_product = !mlir::isa<ConvOp, FusedConvOp>(op);
      Value weights = op->getOperand(1);
      if (valueTypeOf(weights.getType()).dtype != DType::kF32 || !constants.isConstant(weights) ||
          constants.isConstant(op->getOperand(0))) {
        continue;
      }
      ++num_ops;
      const std::string reason = kept.has(op) ? "it is to be kept" : replaceWeights(op, weights);
      if (reason.empty()) {
        ++num_narrowed;
      } else if (remarks) {
        mlir::emitRemark(op->getLoc()) << nodeNameOf(op, is_product ? "product" : "convolution")
                                       << " stays in f32: " << reason;
      }
    }
    if (mlir::failed(
            kept.checkAllFound(function, "product or convolution with constant weights"))) {
      return signalPassFailure();
    }
    if (remarks) report(function, num_narrowed, num_ops);
  }

 private:
  struct Narrowed {
    Value value;         // in f32 again; null if it stays as it is
    std::string reason;  // for that
  };

  // Empty if that was done, else the reason.
  std::string replaceWeights(Operation* op, Value weights) {
    auto [place, is_new] = narrowed_.try_emplace(weights);
    if (is_new) place->second = narrowed(weights);
    if (place->second.value) op->setOperand(1, place->second.value);
    return place->second.reason;
  }

  Narrowed narrowed(Value weights) {
    if (isHalf(weights)) return {{}, "its weights have 16 bits already"};
    const DType to = dtype == "bf16" ? DType::kBF16 : DType::kF16;
    auto constant = weights.getDefiningOp<ConstantOp>();
    mlir::OpBuilder builder(weights.getContext());
    builder.setInsertionPointAfterValue(weights);
    GraphBuilder graph(builder, weights.getLoc());
    const mlir::Type element = elementType(to, builder.getContext());
    Value half;
    if (!constant) {
      // All that bf16 rounds away are digits.
      if (to == DType::kF16) return {{}, "its weights are computed when the program is loaded"};
      half = graph.value("cast", {weights}, {graph.attribute("dtype", element)});
    } else {
      const llvm::ArrayRef<char> bytes = bytesOf(constant);
      if (bytes.empty()) return {{}, "its weights are one number, or none"};
      std::shared_ptr<Halves> halves = narrow(bytes, to);
      if (!halves) return {{}, "its weights are too large or too small for " + dtype};
      half = graph.constant(constantFor(constant, element, std::move(halves)));
    }
    return {graph.value("cast", {half}, {graph.attribute("dtype", builder.getF32Type())}), ""};
  }

  mlir::TypedAttr constantFor(ConstantOp constant, mlir::Type element,
                              std::shared_ptr<Halves> halves) {
    std::string name = "weight";
    if (auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(constant.getValue())) {
      name = resource.getRawHandle().getKey().str();
    }
    const std::span<const uint8_t> elements(reinterpret_cast<const uint8_t*>(halves->data()),
                                            halves->size() * sizeof(uint16_t));
    auto type = mlir::cast<mlir::RankedTensorType>(constant.getType());
    return constantOf(mlir::RankedTensorType::get(type.getShape(), element), elements,
                      name + "_" + std::string(dtype), std::move(halves));
  }

  void report(mlir::func::FuncOp function, size_t num_narrowed, size_t num_ops) {
    size_t before = 0, after = 0, num_computed = 0;
    for (const auto& [weights, narrowed] : narrowed_) {
      if (!narrowed.value) continue;
      auto constant = mlir::Value(weights).getDefiningOp<ConstantOp>();
      num_computed += constant ? 0 : 1;
      const size_t size = constant ? bytesOf(constant).size() : 0;
      before += size;
      // Other ops may read it, too.
      after += size / 2 + (weights.use_empty() ? 0 : size);
    }
    std::string computed;
    if (num_computed > 0) {
      computed =
          llvm::formatv("; {0} are computed, and then rounded, when it is loaded", num_computed);
    }
    mlir::emitRemark(function.getLoc())
        << num_narrowed << " of " << num_ops << " products and convolutions with constant weights "
        << "have them in " << dtype << ": " << sizeText(before) << " became " << sizeText(after)
        << computed;
  }

  llvm::MapVector<Value, Narrowed> narrowed_;  // by weights
};

}  // namespace

}  // namespace tfrt::compiler::graph
