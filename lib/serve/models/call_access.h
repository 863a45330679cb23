// CallAccess: facts about one answered call, for logs and metrics. Plain data.
#ifndef TFRT_LIB_SERVE_MODELS_CALL_ACCESS_H_
#define TFRT_LIB_SERVE_MODELS_CALL_ACCESS_H_

#include <chrono>
#include <cstddef>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::serve {

// One call of gRPC, or one request of a stream. The views are valid while it is reported.
struct CallAccess {
  std::string_view method;          // "/package.Service/Method"
  std::string_view model, version;  // a model's that was found; otherwise the version is empty
  StatusCode code = StatusCode::kOk;
  size_t received_bytes = 0, sent_bytes = 0;  // of the messages
  std::chrono::nanoseconds duration{};        // from the complete message to the answer
  bool is_inference = false, is_health = false;
  // Set if the call failed, or all calls are logged.
  std::string_view id, peer;
  std::string_view trace_parent;  // value of the metadata, unchecked; or empty
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_CALL_ACCESS_H_
