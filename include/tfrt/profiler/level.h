// Level: how deep a session looks.
#ifndef TFRT_PROFILER_LEVEL_H_
#define TFRT_PROFILER_LEVEL_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

enum class Level : uint8_t {
  kModel,    // runs of models and functions
  kLayer,    // and their ops
  kKernel,   // and kernels, of the CPU and of devices, calls of libraries, queues
  kMetrics,  // and counters of the hardware, which may slow down what is measured by far
};

inline constexpr size_t kNumLevels = 4;

// "model", "layer", "kernel", "metrics".
std::string_view LevelName(Level level);
// InvalidArgument with all four for any other text.
StatusOr<Level> ParseLevel(std::string_view name);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_LEVEL_H_
