// GraphBuilder: makes ops of the graph dialect, and remembers what the op table says of their
// results: symbols for sizes, elements of small integer tensors.
#ifndef TFRT_DIALECTS_GRAPH_GRAPH_BUILDER_H_
#define TFRT_DIALECTS_GRAPH_GRAPH_BUILDER_H_

#include <cstdint>
#include <memory>
#include <span>

#include "dialects/graph/graph_dialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/Builders.h"

namespace tfrt::compiler::graph {

class GraphBuilder {
 public:
  explicit GraphBuilder(mlir::OpBuilder& builder, mlir::Location location)
      : builder_(builder), location_(location) {}

  // Sets the location of the ops that follow.
  void setLocation(mlir::Location location) { location_ = location; }
  mlir::Location location() const { return location_; }
  mlir::OpBuilder& builder() { return builder_; }
  mlir::MLIRContext* context() { return builder_.getContext(); }

  // An op of the table; its results have the types that follow. Arguments may be null where the
  // table says optional. An op with effects takes a token, and its last result is one. Null after
  // an error, which is a diagnostic.
  mlir::Operation* create(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                          mlir::Value token = {});
  // Its first result, or null.
  mlir::Value value(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    mlir::Operation* op = create(name, arguments, attributes);
    return op ? op->getResult(0) : mlir::Value();
  }

  // Appends what a region returns. Failure after an error, which has been reported.
  using FillRegion = llvm::function_ref<llvm::LogicalResult(
      llvm::ArrayRef<mlir::Value> arguments, llvm::SmallVectorImpl<mlir::Value>& returned)>;
  using Report = llvm::function_ref<llvm::LogicalResult()>;
  // graph.if and graph.loop, whose types follow from what their regions return, tensors or tokens.
  // The types of carried values fit in all runs: the region is made again with wider types until
  // they do. Count and condition may be null. Reports a mismatch of element types. Null after an
  // error.
  mlir::Operation* createIf(mlir::Value condition, FillRegion then_region, FillRegion else_region,
                            Report mismatch);
  mlir::Operation* createLoop(mlir::Value count, mlir::Value condition,
                              llvm::ArrayRef<mlir::Value> initial, FillRegion body,
                              Report mismatch);

  mlir::Value constant(mlir::TypedAttr value);
  // A vector, and a scalar.
  mlir::Value integers(llvm::ArrayRef<int64_t> values);
  mlir::Value integer(int64_t value);
  // A scalar of the element type, which takes a number.
  mlir::Value number(mlir::Type element, double value);

  mlir::NamedAttribute attribute(llvm::StringRef name, bool value);
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute attribute(llvm::StringRef name, float value);
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute attribute(llvm::StringRef name, const char* value) {
    return attribute(name, llvm::StringRef(value));
  }
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::ArrayRef<float> values);
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Type value);

  // Returns the known facts about a value; for a value that the builder has not made, those of its
  // type. Returns a copy, because the stored facts move when values are added.
  ValueType typeOf(mlir::Value value);
  void setType(mlir::Value value, ValueType type) { types_[value] = std::move(type); }
  // All elements, if they are known.
  std::optional<std::vector<int64_t>> elementsOf(mlir::Value value) {
    return knownElements(typeOf(value));
  }

  // Forgets all values in a region that is being destroyed.
  void forget(mlir::Region& region);

  // The size that this name stands for.
  Dim symbol(llvm::StringRef name);
  // The name of a size; empty for other sizes than such symbols.
  llvm::StringRef nameOf(Dim size) const;

 private:
  std::unique_ptr<mlir::Region> makeRegion(llvm::ArrayRef<ValueType> arguments, FillRegion fill,
                                           llvm::SmallVectorImpl<mlir::Value>& returned);
  // Adds the results.
  mlir::Operation* create(mlir::OperationState& state, llvm::ArrayRef<ValueType> results);

  mlir::OpBuilder& builder_;
  mlir::Location location_;
  llvm::DenseMap<mlir::Value, ValueType> types_;
  llvm::StringMap<uint32_t> symbols_;
};

// A constant of these bytes, which need not be aligned. Small ones become elements. Others become a
// resource that views them and keeps `owner`, which is null if they outlive the module.
mlir::TypedAttr constantOf(mlir::RankedTensorType type, std::span<const uint8_t> bytes,
                           llvm::StringRef name, std::shared_ptr<const void> owner);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_GRAPH_BUILDER_H_
