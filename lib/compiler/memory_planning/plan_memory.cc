#include "plan_memory.h"

#include <optional>
#include <string_view>
#include <vector>

#include "dialects/tfrt/tfrt_dialect.h"
#include "lib/format/op_table/memory_effects.h"
#include "llvm/ADT/DenseMap.h"
#include "memory_planner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::compiler {
namespace {

using mlir::Operation;

constexpr llvm::StringLiteral kCreate = "tfrt_dht.create_uninitialized_tensor.";
constexpr llvm::StringLiteral kInBuffer = "tfrt_dht.tensor_in_buffer.";
constexpr llvm::StringLiteral kAllocate = "tfrt_dht.allocate_buffer";
constexpr llvm::StringLiteral kNonStrict = "bef.nonstrict";

// A tensor that the function makes.
struct Tensor {
  Operation* op;
  llvm::StringRef dtype;
  PlannedTensor sizes;
};

// 0 for what no kernel makes tensors of.
int64_t elementBytes(llvm::StringRef dtype) {
  if (dtype == "bool") return DTypeSize(DType::kI1);
  if (dtype == "i1" || dtype == "i16" || dtype == "ui16") return 0;
  for (const ElementType& type : kElementTypes) {
    if (std::string_view(type.program_name) == std::string_view(dtype)) return type.size_bytes;
  }
  return 0;
}

// Bytes of a tensor; empty if the shape is none, or too large.
std::optional<int64_t> sizeBytes(mlir::Attribute shape, int64_t element_bytes) {
  auto dims = mlir::dyn_cast_or_null<mlir::ArrayAttr>(shape);
  if (!dims) return std::nullopt;
  int64_t size = element_bytes;
  bool is_empty = false;
  for (mlir::Attribute element : dims) {
    auto dim = mlir::dyn_cast<mlir::IntegerAttr>(element);
    if (!dim || !dim.getType().isSignlessInteger(64) || dim.getInt() < 0) return std::nullopt;
    if (dim.getInt() == 0) {
      is_empty = true;
    } else if (__builtin_mul_overflow(size, dim.getInt(), &size)) {
      return std::nullopt;
    }
  }
  return is_empty ? 0 : size;
}

llvm::StringRef nameOf(Operation* op) { return op->getName().getStringRef(); }

std::optional<MemoryEffects> effectsOf(Operation* op) {
  if (op->hasAttr(kNonStrict) || op->getNumRegions() != 0) return std::nullopt;
  llvm::StringRef name = nameOf(op);
  return LookUpMemoryEffects({name.data(), name.size()}, op->getNumOperands());
}

bool isStrict(Operation* op) {
  llvm::StringRef name = nameOf(op);
  return !op->hasAttr(kNonStrict) && StartsAfterItsOperands({name.data(), name.size()});
}

class Planner {
 public:
  Planner(mlir::func::FuncOp function,
          llvm::function_ref<void(Operation*, const llvm::Twine&)> explain)
      : function_(function), explain_(explain) {}

  PlannedMemory Run() {
    mlir::Block& block = function_.getBody().front();
    for (Operation& op : block) {
      if (!nameOf(&op).starts_with(kCreate)) continue;
      ++result_.num_tensors;
      if (std::optional<Tensor> tensor = ReadTensor(&op)) tensors_.push_back(*tensor);
    }
    if (tensors_.size() < 2) {
      for (const Tensor& tensor : tensors_) explain_(tensor.op, "there is no other to share with");
      return result_;
    }
    std::vector<PlannedTensor> sizes;
    for (const Tensor& tensor : tensors_) sizes.push_back(tensor.sizes);
    std::optional<MemoryPlan> plan = PlanTensors(sizes, ReadOps(block));
    if (!plan) {
      for (const Tensor& tensor : tensors_) explain_(tensor.op, "all together are too large");
      return result_;
    }
    Rewrite(*plan);
    result_.num_planned = tensors_.size();
    result_.unplanned_bytes = plan->unplanned_bytes;
    result_.planned_bytes = plan->size_bytes;
    result_.lower_bound_bytes = plan->lower_bound_bytes;
    return result_;
  }

