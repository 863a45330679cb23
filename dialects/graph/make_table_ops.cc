// Writes the ops of the op table as TableGen records: make_table_ops > graph_table_ops.td.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <string_view>

#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;
using AttrKind = OpAttrSpec::Kind;

// "fused_batch_norm" -> "FusedBatchNorm"
std::string CamelCase(std::string_view name) {
  std::string text;
  bool upper = true;
  for (char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      text += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      upper = false;
    }
  }
  return text;
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string_view AttrClass(AttrKind kind) {
  switch (kind) {
    case AttrKind::kAny:
      return "AnyAttr";
    case AttrKind::kBool:
      return "BoolAttr";
    case AttrKind::kI32:
      return "I32Attr";
    case AttrKind::kI64:
      return "I64Attr";
    case AttrKind::kF32:
      return "F32Attr";
    case AttrKind::kString:
      return "StrAttr";
    case AttrKind::kType:
      return "TypeAttr";
    case AttrKind::kShape:
    case AttrKind::kI64Array:
      return "DenseI64ArrayAttr";
    case AttrKind::kDense:
      return "ElementsAttr";
    case AttrKind::kF32Array:
      return "DenseF32ArrayAttr";
    case AttrKind::kStringArray:
      return "StrArrayAttr";
    case AttrKind::kFunction:
      return "FlatSymbolRefAttr";
  }
  return "AnyAttr";
}

// An attribute with a default may be left out; what that is says the table.
std::string Attribute(const OpAttrSpec& attr) {
  std::string text(AttrClass(attr.kind));
  if (!attr.default_value.empty()) text = StrCat("OptionalAttr<", text, ">");
  return StrCat(text, ":$", attr.name);
}

std::string Argument(const OpArgumentSpec& argument) {
  switch (argument.kind) {
    case ArgumentKind::kRequired:
      return StrCat("AnyTensor:$", argument.name);
    case ArgumentKind::kOptional:
      return StrCat("Optional<AnyTensor>:$", argument.name);
    case ArgumentKind::kVariadic:
      return StrCat("Variadic<AnyTensor>:$", argument.name);
  }
  return "";
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += StrCat(text.empty() ? " " : ", ", part);
  return text;
}

std::string Record(const OpDescription& op) {
  std::vector<std::string> inputs, outputs;
  size_t flexible = 0;
  for (const OpArgumentSpec& argument : op.arguments) {
    inputs.push_back(Argument(argument));
    flexible += argument.kind != ArgumentKind::kRequired;
  }
  for (std::string_view result : op.results) outputs.push_back(StrCat("AnyTensor:$", result));
  std::string traits = "Pure";
  if (op.has_side_effects()) {
    inputs.push_back("Graph_TokenType:$token");
    outputs.push_back("Graph_TokenType:$next_token");
    traits = "MemoryEffects<[MemRead, MemWrite]>";
  }
  if (flexible > 1) traits += ", AttrSizedOperandSegments";
  for (const OpAttrSpec& attr : op.attrs) inputs.push_back(Attribute(attr));
  return StrCat("def Graph_", CamelCase(op.name), "Op : Graph_TableOp<\"", op.name, "\", [", traits,
                "]> {\n  let summary = \"", Escaped(op.summary), "\";\n  let arguments = (ins",
                Joined(inputs), ");\n  let results = (outs", Joined(outputs), ");\n}\n");
}

}  // namespace
}  // namespace tfrt

int main() {
  std::puts(
      "// Made by make_table_ops of the op table: one op for each row.\n"
      "include \"dialects/graph/graph_base.td\"\n");
  for (const tfrt::OpDescription* op : tfrt::AllOpDescriptions()) {
    // With syntax of its own, in graph_ops.td.
    if (op->name != "constant") std::puts(tfrt::Record(*op).c_str());
  }
  return 0;
}
