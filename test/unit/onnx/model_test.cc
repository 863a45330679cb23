// Messages of a model, and bytes that are none.

#include "lib/compiler/onnx/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "proto_writer.h"

namespace tfrt::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

StatusOr<Model> Read(const std::string& bytes) {
  return Model::FromBytes(
      FileBytes::CopyOf({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}),
      "dir/m.onnx");
}

Proto SizeOf(int64_t value) { return Proto().Int(1, value); }
Proto Symbol(std::string_view name) { return Proto().Text(2, name); }
Proto Value(std::string_view name, int64_t type, const Proto& shape) {
  return Proto().Text(1, name).Message(2,
                                       Proto().Message(1, Proto().Int(1, type).Message(2, shape)));
}

// y = add(x, w) and a node with every kind of attribute.
Proto SmallGraph() {
  Proto add = Proto().Text(1, "x").Text(1, "w").Text(2, "y").Text(3, "sum").Text(4, "Add");
  Proto inner = Proto().Text(2, "body").Message(1, Proto().Text(4, "Identity"));
  Proto all = Proto()
                  .Text(4, "All")
                  .Text(7, "my.domain")
                  .Message(5, Proto().Text(1, "f").Float(2, 1.5).Int(20, 1))
                  .Message(5, Proto().Text(1, "i").Int(3, -7).Int(20, 2))
                  .Message(5, Proto().Text(1, "s").Text(4, "text").Int(20, 3))
                  .Message(5, Proto().Text(1, "t").Message(5, Proto().Text(8, "inner")).Int(20, 4))
                  .Message(5, Proto().Text(1, "g").Message(6, inner).Int(20, 5))
                  .Message(5, Proto().Text(1, "fs").Float(7, 1).Float(7, 2).Int(20, 6))
                  .Message(5, Proto().Text(1, "is").Int(8, 1).Text(8, "\x02\x03").Int(20, 7))
                  .Message(5, Proto().Text(1, "ss").Text(9, "a").Text(9, "b").Int(20, 8))
                  .Message(5, Proto().Text(1, "r").Text(21, "outer").Int(20, 2));
  Proto weights = Proto().Int(1, 2).Int(2, 1).Text(8, "w").Text(9, std::string(8, '\0'));
  return Proto()
      .Message(1, add)
      .Message(1, all)
      .Text(2, "graph")
      .Message(5, weights)
      .Message(11, Value("x", 1, Proto().Message(1, Symbol("n")).Message(1, SizeOf(2))))
      .Message(12, Value("y", 1, Proto().Message(1, SizeOf(-1)).Message(1, Proto())));
}

Proto SmallModel() {
  return Proto()
      .Int(1, 8)
      .Text(2, "producer")
      .Message(7, SmallGraph())
      .Message(8, Proto().Int(2, 17))
      .Message(8, Proto().Text(1, "my.domain").Int(2, 3))
      .Message(14, Proto().Text(1, "key").Text(2, "value"))
      .Message(25,
               Proto().Text(1, "Fn").Text(10, "my.domain").Text(4, "a").Text(5, "b").Text(6, "k"));
}

TEST(OnnxModelTest, ReadsTheMessages) {
  StatusOr<Model> model = Read(SmallModel().bytes());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->producer_name, "producer");
  ASSERT_EQ(model->opsets.size(), 2u);
  EXPECT_EQ(model->opsets[0].domain, "");
  EXPECT_EQ(model->opsets[0].version, 17);
  EXPECT_EQ(model->opsets[1].domain, "my.domain");
  ASSERT_EQ(model->metadata.size(), 1u);
  EXPECT_EQ(model->metadata[0].value, "value");
  ASSERT_EQ(model->functions.size(), 1u);
  EXPECT_EQ(model->functions[0].name, "Fn");
  EXPECT_THAT(model->functions[0].inputs, ElementsAre("a"));
  EXPECT_EQ(model->folder(), "dir");

  const Graph& graph = model->graph;
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[0].op, "Add");
  EXPECT_EQ(graph.nodes[0].name, "sum");
  EXPECT_THAT(graph.nodes[0].inputs, ElementsAre("x", "w"));
  EXPECT_THAT(graph.nodes[0].outputs, ElementsAre("y"));
  ASSERT_EQ(graph.initializers.size(), 1u);
  EXPECT_EQ(graph.initializers[0].name, "w");
  EXPECT_THAT(graph.initializers[0].dims, ElementsAre(2));
  EXPECT_EQ(graph.initializers[0].raw->size(), 8u);

  ASSERT_EQ(graph.inputs.size(), 1u);
  const ValueInfo& x = graph.inputs[0];
  EXPECT_EQ(x.kind, TypeKind::kTensor);
  EXPECT_EQ(x.type, DataType::kFloat);
  ASSERT_TRUE(x.dims && x.dims->size() == 2);
  EXPECT_EQ((*x.dims)[0].symbol, "n");
  EXPECT_EQ((*x.dims)[1].value, 2);
  ASSERT_TRUE(graph.outputs[0].dims && graph.outputs[0].dims->size() == 2);
  EXPECT_EQ((*graph.outputs[0].dims)[0].value, -1);
  EXPECT_FALSE((*graph.outputs[0].dims)[1].value);
}

