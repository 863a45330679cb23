// What the tests of traced functions have in common.
#ifndef TFRT_TEST_UNIT_FUNCTION_FUNCTION_FIXTURE_H_
#define TFRT_TEST_UNIT_FUNCTION_FUNCTION_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/devices/sim/device/sim_device.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/variable.h"
#include "tfrt/function/control_flow.h"
#include "tfrt/function/function.h"

namespace tfrt::function {

using eager::Context;
using eager::ContextOptions;
using eager::ExecutionMode;
using eager::HostArray;
using eager::Scope;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <typename T>
std::vector<T> ValuesOf(const Tensor& tensor) {
  auto values = tensor.Values<T>();
  EXPECT_TRUE(values.ok()) << values.status().message();
  if (!values.ok()) return {};
  return {values->begin(), values->end()};
}

// The only element; 0, and a failure, for an error.
template <typename T>
T ItemOf(const Tensor& tensor) {
  auto item = tensor.Item<T>();
  EXPECT_TRUE(item.ok()) << item.status().message();
  return item.ok() ? *item : T();
}

inline Tensor Floats(std::initializer_list<int64_t> dims, std::vector<float> values) {
  return Tensor::FromArray(HostArray(dims, values));
}

// A context with a scope of this thread. Warnings of functions go to `warnings`.
class FunctionTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("TFRT_MODULE_PATH", TFRT_COMPILER_FOLDER, 1); }
  void SetUp() override {
    if (!std::filesystem::exists(TFRT_COMPILER_FOLDER "/libtfrt_compiler.so")) {
      GTEST_SKIP() << "no compiler in " TFRT_COMPILER_FOLDER;
    }
  }

  explicit FunctionTest(ExecutionMode mode = ExecutionMode::kSync)
      : context_(*Context::Create(
            {.devices = {"cpu:0", "cpu:1", "sim:0"},
             .register_devices = [](HostContext& host) { return sim::RegisterSimDevices(host); }})),
        scope_(std::make_unique<Scope>(*context_, eager::ScopeOptions{.mode = mode})) {}

  FunctionOptions Quiet(FunctionOptions options = {}) {
    options.on_warning = [this](std::string_view warning) { warnings_.emplace_back(warning); };
    return options;
  }

  std::unique_ptr<Context> context_;
  std::unique_ptr<Scope> scope_;
  std::vector<std::string> warnings_;
};

class AsyncFunctionTest : public FunctionTest {
 protected:
  AsyncFunctionTest() : FunctionTest(ExecutionMode::kAsync) {}
};

}  // namespace tfrt::function

#endif  // TFRT_TEST_UNIT_FUNCTION_FUNCTION_FIXTURE_H_
