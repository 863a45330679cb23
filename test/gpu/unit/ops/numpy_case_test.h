// NumpyCaseTest: the fixture of tests that call ops on a GPU's double with the arguments of
// test/numpy/cases.
#ifndef TFRT_TEST_GPU_UNIT_OPS_NUMPY_CASE_TEST_H_
#define TFRT_TEST_GPU_UNIT_OPS_NUMPY_CASE_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
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

namespace tfrt::gpu {

// The numbers that the device code computes with.
inline constexpr DType kDeviceDTypes[] = {DType::kF16, DType::kBF16, DType::kF32, DType::kF64,
                                          DType::kI32, DType::kI64,  DType::kI1};
inline bool IsOfDevice(DType dtype) {
  return std::ranges::find(kDeviceDTypes, dtype) != std::end(kDeviceDTypes);
}

// Approximations differ from NumPy's in the last digits.
inline float LastDigits(DType dtype) {
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

inline std::vector<const char*> AllNumpyFamilies() {
  std::vector<const char*> families(std::begin(kNumpyOpFamilies), std::end(kNumpyOpFamilies));
  families.insert(families.end(), std::begin(kNumpyGraphFamilies), std::end(kNumpyGraphFamilies));
  return families;
}

// Whether the results of a row are elements of its arguments, which no arithmetic changes.
inline bool MovesElements(const OpDescription& row) {
  constexpr std::string_view kAlsoMove[] = {"clip",     "maximum",          "minimum",   "relu",
                                            "max_pool", "reverse_sequence", "select",    "top_k",
                                            "triangle", "reduce_max",       "reduce_min"};
  if (std::ranges::find(kAlsoMove, row.name) != std::end(kAlsoMove)) return true;
  for (std::span<const GpuOpRow> family :
       {CreationGpuOps(), IndexGpuOps(), MovementGpuOps(), PadGpuOps(), ShapeGpuOps()}) {
    if (std::ranges::find(family, row.name, &GpuOpRow::row) != family.end()) return true;
  }
  return false;
}

class NumpyCaseTest : public GpuOpsTest {
 protected:
  static eager::HostArray ArrayOf(const NumpyCaseTensor& tensor) {
    return eager::HostArray(tensor.metadata.dtype, tensor.metadata.shape.dims(),
                            std::as_bytes(std::span(tensor.bytes)));
  }
  static void SetAttrs(const NumpyOpCase& each, OpAttrs& attrs) {
    for (const NumpyOpCase::Attribute& attribute : each.attributes) {
      attrs.SetExternal(attribute.name, attribute.code, attribute.value.bytes());
    }
  }

  // Calls an op on a device, of which the calling thread has a scope.
  static StatusOr<std::vector<eager::Tensor>> Execute(const OpDefinition& op,
                                                      std::span<const NumpyCaseTensor> numbers,
                                                      const OpAttrs& attrs, size_t num_results,
                                                      const char* device) {
    std::vector<eager::TensorArgument> arguments;
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (op.description->is_host_value(i, numbers.size())) {
        arguments.emplace_back(ArrayOf(numbers[i]));
      } else {
        // A few integers would stay on the host, and so would the op.
        arguments.emplace_back(eager::Tensor::FromArray(ArrayOf(numbers[i])).To(device));
      }
    }
    std::vector<eager::Tensor> results(num_results);
    TFRT_RETURN_IF_ERROR(eager::Execute(op, arguments, attrs, results));
    return results;
  }

  // The result of a row on gpu:0 is the expected one: to the bit if the row moves elements, else
  // but for the last digits.
  static void ExpectResult(NumpyOpCase::Result expected, const eager::Tensor& result,
                           bool moves_elements) {
    const DType dtype = expected.tensor.metadata.dtype;
    expected.rtol = moves_elements ? 0 : std::max(expected.rtol, LastDigits(dtype));
    if (moves_elements) expected.atol = 0;
    EXPECT_EQ(result.device(), "gpu:0");
    auto got = result.HostElements(Location());
    ASSERT_TRUE(got.ok()) << got.status().message();
    ASSERT_EQ((*got)->metadata(), expected.tensor.metadata);
    DispatchDType(dtype,
                  [&]<typename T>(std::type_identity<T>) { ExpectClose<T>(expected, **got); });
  }
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_OPS_NUMPY_CASE_TEST_H_