 private:
  std::optional<Tensor> ReadTensor(Operation* op) {
    auto [dtype, rank] = nameOf(op).drop_front(kCreate.size()).rsplit('.');
    int64_t element_bytes = elementBytes(dtype);
    if (element_bytes == 0 || rank.size() != 1 || rank[0] < '0' || rank[0] > '5' ||
        op->getNumOperands() != 0 || op->getNumResults() != 1) {
      explain_(op, "there is no such kernel");
      return std::nullopt;
    }
    // Every attribute counts, since kernels take them by position.
    if (op->getAttrs().size() != 1) {
      explain_(op, "it has other attributes than its shape");
      return std::nullopt;
    }
    std::optional<int64_t> size = sizeBytes(op->getAttrs().front().getValue(), element_bytes);
    if (!size) {
      explain_(op, "its shape is not valid or too large");
      return std::nullopt;
    }
    if (*size == 0) {
      explain_(op, "it has no elements");
      return std::nullopt;
    }
    if (op->use_empty()) {
      explain_(op, "nothing uses it");
      return std::nullopt;
    }
    for (Operation* user : op->getUsers()) {
      if (user->getBlock() != op->getBlock() || !effectsOf(user)) {
        explain_(op, llvm::Twine("it is used by '") + nameOf(user) + "'");
        return std::nullopt;
      }
    }
    return Tensor{op, dtype, {*size, element_bytes}};
  }

  std::vector<PlannerOp> ReadOps(mlir::Block& block) const {
    llvm::DenseMap<mlir::Value, uint32_t> tensors;
    for (uint32_t i = 0; i < tensors_.size(); ++i) tensors[tensors_[i].op->getResult(0)] = i;
    llvm::DenseMap<Operation*, uint32_t> numbers;
    std::vector<PlannerOp> ops;
    for (Operation& op : block) {
      PlannerOp& out = ops.emplace_back();
      out.strict = isStrict(&op);
      std::optional<MemoryEffects> effects = effectsOf(&op);
      for (mlir::OpOperand& operand : op.getOpOperands()) {
        if (auto tensor = tensors.find(operand.get()); tensor != tensors.end()) {
          unsigned number = operand.getOperandNumber();
          out.uses.push_back(
              {tensor->second, effects->writes(number), effects->may_share_with_written(number)});
        }
        Operation* maker = operand.get().getDefiningOp();
        auto number = maker ? numbers.find(maker) : numbers.end();
        if (number == numbers.end()) continue;  // an argument, or from outside the block
        std::optional<MemoryEffects> maker_effects = effectsOf(maker);
        unsigned result = mlir::cast<mlir::OpResult>(operand.get()).getResultNumber();
        out.operands.push_back(
            {number->second, maker_effects && maker_effects->tells_done(result)});
      }
      numbers[&op] = static_cast<uint32_t>(ops.size() - 1);
    }
    return ops;
  }

  void Rewrite(const MemoryPlan& plan) {
    mlir::OpBuilder builder(tensors_.front().op);
    mlir::Location loc = function_.getLoc();
    mlir::Value size = ConstantI64Op::create(builder, loc, builder.getI64Type(),
                                             builder.getI64IntegerAttr(plan.size_bytes));
    mlir::Value alignment = ConstantI64Op::create(
        builder, loc, builder.getI64Type(), builder.getI64IntegerAttr(MemoryPlan::kAlignment));
    mlir::OperationState allocate(loc, kAllocate);
    allocate.addOperands({size, alignment});
    allocate.addTypes(ht::HostBufferType::get(builder.getContext()));
    mlir::Value buffer = builder.create(allocate)->getResult(0);
    for (auto [tensor, offset] : llvm::zip_equal(tensors_, plan.offsets)) {
      builder.setInsertionPoint(tensor.op);
      mlir::OperationState in_buffer(tensor.op->getLoc(), (kInBuffer + tensor.dtype).str());
      in_buffer.addOperands(buffer);
      in_buffer.addAttribute("offset", builder.getI64IntegerAttr(offset));
      in_buffer.addAttribute("shape", tensor.op->getAttrs().front().getValue());
      in_buffer.addTypes(tensor.op->getResultTypes());
      Operation* replacement = builder.create(in_buffer);
      tensor.op->replaceAllUsesWith(replacement);
      tensor.op->erase();
    }
    function_->setAttr(TfrtDialect::kMemoryPlanned, builder.getUnitAttr());
  }

  mlir::func::FuncOp function_;
  llvm::function_ref<void(Operation*, const llvm::Twine&)> explain_;
  std::vector<Tensor> tensors_;
  PlannedMemory result_;
};

}  // namespace

PlannedMemory planMemory(mlir::func::FuncOp function,
                         llvm::function_ref<void(Operation*, const llvm::Twine&)> explain) {
  if (!function.getBody().hasOneBlock() || function->hasAttr("tfrt.sync") ||
      function->hasAttr(TfrtDialect::kMemoryPlanned)) {
    return {};
  }
  return Planner(function, explain).Run();
}

}  // namespace tfrt::compiler
