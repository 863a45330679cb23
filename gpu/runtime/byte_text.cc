#include "byte_text.h"

#include <cstdio>

namespace tfrt::gpu::internal {

std::string ByteText(size_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.1f%s" : "%.2f%s", value, kUnits[unit]);
  return text;
}

}  // namespace tfrt::gpu::internal
