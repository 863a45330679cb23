#include "token_stream.h"

namespace tfrt::gpu::ptx {
namespace {

// Nested parentheses and signs of a constant expression.
constexpr int kMaxDepth = 64;

// How strongly a binary operator binds, from 1; 0 if `text` is none.
int Precedence(std::string_view text) {
  struct Level {
    std::string_view op;
    int precedence;
  };
  constexpr Level kLevels[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
                               {"!=", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8},
                               {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  for (const Level& level : kLevels) {
    if (level.op == text) return level.precedence;
  }
  return 0;
}

bool Compare(std::string_view op, uint64_t left, uint64_t right, bool is_unsigned) {
  bool less = is_unsigned ? left < right : static_cast<int64_t>(left) < static_cast<int64_t>(right);
  if (op == "<") return less;
  if (op == ">=") return !less;
  if (op == ">") return !less && left != right;
  return less || left == right;
}

}  // namespace

const Token& TokenStream::Next() {
  const Token& token = Peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool TokenStream::Accept(std::string_view punctuation) {
  if (!Peek().Is(punctuation)) return false;
  Next();
  return true;
}

bool TokenStream::AcceptDirective(std::string_view name) {
  if (Peek().kind != TokenKind::kDirective || Peek().text != name) return false;
  Next();
  return true;
}

bool TokenStream::FailAtToken(std::string_view expected) {
  const Token& token = Peek();
  std::string found;
  if (token.kind == TokenKind::kEnd) {
    found = "end of the text";
  } else if (token.kind == TokenKind::kInvalid) {
    found = std::string(token.text);
  } else {
    found = (token.kind == TokenKind::kDirective ? "'." : "'") +
            std::string(token.text.substr(0, 80)) + "'";
  }
  return Fail(found + " where " + std::string(expected) + " belongs");
}

bool TokenStream::Expect(std::string_view punctuation) {
  if (Accept(punctuation)) return true;
  return FailAtToken("'" + std::string(punctuation) + "'");
}

std::string_view TokenStream::ExpectIdentifier(std::string_view what) {
  if (Peek().kind == TokenKind::kIdentifier) return Next().text;
  FailAtToken(what);
  return {};
}

bool TokenStream::SkipBraces() {
  if (!Expect("{")) return false;
  for (size_t depth = 1; depth > 0;) {
    if (AtEnd() || Peek().kind == TokenKind::kInvalid) return FailAtToken("'}'");
    if (Peek().Is("{")) ++depth;
    if (Peek().Is("}")) --depth;
    Next();
  }
  return true;
}

std::optional<TokenStream::Integer> TokenStream::ParseInteger() {
  std::optional<Integer> condition = ParseBinary(1, 0);
  if (!condition || !Accept("?")) return condition;
  std::optional<Integer> yes = ParseBinary(1, 0);
  if (!yes || !Expect(":")) return std::nullopt;
  std::optional<Integer> no = ParseBinary(1, 0);
  if (!no) return std::nullopt;
  return condition->value != 0 ? yes : no;
}

std::optional<TokenStream::Integer> TokenStream::ParseBinary(int precedence, int depth) {
  std::optional<Integer> left = ParseUnary(depth);
  while (left && Peek().kind == TokenKind::kPunctuation) {
    std::string_view op = Peek().text;
    int found = Precedence(op);
    if (found == 0 || found < precedence) break;
    Next();
    std::optional<Integer> right = ParseBinary(found + 1, depth);
    if (!right) return std::nullopt;
    left = Apply(op, *left, *right);
  }
  return left;
}

std::optional<TokenStream::Integer> TokenStream::ParseUnary(int depth) {
  if (depth > kMaxDepth) {
    Fail("a constant expression of too many levels");
    return std::nullopt;
  }
  std::optional<Integer> operand;
  if (Accept("(")) {
    bool is_cast =
        Peek().kind == TokenKind::kDirective && (Peek().text == "s64" || Peek().text == "u64");
    if (is_cast) {
      bool is_unsigned = Next().text == "u64";
      if (!Expect(")") || !(operand = ParseUnary(depth + 1))) return std::nullopt;
      operand->is_unsigned = is_unsigned;
      return operand;
    }
    operand = ParseBinary(1, depth + 1);
    return operand && Expect(")") ? operand : std::nullopt;
  }
  for (std::string_view sign : {"-", "+", "~", "!"}) {
    if (!Accept(sign)) continue;
    if (!(operand = ParseUnary(depth + 1))) return std::nullopt;
    if (sign == "-") operand->value = -operand->value;
    if (sign == "~") operand->value = ~operand->value;
    if (sign == "!") operand->value = operand->value == 0;
    return operand;
  }
  if (Peek().kind == TokenKind::kInteger) {
    const Token& token = Next();
    // A literal that only fits an unsigned number is one.
    return Integer{token.value, token.is_unsigned || token.value >> 63 != 0};
  }
  FailAtToken("an integer");
  return std::nullopt;
}

std::optional<TokenStream::Integer> TokenStream::Apply(std::string_view op, Integer left,
                                                       Integer right) {
  Integer result;
  result.is_unsigned = left.is_unsigned || right.is_unsigned;
  uint64_t a = left.value, b = right.value;
  if (op == "/" || op == "%") {
    if (b == 0) {
      Fail("a division by zero in a constant expression");
      return std::nullopt;
    }
    if (result.is_unsigned) {
      result.value = op == "/" ? a / b : a % b;
    } else if (b == ~uint64_t{0}) {  // -1: the one quotient that may not fit
      result.value = op == "/" ? -a : 0;
    } else {
      int64_t x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
      result.value = static_cast<uint64_t>(op == "/" ? x / y : x % y);
    }
  } else if (op == "<<") {
    result.is_unsigned = left.is_unsigned;
    result.value = b < 64 ? a << b : 0;
  } else if (op == ">>") {
    result.is_unsigned = left.is_unsigned;
    uint64_t fill = !left.is_unsigned && a >> 63 ? ~uint64_t{0} : 0;
    result.value = b >= 64 ? fill : b == 0 ? a : a >> b | (fill << (64 - b));
  } else if (op == "+") {
    result.value = a + b;
  } else if (op == "-") {
    result.value = a - b;
  } else if (op == "*") {
    result.value = a * b;
  } else if (op == "&") {
    result.value = a & b;
  } else if (op == "|") {
    result.value = a | b;
  } else if (op == "^") {
    result.value = a ^ b;
  } else {
    bool is_unsigned = result.is_unsigned;
    result.is_unsigned = false;
    if (op == "&&") {
      result.value = a != 0 && b != 0;
    } else if (op == "||") {
      result.value = a != 0 || b != 0;
    } else if (op == "==" || op == "!=") {
      result.value = (a == b) == (op == "==");
    } else {
      result.value = Compare(op, a, b, is_unsigned);
    }
  }
  return result;
}

}  // namespace tfrt::gpu::ptx
