// The memory of results of tfrt_test.*, whose message is their own.
#ifndef TFRT_CORE_RUNTIME_OPS_TEST_RESULT_H_
#define TFRT_CORE_RUNTIME_OPS_TEST_RESULT_H_

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

// What an op of tfrt_test.* says where another op's function has failed.
inline Status TestResultError(Status error) {
  if (error.code() != StatusCode::kResourceExhausted) return error;
  return ResourceExhaustedError("out of memory allocating result");
}

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_TEST_RESULT_H_
