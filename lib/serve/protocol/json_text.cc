#include "json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace tfrt::serve {
namespace {

template <typename T>
void AppendDigits(T number, std::string* out) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof(digits), number);
  out->append(digits, result.ptr);
}

// More than any number takes, as AppendReals writes it, with a comma.
constexpr size_t kMaxRealBytes = 32;

// Writes the number to where kMaxRealBytes are, and returns the end. Readers take texts without '.'
// and 'e' for integers. These have no -0, and are often of 64 bits.
template <typename T>
char* WriteReal(T number, char* out) {
  char* end = std::to_chars(out, out + kMaxRealBytes, number).ptr;
  constexpr T kLargest = 1LL << 62;
  // Few numbers have to be looked at once more.
  const bool may_be_misread = number == 0 ? std::signbit(number) : std::abs(number) >= kLargest;
  if (may_be_misread && std::string_view(out, end).find_first_of(".e") == std::string_view::npos) {
    *end++ = '.';
    *end++ = '0';
  }
  return end;
}

// Appends numbers with commas between. Returns false at the first that is not finite.
template <typename T>
bool AppendReals(std::span<const T> numbers, std::string* out) {
  constexpr size_t kAtOnce = 256;
  // Usual digits of so many numbers are not copied again while the text grows.
  constexpr size_t kMaxReserved = size_t{1} << 20;
  constexpr size_t kUsualBytes = sizeof(T) == 4 ? 12 : 20;
  out->reserve(out->size() + std::min(numbers.size(), kMaxReserved) * kUsualBytes);
  char chunk[kAtOnce * kMaxRealBytes];
  while (!numbers.empty()) {
    char* end = chunk;
    const size_t count = std::min(numbers.size(), kAtOnce);
    for (T number : numbers.first(count)) {
      if (!std::isfinite(number)) return false;
      end = WriteReal(number, end);
      *end++ = ',';
    }
    numbers = numbers.subspan(count);
    out->append(chunk, end - (numbers.empty() ? 1 : 0));
  }
  return true;
}

// The size of the UTF-8 character that the text begins with; 0: there is none.
size_t CharacterSize(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Longer than needed, surrogates, above U+10FFFF.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return size;
}

}  // namespace

void JsonText::Separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

JsonText& JsonText::Open(char bracket) {
  Separate();
  text_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonText& JsonText::Close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonText& JsonText::Key(std::string_view key) {
  Separate();
  text_ += '"';
  text_ += key;
  text_ += "\":";
  needs_comma_ = false;
  return *this;
}

JsonText& JsonText::Text(std::string_view text) {
  Separate();
  text_ += '"';
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    const char c = text.front();
    if (size == 0) {
      text_ += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += "\\u00";
      text_ += "0123456789abcdef"[c >> 4];
      text_ += "0123456789abcdef"[c & 15];
    } else {
      text_ += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  text_ += '"';
  return *this;
}

JsonText& JsonText::Bool(bool value) {
  Separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonText& JsonText::Signed(int64_t number) {
  Separate();
  AppendDigits(number, &text_);
  return *this;
}

JsonText& JsonText::Unsigned(uint64_t number) {
  Separate();
  AppendDigits(number, &text_);
  return *this;
}

JsonText& JsonText::Number(double number) {
  Separate();
  char digits[kMaxRealBytes];
  text_.append(digits, WriteReal(number, digits));
  return *this;
}

JsonText& JsonText::Number(float number) {
  Separate();
  char digits[kMaxRealBytes];
  text_.append(digits, WriteReal(number, digits));
  return *this;
}

bool JsonText::Numbers(std::span<const double> numbers) {
  if (!numbers.empty()) Separate();
  return AppendReals(numbers, &text_);
}

bool JsonText::Numbers(std::span<const float> numbers) {
  if (!numbers.empty()) Separate();
  return AppendReals(numbers, &text_);
}

}  // namespace tfrt::serve
