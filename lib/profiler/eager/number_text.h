#ifndef TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_
#define TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_

#include <string>

#include "tfrt/support/decimal_text.h"

namespace tfrt::profiler::internal {

// A number of things, which as a rule is whole.
inline std::string NumberText(double value) {
  return DecimalText(value, std::chars_format::general, 15);
}

}  // namespace tfrt::profiler::internal

#endif  // TFRT_LIB_PROFILER_EAGER_NUMBER_TEXT_H_
