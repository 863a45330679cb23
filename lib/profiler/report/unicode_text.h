// Makes names of any bytes fit to be shown.
#ifndef TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace tfrt::profiler {

inline constexpr char32_t kReplacement = 0xFFFD;

// Returns the code point at `position`, and moves that after it. Returns kReplacement for each byte
// that is not part of valid UTF-8.
char32_t NextCodePoint(std::string_view text, size_t& position);
void AppendUtf8(char32_t code_point, std::string& out);

// Returns text for terminals. Characters that are invalid, move the cursor, or change the direction
// of writing become kReplacement.
std::string PrintableText(std::string_view text);
// Returns how many columns of a terminal printable text takes.
size_t TextWidth(std::string_view text);
// Returns at most `width` columns of the text: beginning and end, with "…" between them.
std::string ShortenedText(std::string_view text, size_t width);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_UNICODE_TEXT_H_
