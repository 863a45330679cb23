// tfrt_prof: records programs, and makes figures of what was recorded.

#include <cstdio>
#include <string>
#include <vector>

#include "analyses.h"
#include "command_line.h"
#include "doctor.h"
#include "files.h"
#include "lib/profiler/report/html_report.h"
#include "record.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

void Print(const Report& report, const CommandLine& line) {
  const std::string text = line.json ? ReportJson(report) : ReportText(report, line.all_rows);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (line.json) std::fputc('\n', stdout);
}

// The last line, on standard error, where it is in nobody's way.
void NameFiles(const std::vector<std::string>& paths) {
  constexpr size_t kFew = 8;
  std::string text = "tfrt_prof: wrote";
  for (size_t i = 0; i < paths.size() && i < kFew; ++i)
    text += StrCat(i == 0 ? " " : ", ", paths[i]);
  if (paths.size() > kFew) text += StrCat(" and ", paths.size() - kFew, " more");
  std::fprintf(stderr, "%s\n", text.c_str());
}

Status RecordAndTell(const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> paths, Record(line));
  std::fflush(stdout);
  if (line.json || paths.size() > 1) {
    TFRT_ASSIGN_OR_RETURN(Report report, MakeRecordingReport(paths));
    Print(report, line);
  }
  NameFiles(paths);
  return OkStatus();
}

Status AnalyzeAndTell(const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(Report report, MakeReport(line));
  if (line.output.empty()) {
    Print(report, line);
    return OkStatus();
  }
  TFRT_RETURN_IF_ERROR(WriteHtmlReport(report, line.output));
  if (line.json) Print(report, line);
  NameFiles({line.output});
  return OkStatus();
}

Status PrintReport(StatusOr<Report> report, const CommandLine& line) {
  if (!report.ok()) return report.status();
  Print(*report, line);
  return OkStatus();
}

Status Run(const CommandLine& line) {
  switch (line.command) {
    case Command::kRecord:
      return RecordAndTell(line);
    case Command::kEager:
    case Command::kXsp:
    case Command::kReport:
    case Command::kCompare:
    case Command::kDiff:
      return AnalyzeAndTell(line);
    case Command::kQuery:
      return PrintReport(Query(line), line);
    case Command::kExport:
      TFRT_RETURN_IF_ERROR(Export(line));
      NameFiles({line.output});
      return OkStatus();
    case Command::kFleetMerge:
      TFRT_RETURN_IF_ERROR(MergeIntoPprof(line));
      NameFiles({line.output});
      return OkStatus();
    case Command::kFleetDiff:
    case Command::kFleetTop:
      return PrintReport(ComparePprofs(line), line);
    case Command::kMetrics:
      return PrintReport(ListChipMetrics(line.chip), line);
    case Command::kDoctor:
      return PrintReport(Examine(), line);
  }
  return InternalError("no such command");
}

}  // namespace
}  // namespace tfrt::profiler

int main(int argc, char** argv) {
  using namespace tfrt::profiler;
  int exit_code = 0;
  std::optional<CommandLine> line = ParseCommandLine(argc, argv, &exit_code);
  if (!line) return exit_code;
  tfrt::Status status = Run(*line);
  if (status.ok() && (std::fflush(stdout) != 0 || std::ferror(stdout))) {
    status = tfrt::InternalError("cannot write to standard output");
  }
  if (status.ok()) return 0;
  std::fprintf(stderr, "tfrt_prof: %s\n", std::string(status.message()).c_str());
  return 1;
}
