// Makes names of any bytes fit to be shown.
#ifndef TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace tfrt::profiler {

// Returns text for terminals. Characters that are invalid, move the cursor, or change the direction
// of writing become U+FFFD.
std::string PrintableText(std::string_view text);
// Returns how many columns of a terminal printable text takes.
size_t TextWidth(std::string_view text);
// Returns at most `width` columns of the text: beginning and end, with "…" between them.
std::string ShortenedText(std::string_view text, size_t width);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_
