// The command line of tfrt_run.
#ifndef TFRT_TOOLS_TFRT_RUN_COMMAND_LINE_H_
#define TFRT_TOOLS_TFRT_RUN_COMMAND_LINE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tfrt/maths/compute_backend.h"

namespace tfrt {

struct CommandLine {
  std::string model;
  std::vector<std::string> inputs, outputs, expected;  // "NAME=FILE" or "FILE": see FindValue
  std::string compared;                                // file of another model; empty: none
  bool random = false;
  uint32_t seed = 1;
  std::map<std::string, int64_t> dims;                 // sizes by name, for random inputs
  std::map<std::string, std::vector<int64_t>> shapes;  // by input
  bool bench = false;
  bool profile = false;
  std::string record;  // file of a profile; empty: none
  std::string level = "kernel";
  int num_runs = 0;  // 0: as many as take a second, at least 10
  int num_threads = 1;
  bool has_tolerance = false;  // one of the two is given
  double absolute_tolerance = 1e-5;
  double relative_tolerance = 1e-4;
  std::vector<std::string> shared_libs;  // with further kernels
  ComputeBackend compute_backend = ComputeBackend::kAuto;
  bool paths = false;
};

// Empty if the program is to end with `exit_code`; what there is to say has been printed.
std::optional<CommandLine> ParseCommandLine(int argc, const char* const* argv, int* exit_code);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_COMMAND_LINE_H_
