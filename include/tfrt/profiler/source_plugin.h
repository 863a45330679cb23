// Plug-ins with sources: libraries that sessions open automatically, so that a program collects
// data of libraries that it does not link.
#ifndef TFRT_PROFILER_SOURCE_PLUGIN_H_
#define TFRT_PROFILER_SOURCE_PLUGIN_H_

#include <string_view>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/source.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// A session opens these plug-ins when it starts, once in a process:
// - tfrt_gpu_profiler.so, if it is among the program's modules (lib/base/support/open_module.h),
// and if
//   the program exports its symbols, as programs that open tfrt_gpu.so do. It is not opened if the
//   program has registered a source "cupti" itself.
// - the files that the environment variable TFRT_PROFILER_PLUGINS names, separated by colons
//   (ignored in a program with more rights than its user).
// Each has a function
//
//   extern "C" void RegisterProfilerSources(tfrt::profiler::SourceRegistrar registrar);
//
// which registers its sources. A plug-in that cannot be opened is reported in the profile, as a
// Problem::Kind::kUnavailable.
using SourceRegistrar = void (*)(std::string_view name, SourceFactory factory);
inline constexpr char kSourcePluginEntry[] = "RegisterProfilerSources";

// Additional functions of the plug-in of GPUs, which it provides by
//
//   extern "C" const tfrt::profiler::DeviceTools* GetDeviceTools();
struct DeviceTools {
  // Lists the counters of a chip for each quantity. Fails with InvalidArgument for an unknown chip,
  // and with NotFound without the vendor's library.
  StatusOr<Table> (*list_metrics)(std::string_view chip);
  // Lists the available and the missing parts for profiling on this machine.
  Table (*states)();
};
inline constexpr char kDeviceToolsEntry[] = "GetDeviceTools";

// Opens tfrt_gpu_profiler.so. Fails with Unavailable and the reason if it is missing, or if this
// program does not export its symbols.
StatusOr<const DeviceTools*> OpenDeviceTools();

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SOURCE_PLUGIN_H_
