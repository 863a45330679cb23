// --graph-narrow: constant matrices of products and filters of convolutions in 16 bits. They are
// cast to f32 when the program is loaded, or packed as they are (--graph-pack).

#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph_passes.h"
#include "kept_nodes.h"
#include "llvm/ADT/MapVector.h"
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

// Rounds half to even. Null if a number becomes infinite.
std::shared_ptr<Halves> narrow(llvm::ArrayRef<char> bytes, DType dtype) {
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
    (*halves)[i] = half;
  }
  return halves;
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
    size_t num_ops = 0, num_narrowed = 0;
    function.walk([&](Operation* op) {
      const bool is_product = mlir::isa<MatmulOp, BatchMatmulOp, FusedBatchMatmulOp>(op);
      if (!is_product && !mlir::isa<ConvOp, FusedConvOp>(op)) return;
      auto constant = op->getOperand(1).getDefiningOp<ConstantOp>();
      if (!constant || valueTypeOf(constant.getType()).dtype != DType::kF32) return;
      ++num_ops;
      const std::string reason = kept.has(op) ? "it is to be kept" : replaceWeights(op, constant);
      if (reason.empty()) {
        ++num_narrowed;
      } else if (remarks) {
        mlir::emitRemark(op->getLoc()) << nodeNameOf(op, is_product ? "product" : "convolution")
                                       << " stays in f32: " << reason;
      }
    });
    if (mlir::failed(
            kept.checkAllFound(function, "product or convolution with constant weights"))) {
      return signalPassFailure();
    }
    if (remarks) report(function, num_narrowed, num_ops);
  }

 private:
  // Empty if that was done.
  std::string replaceWeights(Operation* op, ConstantOp constant) {
    auto [place, is_new] = narrowed_.try_emplace(constant);
    if (is_new) place->second = narrowed(constant);
    if (!place->second) return "its weights are one number, or too large for " + dtype;
    op->setOperand(1, place->second);
    return "";
  }

  // The constant in 16 bits and then in f32, beside the one of f32: it is before all its uses.
  Value narrowed(ConstantOp constant) {
    auto type = mlir::cast<mlir::RankedTensorType>(constant.getType());
    const llvm::ArrayRef<char> bytes = bytesOf(constant);
    if (bytes.empty()) return {};
    const DType to = dtype == "bf16" ? DType::kBF16 : DType::kF16;
    std::shared_ptr<Halves> halves = narrow(bytes, to);
    if (!halves) return {};
    std::string name = "weight";
    if (auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(constant.getValue())) {
      name = resource.getRawHandle().getKey().str();
    }
    const std::span<const uint8_t> elements(reinterpret_cast<const uint8_t*>(halves->data()),
                                            halves->size() * sizeof(uint16_t));
    mlir::OpBuilder builder(constant);
    builder.setInsertionPointAfter(constant);
    GraphBuilder graph(builder, constant.getLoc());
    auto narrow_type =
        mlir::RankedTensorType::get(type.getShape(), elementType(to, builder.getContext()));
    Value half = graph.constant(
        constantOf(narrow_type, elements, name + "_" + std::string(dtype), std::move(halves)));
    return graph.value("cast", {half}, {graph.attribute("dtype", builder.getF32Type())});
  }

  void report(mlir::func::FuncOp function, size_t num_narrowed, size_t num_ops) {
    size_t before = 0, after = 0;
    for (auto [op, value] : narrowed_) {
      if (!value) continue;
      const size_t size = bytesOf(mlir::cast<ConstantOp>(op)).size();
      before += size;
      // Other ops may read it, too.
      after += size / 2 + (op->use_empty() ? 0 : size);
    }
    mlir::emitRemark(function.getLoc())
        << num_narrowed << " of " << num_ops << " products and convolutions with constant weights "
        << "have them in " << dtype << ": " << sizeText(before) << " became " << sizeText(after);
  }

  llvm::MapVector<Operation*, Value> narrowed_;  // by constant; null if it stays in f32
};

}  // namespace

}  // namespace tfrt::compiler::graph
