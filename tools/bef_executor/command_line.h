// The command line of the bef_executor tools.
#ifndef TFRT_TOOLS_BEF_EXECUTOR_COMMAND_LINE_H_
#define TFRT_TOOLS_BEF_EXECUTOR_COMMAND_LINE_H_

#include <optional>
#include <string>

#include "lib/compat/bef_run/bef_executor.h"
#include "tfrt/maths/compute_backend.h"

namespace tfrt {

struct CommandLine {
  BefExecutorOptions options;
  bool enable_tracing = false;
  tracing::Level tracing_level = tracing::Level::kDefault;
  std::string trace_file;  // empty: no Chrome trace
  std::string record;      // file of a profile; empty: none
  std::string level = "kernel";
  ComputeBackend compute_backend = ComputeBackend::kAuto;
};

// Options may start with one dash or two. On --help, --version and bad options prints what there is
// to say and returns the exit code instead.
struct CommandLineResult {
  CommandLine command_line;
  std::optional<int> exit_code;
};
CommandLineResult ParseCommandLine(int argc, const char* const* argv);

}  // namespace tfrt

#endif  // TFRT_TOOLS_BEF_EXECUTOR_COMMAND_LINE_H_
