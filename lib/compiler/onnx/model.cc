// Reads the messages of onnx.proto around graphs. The numbers below are those of its fields.

#include "model.h"

#include <filesystem>
#include <utility>

#include "fields.h"
#include "graph_messages.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

using Bytes = std::span<const uint8_t>;

OpsetId ReadOpset(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  OpsetId opset;
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        opset.domain = fields.Text();
        break;
      case 2:
        opset.version = fields.Integer();
        break;
      default:
        fields.Skip();
    }
  }
  return opset;
}

ModelFunction ReadFunction(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  ModelFunction function;
  function.offset = fields.offset();
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        function.name = fields.Text();
        break;
      case 4:
        function.inputs.push_back(fields.Text());
        break;
      case 5:
        function.outputs.push_back(fields.Text());
        break;
      case 6:
        function.attributes.push_back(fields.Text());
        break;
      case 7:
        function.nodes.push_back(ReadNode(reading, fields.Bytes()));
        break;
      case 9:
        function.opsets.push_back(ReadOpset(reading, fields.Bytes()));
        break;
      case 10:
        function.domain = fields.Text();
        break;
      case 11:
        function.default_attributes.push_back(ReadAttribute(reading, fields.Bytes()));
        break;
      case 13:
        function.overload = fields.Text();
        break;
      default:
        fields.Skip();
    }
  }
  return function;
}

void ReadModel(FileReading& reading, Model& model) {
  Fields fields(reading, reading.file);
  bool has_graph = false;
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        model.ir_version = fields.Integer();
        break;
      case 2:
        model.producer_name = fields.Text();
        break;
      case 3:
        model.producer_version = fields.Text();
        break;
      case 7:
        // Writers of protobuf may cut a message in two: the second adds to the first.
        ReadGraph(reading, fields.Bytes(), model.graph);
        has_graph = true;
        break;
      case 8:
        model.opsets.push_back(ReadOpset(reading, fields.Bytes()));
        break;
      case 14:
        model.metadata.push_back(fields.Pair());
        break;
      case 25:
        model.functions.push_back(ReadFunction(reading, fields.Bytes()));
        break;
      default:
        fields.Skip();
    }
  }
  if (!has_graph) fields.Fail("the file has no graph; is it an ONNX model?");
}

}  // namespace

const Attribute* Node::Find(std::string_view attribute) const {
  for (const Attribute& found : attributes) {
    if (found.name == attribute) return &found;
  }
  return nullptr;
}

StatusOr<Model> Model::FromFile(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(path));
  return FromBytes(std::move(bytes), path);
}

StatusOr<Model> Model::FromBytes(FileBytes bytes, std::string name) {
  Model model{.path = std::move(name), .bytes = std::move(bytes)};
  FileReading reading{.file = model.bytes.bytes()};
  auto error = [&](uint64_t offset, std::string_view what) {
    return InvalidArgumentError(StrCat(model.path, ": offset ", offset, ": ", what));
  };
  try {
    ReadModel(reading, model);
  } catch (const FormatError& wrong) {
    return error(wrong.offset, wrong.message);
  } catch (const protozero::exception& wrong) {
    // Numbers in a field that is there: which one, the library does not say.
    return error(reading.last_offset, StrCat("in the message that begins here: ", wrong.what()));
  }
  return model;
}

std::string Model::folder() const {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace tfrt::onnx
