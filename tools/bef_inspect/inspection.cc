#include "inspection.h"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/format/bef/attribute_reader.h"

namespace tfrt {
namespace {

std::string KindName(bef::FunctionKind kind) {
  switch (kind) {
    case bef::FunctionKind::kNative:
      return "native";
    case bef::FunctionKind::kSync:
      return "sync";
    default:
      return "async";
  }
}

void InspectFunctions(const bef::BefView& view, Inspection* inspection) {
  for (uint32_t f = 0; f < view.functions().size(); ++f) {
    const bef::FunctionInfo& info = view.functions()[f];
    Inspection::Function function{.name = std::string(info.name), .kind = KindName(info.kind)};
    for (uint32_t id : info.argument_types) {
      function.argument_types.emplace_back(view.type_names()[id]);
    }
    for (uint32_t id : info.result_types) {
      function.result_types.emplace_back(view.type_names()[id]);
    }
    if (auto body = view.DecodeFunction(f); body.ok()) {
      function.num_kernels = body->kernels().size();
      function.num_registers = body->num_registers();
      std::set<uint32_t> streams = {body->root_stream()};
      for (const bef::DecodedKernel& kernel : body->kernels()) {
        streams.insert(kernel.stream());
        ++inspection->kernels[std::string(view.kernel_names()[kernel.kernel_id()])];
      }
      function.num_streams = streams.size();
    }
    inspection->functions.push_back(std::move(function));
  }
}

void InspectModel(const bef::BefView& view, Inspection* inspection) {
  bef::Signatures signatures = view.ReadSignatures();
  inspection->producer = signatures.producer;
  inspection->metadata = std::move(signatures.metadata);
  for (const bef::FunctionSignature& function : signatures.functions) {
    Inspection::Signature& signature = inspection->signatures.emplace_back();
    signature.function = view.functions()[function.function].name;
    for (const bef::SignatureValue& value : function.inputs) {
      signature.inputs.push_back({value.name, ToString(value)});
    }
    for (const bef::SignatureValue& value : function.results) {
      signature.results.push_back({value.name, ToString(value)});
    }
  }
  for (const bef::Weight& weight : view.weights()) {
    bef::SignatureValue value{std::string(weight.name), weight.dtype, {}};
    value.dims.emplace();
    for (int64_t dim : weight.dims) value.dims->push_back({.size = dim});
    inspection->weights.push_back({static_cast<size_t>(weight.bytes.data() - view.file().data()),
                                   weight.bytes.size(),
                                   {value.name, ToString(value)}});
  }
}

// One line, and not a long one.
std::string Shortened(const std::string& text) {
  constexpr size_t kMax = 60;
  std::string line = text.substr(0, kMax);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text.size() <= kMax ? line : line + "... (" + std::to_string(text.size()) + " bytes)";
}

void PrintModel(const Inspection& inspection, std::ostream& out) {
  if (!inspection.producer.empty()) out << "producer: " << Shortened(inspection.producer) << "\n";
  if (!inspection.metadata.empty()) out << "metadata:\n";
  for (const auto& [key, value] : inspection.metadata) {
    out << "  " << Shortened(key) << ": " << Shortened(value) << "\n";
  }
  if (!inspection.signatures.empty()) out << "signatures:\n";
  for (const Inspection::Signature& signature : inspection.signatures) {
    out << "  " << signature.function << "\n";
    for (const Inspection::Value& value : signature.inputs) {
      out << "    input " << value.name << ": " << value.type << "\n";
    }
    for (const Inspection::Value& value : signature.results) {
      out << "    result " << value.name << ": " << value.type << "\n";
    }
  }
  if (!inspection.weights.empty()) out << "weights:\n";
  for (const Inspection::Weight& weight : inspection.weights) {
    out << "  " << weight.value.name << ": " << weight.value.type << " at " << weight.offset << ", "
        << weight.size << " bytes\n";
  }
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

Inspection Inspect(std::span<const uint8_t> file, std::optional<bef::BefView>* view) {
  Inspection inspection;
  inspection.size = file.size();
  inspection.sections = bef::ListSections(file);
  auto opened = bef::BefView::Open(file, &inspection.detail);
  if (!opened.ok()) {
    inspection.error = std::string(opened.status().message());
    return inspection;
  }
  InspectFunctions(*opened, &inspection);
  for (const bef::BefView::AttributeType& attribute : opened->attribute_types()) {
    auto end = bef::VerifyAttribute(opened->attributes(), attribute.offset, attribute.code);
    inspection.constants.push_back({attribute.offset,
                                    std::string(bef::TypeCodeName(attribute.code)),
                                    end.ok() ? *end - attribute.offset : 0});
  }
  InspectModel(*opened, &inspection);
  if (view) *view = *std::move(opened);
  return inspection;
}

void PrintText(const Inspection& inspection, std::ostream& out) {
  out << inspection.size << " bytes\n";
  out << "sections:\n"
      << std::left << std::setw(18) << "  name" << std::right << std::setw(4) << "id"
      << std::setw(12) << "offset" << std::setw(12) << "bytes" << "\n";
  for (const bef::SectionInfo& section : inspection.sections) {
    out << "  " << std::left << std::setw(16) << bef::SectionName(section.id) << std::right
        << std::setw(4) << int{static_cast<uint8_t>(section.id)} << std::setw(12) << section.payload
        << std::setw(12) << section.size << "\n";
  }
  if (!inspection.error.empty()) {
    out << "refused: " << inspection.error;
    if (!inspection.detail.empty()) out << ": " << inspection.detail;
    out << "\n";
    return;
  }
  out << "functions:\n";
  for (const Inspection::Function& function : inspection.functions) {
    out << "  " << (function.name.empty() ? "(region)" : function.name) << ": " << function.kind
        << ", (" << Joined(function.argument_types) << ") -> (" << Joined(function.result_types)
        << ")";
    if (function.kind != "native") {
      out << ", " << function.num_kernels << " kernels, " << function.num_registers
          << " registers, " << function.num_streams << " streams";
    }
    out << "\n";
  }
  out << "kernels:\n";
  for (const auto& [name, uses] : inspection.kernels) out << "  " << name << ": " << uses << "\n";
  out << "constants:\n";
  for (const Inspection::Constant& constant : inspection.constants) {
    out << "  " << constant.type << " at " << constant.offset << ", " << constant.size
        << " bytes\n";
  }
  PrintModel(inspection, out);
}

namespace {

// Adds the parts that only files of models have.
void AddModel(const Inspection& inspection, nlohmann::ordered_json* json) {
  auto values = [](const std::vector<Inspection::Value>& list) {
    auto array = nlohmann::ordered_json::array();
    for (const Inspection::Value& value : list) {
      array.push_back({{"name", value.name}, {"type", value.type}});
    }
    return array;
  };
  if (!inspection.producer.empty()) (*json)["producer"] = inspection.producer;
  for (const auto& [key, value] : inspection.metadata) (*json)["metadata"][key] = value;
  for (const Inspection::Signature& signature : inspection.signatures) {
    (*json)["signatures"].push_back({{"function", signature.function},
                                     {"inputs", values(signature.inputs)},
                                     {"results", values(signature.results)}});
  }
  for (const Inspection::Weight& weight : inspection.weights) {
    (*json)["weights"].push_back({{"name", weight.value.name},
                                  {"type", weight.value.type},
                                  {"offset", weight.offset},
                                  {"bytes", weight.size}});
  }
}

}  // namespace

void PrintJson(const Inspection& inspection, std::ostream& out) {
  nlohmann::ordered_json json;
  json["bytes"] = inspection.size;
  json["sections"] = nlohmann::ordered_json::array();
  for (const bef::SectionInfo& section : inspection.sections) {
    json["sections"].push_back({{"name", bef::SectionName(section.id)},
                                {"id", static_cast<uint8_t>(section.id)},
                                {"offset", section.payload},
                                {"bytes", section.size}});
  }
  if (!inspection.error.empty()) {
    json["error"] = inspection.error;
    json["detail"] = inspection.detail;
  } else {
    json["functions"] = nlohmann::ordered_json::array();
    for (const Inspection::Function& function : inspection.functions) {
      json["functions"].push_back({{"name", function.name},
                                   {"kind", function.kind},
                                   {"argument_types", function.argument_types},
                                   {"result_types", function.result_types},
                                   {"kernels", function.num_kernels},
                                   {"registers", function.num_registers},
                                   {"streams", function.num_streams}});
    }
    json["kernels"] = inspection.kernels;
    json["constants"] = nlohmann::ordered_json::array();
    for (const Inspection::Constant& constant : inspection.constants) {
      json["constants"].push_back(
          {{"type", constant.type}, {"offset", constant.offset}, {"bytes", constant.size}});
    }
    AddModel(inspection, &json);
  }
  // Names may be any bytes; what is no UTF-8 is replaced.
  out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

void PrintDot(const bef::BefView& view, std::ostream& out) {
  out << "digraph bef {\n  node [shape=box];\n";
  for (uint32_t f = 0; f < view.functions().size(); ++f) {
    auto body = view.DecodeFunction(f);
    if (!body.ok()) continue;
    std::string prefix = "f" + std::to_string(f) + "_";
    const bef::FunctionInfo& info = view.functions()[f];
    out << "  subgraph cluster_" << f << " {\n    label="
        << Quoted(info.name.empty() ? "(region " + std::to_string(f) + ")" : std::string(info.name))
        << ";\n";
    std::vector<std::string> definer(body->num_registers(), prefix + "arguments");
    if (body->num_arguments() > 0) {
      out << "    " << prefix << "arguments [shape=ellipse, label=\"arguments\"];\n";
    }
    for (size_t k = 0; k < body->kernels().size(); ++k) {
      const bef::DecodedKernel& kernel = body->kernels()[k];
      std::string node = prefix + "k" + std::to_string(k);
      std::string label = std::string(view.kernel_names()[kernel.kernel_id()]) + "\\nstream " +
                          std::to_string(kernel.stream());
      out << "    " << node << " [label=\"" << label << "\"];\n";
      for (uint32_t operand : kernel.operands()) {
        out << "    " << definer[operand] << " -> " << node << ";\n";
      }
      for (uint32_t result : kernel.results()) definer[result] = node;
    }
    if (!body->returns().empty()) {
      out << "    " << prefix << "results [shape=ellipse, label=\"results\"];\n";
      for (uint32_t r : body->returns()) {
        out << "    " << definer[r] << " -> " << prefix << "results;\n";
      }
    }
    out << "  }\n";
  }
  out << "}\n";
}

}  // namespace tfrt
