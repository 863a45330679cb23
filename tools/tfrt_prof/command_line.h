// The command line of tfrt_prof.
#ifndef TFRT_TOOLS_TFRT_PROF_COMMAND_LINE_H_
#define TFRT_TOOLS_TFRT_PROF_COMMAND_LINE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tfrt/profiler/level.h"

namespace tfrt::profiler {

enum class Command : uint8_t {
  kRecord,
  kEager,
  kXsp,
  kReport,
  kCompare,
  kDiff,
  kQuery,
  kExport,
  kFleetMerge,
  kFleetDiff,
  kFleetTop,
  kMetrics,
  kDoctor,
};

struct CommandLine {
  Command command = Command::kDoctor;
  std::vector<std::string> inputs;   // profile files and folders of them
  std::vector<std::string> before;   // of `diff`, the others are behind it
  std::vector<std::string> program;  // of `record`: its path and arguments
  std::string output;                // file or folder; empty: none
  std::string sql;
  std::string format;                   // of `export`; empty: by the output's ending
  std::vector<std::string> properties;  // of `export`: KEY=VALUE each
  std::string chip;
  bool json = false;
  bool all_rows = false;
  // record
  std::vector<Level> levels = {Level::kKernel};
  std::vector<int64_t> batches;
  int64_t runs = 1;
  int64_t buffer_megabytes = 64;
  bool measures_peaks = true;
  // Analyses
  std::vector<int> analyses;  // empty: all
  std::string model, system, baseline;
  int64_t batch = 0;
  double latency_target_ms = 0;
  size_t top = 10;
  int64_t timeout_ms = 0;  // of `query`
};

// Empty if the program is to end with `exit_code`; what there is to say has been printed.
std::optional<CommandLine> ParseCommandLine(int argc, const char* const* argv, int* exit_code);

}  // namespace tfrt::profiler

#endif  // TFRT_TOOLS_TFRT_PROF_COMMAND_LINE_H_
