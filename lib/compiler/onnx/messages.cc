// The numbers below are those of the fields in onnx.proto.

#include "messages.h"

#include <memory>

#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

void ReadType(Fields& fields, ValueInfo& value) {
  auto other = [&](TypeKind kind) {
    return [&value, kind](Fields& type) {
      value.kind = kind;
      type.Skip();
    };
  };
  auto tensor = [&](Fields& type) {
    value.kind = TypeKind::kTensor;
    auto shape = [&](Fields& field) {
      field.Message([&](Fields& shape) { shape.Read(Field{1, value.dims.emplace()}); });
    };
    type.Message([&](Fields& tensor) { tensor.Read(Field{1, value.type}, Field{2, shape}); });
  };
  fields.Read(Field{1, tensor}, Field{4, other(TypeKind::kSequence)},
              Field{5, other(TypeKind::kMap)}, Field{7, other(TypeKind::kOpaque)},
              Field{8, other(TypeKind::kSparseTensor)}, Field{9, other(TypeKind::kOptional)});
}

}  // namespace

void ReadMessage(Fields& fields, KeyValue& pair) {
  fields.Read(Field{1, pair.key}, Field{2, pair.value});
}

void ReadMessage(Fields& fields, TensorData& tensor) {
  auto numbers = [&](Fields& field) {
    if (tensor.numbers_field != 0 && tensor.numbers_field != field.number()) {
      field.Fail(StrCat("the elements of tensor '", tensor.name, "' are in two fields, ",
                        tensor.numbers_field, " and ", field.number()));
    }
    tensor.numbers_field = field.number();
    field.AddRun(tensor.numbers);
  };
  auto segment = [&](Fields& field) {
    tensor.is_segment = true;
    field.Skip();
  };
  auto is_external = [&](Fields& field) { tensor.is_external = field.Integer() == 1; };
  // The numbers: floats, int32, int64, doubles, uint64.
  fields.Read(Field{1, tensor.dims}, Field{2, tensor.type}, Field{3, segment}, Field{4, numbers},
              Field{5, numbers}, Field{7, numbers}, Field{8, tensor.name}, Field{9, tensor.raw},
              Field{10, numbers}, Field{11, numbers}, Field{13, tensor.external},
              Field{14, is_external});
}

// The last of both fields counts.
void ReadMessage(Fields& fields, Dim& dim) {
  fields.Read(Field{1, [&](Fields& field) { dim = {.value = field.Integer(), .symbol = {}}; }},
              Field{2, [&](Fields& field) { dim = {.value = {}, .symbol = field.Text()}; }});
}

void ReadMessage(Fields& fields, ValueInfo& value) {
  auto type = [&](Fields& field) { field.Message([&](Fields& type) { ReadType(type, value); }); };
  fields.Read(Field{1, value.name}, Field{2, type});
}

void ReadMessage(Fields& fields, Attribute& attribute) {
  // Adds to a list of the large values, which are made when the first of them is read.
  auto large = [&](auto list) {
    return [&attribute, list](Fields& field) {
      if (!attribute.large) attribute.large = std::make_unique<Attribute::Large>();
      field.Take((*attribute.large).*list);
    };
  };
  fields.Read(
      Field{1, attribute.name}, Field{2, attribute.f}, Field{3, attribute.i}, Field{4, attribute.s},
      Field{5, large(&Attribute::Large::tensors)}, Field{6, large(&Attribute::Large::graphs)},
      Field{7, large(&Attribute::Large::floats)}, Field{8, large(&Attribute::Large::ints)},
      Field{9, large(&Attribute::Large::strings)}, Field{10, large(&Attribute::Large::tensors)},
      Field{11, large(&Attribute::Large::graphs)}, Field{20, attribute.kind},
      Field{21, attribute.ref});
}

void ReadMessage(Fields& fields, Node& node) {
  fields.Read(Field{1, node.inputs}, Field{2, node.outputs}, Field{3, node.name}, Field{4, node.op},
              Field{5, node.attributes}, Field{7, node.domain}, Field{8, node.overload});
}

void ReadMessage(Fields& fields, Graph& graph) {
  auto sparse = [&](Fields& field) {
    ++graph.num_sparse_initializers;
    field.Skip();
  };
  fields.Read(Field{1, graph.nodes}, Field{2, graph.name}, Field{5, graph.initializers},
              Field{11, graph.inputs}, Field{12, graph.outputs}, Field{15, sparse});
}

void ReadMessage(Fields& fields, OpsetId& opset) {
  fields.Read(Field{1, opset.domain}, Field{2, opset.version});
}

void ReadMessage(Fields& fields, ModelFunction& function) {
  fields.Read(Field{1, function.name}, Field{4, function.inputs}, Field{5, function.outputs},
              Field{7, function.nodes}, Field{9, function.opsets}, Field{10, function.domain},
              Field{11, function.default_attributes}, Field{13, function.overload});
}

void ReadMessage(Fields& fields, Model& model) {
  bool has_graph = false;
  // Writers of protobuf may cut a message in two: the second adds to the first.
  auto graph = [&](Fields& field) {
    field.Take(model.graph);
    has_graph = true;
  };
  fields.Read(Field{1, model.ir_version}, Field{2, model.producer_name},
              Field{3, model.producer_version}, Field{7, graph}, Field{8, model.opsets},
              Field{14, model.metadata}, Field{25, model.functions});
  if (!has_graph) fields.Fail("the file has no graph; is it an ONNX model?");
}

}  // namespace tfrt::onnx
