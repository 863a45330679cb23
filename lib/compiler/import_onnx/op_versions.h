// Lists the ops of ONNX that the importer supports, by domain and opset.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_OP_VERSIONS_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_OP_VERSIONS_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "node.h"

namespace tfrt::compiler::import {

// ONNX's own domain has two names: this is the empty one.
std::string_view domainOf(std::string_view domain);

// The key that distinguishes functions of a model: domain, name and overload.
using FunctionKey = std::tuple<std::string_view, std::string_view, std::string_view>;
inline FunctionKey keyOf(const onnx::ModelFunction& function) {
  return {domainOf(function.domain), function.name, function.overload};
}
// Returns the key of the function that a node calls, if it calls one.
inline FunctionKey keyOf(const onnx::Node& node) {
  return {domainOf(node.domain), node.op, node.overload};
}

// The opsets that a file, or a function in it, imports. Views the file's names.
class Opsets {
 public:
  explicit Opsets(llvm::ArrayRef<onnx::OpsetId> opsets);
  // The one that is missing is 1.
  int64_t versionOf(std::string_view domain) const;

 private:
  std::map<std::string_view, int64_t> versions_;
};

// The row for an op as an opset has it: the last one that is not newer. Null if there is none.
const NodeRow* findRow(std::string_view domain, std::string_view op, int64_t version);

// All rows, by family.
llvm::ArrayRef<NodeFamily> rowsByFamily();

}  // namespace tfrt::compiler::import

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_OP_VERSIONS_H_
