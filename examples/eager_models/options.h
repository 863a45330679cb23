// What the command line of eager_models says.
#ifndef TFRT_EXAMPLES_EAGER_MODELS_OPTIONS_H_
#define TFRT_EXAMPLES_EAGER_MODELS_OPTIONS_H_

#include <cstdint>
#include <string>

#include "tfrt/eager/context.h"
#include "tfrt/support/status.h"

namespace eager_models {

struct Options {
  std::string model = "lenet";
  int64_t batch = 1;
  std::string mode = "sync";  // or "async-dataflow", "async-fifo"
  int64_t num_steps = 3;
  int64_t num_threads = 0;  // 0: as many as the machine has

  tfrt::eager::ExecutionMode execution_mode() const;
  tfrt::eager::ExecutionOrder execution_order() const;
};

// `--name=value` or `--name value`. InvalidArgument that says what is wrong.
tfrt::StatusOr<Options> ParseOptions(int argc, char** argv);

}  // namespace eager_models

#endif  // TFRT_EXAMPLES_EAGER_MODELS_OPTIONS_H_
