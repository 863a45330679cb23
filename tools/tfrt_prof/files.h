// tfrt_prof query, export, fleet: profiles as files of other formats, and questions to them.
#ifndef TFRT_TOOLS_TFRT_PROF_FILES_H_
#define TFRT_TOOLS_TFRT_PROF_FILES_H_

#include "command_line.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// The rows of one SELECT.
StatusOr<Report> Query(const CommandLine& line);
Status Export(const CommandLine& line);
// fleet diff, fleet top.
StatusOr<Report> ComparePprofs(const CommandLine& line);
Status MergeIntoPprof(const CommandLine& line);

}  // namespace tfrt::profiler

#endif  // TFRT_TOOLS_TFRT_PROF_FILES_H_
