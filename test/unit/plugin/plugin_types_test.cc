// Types that a host shares with kernel libraries which were built apart: the same, or refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "lib/runtime/host/kernel_modules.h"
#include "test/unit/executor/test_kernels.h"
#include "test/unit/plugin/point.h"

namespace tfrt {
namespace {

using plugin_test::anonymous_point;
using plugin_test::Point;
using testing::HasSubstr;

int32_t SumOfPoint(const Point& point) { return static_cast<int32_t>(point.x + point.y); }
int32_t SumOfAnonymousPoint(const anonymous_point& p) { return SumOfPoint(p.point); }

class PluginTypesTest : public testing::Test {
 protected:
  PluginTypesTest() {
    registry().AddKernel("t.sum", TFRT_KERNEL(SumOfPoint));
    registry().AddKernel("t.sum_anonymous", TFRT_KERNEL(SumOfAnonymousPoint));
  }
  KernelRegistry& registry() { return host_.host().kernel_registry(); }

  // What `f: sum(make())` gives.
  RCReference<AsyncValue> Sum(const char* make, const char* sum) {
    bef::FunctionSpec f{.name = "f"};
    uint32_t point = f.AddKernel(Op(make, {}, {"!point"}));
    f.returns = {f.AddKernel(Op(sum, {point}, {"i32"}))};
    bef::BefBuilder builder;
    builder.AddFunction(std::move(f));
    return host_.Run(*host_.Load(builder), "f")[0];
  }
  void ExpectRefused(const char* library, const std::string& layout) {
    const size_t num_kernels = registry().KernelNames().size();
    Status status = LoadKernelLibrary(library, &registry());
    EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << status.ToString();
    EXPECT_THAT(
        std::string(status.message()),
        HasSubstr("kernel 'plugin.anonymous_point': type 'plugin_test::anonymous_point' has " +
                  layout + ", but was known with 16 bytes, aligned by 8"));
    // Nothing of it is left.
    EXPECT_EQ(registry().KernelNames().size(), num_kernels);
    EXPECT_EQ(registry().FindKernel("plugin.fits"), nullptr);
    EXPECT_TRUE(registry().first_error().ok());
  }

  TestHost host_;
};

TEST_F(PluginTypesTest, OneLayoutIsOneType) {
  ASSERT_EQ(LoadKernelLibrary(POINT_PLUGIN, &registry()), OkStatus());
  EXPECT_EQ(Sum("plugin.point", "t.sum")->get<int32_t>(), 7);
  EXPECT_EQ(Sum("plugin.anonymous_point", "t.sum_anonymous")->get<int32_t>(), 11);
}

TEST_F(PluginTypesTest, AnotherSizeIsRefusedAndTheHostGoesOn) {
  ExpectRefused(LARGER_POINT_PLUGIN, "24 bytes, aligned by 8");
  ExpectRefused(LARGER_POINT_PLUGIN, "24 bytes, aligned by 8");
  ASSERT_EQ(LoadKernelLibrary(POINT_PLUGIN, &registry()), OkStatus());
  EXPECT_EQ(Sum("plugin.point", "t.sum")->get<int32_t>(), 7);
}

// Nobody has used the host's types before the module is loaded; they come first all the same.
TEST_F(PluginTypesTest, AModuleOfAnotherLayoutIsRefused) {
  const std::filesystem::path plugin(ALIGNED_POINT_PLUGIN);
  setenv("TFRT_MODULE_PATH", plugin.parent_path().c_str(), 1);
  registry().set_source(MakeKernelModules({{{"plugin."}, plugin.filename()}}));
  Status error;
  EXPECT_EQ(registry().FindKernel("plugin.fits", &error), nullptr);
  unsetenv("TFRT_MODULE_PATH");
  EXPECT_EQ(error.code(), StatusCode::kFailedPrecondition) << error.ToString();
  EXPECT_THAT(std::string(error.message()),
              HasSubstr("16 bytes, aligned by 16, but was known with 16 bytes, aligned by 8"));
}

TEST_F(PluginTypesTest, AnotherAlignmentIsRefused) {
  ExpectRefused(ALIGNED_POINT_PLUGIN, "16 bytes, aligned by 16");
}

TEST_F(PluginTypesTest, ErrorsOfEveryLibraryAreReported) {
  ASSERT_EQ(LoadKernelLibrary(POINT_PLUGIN, &registry()), OkStatus());
  for (int i = 0; i < 2; ++i) {
    Status again = LoadKernelLibrary(POINT_PLUGIN, &registry());
    EXPECT_EQ(again.code(), StatusCode::kAlreadyExists);
    EXPECT_THAT(std::string(again.message()), HasSubstr("' is registered twice"));
  }
}

// Neither the host's own errors nor those of an earlier library hide the next library's.
TEST_F(PluginTypesTest, EarlierErrorsHideNothing) {
  registry().AddKernel("t.sum", TFRT_KERNEL(SumOfPoint));
  EXPECT_EQ(registry().first_error().message(), "kernel 't.sum' is registered twice");
  ASSERT_EQ(LoadKernelLibrary(POINT_PLUGIN, &registry()), OkStatus());
  EXPECT_EQ(LoadKernelLibrary(POINT_PLUGIN, &registry()).code(), StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace tfrt
