// Reads the messages of onnx.proto. The numbers below are those of its fields.

#include "tfrt/onnx/model.h"

#include <filesystem>
#include <utility>

#include "fields.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

using Bytes = std::span<const uint8_t>;

void ReadGraph(FileReading& reading, Bytes bytes, Graph& graph);

TensorData ReadTensor(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  TensorData tensor;
  tensor.offset = fields.offset();
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        fields.AddIntegers(tensor.dims);
        break;
      case 2:
        tensor.type = static_cast<DataType>(fields.Integer());
        break;
      case 3:
        tensor.is_segment = true;
        fields.Skip();
        break;
      case 4:   // floats
      case 5:   // int32
      case 7:   // int64
      case 10:  // doubles
      case 11:  // uint64
        if (tensor.numbers_field != 0 && tensor.numbers_field != fields.number()) {
          fields.Fail(StrCat("the elements of tensor '", tensor.name, "' are in two fields, ",
                             tensor.numbers_field, " and ", fields.number()));
        }
        tensor.numbers_field = fields.number();
        fields.AddRun(tensor.numbers);
        break;
      case 6:
        tensor.strings.push_back(fields.Text());
        break;
      case 8:
        tensor.name = fields.Text();
        break;
      case 9:
        tensor.raw = fields.Bytes();
        break;
      case 13:
        tensor.external.push_back(fields.Pair());
        break;
      case 14:
        tensor.is_external = fields.Integer() == 1;
        break;
      default:
        fields.Skip();
    }
  }
  return tensor;
}

Dim ReadDim(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  Dim dim;
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        dim.value = fields.Integer();
        dim.symbol = {};
        break;
      case 2:
        dim.symbol = fields.Text();
        dim.value.reset();
        break;
      default:
        fields.Skip();
    }
  }
  return dim;
}

std::vector<Dim> ReadShape(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  std::vector<Dim> dims;
  while (fields.Next()) {
    if (fields.number() == 1) {
      dims.push_back(ReadDim(reading, fields.Bytes()));
    } else {
      fields.Skip();
    }
  }
  return dims;
}

void ReadTensorType(FileReading& reading, Bytes bytes, ValueInfo& value) {
  Fields fields(reading, bytes);
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        value.type = static_cast<DataType>(fields.Integer());
        break;
      case 2:
        value.dims = ReadShape(reading, fields.Bytes());
        break;
      default:
        fields.Skip();
    }
  }
}

TypeKind KindOfField(uint32_t number) {
  switch (number) {
    case 1:
      return TypeKind::kTensor;
    case 4:
      return TypeKind::kSequence;
    case 5:
      return TypeKind::kMap;
    case 7:
      return TypeKind::kOpaque;
    case 8:
      return TypeKind::kSparseTensor;
    case 9:
      return TypeKind::kOptional;
    default:
      return TypeKind::kNone;
  }
}

void ReadType(FileReading& reading, Bytes bytes, ValueInfo& value) {
  Fields fields(reading, bytes);
  while (fields.Next()) {
    TypeKind kind = KindOfField(fields.number());
    if (kind != TypeKind::kNone) value.kind = kind;
    if (kind == TypeKind::kTensor) {
      ReadTensorType(reading, fields.Bytes(), value);
    } else {
      fields.Skip();
    }
  }
}

ValueInfo ReadValue(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  ValueInfo value;
  value.offset = fields.offset();
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        value.name = fields.Text();
        break;
      case 2:
        ReadType(reading, fields.Bytes(), value);
        break;
      default:
        fields.Skip();
    }
  }
  return value;
}

Attribute ReadAttribute(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  Attribute attribute;
  attribute.offset = fields.offset();
  auto large = [&]() -> Attribute::Large& {
    if (!attribute.large) attribute.large = std::make_unique<Attribute::Large>();
    return *attribute.large;
  };
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        attribute.name = fields.Text();
        break;
      case 2:
        attribute.f = fields.Float();
        break;
      case 3:
        attribute.i = fields.Integer();
        break;
      case 4:
        attribute.s = fields.Text();
        break;
      case 5:
      case 10:
        large().tensors.push_back(ReadTensor(reading, fields.Bytes()));
        break;
      case 6:
      case 11:
        ReadGraph(reading, fields.Bytes(), large().graphs.emplace_back());
        break;
      case 7:
        fields.AddFloats(large().floats);
        break;
      case 8:
        fields.AddIntegers(large().ints);
        break;
      case 9:
        large().strings.push_back(fields.Text());
        break;
      case 20:
        attribute.kind = static_cast<Attribute::Kind>(fields.Integer());
        break;
      case 21:
        attribute.ref = fields.Text();
        break;
      default:
        fields.Skip();
    }
  }
  return attribute;
}

Node ReadNode(FileReading& reading, Bytes bytes) {
  Fields fields(reading, bytes);
  Node node;
  node.offset = fields.offset();
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        node.inputs.push_back(fields.Text());
        break;
      case 2:
        node.outputs.push_back(fields.Text());
        break;
      case 3:
        node.name = fields.Text();
        break;
      case 4:
        node.op = fields.Text();
        break;
      case 5:
        node.attributes.push_back(ReadAttribute(reading, fields.Bytes()));
        break;
      case 7:
        node.domain = fields.Text();
        break;
      case 8:
        node.overload = fields.Text();
        break;
      default:
        fields.Skip();
    }
  }
  return node;
}

void ReadGraph(FileReading& reading, Bytes bytes, Graph& graph) {
  Fields fields(reading, bytes);
  graph.offset = fields.offset();
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        graph.nodes.push_back(ReadNode(reading, fields.Bytes()));
        break;
      case 2:
        graph.name = fields.Text();
        break;
      case 5:
        graph.initializers.push_back(ReadTensor(reading, fields.Bytes()));
        break;
      case 11:
        graph.inputs.push_back(ReadValue(reading, fields.Bytes()));
        break;
      case 12:
        graph.outputs.push_back(ReadValue(reading, fields.Bytes()));
        break;
      case 13:
        graph.values.push_back(ReadValue(reading, fields.Bytes()));
        break;
      case 15:
        ++graph.num_sparse_initializers;
        fields.Skip();
        break;
      default:
        fields.Skip();
    }
  }
}

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
