#include "tfrt/profiler/level.h"

#include <array>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr std::array<std::string_view, kNumLevels> kNames = {"model", "layer", "kernel", "metrics"};

}  // namespace

std::string_view LevelName(Level level) { return kNames[static_cast<size_t>(level)]; }

StatusOr<Level> ParseLevel(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<Level>(i);
  }
  return InvalidArgumentError(
      StrCat("there is no level '", name, "': it is model, layer, kernel or metrics"));
}

}  // namespace tfrt::profiler
