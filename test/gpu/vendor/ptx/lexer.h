#ifndef TFRT_TEST_GPU_VENDOR_PTX_LEXER_H_
#define TFRT_TEST_GPU_VENDOR_PTX_LEXER_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace tfrt::gpu::ptx {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,   // text: with its %, $ or _
  kDirective,    // text: without the dot; "shared::cta" is one
  kInteger,      // value; is_unsigned if the literal says so
  kFloat32,      // 0f3F800000: value holds the bits
  kFloat64,      // 0d..., or decimal: value holds the bits of a double
  kString,       // text: between the quotation marks
  kPunctuation,  // text: one character, or two of an operator
  kInvalid,      // text: what is wrong
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool is_unsigned = false;
  uint32_t line = 1;
  std::string_view text;
  uint64_t value = 0;

  bool Is(std::string_view punctuation) const {
    return kind == TokenKind::kPunctuation && text == punctuation;
  }
};

// The tokens of a PTX text, which must outlive them. The last one is kEnd, or the first invalid
// one: nothing is read behind that.
std::vector<Token> Tokenize(std::string_view text);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_LEXER_H_
