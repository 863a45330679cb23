#include "sources.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "tfrt/profiler/source_plugin.h"
#include "tfrt/support/open_module.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

struct Factories {
  std::mutex mutex;
  std::map<std::string, SourceFactory, std::less<>> by_name;
};

// Never destroyed: sessions may end after it would be.
Factories& AllFactories() {
  static auto* const factories = new Factories;
  return *factories;
}

bool IsRegistered(std::string_view name) {
  Factories& factories = AllFactories();
  std::lock_guard lock(factories.mutex);
  return factories.by_name.contains(name);
}

std::vector<std::string> PluginPaths() {
  std::vector<std::string> paths;
  // Not for programs that have linked it, nor for those that share nothing with plug-ins: they open
  // no tfrt_gpu.so either.
  if (!IsRegistered("cupti") && dlsym(RTLD_DEFAULT, "tfrt_shares_device_observer")) {
    if (std::string path = FindModule("tfrt_gpu_profiler.so"); !path.empty()) {
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

// What is wrong; empty if nothing is.
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

void RegisterSource(std::string_view name, SourceFactory factory) {
  Factories& factories = AllFactories();
  std::lock_guard lock(factories.mutex);
  factories.by_name.insert_or_assign(std::string(name), factory);
}

std::vector<NamedSource> MakeSources() {
  Factories& factories = AllFactories();
  std::lock_guard lock(factories.mutex);
  std::vector<NamedSource> sources;
  for (const auto& [name, make] : factories.by_name) sources.push_back({name, make()});
  return sources;
}

}  // namespace tfrt::profiler
