// Connects the op table to ops in MLIR: types as the table has them and back, results of calls.
#ifndef TFRT_DIALECTS_GRAPH_TABLE_OPS_H_
#define TFRT_DIALECTS_GRAPH_TABLE_OPS_H_

#include <optional>
#include <string>
#include <vector>

#include "dialects/element_type_interface.h"
#include "dialects/graph/table_op.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Types.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::compiler::graph {

// A tensor type as the table sees it. Unknown sizes are unknown, not symbols.
ValueType valueTypeOf(mlir::Type tensor);
// The tensor type of what is known. The dtype must be. Elements are left out.
mlir::Type tensorType(const ValueType& value, mlir::MLIRContext* context);

// The small integers of a constant; of others what their type says.
ValueType valueTypeOf(mlir::Value value);

// All elements, if they are known.
std::optional<std::vector<int64_t>> knownElements(const ValueType& value);

// Why nothing can be computed with tensors of this kind, as far as their sizes are known: too many
// dimensions or elements. Empty if there is nothing against them. So sums and products of a few
// sizes do not overflow, and bits of 64 can stand for dimensions.
std::string whyTooLarge(const SymbolicShape& shape);

// How many of an op's operands each argument of its row has, in the order of arguments. The op's
// numbers of operands and segments have been verified.
llvm::SmallVector<unsigned> segmentsOf(mlir::Operation* op, const OpDescription& row);

// Returns the operands of an op of the table, in the order of its row's arguments. Arguments that
// are left out are null, except the last ones, which are missing. No token.
llvm::SmallVector<mlir::Value> argumentsOf(mlir::Operation* op);

// The attributes of an op as the table reads them. A view.
class AttributeReader final : public OpAttrReader {
 public:
  explicit AttributeReader(mlir::DictionaryAttr attributes) : attributes_(attributes) {}
  std::optional<OpAttrValue> Get(std::string_view name) const override;

 private:
  mlir::DictionaryAttr attributes_;
};

// A value as an attribute of that kind; null for a kind that has no values.
mlir::Attribute attributeOf(OpAttrSpec::Kind kind, const OpAttrValue& value,
                            mlir::MLIRContext* context);

// Returns the known facts about the results of an op of the table with these arguments (null: left
// out). An error of the table tells the contradiction.
StatusOr<std::vector<ValueType>> inferResults(mlir::Operation* op,
                                              llvm::ArrayRef<const ValueType*> arguments);

// An op of the table with the types that follow from what is known of its arguments (null: left
// out), which is `results` afterwards. An op with effects takes a token and makes one. Null after
// an error, which is a diagnostic at the location.
mlir::Operation* createTableOp(mlir::OpBuilder& builder, mlir::Location location,
                               llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                               llvm::ArrayRef<const ValueType*> known,
                               llvm::ArrayRef<mlir::NamedAttribute> attributes,
                               llvm::SmallVectorImpl<ValueType>& results, mlir::Value token = {});

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_TABLE_OPS_H_
