#include "decimal_text.h"

#include <array>
#include <cassert>

namespace tfrt {

std::string DecimalText(double number, std::chars_format format, int precision) {
  assert(precision <= 40);
  std::array<char, 384> text;  // the largest number has 309 digits before its point
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), number, format, precision);
  assert(error == std::errc());
  return {text.data(), end};
}

}  // namespace tfrt
