#include "byte_text.h"

#include <iterator>
#include <string>

#include "lib/base/support/decimal_text.h"

namespace tfrt::gpu::internal {

std::string ByteText(size_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes);
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return DecimalText(value, std::chars_format::fixed, unit == 0 ? 1 : 2) + kUnits[unit];
}

}  // namespace tfrt::gpu::internal
