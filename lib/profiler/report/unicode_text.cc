#include "unicode_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/profiler/utf8.h"

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

// Takes the first character off the text: valid UTF-8, or one byte, whose code point is 0.
std::string_view TakeCharacter(std::string_view& text, char32_t& code_point) {
  const size_t size = Utf8CharacterSize(text);
  const std::string_view character = text.substr(0, std::max<size_t>(size, 1));
  text.remove_prefix(character.size());
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(character[i]); };
  code_point = size == 0 ? 0 : size == 1 ? byte(0) : byte(0) & (0x7F >> size);
  for (size_t i = 1; i < size; ++i) code_point = code_point << 6 | (byte(i) & 0x3F);
  return character;
}

}  // namespace

std::string PrintableText(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    char32_t code_point;
    const std::string_view character = TakeCharacter(text, code_point);
    result += IsUnprintable(code_point) ? kReplacement : character;
  }
  return result;
}

size_t TextWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    char32_t code_point;
    TakeCharacter(text, code_point);
    width += Width(code_point);
  }
  return width;
}

std::string ShortenedText(std::string_view text, size_t width) {
  if (TextWidth(text) <= width) return std::string(text);
  std::vector<std::pair<std::string_view, size_t>> characters;  // and their widths
  while (!text.empty()) {
    char32_t code_point;
    const std::string_view character = TakeCharacter(text, code_point);
    characters.emplace_back(character, Width(code_point));
  }
  const size_t room = std::max<size_t>(width, 1) - 1;
  size_t begin = 0, used = 0;
  while (used + characters[begin].second <= room - room / 2) used += characters[begin++].second;
  size_t end = characters.size();
  while (used + characters[end - 1].second <= room) used += characters[--end].second;
  std::string result;
  for (size_t i = 0; i < begin; ++i) result += characters[i].first;
  result += "…";
  for (size_t i = end; i < characters.size(); ++i) result += characters[i].first;
  return result;
}

}  // namespace tfrt::profiler
