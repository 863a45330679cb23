// JSON texts of any bytes.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_TEXT_H_
#define TFRT_LIB_PROFILER_FILES_JSON_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace tfrt::profiler {

// Appends `text` in quotes, as valid JSON and UTF-8 for any bytes. Bytes that are not UTF-8, and
// the character U+FFFD itself, become U+FFFD and two hexadecimal digits for each byte.
// DecodeJsonText undoes that.
void AppendJsonText(std::string_view text, std::string* out);
std::string DecodeJsonText(std::string_view text);

// Appends nanoseconds as microseconds, with three digits after the point: exact.
void AppendMicroseconds(int64_t ns, std::string* out);
// Appends a number with an exact text. NaN and infinities, for which JSON has no numbers, become
// texts.
void AppendJsonReal(double value, std::string* out);
// Parses such a text of AppendJsonReal. Returns false for any other text.
bool ParseSpecialReal(std::string_view text, double* value);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_TEXT_H_
