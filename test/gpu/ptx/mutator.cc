#include "test/gpu/ptx/mutator.h"

#include <algorithm>
#include <cctype>

namespace tfrt::gpu::ptx {
namespace {

// What parsers stumble over.
const char* const kWords[] = {"0",
                              "1",
                              "-1",
                              "4294967295",
                              "18446744073709551615",
                              "0x7fffffffffffffff",
                              "99999999999999999999",
                              "0f7F800000",
                              "0d",
                              "1e999",
                              "%r1",
                              "%rd1",
                              "%f1",
                              "%p1",
                              "%tid.x",
                              "WARP_SZ",
                              "_",
                              "{",
                              "}",
                              "(",
                              ")",
                              "[",
                              "]",
                              ";",
                              ",",
                              ":",
                              "|",
                              "@",
                              "!",
                              "<",
                              "<99999>",
                              "ld",
                              "st",
                              "add",
                              "mov",
                              "bra",
                              "call",
                              "ret",
                              "setp",
                              "cvt",
                              "bar",
                              "shfl",
                              "atom",
                              "brx",
                              "exit",
                              "wgmma",
                              ".u64",
                              ".b8",
                              ".f32",
                              ".pred",
                              ".v4",
                              ".sync",
                              ".wide",
                              ".rn",
                              ".global",
                              ".shared",
                              ".local",
                              ".param",
                              ".reg",
                              ".align",
                              ".entry",
                              ".func",
                              ".version",
                              ".branchtargets",
                              ".callprototype",
                              ".section",
                              ".loc",
                              "/*",
                              "*/",
                              "//",
                              "\"",
                              "\n",
                              "=",
                              "generic",
                              "~",
                              "1/0",
                              "((((((((",
                              "+-"};

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$' ||
         c == '.';
}

}  // namespace

std::pair<size_t, size_t> Mutator::WordAt(const std::string& text, size_t place) {
  while (place < text.size() && !IsWord(text[place])) ++place;
  size_t begin = place, end = place;
  while (begin > 0 && IsWord(text[begin - 1])) --begin;
  while (end < text.size() && IsWord(text[end])) ++end;
  return {begin, end};
}

std::pair<size_t, size_t> Mutator::Lines(const std::string& text) {
  size_t begin = std::min(text.find('\n', Pick(text.size() + 1)), text.size());
  size_t end = begin;
  for (uint64_t i = Pick(4) + 1; i > 0 && end < text.size(); --i) {
    end = std::min(text.find('\n', end + 1), text.size());
  }
  return {begin, end};
}

void Mutator::Change(std::string& text) {
  size_t place = Pick(text.size() + 1);
  auto [begin, end] = WordAt(text, place);
  switch (Pick(9)) {
    case 0:
      if (place < text.size()) text[place] = static_cast<char>(Pick(256));
      break;
    case 1:
      text.erase(place, Pick(8) + 1);
      break;
    case 2:
      text.insert(begin, kWords[Pick(std::size(kWords))] + std::string(" "));
      break;
    case 3:
    case 4:
      text.replace(begin, end - begin, kWords[Pick(std::size(kWords))]);
      break;
    case 5: {  // a word of this text in place of another
      auto [from, to] = WordAt(text, Pick(text.size() + 1));
      text.replace(begin, end - begin, text.substr(from, to - from));
      break;
    }
    case 6: {  // lines again, elsewhere
      auto [from, to] = Lines(text);
      text.insert(Lines(text).first, text.substr(from, to - from));
      break;
    }
    case 7: {  // lines less
      auto [from, to] = Lines(text);
      text.erase(from, to - from);
      break;
    }
    default:
      if (Pick(20) == 0) text.resize(place);
      if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << Pick(8)));
  }
}

std::string Mutator::Next() {
  std::string text = AnyText();
  if (Pick(8) == 0) {  // the beginning of one, the end of another
    const std::string& other = AnyText();
    size_t cut = Lines(text).first, from = Lines(other).first;
    text = text.substr(0, cut) + other.substr(from);
  }
  for (uint64_t changes = Pick(4) + 1; changes > 0; --changes) Change(text);
  return text;
}

}  // namespace tfrt::gpu::ptx
