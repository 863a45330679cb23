// Reports as pages: one file that a browser opens from disk, without a network.
#ifndef TFRT_LIB_PROFILER_REPORT_HTML_REPORT_H_
#define TFRT_LIB_PROFILER_REPORT_HTML_REPORT_H_

#include <cstddef>
#include <string>

#include "tfrt/profiler/figures.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Writes the page of a report: charts, tables, doubts, and all scripts that they need. The same
// report gives the same bytes. A table of more than kMaxHtmlRows rows is thinned; the page reports
// it. Returns the error of the file system, or Unimplemented if this build is without Vega.
Status WriteHtmlReport(const Report& report, const std::string& path);

inline constexpr size_t kMaxHtmlRows = 200'000;

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_HTML_REPORT_H_
