// GraphBuilder: makes ops of the graph dialect, and remembers what the op table says of their
// results: symbols for sizes, elements of small integer tensors.
#ifndef TFRT_DIALECTS_GRAPH_GRAPH_BUILDER_H_
#define TFRT_DIALECTS_GRAPH_GRAPH_BUILDER_H_

#include <cstdint>

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
  // table says optional. Null after an error, which is a diagnostic.
  mlir::Operation* create(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  // Its first result, or null.
  mlir::Value value(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    mlir::Operation* op = create(name, arguments, attributes);
    return op ? op->getResult(0) : mlir::Value();
  }

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
  std::optional<std::vector<int64_t>> elementsOf(mlir::Value value);

  // Forgets all values in a region that is being destroyed.
  void forget(mlir::Region& region);

  // The size that this name stands for.
  Dim symbol(llvm::StringRef name);
  // The name of a size; empty for other sizes than such symbols.
  llvm::StringRef nameOf(Dim size) const;

 private:
  mlir::OpBuilder& builder_;
  mlir::Location location_;
  llvm::DenseMap<mlir::Value, ValueType> types_;
  llvm::StringMap<uint32_t> symbols_;
};

// Returns the facts that are true of both. It has no elements, and no dtype if the dtypes differ.
ValueType join(const ValueType& a, const ValueType& b);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_GRAPH_BUILDER_H_
