// Ops on a GPU, or its double, on the inputs of test/numpy/cases, whose results NumPy computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "gpu/ops/gpu_ops.h"
#include "test/gpu/unit/ops/numpy_case_test.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using eager::Scope;
using testing::HasSubstr;

// Whether GPUs have the op for integers of 8 and 16 bits, too.
bool TakesFewBits(std::string_view op) {
  return op.ends_with("quantize") || op.ends_with("_integer");
}

class NumpyOpsTest : public NumpyCaseTest, public testing::WithParamInterface<const char*> {};

TEST_P(NumpyOpsTest, OpsComputeWhatNumpyDoes) {
  Init({.soft_placement = false});
  Scope scope(*context_, {.device = "gpu:0"});
  std::set<std::string> unsupported;
  size_t num_cases = 0;
  for (const NumpyOpCase& each : NumpyOpCase::ReadAll(GetParam())) {
    const OpDefinition* op = FindEagerOp(each.op, *context_);
    if (!op || !FindGpuOp(*op->description)) continue;
    SCOPED_TRACE(StrCat(each.op, ", case ", ++num_cases));
    OpAttrs attrs;
    SetAttrs(each, attrs);
    auto results = Execute(*op, each.arguments, attrs, each.results.size(), "gpu:0");
    if (results.ok()) {
      for (size_t i = 0; i < results->size(); ++i) {
        ExpectResult(each.results[i], (*results)[i], MovesElements(*op->description));
      }
      continue;
    }
    EXPECT_THAT(results.status().message(), HasSubstr("has no kernel"));
    bool is_of_device = true;
    for (const NumpyCaseTensor& argument : each.arguments) {
      is_of_device &= IsOfDevice(argument.metadata.dtype);
    }
    for (const NumpyOpCase::Result& result : each.results) {
      is_of_device &= IsOfDevice(result.tensor.metadata.dtype);
    }
    if (!is_of_device && !TakesFewBits(each.op)) continue;
    unsupported.insert(StrCat(each.op, " ", DTypeName(each.arguments[0].metadata.dtype)));
  }
  // Powers of whole numbers that are no whole numbers are cut off, just below which a device's
  // approximation may be.
  std::set<std::string> without_kernels;
  if (GetParam() == std::string_view("graph_binary")) without_kernels = {"graph.pow i64"};
  EXPECT_EQ(unsupported, without_kernels);
}

INSTANTIATE_TEST_SUITE_P(AllFamilies, NumpyOpsTest, testing::ValuesIn(AllNumpyFamilies()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tfrt::gpu
