// Numbers as text with a decimal point, whatever locale the program has set.
#ifndef TFRT_LIB_BASE_SUPPORT_DECIMAL_TEXT_H_
#define TFRT_LIB_BASE_SUPPORT_DECIMAL_TEXT_H_

#include <charconv>
#include <string>

namespace tfrt {

// Returns what printf writes in the C locale: "%.*f" for fixed, "%.*e" for scientific, "%.*g" for
// general. `precision` is at most 40. Thread-safe; never reads the locale.
std::string DecimalText(double number, std::chars_format format, int precision);

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_DECIMAL_TEXT_H_
