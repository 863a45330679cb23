// Runs cases of NumPy's (numpy_op_cases.h) and compares.
#ifndef TFRT_TEST_UNIT_HOST_OPS_NUMPY_OP_CHECK_H_
#define TFRT_TEST_UNIT_HOST_OPS_NUMPY_OP_CHECK_H_

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "lib/runtime/tensor/dtype_dispatch.h"
#include "test/unit/host_ops/host_op_runner.h"
#include "test/unit/host_ops/numpy_close.h"
#include "test/unit/host_ops/numpy_op_cases.h"

namespace tfrt {

inline TensorHandle MakeHandle(HostOpRunner* runner, const NumpyCaseTensor& tensor) {
  DenseHostTensor result = runner->Uninitialized(tensor.metadata);
  if (!tensor.bytes.empty()) {
    std::memcpy(*result.MutableData(), tensor.bytes.data(), tensor.bytes.size());
  }
  return runner->Handle(std::move(result));
}

inline void ExpectNumpyCase(HostOpRunner* runner, const NumpyOpCase& each) {
  OpAttrs attrs;
  for (const NumpyOpCase::Attribute& attribute : each.attributes) {
    attrs.SetExternal(attribute.name, attribute.code, attribute.value.bytes());
  }
  // Handles that are kept and handles that are given away: in the memory of the latter ops may
  // write.
  for (bool give_away : {false, true}) {
    Handles arguments;
    for (const NumpyCaseTensor& argument : each.arguments) {
      arguments.push_back(MakeHandle(runner, argument));
    }
    Handles kept;
    if (!give_away) kept = arguments;
    Handles results = runner->Run(each.op, std::move(arguments), attrs, each.results.size());
    for (size_t j = 0; j < results.size(); ++j) {
      ASSERT_FALSE(results[j].IsError()) << results[j].ToString();
      ASSERT_TRUE(results[j].IsMetadataAvailable());
      const NumpyOpCase::Result& expected = each.results[j];
      ASSERT_EQ(results[j].AvailableMetadata()->shape, expected.tensor.metadata.shape);
      ASSERT_EQ(results[j].AvailableMetadata()->dtype, expected.tensor.metadata.dtype);
      ASSERT_EQ(results[j].tensor()->metadata(), expected.tensor.metadata);
      DispatchDType(expected.tensor.metadata.dtype, [&]<typename T>(std::type_identity<T>) {
        ExpectClose<T>(expected, DenseOf(results[j]));
      });
    }
    for (size_t j = 0; j < kept.size(); ++j) {
      const std::string& before = each.arguments[j].bytes;
      EXPECT_TRUE(before.empty() ||
                  std::memcmp(DenseOf(kept[j]).data(), before.data(), before.size()) == 0)
          << "argument " << j << " has changed";
    }
  }
}

inline void ExpectNumpyCases(HostOpRunner* runner, const std::vector<NumpyOpCase>& cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].op + ", case " + std::to_string(i));
    ExpectNumpyCase(runner, cases[i]);
  }
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HOST_OPS_NUMPY_OP_CHECK_H_
