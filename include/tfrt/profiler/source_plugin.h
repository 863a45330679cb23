// Plug-ins with sources: libraries that sessions open by themselves, so that a program collects
// what it does not link.
#ifndef TFRT_PROFILER_SOURCE_PLUGIN_H_
#define TFRT_PROFILER_SOURCE_PLUGIN_H_

#include <string_view>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/source.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// When a session starts, it opens, once in a process:
// - tfrt_gpu_profiler.so, if that file is where the program's modules are
//   (tfrt/support/open_module.h), and the program exports its symbols, as those that open
//   tfrt_gpu.so do, and has not registered a source "cupti" itself;
// - the files that the environment variable TFRT_PROFILER_PLUGINS names, with colons between them
//   (which a program with more rights than its user does not look at).
// Each has a function
//
//   extern "C" void RegisterProfilerSources(tfrt::profiler::SourceRegistrar registrar);
//
// which registers its sources. What cannot be opened is told in the trace, as a
// Problem::Kind::kUnavailable.
using SourceRegistrar = void (*)(std::string_view name, SourceFactory factory);
inline constexpr char kSourcePluginEntry[] = "RegisterProfilerSources";

// What the plug-in of GPUs knows besides: it has a function
//
//   extern "C" const tfrt::profiler::DeviceTools* GetDeviceTools();
struct DeviceTools {
  // Which counters a chip has for which quantities. InvalidArgument for an unknown chip, NotFound
  // without the vendor's library.
  StatusOr<Table> (*list_metrics)(std::string_view chip);
  // What there is for profiling on this machine, and what is missing.
  Table (*states)();
};
inline constexpr char kDeviceToolsEntry[] = "GetDeviceTools";

// Opens tfrt_gpu_profiler.so. Unavailable with the reason if there is none, or if this program does
// not export its symbols.
StatusOr<const DeviceTools*> OpenDeviceTools();

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SOURCE_PLUGIN_H_
