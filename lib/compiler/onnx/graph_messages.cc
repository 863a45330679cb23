// The numbers below are those of the fields in onnx.proto.

#include "graph_messages.h"

#include <memory>

#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

using Bytes = std::span<const uint8_t>;

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

}  // namespace

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

}  // namespace tfrt::onnx
