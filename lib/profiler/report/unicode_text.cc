#include "unicode_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::profiler {
namespace {

bool IsUnprintable(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// Columns: 0 for marks on the letter before, 2 for the scripts of East Asia and pictures.
size_t Width(char32_t c) {
  if (c >= 0x300 && c < 0x370) return 0;
  bool is_wide = (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) ||
                 (c >= 0xAC00 && c < 0xD7A4) || (c >= 0xF900 && c < 0xFB00) ||
                 (c >= 0xFF00 && c < 0xFF61) || (c >= 0x1F300 && c < 0x1FB00);
  return is_wide ? 2 : 1;
}

}  // namespace

char32_t NextCodePoint(std::string_view text, size_t& position) {
  const auto first = static_cast<uint8_t>(text[position++]);
  if (first < 0x80) return first;
  int num_more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4) return kReplacement;
  char32_t code_point = first & (0x3F >> num_more);
  size_t at = position;
  for (int i = 0; i < num_more; ++i, ++at) {
    if (at >= text.size()) return kReplacement;
    const auto byte = static_cast<uint8_t>(text[at]);
    if ((byte & 0xC0) != 0x80) return kReplacement;
    code_point = (code_point << 6) | (byte & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0x80, 0x800, 0x10000};
  if (code_point < kSmallest[num_more] || code_point > 0x10FFFF ||
      (code_point >= 0xD800 && code_point < 0xE000)) {
    return kReplacement;
  }
  position = at;
  return code_point;
}

void AppendUtf8(char32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::string PrintableText(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    char32_t c = NextCodePoint(text, at);
    AppendUtf8(IsUnprintable(c) ? kReplacement : c, result);
  }
  return result;
}

size_t TextWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += Width(NextCodePoint(text, at));
  return width;
}

std::string ShortenedText(std::string_view text, size_t width) {
  if (TextWidth(text) <= width) return std::string(text);
  std::vector<char32_t> points;
  for (size_t at = 0; at < text.size();) points.push_back(NextCodePoint(text, at));
  const size_t room = std::max<size_t>(width, 1) - 1;
  size_t begin = 0, used = 0;
  while (used + Width(points[begin]) <= room - room / 2) used += Width(points[begin++]);
  size_t end = points.size();
  while (used + Width(points[end - 1]) <= room) used += Width(points[--end]);
  std::string result;
  for (size_t i = 0; i < begin; ++i) AppendUtf8(points[i], result);
  result += "…";
  for (size_t i = end; i < points.size(); ++i) AppendUtf8(points[i], result);
  return result;
}

}  // namespace tfrt::profiler
