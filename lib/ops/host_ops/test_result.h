// The memory of results of tfrt_test.*, whose message is their own.
#ifndef TFRT_LIB_OPS_HOST_OPS_TEST_RESULT_H_
#define TFRT_LIB_OPS_HOST_OPS_TEST_RESULT_H_

#include <string_view>

#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// "out of memory allocating result", or another message
inline StatusOr<DenseHostTensor> AllocateTestResult(
    OpCall& call, const TensorMetadata& metadata,
    std::string_view message = "out of memory allocating result") {
  auto out = call.Allocate(metadata);
  if (!out.ok()) return ResourceExhaustedError(message);
  return out;
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_TEST_RESULT_H_
