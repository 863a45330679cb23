// tfrt_prof eager, xsp, report, compare, diff: from profiles to reports.
#ifndef TFRT_TOOLS_TFRT_PROF_ANALYSES_H_
#define TFRT_TOOLS_TFRT_PROF_ANALYSES_H_

#include <string>
#include <vector>

#include "command_line.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// The profiles among these: files as they are, and of folders all files with an ending of profiles,
// by name. NotFound for a path that is not there, and a folder without any.
StatusOr<std::vector<std::string>> FindProfiles(const std::vector<std::string>& paths);

// The report of the command. Errors name the file that they are about.
StatusOr<Report> MakeReport(const CommandLine& line);
// Reports the cost of recording at each level.
StatusOr<Report> MakeRecordingReport(const std::vector<std::string>& paths);

}  // namespace tfrt::profiler

#endif  // TFRT_TOOLS_TFRT_PROF_ANALYSES_H_
