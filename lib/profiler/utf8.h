// Characters of texts of any bytes.
#ifndef TFRT_LIB_PROFILER_UTF8_H_
#define TFRT_LIB_PROFILER_UTF8_H_

#include <cstddef>
#include <string_view>

namespace tfrt::profiler {

// U+FFFD, which stands for what cannot be shown.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the size in bytes of the well-formed UTF-8 character with which `text` begins; 0: none.
size_t Utf8CharacterSize(std::string_view text);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_UTF8_H_
