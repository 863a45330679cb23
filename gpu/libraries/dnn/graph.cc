#include "graph.h"

#include <charconv>
#include <span>

#include "lib/base/support/decimal_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

// Seventeen digits tell all values of a double apart.
std::string NumberText(double number) {
  return DecimalText(number, std::chars_format::general, 17);
}

void AppendList(std::span<const int64_t> list, std::string* text) {
  for (size_t i = 0; i < list.size(); ++i) *text += StrCat(i == 0 ? "" : ",", list[i]);
}

void AppendAttributes(std::span<const GraphAttribute> attributes, std::string* text) {
  for (const GraphAttribute& attribute : attributes) {
    *text += StrCat(" ", static_cast<uint32_t>(attribute.name), ":",
                    static_cast<uint32_t>(attribute.type), "=");
    AppendList(attribute.integers, text);
    for (size_t i = 0; i < attribute.numbers.size(); ++i) {
      *text += StrCat(i == 0 ? "" : ",", NumberText(attribute.numbers[i]));
    }
  }
}

}  // namespace

const GraphTensor* Graph::Find(int64_t id) const {
  for (const GraphTensor& tensor : tensors) {
    if (tensor.id == id) return &tensor;
  }
  return nullptr;
}

std::string GraphText(const Graph& graph) {
  std::string text;
  for (const GraphTensor& tensor : graph.tensors) {
    text += StrCat("tensor ", tensor.id, " type ", static_cast<uint32_t>(tensor.type), " dims ");
    AppendList(tensor.dims, &text);
    text += " strides ";
    AppendList(tensor.strides, &text);
    text += StrCat(" alignment ", tensor.alignment_bytes, tensor.is_virtual ? " virtual" : "",
                   tensor.is_by_value ? " value" : "", "\n");
  }
  for (const GraphNode& node : graph.nodes) {
    text += StrCat("node ", static_cast<uint32_t>(node.operation));
    for (const GraphPlace& place : node.tensors) {
      text += StrCat(" ", static_cast<uint32_t>(place.name), "=", place.id);
    }
    AppendAttributes(node.attributes, &text);
    if (node.has_parameters) {
      text += StrCat(" with ", static_cast<uint32_t>(node.parameters_name), "=",
                     static_cast<uint32_t>(node.parameters_type));
      AppendAttributes(node.parameters, &text);
    }
    text += "\n";
  }
  return text;
}

}  // namespace tfrt::gpu::dnn
