// Ops on a GPU, or its double, on the inputs of test/numpy/cases, whose results NumPy computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/ops/gpu_ops.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "test/unit/host_ops/eager_op_of_case.h"
#include "test/unit/host_ops/numpy_close.h"
#include "test/unit/host_ops/numpy_op_cases.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::Scope;
using eager::TensorArgument;
using testing::HasSubstr;

// Whether the device code has numbers of this type.
bool IsOfDevice(DType dtype) {
  switch (dtype) {
    case DType::kF16:
    case DType::kBF16:
    case DType::kF32:
    case DType::kF64:
    case DType::kI32:
    case DType::kI64:
    case DType::kI1:
      return true;
    default:
      return false;
  }
}

// Approximations differ from NumPy's in the last digits.
float LastDigits(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return 0x1p-9f;
    case DType::kBF16:
      return 0x1p-6f;
    case DType::kF32:
      return 0x1p-20f;
    case DType::kF64:
      return 0x1p-48f;
    default:
      return 0;
  }
}

class NumpyOpsTest : public GpuOpsTest, public testing::WithParamInterface<const char*> {
 protected:
  // The results of a case on gpu:0.
  StatusOr<std::vector<eager::Tensor>> Call(const OpDefinition& op, const NumpyOpCase& each) {
    std::vector<TensorArgument> arguments;
    for (size_t i = 0; i < each.arguments.size(); ++i) {
      const NumpyCaseTensor& argument = each.arguments[i];
      HostArray array(argument.metadata.dtype, argument.metadata.shape.dims(),
                      std::as_bytes(std::span(argument.bytes)));
      if (op.description->is_host_value(i, each.arguments.size())) {
        arguments.emplace_back(std::move(array));
      } else {
        // A few integers would stay on the host, and so would the op.
        arguments.emplace_back(eager::Tensor::FromArray(array).To("gpu:0"));
      }
    }
    OpAttrs attrs;
    for (const NumpyOpCase::Attribute& attribute : each.attributes) {
      attrs.SetExternal(attribute.name, attribute.code, attribute.value.bytes());
    }
    std::vector<eager::Tensor> results(each.results.size());
    TFRT_RETURN_IF_ERROR(eager::Execute(op, arguments, attrs, results));
    return results;
  }

  void Compare(const NumpyOpCase& each, std::span<eager::Tensor> results) {
    for (size_t i = 0; i < results.size(); ++i) {
      NumpyOpCase::Result expected = each.results[i];
      const DType dtype = expected.tensor.metadata.dtype;
      expected.rtol = std::max(expected.rtol, LastDigits(dtype));
      EXPECT_EQ(results[i].device(), "gpu:0");
      auto got = results[i].HostElements(Location());
      ASSERT_TRUE(got.ok()) << got.status().message();
      ASSERT_EQ((*got)->metadata(), expected.tensor.metadata);
      DispatchDType(dtype,
                    [&]<typename T>(std::type_identity<T>) { ExpectClose<T>(expected, **got); });
    }
  }
};

TEST_P(NumpyOpsTest, OpsComputeWhatNumpyDoes) {
  Init({.soft_placement = false});
  Scope scope(*context_, {.device = "gpu:0"});
  std::set<std::string> unsupported;
  size_t num_cases = 0;
  for (const NumpyOpCase& each : NumpyOpCase::ReadAll(GetParam())) {
    const OpDefinition* op = FindEagerOp(each.op, *context_);
    if (!op || !FindGpuOp(*op->description)) continue;
    SCOPED_TRACE(StrCat(each.op, ", case ", ++num_cases));
    auto results = Call(*op, each);
    if (results.ok()) {
      Compare(each, *results);
      continue;
    }
    EXPECT_THAT(results.status().message(), HasSubstr("dtype"));
    bool is_of_device = true;
    for (const NumpyCaseTensor& argument : each.arguments) {
      is_of_device &= IsOfDevice(argument.metadata.dtype);
    }
    for (const NumpyOpCase::Result& result : each.results) {
      is_of_device &= IsOfDevice(result.tensor.metadata.dtype);
    }
    if (!is_of_device) continue;
    unsupported.insert(StrCat(each.op, " ", DTypeName(each.arguments[0].metadata.dtype)));
  }
  // Powers of integers wrap: those of floats are no replacement.
  std::set<std::string> without_kernels;
  if (GetParam() == std::string_view("graph_binary")) {
    without_kernels = {"graph.pow i32", "graph.pow i64"};
  }
  EXPECT_EQ(unsupported, without_kernels);
}

std::vector<const char*> Families() {
  std::vector<const char*> families(std::begin(kNumpyOpFamilies), std::end(kNumpyOpFamilies));
  families.insert(families.end(), std::begin(kNumpyGraphFamilies), std::end(kNumpyGraphFamilies));
  return families;
}
INSTANTIATE_TEST_SUITE_P(AllFamilies, NumpyOpsTest, testing::ValuesIn(Families()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tfrt::gpu
