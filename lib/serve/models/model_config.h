// ModelConfig: the options of one model, from the file config.pbtxt in its folder.
#ifndef TFRT_LIB_SERVE_MODELS_MODEL_CONFIG_H_
#define TFRT_LIB_SERVE_MODELS_MODEL_CONFIG_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"

namespace tfrt::serve {

struct ModelConfig {
  // The rows that one run may have; 0: requests never share a run. Without a value a model whose
  // first dimensions are named as batches gets ModelLimits::max_batch_size, which is 0 by default.
  std::optional<int64_t> max_batch_size;
  // How long a request may wait for others while a session is idle.
  std::chrono::microseconds max_queue_delay{0};
  // How many requests may wait; nullopt: ModelLimits::max_queue_size.
  std::optional<int64_t> max_queue_size;
  // Applies to requests without a deadline; 0: none.
  std::chrono::microseconds default_timeout{0};
  // How many runs may be in flight at once; nullopt: ModelLimits::num_sessions.
  std::optional<int64_t> num_sessions;

  // The versions of the folder that are served: all, those of the list, or the latest.
  bool all_versions = false;
  std::vector<int64_t> versions;
  int64_t num_latest = 1;
};

// Parses the text format of protocol buffers, of which these fields are read:
//   name: "M"                                  must be `name`
//   max_batch_size: 16
//   dynamic_batching { max_queue_delay_microseconds: 500
//     default_queue_policy { max_queue_size: 64 default_timeout_microseconds: 100000 } }
//   instance_group [ { count: 2 kind: KIND_CPU } ]
//   version_policy: { latest { num_versions: 2 } }  or { all {} }, { specific { versions: [1] } }
// The fields platform, backend, input, output and default_model_filename are skipped: the model's
// file tells. Fails with InvalidArgument "config.pbtxt:LINE: ..." for others.
StatusOr<ModelConfig> ParseModelConfig(std::string_view text, std::string_view name);

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_MODEL_CONFIG_H_
