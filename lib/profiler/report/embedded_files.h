// The files that are part of this library: those of the page and the modules of Vega.
#ifndef TFRT_LIB_PROFILER_REPORT_EMBEDDED_FILES_H_
#define TFRT_LIB_PROFILER_REPORT_EMBEDDED_FILES_H_

#include <span>
#include <string_view>

namespace tfrt::profiler {

struct EmbeddedFile {
  std::string_view name;  // "page.css", "vega-util", "licence"
  std::string_view bytes;
};

// Vega's modules ("vega-...") are in an order in which each comes after those that it needs.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_EMBEDDED_FILES_H_
