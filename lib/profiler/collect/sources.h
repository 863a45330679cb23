// The registered sources.
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
// Return whether a source of this name is registered, and a new one of each. Any thread may call
// them.
bool HasSource(std::string_view name);
std::vector<NamedSource> MakeSources();

// Opens the plug-ins that have not been opened yet. Returns a text for each fault, also the second
// time. Any thread may call it.
std::vector<std::string> OpenSourcePlugins();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_SOURCES_H_
