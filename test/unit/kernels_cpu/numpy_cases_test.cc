// Kernels on the inputs of test/numpy/cases, whose outputs NumPy computed (make_cases.py has the
// format), with one, two and four threads.

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "lib/runtime/tensor/dtype_dispatch.h"
#include "test/unit/kernels_cpu/cpu_kernel_runner.h"
#include "test/unit/kernels_cpu/numpy_case_reader.h"
#include "tfrt/maths/compute_backend.h"

namespace tfrt {
namespace {

enum class OperandKind : uint8_t { kChain, kRead, kWritten, kFloat, kNumber };

struct CaseOperand {
  OperandKind kind;
  NumpyCaseTensor tensor;
  NumpyCaseTensor expected;
  float rtol = 0;
  float atol = 0;
  float number = 0;
};

struct Case {
  std::string kernel;
  Attributes attributes;
  std::vector<CaseOperand> operands;

  static Case Read(NumpyCaseReader* reader) {
    Case result;
    result.kernel = reader->String();
    for (auto n = reader->Number<uint32_t>(); n > 0; --n) {
      auto prefix = reader->Number<uint8_t>();
      result.attributes.emplace_back(reader->String(), prefix);
    }
    for (auto n = reader->Number<uint32_t>(); n > 0; --n) {
      CaseOperand operand{static_cast<OperandKind>(reader->Number<uint8_t>()), {}, {}};
      if (operand.kind == OperandKind::kWritten) {
        operand.rtol = reader->Number<float>();
        operand.atol = reader->Number<float>();
      }
      if (operand.kind == OperandKind::kFloat) operand.number = reader->Number<float>();
      if (operand.kind == OperandKind::kRead || operand.kind == OperandKind::kWritten ||
          operand.kind == OperandKind::kNumber) {
        operand.tensor = NumpyCaseTensor::Read(reader);
      }
      if (operand.kind == OperandKind::kWritten) operand.expected = NumpyCaseTensor::Read(reader);
      result.operands.push_back(std::move(operand));
    }
    return result;
  }
};

RCReference<AsyncValue> MakeTensor(CpuKernelRunner* runner, const NumpyCaseTensor& tensor) {
  DenseHostTensor result = runner->Uninitialized(tensor.metadata);
  if (!tensor.bytes.empty()) {
    std::memcpy(*result.MutableData(), tensor.bytes.data(), tensor.bytes.size());
  }
  return MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(result)).ReleaseRCRef();
}

RCReference<AsyncValue> MakeNumber(const NumpyCaseTensor& tensor) {
  RCReference<AsyncValue> value;
  DispatchDType(tensor.metadata.dtype, [&]<typename T>(std::type_identity<T>) {
    T number;
    std::memcpy(&number, tensor.bytes.data(), sizeof(T));
    value = MakeAvailableAsyncValueRef<T>(number).ReleaseRCRef();
  });
  return value;
}

template <typename T>
void ExpectClose(const CaseOperand& operand, const DenseHostTensor& tensor) {
  auto* actual = static_cast<const T*>(tensor.data());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    T expected;
    std::memcpy(&expected, operand.expected.bytes.data() + i * sizeof(T), sizeof(T));
    bool same = expected == actual[i] || (expected != expected && actual[i] != actual[i]);
    double tolerance = operand.atol + operand.rtol * std::fabs(static_cast<double>(expected));
    if (same || std::fabs(static_cast<double>(actual[i]) - expected) <= tolerance) continue;
    ADD_FAILURE() << "element " << i << " is " << actual[i] << ", expected " << expected;
    return;
  }
}

void ExpectResult(const CaseOperand& operand, const DenseHostTensor& tensor) {
  if (tensor.dtype() == DType::kF32) return ExpectClose<float>(operand, tensor);
  if (tensor.dtype() == DType::kF64) return ExpectClose<double>(operand, tensor);
  EXPECT_TRUE(operand.expected.bytes.empty() ||
              std::memcmp(tensor.data(), operand.expected.bytes.data(), tensor.size_bytes()) == 0)
      << tensor.ToString();
}

// The backend matters to products and convolutions alone.
struct Family {
  const char* name;
  ComputeBackend backend = ComputeBackend::kEigen;
};

class NumpyCasesTest : public testing::TestWithParam<Family> {};

TEST_P(NumpyCasesTest, KernelsComputeWhatNumpyDoes) {
  auto reader = NumpyCaseReader::Open(
      std::string(TFRT_NUMPY_CASES) + "/" + GetParam().name + ".bin", "TFRTCASE");
  std::vector<Case> cases(reader.Number<uint32_t>());
  for (Case& each : cases) each = Case::Read(&reader);
  EXPECT_EQ(reader.position, reader.data.size());
  EXPECT_FALSE(cases.empty());

  for (const char* queue : {"s", "mstd:2", "mstd:4"}) {
    CpuKernelRunner runner(queue);
    EXPECT_TRUE(SetComputeBackend(&runner.host(), GetParam().backend).ok());
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case& each = cases[i];
      SCOPED_TRACE(each.kernel + ", case " + std::to_string(i) + ", queue " + queue);
      Values arguments;
      size_t num_results = 0;
      for (const CaseOperand& operand : each.operands) {
        switch (operand.kind) {
          case OperandKind::kChain:
            arguments.push_back(ChainValue());
            break;
          case OperandKind::kFloat:
            arguments.push_back(MakeAvailableAsyncValueRef<float>(operand.number).ReleaseRCRef());
            break;
          case OperandKind::kNumber:
            arguments.push_back(MakeNumber(operand.tensor));
            break;
          case OperandKind::kWritten:
            ++num_results;
            [[fallthrough]];
          case OperandKind::kRead:
            arguments.push_back(MakeTensor(&runner, operand.tensor));
        }
      }
      if (each.kernel.starts_with("tf_sync.")) {
        Status status = runner.RunSync(each.kernel, arguments, each.attributes);
        ASSERT_TRUE(status.ok()) << status.message();
      } else {
        Values results = runner.Run(each.kernel, arguments, each.attributes, num_results);
        ASSERT_FALSE(results.empty());
        ASSERT_FALSE(results[0]->IsError()) << results[0]->GetError().message();
      }
      for (size_t j = 0; j < arguments.size(); ++j) {
        if (each.operands[j].kind != OperandKind::kWritten) continue;
        ExpectResult(each.operands[j], arguments[j]->get<DenseHostTensor>());
      }
    }
  }
}

std::string FamilyName(const testing::TestParamInfo<Family>& info) {
  return std::string(info.param.name) +
         (info.param.backend == ComputeBackend::kOneDnn ? "_oneDNN" : "");
}
INSTANTIATE_TEST_SUITE_P(AllFamilies, NumpyCasesTest,
                         testing::Values(Family{"elementwise"}, Family{"reductions"},
                                         Family{"normalization"}, Family{"layout"},
                                         Family{"pooling"}, Family{"training"},
                                         Family{"conv_gradients"}, Family{"products"},
                                         Family{"convolutions"}, Family{"test_products"},
                                         Family{"sync"}),
                         FamilyName);
#ifdef TFRT_TEST_ONEDNN
INSTANTIATE_TEST_SUITE_P(WithOneDnn, NumpyCasesTest,
                         testing::Values(Family{"products", ComputeBackend::kOneDnn},
                                         Family{"convolutions", ComputeBackend::kOneDnn},
                                         Family{"test_products", ComputeBackend::kOneDnn},
                                         Family{"sync", ComputeBackend::kOneDnn}),
                         FamilyName);
#endif

}  // namespace
}  // namespace tfrt
