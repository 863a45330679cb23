// The sources that are registered.
#ifndef TFRT_LIB_PROFILER_COLLECT_SOURCES_H_
#define TFRT_LIB_PROFILER_COLLECT_SOURCES_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/profiler/source.h"

namespace tfrt::profiler {

struct NamedSource {
  std::string name;
  std::unique_ptr<Source> source;
};
// Whether there is one of this name, and a new one of each. Any thread.
bool HasSource(std::string_view name);
std::vector<NamedSource> MakeSources();

// Opens the plug-ins that have not been opened yet. What is wrong with them, a text each, also the
// second time. Any thread.
std::vector<std::string> OpenSourcePlugins();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_SOURCES_H_
