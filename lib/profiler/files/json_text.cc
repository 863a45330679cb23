#include "json_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

#include "lib/profiler/utf8.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

void AppendHex(unsigned char byte, std::string* out) {
  *out += kDigits[byte >> 4];
  *out += kDigits[byte & 15];
}

// The value of a digit that AppendHex writes; -1: another character.
int DigitOf(char character) {
  const size_t digit = kDigits.find(character);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

}  // namespace

void AppendJsonText(std::string_view text, std::string* out) {
  *out += '"';
  while (!text.empty()) {
    size_t size = Utf8CharacterSize(text);
    const unsigned char first = static_cast<unsigned char>(text[0]);
    if (size == 0 || text.starts_with(kReplacement)) {
      size = 1;
      *out += kReplacement;
      AppendHex(first, out);
    } else if (first == '"' || first == '\\') {
      *out += '\\';
      *out += text[0];
    } else if (first < 0x20 || first == 0x7F) {
      *out += "\\u00";
      AppendHex(first, out);
    } else {
      out->append(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
  *out += '"';
}

std::string DecodeJsonText(std::string_view text) {
  std::string decoded;
  for (;;) {
    const size_t found = text.find(kReplacement);
    decoded += text.substr(0, found);
    if (found == std::string_view::npos) return decoded;
    text.remove_prefix(found + kReplacement.size());
    const int high = text.size() >= 2 ? DigitOf(text[0]) : -1;
    const int low = text.size() >= 2 ? DigitOf(text[1]) : -1;
    if (high < 0 || low < 0) {
      decoded += kReplacement;
    } else {
      decoded += static_cast<char>(high * 16 + low);
      text.remove_prefix(2);
    }
  }
}

void AppendMicroseconds(int64_t ns, std::string* out) {
  const uint64_t size = ns < 0 ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  if (ns < 0) *out += '-';
  *out += StrCat(size / 1000, ".");
  for (uint64_t unit = 100, rest = size % 1000; unit > 0; unit /= 10) {
    *out += static_cast<char>('0' + rest / unit % 10);
  }
}

void AppendJsonReal(double value, std::string* out) {
  if (!std::isfinite(value)) {
    // By its bits: there is more than one.
    *out += "\"real ";
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    for (int shift = 56; shift >= 0; shift -= 8) {
      AppendHex(static_cast<unsigned char>(bits >> shift & 0xFF), out);
    }
    *out += '"';
    return;
  }
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  const std::string_view digits(text, static_cast<size_t>(end - text));
  *out += digits;
  // An integer would lose the sign of -0.
  if (digits.find_first_of(".e") == std::string_view::npos) *out += ".0";
}

bool ParseSpecialReal(std::string_view text, double* value) {
  constexpr std::string_view kStart = "real ";
  if (!text.starts_with(kStart) || text.size() != kStart.size() + 16) return false;
  uint64_t bits = 0;
  text.remove_prefix(kStart.size());
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  *value = std::bit_cast<double>(bits);
  return true;
}

}  // namespace tfrt::profiler
