#include "sources.h"

#include <functional>
#include <map>
#include <mutex>
#include <string_view>

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

}  // namespace

void RegisterSource(std::string_view name, SourceFactory factory) {
  Factories& factories = AllFactories();
  std::lock_guard lock(factories.mutex);
  factories.by_name.insert_or_assign(std::string(name), factory);
}

bool HasSource(std::string_view name) {
  Factories& factories = AllFactories();
  std::lock_guard lock(factories.mutex);
  return factories.by_name.contains(name);
}

std::vector<NamedSource> MakeSources() {
  Factories& factories = AllFactories();
  std::lock_guard lock(factories.mutex);
  std::vector<NamedSource> sources;
  for (const auto& [name, make] : factories.by_name) sources.push_back({name, make()});
  return sources;
}

}  // namespace tfrt::profiler
