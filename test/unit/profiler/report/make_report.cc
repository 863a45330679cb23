// Writes a report of made-up numbers, for the test in a browser and for people who work on pages.
//   make_report sample|hostile|ROWS html|json|text FILE
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lib/profiler/report/html_report.h"
#include "test/unit/profiler/report/sample_report.h"
#include "tfrt/profiler/figures.h"

int main(int argc, char** argv) {
  using namespace tfrt::profiler;
  if (argc != 4) {
    std::fputs("usage: make_report sample|hostile|ROWS html|json|text FILE\n", stderr);
    return 2;
  }
  const std::string what = argv[1], form = argv[2];
  const Report report = what == "sample"    ? SampleReport()
                        : what == "hostile" ? HostileReport()
                                            : LargeReport(std::strtoull(argv[1], nullptr, 10));
  if (form == "html") {
    const tfrt::Status status = WriteHtmlReport(report, argv[3]);
    if (!status.ok()) std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    return status.ok() ? 0 : status.code() == tfrt::StatusCode::kUnimplemented ? 77 : 1;
  }
  std::FILE* file = std::fopen(argv[3], "wb");
  if (!file) return 1;
  const std::string text = form == "json" ? ReportJson(report) : ReportText(report);
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && is_written ? 0 : 1;
}
