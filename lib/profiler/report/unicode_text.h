// Names as they come, whatever their bytes are, made fit to be shown.
#ifndef TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace tfrt::profiler {

inline constexpr char32_t kReplacement = 0xFFFD;

// The code point at `position`, which moves behind it; kReplacement for each byte that is not part
// of valid UTF-8.
char32_t NextCodePoint(std::string_view text, size_t& position);
void AppendUtf8(char32_t code_point, std::string& out);

// For terminals: what is invalid, moves the cursor, or changes the direction of writing becomes
// kReplacement.
std::string PrintableText(std::string_view text);
// How many columns of a terminal printable text takes.
size_t TextWidth(std::string_view text);
// At most `width` columns of it: beginning and end, with "…" between them.
std::string ShortenedText(std::string_view text, size_t width);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_
