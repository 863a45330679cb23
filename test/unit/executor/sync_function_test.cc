#include <gtest/gtest.h>

#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;

class SyncFunctionTest : public testing::Test {
 protected:
  RCReference<BefFile> Load(FunctionSpec function) {
    function.kind = bef::FunctionKind::kSync;
    BefBuilder builder;
    builder.AddFunction(std::move(function));
    return host_.Load(builder);
  }
  TestHost host_;
};

TEST_F(SyncFunctionTest, RunsInProgramOrder) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32"}, .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Op("t.sync_add", {0, 1}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.sync_add", {a, a}, {"i32"}))};
  auto file = Load(std::move(f));
  Value x = Value::Make<int32_t>(2), y = Value::Make<int32_t>(3), result;
  Value* arguments[] = {&x, &y};
  Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1});
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(result.get<int32_t>(), 10);
  EXPECT_EQ(x.get<int32_t>(), 2);
}

TEST_F(SyncFunctionTest, StopsAtTheFirstError) {
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  uint32_t a = f.AddKernel(Op("t.sync_fail", {}, {"i32"}));
  f.returns = {f.AddKernel(Op("t.sync_add", {a, a}, {"i32"}))};
  auto file = Load(std::move(f));
  Value result;
  Status status = file->functions()[0]->ExecuteSync(host_.MakeContext(), {}, {&result, 1});
  EXPECT_EQ(status.message(), "sync failed");
  EXPECT_FALSE(result.has_value());
}

TEST_F(SyncFunctionTest, MistypedArgument) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}))};
  auto file = Load(std::move(f));
  Value x = Value::Make<float>(2.0f), result;
  Value* arguments[] = {&x};
  EXPECT_EQ(file->functions()[0]->ExecuteSync(host_.MakeContext(), arguments, {&result, 1}).message(),
            "argument 0 has type 'float', but the kernel takes 'int'");
}

TEST_F(SyncFunctionTest, WrongKindAndArity) {
  FunctionSpec f{.name = "f", .result_types = {}};
  auto file = Load(std::move(f));
  Value extra;
  EXPECT_EQ(file->functions()[0]->ExecuteSync(host_.MakeContext(), {}, {&extra, 1}).message(),
            "sync function 'f' takes 0 arguments and has 0 results, but got 0 and 1");

  FunctionSpec async{.name = "g"};
  BefBuilder builder;
  builder.AddFunction(std::move(async));
  auto async_file = host_.Load(builder);
  EXPECT_EQ(async_file->functions()[0]->ExecuteSync(host_.MakeContext(), {}, {}).message(),
            "function 'g' is not a sync function");
  EXPECT_EQ(host_.diagnostics().size(), 2u);
}

}  // namespace
}  // namespace tfrt
