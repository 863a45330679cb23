#include "tfrt/profiler/source_plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/support/open_module.h"
#include "sources.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr char kGpuPlugin[] = "tfrt_gpu_profiler.so";

// Whether plug-ins find in this program what they need.
bool SharesItsSymbols() { return dlsym(RTLD_DEFAULT, "tfrt_shares_device_observer") != nullptr; }

std::vector<std::string> PluginPaths() {
  std::vector<std::string> paths;
  // Not for programs that have linked it, nor for those that share nothing with plug-ins: they open
  // no tfrt_gpu.so either.
  if (!HasSource("cupti") && SharesItsSymbols()) {
    if (std::string path = FindModule(kGpuPlugin); !path.empty()) {
      paths.push_back(std::move(path));
    }
  }
  const char* named = secure_getenv("TFRT_PROFILER_PLUGINS");
  for (std::string_view rest = named ? named : ""; !rest.empty();) {
    const std::string_view path = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), path.size() + 1));
    if (!path.empty()) paths.emplace_back(path);
  }
  return paths;
}

// Returns an error text; empty if the plug-in was opened.
std::string OpenPlugin(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return StrCat("cannot open the plug-in ", path, ": ", dlerror());
  void* found = dlsym(library, kSourcePluginEntry);
  if (!found) return StrCat("the plug-in ", path, " has no function ", kSourcePluginEntry);
  void (*entry)(SourceRegistrar) = nullptr;
  std::memcpy(&entry, &found, sizeof(found));
  entry(RegisterSource);
  return {};
}

}  // namespace

std::vector<std::string> OpenSourcePlugins() {
  static std::mutex mutex;
  static auto& opened = *new std::set<std::string>;  // under mutex
  std::lock_guard lock(mutex);
  std::vector<std::string> errors;
  for (const std::string& path : PluginPaths()) {
    if (opened.contains(path)) continue;
    std::string error = OpenPlugin(path);
    if (error.empty()) {
      opened.insert(path);
    } else {
      errors.push_back(std::move(error));
    }
  }
  return errors;
}

StatusOr<const DeviceTools*> OpenDeviceTools() {
  if (!SharesItsSymbols()) {
    return UnavailableError(
        StrCat(kGpuPlugin, " finds nothing in a program that does not export its symbols"));
  }
  TFRT_ASSIGN_OR_RETURN(void* library, OpenModule(kGpuPlugin));
  void* found = dlsym(library, kDeviceToolsEntry);
  if (!found) return UnavailableError(StrCat(kGpuPlugin, " has no function ", kDeviceToolsEntry));
  const DeviceTools* (*entry)() = nullptr;
  std::memcpy(&entry, &found, sizeof(found));
  return entry();
}

}  // namespace tfrt::profiler
