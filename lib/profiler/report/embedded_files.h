// The files that are embedded in this library: those of the page and the modules of Vega.
#ifndef TFRT_LIB_PROFILER_REPORT_EMBEDDED_FILES_H_
#define TFRT_LIB_PROFILER_REPORT_EMBEDDED_FILES_H_

#include <span>
#include <string_view>

namespace tfrt::profiler {

struct EmbeddedFile {
  std::string_view name;  // "page.css", "vega-util", "licence"
  std::string_view bytes;
};

// Vega's modules ("vega-...") are in order of their dependencies.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_EMBEDDED_FILES_H_
