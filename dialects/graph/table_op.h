// Ops of the graph dialect that are rows of the op table. No C++ is generated for them: one
// definition (table_op_definition.h) serves all rows, and a class for a row is one line
// (table_op_names.h).
#ifndef TFRT_DIALECTS_GRAPH_TABLE_OP_H_
#define TFRT_DIALECTS_GRAPH_TABLE_OP_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <string_view>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Support/TypeID.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::compiler::graph {

// Marks the ops that are rows of the table; `constant`, whose syntax differs, is none of them.
template <typename ConcreteOp>
class TableOpTrait : public mlir::OpTrait::TraitBase<ConcreteOp, TableOpTrait> {};

// The TypeID of a row's op is the row's address: rows are static, so this is true in every context.
inline mlir::TypeID typeIdOf(const OpDescription& row) {
  return mlir::TypeID::getFromOpaquePointer(&row);
}

// The row of an op of the graph dialect; null for ops of structure and of other dialects.
inline const OpDescription* descriptionOf(mlir::Operation* op) {
  if (!op->getName().hasTrait<TableOpTrait>()) return nullptr;
  return static_cast<const OpDescription*>(op->getName().getTypeID().getAsOpaquePointer());
}

// The operand that is this argument of the op's row; null for one that is left out. The argument is
// not variadic.
mlir::Value argumentOf(mlir::Operation* op, llvm::StringRef name);

// A name as a template argument: TableOp<"mul">.
template <size_t kSize>
struct TableOpName {
  consteval TableOpName(const char (&text)[kSize]) {  // NOLINT: implicit by design
    std::copy_n(text, kSize, characters.begin());
  }
  constexpr std::string_view view() const { return {characters.data(), kSize - 1}; }
  std::array<char, kSize> characters;
};

// An op of one row. Has the size of a pointer; null after a cast that failed. The op's attributes
// and results are read from the operation.
template <TableOpName kName>
class TableOp : public mlir::OpState {
 public:
  explicit TableOp(mlir::Operation* op = nullptr) : OpState(op) {}
  TableOp(std::nullptr_t) : OpState(nullptr) {}  // NOLINT: as the classes of other ops

  static const OpDescription& row() {
    static const OpDescription* const found = FindOpDescription(kName.view());
    assert(found && "a row of the op table");
    return *found;
  }
  // "graph.mul", for patterns.
  static llvm::StringRef getOperationName() { return {kFullName.data(), kFullName.size()}; }
  static bool classof(mlir::Operation* op) { return op->getName().getTypeID() == typeIdOf(row()); }
  static bool classof(const mlir::OpState* op) { return classof(op->operator mlir::Operation*()); }

  mlir::Value argument(llvm::StringRef name) const { return argumentOf(*this, name); }
  // The first one, which most rows have alone.
  mlir::Value result() const { return (*this)->getResult(0); }

 private:
  static constexpr auto kFullName = [] {
    std::array<char, kGraphOpPrefix.size() + kName.view().size()> name;
    std::ranges::copy(kName.view(), std::ranges::copy(kGraphOpPrefix, name.begin()).out);
    return name;
  }();
};

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_TABLE_OP_H_
