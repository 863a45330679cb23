// Replaces html_report.cc in builds without Vega.
#include <string>

#include "html_report.h"

namespace tfrt::profiler {

Status WriteHtmlReport(const Report& report, const std::string& path) {
  return UnimplementedError(
      "this build writes no HTML reports: libjs-vega was not installed when it was configured");
}

}  // namespace tfrt::profiler
