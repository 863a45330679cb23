// Begins and ends all functions of the double of cuDNN.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_CALL_H_
#define TFRT_TEST_GPU_VENDOR_DNN_CALL_H_

#include <string>
#include <string_view>
#include <utility>

#include "gpu/abi/cudnn_exports.h"
#include "test/gpu/vendor/driver/control.h"

namespace tfrt::gpu::cudnn_double {

using namespace cudnn;  // NOLINT: the vendor's names

// The text that cudnnGetLastErrorString gives the calling thread, once.
std::string TakeLastError();
// Notes why a function of this thread fails; returns the status.
cudnnStatus_t Fail(cudnnStatus_t status, std::string text);

// Runs the body of an exported function, unless a setting makes the call fail.
template <typename F>
cudnnStatus_t Enter(const char* function, F&& body) {
  if (const uint32_t code = tfrtDoubleLibraryCall(function)) {
    return Fail(static_cast<cudnnStatus_t>(code), "a setting of the test double");
  }
  return body();
}

#define TFRT_DNN_RETURN_IF_FAILED(call)                                          \
  if (const cudnnStatus_t status_of_call = (call);                               \
      status_of_call != ::tfrt::gpu::cudnn::CUDNN_STATUS_SUCCESS) [[unlikely]] { \
    return status_of_call;                                                       \
  }

// A condition that arguments must meet: the text of one that they do not is that of the condition,
// as in the vendor's library.
#define TFRT_DNN_CHECK(condition)                                               \
  if (!(condition)) [[unlikely]] {                                              \
    return ::tfrt::gpu::cudnn_double::Fail(CUDNN_STATUS_BAD_PARAM, #condition); \
  }
#define TFRT_DNN_CHECK_SUPPORT(condition)                                           \
  if (!(condition)) [[unlikely]] {                                                  \
    return ::tfrt::gpu::cudnn_double::Fail(CUDNN_STATUS_NOT_SUPPORTED, #condition); \
  }

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_CALL_H_
