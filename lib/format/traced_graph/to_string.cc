#include <string>
#include <variant>

#include "tfrt/support/str_cat.h"
#include "traced_graph.h"

namespace tfrt::function {
namespace {

std::string Text(const OpAttrValue& value);

template <typename T>
std::string ListText(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += StrCat(text.size() > 1 ? ", " : "", Text(value));
  return text + "]";
}

std::string Text(const OpAttrValue& value) {
  if (auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (auto* number = std::get_if<int64_t>(&value)) return StrCat(*number);
  if (auto* number = std::get_if<float>(&value)) return StrCat(*number);
  if (auto* text = std::get_if<std::string>(&value)) return StrCat("\"", *text, "\"");
  if (auto* dtype = std::get_if<DType>(&value)) return std::string(DTypeName(*dtype));
  if (auto* numbers = std::get_if<std::vector<int64_t>>(&value)) return ListText(*numbers);
  if (auto* numbers = std::get_if<std::vector<float>>(&value)) return ListText(*numbers);
  if (auto* texts = std::get_if<std::vector<std::string>>(&value)) return ListText(*texts);
  return std::get<ValueType>(value).ToString();
}

std::string Values(const std::vector<ValueId>& values) {
  std::string text;
  for (ValueId value : values) {
    text += text.empty() ? "" : ", ";
    text += value == kLeftOut ? std::string("-") : StrCat("%", value);
  }
  return text;
}

class Printer {
 public:
  explicit Printer(const TracedGraph& graph) : graph_(graph) {}

  std::string Print() {
    for (const TracedFunction& function : graph_.functions) {
      values_ = &function.values;
      text_ += StrCat(function.name, "(", Typed(function.body.arguments), "):\n");
      Body(function.body, 1);
    }
    return std::move(text_);
  }

 private:
  std::string Typed(const std::vector<ValueId>& values) const {
    std::string text;
    for (ValueId value : values) {
      text += StrCat(text.empty() ? "" : ", ", "%", value);
      if (value < values_->size()) text += StrCat(": ", (*values_)[value].ToString());
    }
    return text;
  }
  template <typename Items>
  static std::string NameAt(const Items& items, uint32_t index) {
    if (index >= items.size()) return StrCat(" ?", index);
    if constexpr (requires { items[index].name; }) {
      return StrCat(" ", items[index].name);
    } else {
      return StrCat(" ", items[index]);
    }
  }
  std::string NameOf(const TracedOp& op) const {
    switch (op.kind) {
      case TracedOpKind::kTable:
        return op.op;
      case TracedOpKind::kConstant:
        return StrCat("constant ", op.index);
      case TracedOpKind::kRead:
        return "read" + NameAt(graph_.variables, op.index);
      case TracedOpKind::kAssign:
        return "assign" + NameAt(graph_.variables, op.index);
      case TracedOpKind::kIf:
        return "if";
      case TracedOpKind::kWhile:
        return "while";
      case TracedOpKind::kFor:
        return StrCat("for carrying ", op.index);
      case TracedOpKind::kHostCall:
        return "host_call" + NameAt(graph_.callbacks, op.index);
      case TracedOpKind::kCall:
        return "call" + NameAt(graph_.functions, op.index);
    }
    return "?";
  }
  void Op(const TracedOp& op, size_t depth) {
    text_ += std::string(2 * depth, ' ');
    if (!op.results.empty()) text_ += StrCat(Typed(op.results), " = ");
    text_ += NameOf(op);
    if (!op.arguments.empty()) text_ += StrCat(" ", Values(op.arguments));
    for (const TracedAttr& attr : op.attrs) {
      text_ += StrCat(" ", attr.name, "=", Text(attr.value));
    }
    text_ += "\n";
    for (const TracedBody& body : op.bodies) {
      text_ += StrCat(std::string(2 * depth + 2, ' '), "(", Typed(body.arguments), "):\n");
      Body(body, depth + 2);
    }
  }
  void Body(const TracedBody& body, size_t depth) {
    for (const TracedOp& op : body.ops) Op(op, depth);
    text_ += StrCat(std::string(2 * depth, ' '), "return ", Values(body.results), "\n");
  }

  const TracedGraph& graph_;
  const std::vector<TracedType>* values_ = nullptr;
  std::string text_;
};

}  // namespace

std::string TracedType::ToString() const {
  std::string text(DTypeName(dtype));
  if (!dims) return text + " [*]";
  text += " [";
  for (size_t i = 0; i < dims->size(); ++i) {
    if (i > 0) text += ", ";
    text += (*dims)[i] < 0 ? std::string("?") : StrCat((*dims)[i]);
  }
  return text + "]";
}

std::string ToString(const TracedGraph& graph) { return Printer(graph).Print(); }

}  // namespace tfrt::function
