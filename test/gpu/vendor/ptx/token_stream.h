#ifndef TFRT_TEST_GPU_VENDOR_PTX_TOKEN_STREAM_H_
#define TFRT_TEST_GPU_VENDOR_PTX_TOKEN_STREAM_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "function_builder.h"
#include "lexer.h"

namespace tfrt::gpu::ptx {

// Reads tokens one after the other. Functions that expect a token report the one they found
// instead.
class TokenStream {
 public:
  TokenStream(std::vector<Token> tokens, ErrorSink& errors)
      : tokens_(std::move(tokens)), errors_(errors) {}

  // The token `ahead` of the next one; the last one behind the end.
  const Token& Peek(size_t ahead = 0) const {
    size_t index = position_ + ahead;
    return tokens_[index < tokens_.size() ? index : tokens_.size() - 1];
  }
  const Token& Next();
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  uint32_t line() const { return Peek().line; }

  bool Accept(std::string_view punctuation);
  bool AcceptDirective(std::string_view name);
  bool Expect(std::string_view punctuation);
  // Empty if there is none: an error.
  std::string_view ExpectIdentifier(std::string_view what);

  // Skips to behind the brace that closes the one that comes next.
  bool SkipBraces();

  // A constant expression of integers.
  struct Integer {
    uint64_t value = 0;
    bool is_unsigned = false;
  };
  std::optional<Integer> ParseInteger();

  bool Fail(std::string message) {
    return errors_.Fail(ParseErrorKind::kSyntax, line(), std::move(message));
  }
  bool Unsupported(std::string message) {
    return errors_.Fail(ParseErrorKind::kUnsupported, line(), std::move(message));
  }
  // "WHAT where EXPECTED belongs".
  bool FailAtToken(std::string_view expected);
  bool failed() const { return errors_.failed(); }
  ErrorSink& errors() { return errors_; }

 private:
  std::optional<Integer> ParseBinary(int precedence, int depth);
  std::optional<Integer> ParseUnary(int depth);
  std::optional<Integer> Apply(std::string_view op, Integer left, Integer right);

  std::vector<Token> tokens_;
  size_t position_ = 0;
  ErrorSink& errors_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_TOKEN_STREAM_H_
