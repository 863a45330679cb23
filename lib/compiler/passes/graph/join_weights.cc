#include "join_weights.h"

#include <cstring>
#include <optional>

#include "constant_facts.h"
#include "graph_passes.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

struct Piece {
  mlir::DenseResourceElementsAttr resource;
  llvm::ArrayRef<char> bytes;
  mlir::RankedTensorType type;
};

// How many constants of the function are made of a resource, which the file has once.
using Uses = llvm::StringMap<int>;

// The weight that makes the value, if nothing else reads it.
std::optional<Piece> pieceOf(mlir::Value value, const Uses& uses) {
  mlir::Operation* op = made<ConstantOp>(value);
  if (!op || !value.hasOneUse()) return std::nullopt;
  const mlir::Attribute attribute = mlir::cast<ConstantOp>(op).getValue();
  auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(attribute);
  if (!resource || uses.lookup(resource.getRawHandle().getKey()) != 1) return std::nullopt;
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
  // Complex elements have no width of their own.
  if (!blob || !type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat()) {
    return std::nullopt;
  }
  const unsigned bits = type.getElementTypeBitWidth();
  // A wrong size is reported where the weight is written.
  const llvm::ArrayRef<char> bytes = blob->getData();
  if (bits % 8 != 0 || bytes.size() != static_cast<size_t>(type.getNumElements()) * (bits / 8)) {
    return std::nullopt;
  }
  return Piece{resource, bytes, type};
}

void joinPieces(ConcatOp op, const Uses& uses, ConstantFacts& facts) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  const unsigned num_pieces = op->getNumOperands() - 1;
  const std::optional<double> axis_number = facts.scalarOf(op->getOperand(num_pieces));
  if (!type || !type.hasStaticShape() || !axis_number) return;
  auto axis = static_cast<int64_t>(*axis_number);
  if (axis < 0) axis += type.getRank();
  if (axis < 0 || axis >= type.getRank()) return;
  llvm::SmallVector<Piece> pieces;
  int64_t sum = 0;
  for (mlir::Value operand : op->getOperands().take_front(num_pieces)) {
    std::optional<Piece> piece = pieceOf(operand, uses);
    if (!piece || piece->type.getElementType() != type.getElementType()) return;
    sum += piece->type.getDimSize(static_cast<unsigned>(axis));
    pieces.push_back(*piece);
  }
  // An op that does not fit its operands fails when it runs.
  if (pieces.empty() || sum != type.getDimSize(static_cast<unsigned>(axis))) return;
  int64_t outer = 1;
  for (int64_t size : type.getShape().take_front(static_cast<size_t>(axis))) outer *= size;
  size_t size = 0;
  for (const Piece& piece : pieces) size += piece.bytes.size();
  if (size == 0) return;
  mlir::AsmResourceBlob blob = mlir::HeapAsmResourceBlob::allocate(size, 64);
  char* out = blob.getMutableData().data();
  for (int64_t i = 0; i < outer; ++i) {
    for (const Piece& piece : pieces) {
      const size_t run = piece.bytes.size() / static_cast<size_t>(outer);
      std::memcpy(out, piece.bytes.data() + static_cast<size_t>(i) * run, run);
      out += run;
    }
  }
  const std::string name = (pieces[0].resource.getRawHandle().getKey() + "_and_more").str();
  mlir::OpBuilder builder(op);
  auto joined =
      ConstantOp::create(builder, op->getLoc(), type,
                         mlir::DenseResourceElementsAttr::get(type, name, std::move(blob)));
  llvm::SmallVector<mlir::Value> operands(op->getOperands());
  facts.forget(op);
  op->getResult(0).replaceAllUsesWith(joined->getResult(0));
  op->erase();
  for (mlir::Value operand : operands) {
    mlir::Operation* constant = operand.getDefiningOp();
    if (!constant || !constant->use_empty()) continue;
    facts.forget(constant);
    constant->erase();
  }
}

}  // namespace

void joinWeights(mlir::Operation* function) {
  llvm::SmallVector<ConcatOp> concats;
  Uses uses;
  function->walk([&](mlir::Operation* op) {
    if (auto concat = mlir::dyn_cast<ConcatOp>(op)) concats.push_back(concat);
    auto constant = mlir::dyn_cast<ConstantOp>(op);
    if (!constant) return;
    auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(constant.getValue());
    if (resource) ++uses[resource.getRawHandle().getKey()];
  });
  ConstantFacts facts;
  for (ConcatOp op : concats) joinPieces(op, uses, facts);
}

}  // namespace tfrt::compiler::graph
