#ifndef TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_
#define TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace tfrt::profiler::internal {

// By one conversion of printf for a double, whose text is short: "%.1f".
inline std::string Formatted(const char* format, double value) {
  char text[64];
  const int size = std::snprintf(text, sizeof(text), format, value);
  return std::string(text, static_cast<size_t>(std::clamp<int>(size, 0, sizeof(text) - 1)));
}

// A number of things, which as a rule is whole.
inline std::string NumberText(double value) { return Formatted("%.15g", value); }

}  // namespace tfrt::profiler::internal

#endif  // TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_
