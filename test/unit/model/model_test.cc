// Models: what a file must have, and what its users see of it.

#include "tfrt/model/model.h"

#include <unistd.h>

#include "test/unit/model/test_model.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/function.h"
#include "tfrt/support/write_file.h"

namespace tfrt {
namespace {

class ModelTest : public testing::Test {
 protected:
  std::string OpenError(const TestModelBuilder& builder, const ModelOptions& options = {}) {
    StatusOr<Model> model = Model::FromBytes(builder.Build(), host_.get(), options);
    return model.ok() ? "" : std::string(model.status().message());
  }
  std::string LoadError(const TestModelBuilder& builder) {
    StatusOr<Model> model = Model::FromBytes(builder.Build(), host_.get());
    if (!model.ok()) return "not opened: " + std::string(model.status().message());
    Status status = model->Load();
    EXPECT_EQ(model->Load(), status);
    EXPECT_EQ(Session::Create(*model).status(), status);
    return status.ok() ? "" : std::string(status.message());
  }
  std::unique_ptr<HostContext> host_ = MakeTestHost();
};

TEST_F(ModelTest, WhatItsUsersSee) {
  StatusOr<Model> model = Model::FromBytes(TestModelBuilder().Build(), host_.get());
  ASSERT_TRUE(model.ok()) << model.status().ToString();
  ASSERT_EQ(model->inputs().size(), 2u);
  EXPECT_EQ(model->inputs()[0].name, "x");
  EXPECT_EQ(ToString(model->inputs()[0]), "f32 [batch,3]");
  EXPECT_EQ(ToString(model->inputs()[1]), "f32 [batch,?]");
  ASSERT_EQ(model->outputs().size(), 2u);
  EXPECT_EQ(model->outputs()[1].name, "same");
  EXPECT_EQ(model->producer(), "test 1.0");
  ASSERT_NE(model->FindMetadata("labels"), nullptr);
  EXPECT_EQ(*model->FindMetadata("labels"), "cat,dog");
  EXPECT_EQ(model->FindMetadata("colours"), nullptr);
  EXPECT_EQ(model->metadata().size(), 1u);
  EXPECT_EQ(model->host(), host_.get());
  EXPECT_EQ(model->file().functions().size(), 2u);
}

TEST_F(ModelTest, OpensFiles) {
  const std::string path = testing::TempDir() + "model_test.bef";
  FileBytes bytes = TestModelBuilder().Build();
  ASSERT_TRUE(WriteFile(path, [&](const ByteSink& sink) {
                EXPECT_TRUE(sink(bytes.bytes().data(), bytes.bytes().size()));
                return OkStatus();
              }).ok());
  EXPECT_TRUE(Model::Open(path, host_.get()).ok());
  EXPECT_EQ(Model::Open(path, host_.get(), {.function = "other"}).status(),
            InvalidArgumentError("'" + path +
                                 "': the file is no model: it has no function @other with names of "
                                 "inputs and results"));
  unlink(path.c_str());
  EXPECT_EQ(Model::Open(path, host_.get()).status().code(), StatusCode::kNotFound);
}

TEST_F(ModelTest, FilesThatAreNoModels) {
  EXPECT_EQ(OpenError(TestModelBuilder("t.unknown")), "unknown kernel name 't.unknown'");
  TestModelBuilder without_signature;
  without_signature.main().signature.reset();
  EXPECT_EQ(OpenError(without_signature),
            "the file is no model: it has no function @main with names of inputs and results");
  TestModelBuilder without_load;
  without_load.functions.erase(without_load.functions.begin());
  EXPECT_EQ(OpenError(without_load),
            "the file is no model: @main takes 1 values of @load, which makes 0");
  TestModelBuilder sync;
  sync.main().kind = bef::FunctionKind::kSync;
  EXPECT_NE(OpenError(sync), "");
  TestModelBuilder load_of_arguments;
  load_of_arguments.load().argument_types = {"t"};
  load_of_arguments.load().kernels[1].operands = {0};
  EXPECT_EQ(OpenError(load_of_arguments), "the file is no model: @load has arguments");
}

TEST_F(ModelTest, InputsHaveNamesOfTheirOwn) {
  TestModelBuilder builder;
  builder.main().signature->inputs[1].name = "x";
  EXPECT_EQ(OpenError(builder), "the file is no model: two of its inputs are called 'x'");
}

// Who waits for a load runs other tasks, and they may load the same model.
TEST_F(ModelTest, LoadsWithinALoad) {
  TestModelBuilder builder;
  builder.load().kernels[1].name = "t.later";
  StatusOr<Model> model = Model::FromBytes(builder.Build(), host_.get());
  ASSERT_TRUE(model.ok());
  Status within = InternalError("");
  host_->work_queue().AddTask(TaskFunction([&] { within = Session::Create(*model).status(); }));
  EXPECT_TRUE(model->Load().ok());
  host_->Quiesce();
  EXPECT_TRUE(within.ok()) << within.ToString();
}

TEST_F(ModelTest, LoadsOnce) {
  num_loads = 0;
  StatusOr<Model> model = Model::FromBytes(TestModelBuilder().Build(), host_.get());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(num_loads, 0);
  EXPECT_TRUE(model->Load().ok());
  EXPECT_TRUE(model->Load().ok());
  Model same = *model;
  EXPECT_TRUE(Session::Create(same).ok());
  EXPECT_EQ(num_loads, 1);
}

TEST_F(ModelTest, WeightsThatCannotBeLoaded) {
  TestModelBuilder builder;
  builder.load().kernels[0].attributes[0].value = bef::I64Attribute(1);
  EXPECT_EQ(LoadError(builder), "weight 1 of a file with 1");
  builder.load().kernels[0].attributes[0].value = bef::I64Attribute(-1);
  EXPECT_EQ(LoadError(builder), "weight -1 of a file with 1");
  TestModelBuilder failing;
  failing.load().kernels[1].name = "t.fail";
  EXPECT_EQ(LoadError(failing), "t.fail has failed");
}

TEST_F(ModelTest, WeightsOfTruthsAreChecked) {
  const uint8_t bytes[] = {0, 1, 2};
  bef::BefBuilder builder;
  bef::FunctionSpec main{.name = "main", .signature = bef::FunctionSignature{}};
  main.returns = {main.AddKernel({.name = "graph.weight",
                                  .result_types = {"t"},
                                  .attributes = {{"value", bef::I64Attribute(0)}}})};
  main.signature->results = {{"w", DType::kI1, std::nullopt}};
  builder.AddFunction(std::move(main));
  builder.AddWeight({"w", DType::kI1, {3}, bytes});
  StatusOr<std::vector<uint8_t>> file = builder.Build();
  ASSERT_TRUE(file.ok());
  StatusOr<Model> model = Model::FromBytes(FileBytes::CopyOf(*file), host_.get());
  ASSERT_TRUE(model.ok());
  StatusOr<Session> session = Session::Create(*model);
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->Run({}).status(),
            InvalidArgumentError("the weight 'w' of i1 has an element that is neither 0 nor 1"));
}

TEST_F(ModelTest, WeightsOutsideOfModels) {
  auto file = BefFile::Open(TestModelBuilder().Build(), host_.get());
  ASSERT_TRUE(file.ok());
  RCReference<AsyncValue> result;
  (*(*file)->FindFunction("load"))
      ->Execute(ExecutionContext(RequestContextBuilder(host_.get(), nullptr).Build()), {},
                {&result, 1});
  AsyncValue* value = result.get();
  host_->Await({&value, 1});
  ASSERT_TRUE(result->IsError());
  EXPECT_EQ(result->GetError().message(), "weights are there only when a model runs");
}

}  // namespace
}  // namespace tfrt
