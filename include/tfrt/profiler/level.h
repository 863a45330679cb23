// Level: how deep a session records.
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
  kMetrics,  // and counters of the hardware, which may slow the measured work down considerably
};

inline constexpr size_t kNumLevels = 4;

// Returns "model", "layer", "kernel" or "metrics".
std::string_view LevelName(Level level);
// Fails with InvalidArgument, naming all four, for any other text.
StatusOr<Level> ParseLevel(std::string_view name);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_LEVEL_H_