TEST(OnnxModelTest, ReadsEachKindOfAttribute) {
  StatusOr<Model> model = Read(SmallModel().bytes());
  ASSERT_TRUE(model.ok());
  const Node& node = model->graph.nodes[1];
  EXPECT_EQ(node.domain, "my.domain");
  EXPECT_EQ(node.Find("f")->f, 1.5f);
  EXPECT_EQ(node.Find("i")->i, -7);
  EXPECT_EQ(node.Find("s")->s, "text");
  EXPECT_EQ(node.Find("t")->large->tensors[0].name, "inner");
  EXPECT_EQ(node.Find("g")->large->graphs[0].nodes[0].op, "Identity");
  EXPECT_THAT(node.Find("fs")->large->floats, ElementsAre(1.f, 2.f));
  EXPECT_THAT(node.Find("is")->large->ints, ElementsAre(1, 2, 3));  // packed, and not
  EXPECT_THAT(node.Find("ss")->large->strings, ElementsAre("a", "b"));
  EXPECT_EQ(node.Find("r")->ref, "outer");
  EXPECT_EQ(node.Find("none"), nullptr);
}

TEST(OnnxModelTest, UnknownFieldsAreSkipped) {
  std::string bytes = SmallModel().bytes();
  Proto later = Proto().Int(1000, 5).Text(1001, "later").Float(1002, 1);
  StatusOr<Model> model = Read(bytes + later.bytes());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->graph.nodes.size(), 2u);
}

TEST(OnnxModelTest, TheGraphMayBeCutInTwo) {
  std::string bytes = SmallModel().bytes() +
                      Proto().Message(7, Proto().Message(1, Proto().Text(4, "Relu"))).bytes();
  StatusOr<Model> model = Read(bytes);
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->graph.nodes.size(), 3u);
  EXPECT_EQ(model->graph.nodes[2].op, "Relu");
}

TEST(OnnxModelTest, FilesThatAreNoModels) {
  EXPECT_THAT(Read("").status().message(),
              testing::StrEq("dir/m.onnx: offset 0: the file has no graph; is it an ONNX model?"));
  EXPECT_THAT(Read("<!DOCTYPE html>").status().message(), StartsWith("dir/m.onnx: offset "));
  EXPECT_THAT(Model::FromFile("/no/such.onnx").status().message(), HasSubstr("/no/such.onnx"));
}

TEST(OnnxModelTest, AWrongWireTypeNamesFieldAndOffset) {
  std::string head = Proto().Int(1, 8).bytes();
  std::string bytes = head + Proto().Message(7, Proto().Int(1, 5)).bytes();
  EXPECT_EQ(Read(bytes).status().message(),
            "dir/m.onnx: offset 4: field 1 has the wire type 0, expected 2");
}

TEST(OnnxModelTest, EveryTruncationIsAModelOrAnError) {
  std::string bytes = SmallModel().bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    StatusOr<Model> model = Read(bytes.substr(0, size));
    if (model.ok()) continue;
    EXPECT_THAT(model.status().message(), StartsWith("dir/m.onnx: offset ")) << size;
    EXPECT_EQ(model.status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(OnnxModelTest, RandomChangesAreModelsOrErrors) {
  const std::string bytes = SmallModel().bytes();
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (int changes = 0; changes <= i % 3; ++changes) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    StatusOr<Model> model = Read(changed);
    if (!model.ok()) {
      EXPECT_THAT(model.status().message(), StartsWith("dir/m.onnx: offset "));
    }
  }
}

TEST(OnnxModelTest, DeepNestingIsRefused) {
  Proto graph = Proto().Text(2, "innermost");
  for (int i = 0; i < 1000; ++i) {
    Proto node = Proto().Message(5, Proto().Message(6, graph));
    graph = Proto().Message(1, node);
  }
  EXPECT_THAT(Read(Proto().Message(7, graph).bytes()).status().message(),
              HasSubstr("nested more than 32 deep"));
}

TEST(OnnxModelTest, MemoryIsBoundedWhateverAFileSays) {
  // Two bytes each.
  std::string nodes;
  for (int i = 0; i < 3'000'000; ++i) nodes.append("\x0a\x00", 2);
  std::string bytes = Proto().Text(7, nodes).bytes();
  EXPECT_THAT(Read(bytes).status().message(), HasSubstr("the file has more than 2097152 messages"));
}

}  // namespace
}  // namespace tfrt::onnx
