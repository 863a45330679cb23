#ifndef TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_
#define TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_

#include <string>

#include "lib/base/support/decimal_text.h"

namespace tfrt::profiler::internal {

// Formats a number of things, which is usually whole.
inline std::string NumberText(double value) {
  return DecimalText(value, std::chars_format::general, 15);
}

}  // namespace tfrt::profiler::internal

#endif  // TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_
