// JSON texts of any bytes.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_TEXT_H_
#define TFRT_LIB_PROFILER_FILES_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tfrt::profiler {

// Appends `text` in quotes, as valid JSON and UTF-8 whatever bytes it has. What is no UTF-8, and
// the character U+FFFD itself, becomes U+FFFD and two hexadecimal digits for each byte, which
// DecodeJsonText undoes.
void AppendJsonText(std::string_view text, std::string* out);
std::string DecodeJsonText(std::string_view text);

// Nanoseconds as microseconds, with three digits behind the point: exact.
void AppendMicroseconds(int64_t ns, std::string* out);
// A number with an exact text; NaN and infinities as texts, which JSON has no numbers for.
void AppendJsonReal(double value, std::string* out);
// What AppendJsonReal wrote as a text. False: something else.
bool ParseSpecialReal(std::string_view text, double* value);

// How many bytes of a well-formed UTF-8 character `text` begins with; 0: none.
size_t Utf8CharacterSize(std::string_view text);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_TEXT_H_
