// tfrt_prof record: runs a program with the environment that makes it write profiles.
#ifndef TFRT_TOOLS_TFRT_PROF_RECORD_H_
#define TFRT_TOOLS_TFRT_PROF_RECORD_H_

#include <string>
#include <vector>

#include "command_line.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Runs it for each batch, level and repetition, one after the other, so that what slows the machine
// down for a while meets all levels. The profiles. Its standard output is the program's. An error
// if the program cannot be run, fails, or leaves no profile.
StatusOr<std::vector<std::string>> Record(const CommandLine& line);

}  // namespace tfrt::profiler

#endif  // TFRT_TOOLS_TFRT_PROF_RECORD_H_
