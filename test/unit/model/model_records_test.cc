// What runs of models record: the run, its layers by the names of their nodes, what they computed
// and the memory that they took.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "test/unit/model/test_model.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

using tracing::Profile;
using tracing::Span;
using tracing::StackLevel;

// Of a node of a file, as the importer writes it.
bef::LocationValue Node(std::string name, std::string type) {
  return bef::NameLocation(std::move(name), bef::NameLocation("m.onnx: " + std::move(type)));
}

// @main(x: f32 [batch,3]): relu(exp(x) + exp(x)); the sum was made of two nodes, one of them
// without a name, and the relu has no location.
FileBytes BuildNamedModel() {
  bef::FunctionSpec main{.name = "main", .argument_types = {"t"}};
  uint32_t exp = main.AddKernel({.name = "graph.exp",
                                 .operands = {0},
                                 .result_types = {"t"},
                                 .location = Node("/exp", "Exp")});
  bef::LocationValue fused =
      bef::FusedLocation({Node("/sum", "Add"), bef::NameLocation("m.onnx: Identity")});
  uint32_t sum = main.AddKernel({.name = "graph.add",
                                 .operands = {exp, exp},
                                 .result_types = {"t"},
                                 .location = std::move(fused)});
  main.returns = {main.AddKernel({.name = "graph.relu", .operands = {sum}, .result_types = {"t"}})};
  const std::vector<bef::SignatureDim> dims = {{.symbol = "batch"}, {.size = 3}};
  main.signature = bef::FunctionSignature{.inputs = {{"x", DType::kF32, dims}},
                                          .results = {{"y", DType::kF32, dims}}};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(main));
  StatusOr<std::vector<uint8_t>> bytes = builder.Build();
  EXPECT_TRUE(bytes.ok()) << bytes.status().ToString();
  return FileBytes::CopyOf(bytes.ok() ? *bytes : std::vector<uint8_t>());
}

class ModelRecordsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
    StatusOr<Model> model = Model::FromBytes(BuildNamedModel(), host_.get(), {.name = "named"});
    ASSERT_TRUE(model.ok()) << model.status().ToString();
    EXPECT_EQ(model->name(), "named");
    session_.emplace(*Session::Create(*model));
  }
  Profile Record(StackLevel level, int num_runs = 1) {
    auto records = *tracing::Session::Start({.max_level = level, .buffer_bytes = 4 << 20});
    for (int i = 0; i < num_runs; ++i) {
      auto results = session_->Run({{"x", x_}});
      EXPECT_TRUE(results.ok()) << results.status().message();
    }
    records->Stop();
    return records->Read();
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost(GetParam());
  DenseHostTensor x_ = MakeFloats(*host_, TensorShape{2, 3}, {1, 2, 3, 4, 5, 6});
  std::optional<Session> session_;
};

TEST_P(ModelRecordsTest, RunsHaveLayersByTheirNodes) {
  const Profile profile = Record(StackLevel::kOp, 2);
  auto runs = profile.OfType("model.run");
  auto functions = profile.OfType("function");
  auto layers = profile.OfType("layer");
  ASSERT_EQ(runs.size(), 2u);
  ASSERT_EQ(functions.size(), 2u);
  ASSERT_EQ(layers.size(), 6u);
  EXPECT_EQ(runs[0]->name, "named");
  EXPECT_EQ(runs[0]->Integer("batch"), 2);
  EXPECT_EQ(functions[0]->parent_id, runs[0]->id);
  const char* const names[] = {"/exp", "/sum + (Identity)", "graph.relu"};
  const char* const ops[] = {"graph.exp", "graph.add", "graph.relu"};
  for (size_t i = 0; i < layers.size(); ++i) {
    EXPECT_EQ(layers[i]->name, names[i % 3]);
    EXPECT_EQ(layers[i]->Text("op"), ops[i % 3]);
    EXPECT_EQ(layers[i]->Integer("number"), static_cast<int64_t>(i % 3));
    EXPECT_EQ(layers[i]->parent_id, functions[i / 3]->id);
    EXPECT_GT(layers[i]->op_id, 0u);
    EXPECT_GT(layers[i]->ready_ns, 0);
  }
  EXPECT_TRUE(profile.OfType("kernel").empty());
  EXPECT_TRUE(profile.OfType("op.dispatch").empty());
}

TEST_P(ModelRecordsTest, LayersSayWhatTheyComputed) {
  const Profile profile = Record(StackLevel::kOp);
  auto calls = profile.OfType("graph.call");
  auto layers = profile.OfType("layer");
  ASSERT_EQ(calls.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(calls[i]->parent_id, layers[i]->id);
    EXPECT_EQ(calls[i]->op_id, layers[i]->op_id);
    EXPECT_EQ(calls[i]->Text("result"), "f32 [2,3]");
    EXPECT_EQ(calls[i]->Real("bytes_written"), 24);
  }
  EXPECT_EQ(calls[1]->Real("flops"), 6);
  EXPECT_EQ(calls[0]->Real("bytes_read"), 24);
}

TEST_P(ModelRecordsTest, MemoryIsAskedForWithinLayers) {
  const Profile profile = Record(StackLevel::kOp);
  auto layers = profile.OfType("layer");
  int64_t allocated = 0;
  for (const Span* event : profile.OfType("memory.allocate")) {
    allocated += event->Integer("bytes");
    EXPECT_TRUE(std::ranges::any_of(
        layers, [&](const Span* layer) { return layer->id == event->parent_id; }));
  }
  EXPECT_GE(allocated, 24);
  // All of a run's is given back: its results are gone, too.
  int64_t freed = 0;
  for (const Span* event : profile.OfType("memory.free")) freed += event->Integer("bytes");
  EXPECT_EQ(freed, allocated);
}

TEST_P(ModelRecordsTest, KernelsAreWithinLayers) {
  const Profile profile = Record(StackLevel::kDevice);
  auto layers = profile.OfType("layer");
  auto kernels = profile.OfType("op.dispatch");
  ASSERT_EQ(kernels.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(kernels[i]->parent_id, layers[i]->id);
}

TEST_P(ModelRecordsTest, LevelsAboveDoWithoutLayers) {
  const Profile profile = Record(StackLevel::kModel);
  EXPECT_EQ(profile.OfType("model.run").size(), 1u);
  EXPECT_TRUE(profile.OfType("layer").empty());
}

TEST_P(ModelRecordsTest, AsynchronousRunsAreReadyBeforeTheirCallback) {
  auto records =
      *tracing::Session::Start({.max_level = StackLevel::kModel, .buffer_bytes = 1 << 20});
  constexpr tracing::RecordType kCalled = {.name = "test.called", .level = StackLevel::kModel};
  session_->RunAsync({{"x", x_}}, [&](StatusOr<std::vector<DenseHostTensor>> results) {
    EXPECT_TRUE(results.ok());
    tracing::RecordEvent(kCalled, "called", {});
  });
  host_->work_queue().Quiesce();
  const Profile profile = records->Read();
  auto runs = profile.OfType("model.run");
  auto called = profile.OfType("test.called");
  ASSERT_EQ(runs.size(), 1u);
  ASSERT_EQ(called.size(), 1u);
  EXPECT_GE(runs[0]->ready_ns, runs[0]->begin_ns);
  EXPECT_LE(runs[0]->ready_ns, called[0]->begin_ns);
}

INSTANTIATE_TEST_SUITE_P(Queues, ModelRecordsTest, testing::Values("s", "mstd:2"));

}  // namespace
}  // namespace tfrt
