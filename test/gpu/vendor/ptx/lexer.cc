#include "lexer.h"

#include <bit>
#include <charconv>
#include <string>

namespace tfrt::gpu::ptx {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsWord(char c) { return IsLetter(c) || IsDigit(c) || c == '$'; }

// The value of a digit in base 16, 16 if it is none.
unsigned DigitValue(char c) {
  if (IsDigit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> Run() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(Next());
    } while (tokens.back().kind != TokenKind::kEnd && tokens.back().kind != TokenKind::kInvalid);
    return tokens;
  }

 private:
  // The character `ahead` of the next one, 0 behind the end.
  char Peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  Token Make(TokenKind kind, size_t begin) const {
    Token token;
    token.kind = kind;
    token.line = line_;
    token.text = text_.substr(begin, position_ - begin);
    return token;
  }
  Token Invalid(std::string_view why) const {
    Token token;
    token.kind = TokenKind::kInvalid;
    token.line = line_;
    token.text = why;
    return token;
  }

  // False if a comment does not end.
  bool SkipSpace() {
    while (position_ < text_.size()) {
      char c = Peek();
      if (c == '\n') {
        ++line_;
        ++position_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++position_;
      } else if (c == '#' || (c == '/' && Peek(1) == '/')) {  // '#': lines of a preprocessor
        while (position_ < text_.size() && Peek() != '\n') ++position_;
      } else if (c == '/' && Peek(1) == '*') {
        size_t end = text_.find("*/", position_ + 2);
        if (end == std::string_view::npos) return false;
        for (; position_ < end + 2; ++position_) line_ += Peek() == '\n';
      } else {
        break;
      }
    }
    return true;
  }

  Token Next() {
    if (!SkipSpace()) return Invalid("comment without an end");
    if (position_ >= text_.size()) return Make(TokenKind::kEnd, position_);
    char c = Peek();
    if (IsDigit(c)) return Number();
    if (IsLetter(c) || c == '$') return Word(0);
    if (c == '%' && (IsLetter(Peek(1)) || Peek(1) == '$')) return Word(1);
    if (c == '.' && (IsLetter(Peek(1)) || IsDigit(Peek(1)))) return Directive();
    if (c == '"') return String();
    return Punctuation();
  }

  Token Word(size_t prefix) {
    size_t begin = position_;
    position_ += prefix;
    while (IsWord(Peek())) ++position_;
    return Make(TokenKind::kIdentifier, begin);
  }

  Token Directive() {
    size_t begin = ++position_;
    while (IsWord(Peek()) || (Peek() == ':' && Peek(1) == ':' && IsWord(Peek(2)))) {
      position_ += Peek() == ':' ? 2 : 1;
    }
    return Make(TokenKind::kDirective, begin);
  }

  Token String() {
    size_t begin = ++position_;
    while (position_ < text_.size() && Peek() != '"' && Peek() != '\n') ++position_;
    if (Peek() != '"') return Invalid("string without an end");
    Token token = Make(TokenKind::kString, begin);
    ++position_;
    return token;
  }

  Token Punctuation() {
    constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    constexpr std::string_view kSingles = "()[]{}<>,;:=+-*/%@!|&^~?";
    size_t begin = position_;
    for (std::string_view pair : kPairs) {
      if (text_.substr(position_, 2) == pair) {
        position_ += 2;
        return Make(TokenKind::kPunctuation, begin);
      }
    }
    if (kSingles.find(Peek()) == std::string_view::npos) return Invalid("unexpected character");
    ++position_;
    return Make(TokenKind::kPunctuation, begin);
  }

  // The bits of a number written as `count` hexadecimal digits.
  Token FloatBits(TokenKind kind, size_t begin, int count) {
    position_ += 2;
    uint64_t bits = 0;
    for (int i = 0; i < count; ++i, ++position_) {
      if (DigitValue(Peek()) == 16) return Invalid("too few digits in the bits of a number");
      bits = bits * 16 + DigitValue(Peek());
    }
    if (IsWord(Peek())) return Invalid("too many digits in the bits of a number");
    Token token = Make(kind, begin);
    token.value = bits;
    return token;
  }

  bool LooksDecimal() const {  // a fraction or an exponent follows the digits
    size_t i = position_;
    while (i < text_.size() && IsDigit(text_[i])) ++i;
    if (i >= text_.size()) return false;
    if (text_[i] == '.') return true;
    if (text_[i] != 'e' && text_[i] != 'E') return false;
    ++i;
    if (i < text_.size() && (text_[i] == '+' || text_[i] == '-')) ++i;
    return i < text_.size() && IsDigit(text_[i]);
  }

  Token Decimal() {
    size_t begin = position_;
    while (IsDigit(Peek())) ++position_;
    if (Peek() == '.') ++position_;
    while (IsDigit(Peek())) ++position_;
    if (Peek() == 'e' || Peek() == 'E') {
      ++position_;
      if (Peek() == '+' || Peek() == '-') ++position_;
      if (!IsDigit(Peek())) return Invalid("exponent without digits");
      while (IsDigit(Peek())) ++position_;
    }
    if (IsWord(Peek())) return Invalid("letters behind a number");
    Token token = Make(TokenKind::kFloat64, begin);
    double value = 0;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc()) return Invalid("number out of range");
    token.value = std::bit_cast<uint64_t>(value);
    return token;
  }

  Token Number() {
    size_t begin = position_;
    char next = Peek(1);
    if (Peek() == '0' && (next == 'f' || next == 'F'))
      return FloatBits(TokenKind::kFloat32, begin, 8);
    if (Peek() == '0' && (next == 'd' || next == 'D'))
      return FloatBits(TokenKind::kFloat64, begin, 16);
    unsigned base = 10;
    if (Peek() == '0' && (next == 'x' || next == 'X')) {
      base = 16;
      position_ += 2;
    } else if (Peek() == '0' && (next == 'b' || next == 'B')) {
      base = 2;
      position_ += 2;
    } else if (LooksDecimal()) {
      return Decimal();
    } else if (Peek() == '0') {
      base = 8;
    }
    // A number of more than 64 bits keeps its lower ones, as in assemblers.
    size_t digits = position_;
    uint64_t value = 0;
    for (; DigitValue(Peek()) < base; ++position_) {
      value = value * base + DigitValue(Peek());
    }
    if (position_ == digits) return Invalid("number without digits");
    bool is_unsigned = Peek() == 'U' || Peek() == 'u';
    if (is_unsigned) ++position_;
    if (IsWord(Peek())) return Invalid("letters behind a number");
    Token token = Make(TokenKind::kInteger, begin);
    token.value = value;
    token.is_unsigned = is_unsigned;
    return token;
  }

  std::string_view text_;
  size_t position_ = 0;
  uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace tfrt::gpu::ptx
