#include "expected_diagnostics.h"

#include <regex.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tfrt {
namespace {

// Owns a compiled POSIX extended expression.
class Regex {
 public:
  explicit Regex(const std::string& pattern) {
    code_ = regcomp(&regex_, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  }
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;
  ~Regex() {
    if (code_ == 0) regfree(&regex_);
  }
  bool valid() const { return code_ == 0; }
  std::string error() const {
    char text[128];
    regerror(code_, &regex_, text, sizeof(text));
    return text;
  }
  bool Search(const std::string& text) const {
    return regexec(&regex_, text.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t regex_;
  int code_;
};

bool Consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void SkipBlanks(std::string_view& text) {
  while (Consume(text, " ")) {
  }
}

// Where a comment points to.
struct Designator {
  enum Kind { kOffset, kAbove, kBelow, kUnknown } kind = kOffset;
  int64_t offset = 0;
};

struct Comment {
  size_t start;
  DiagnosticKind kind;
  bool is_regex;
  Designator designator;
  std::string_view text;
};

std::optional<Designator> ConsumeDesignator(std::string_view& rest) {
  Designator result;
  if (Consume(rest, "above")) {
    result.kind = Designator::kAbove;
  } else if (Consume(rest, "below")) {
    result.kind = Designator::kBelow;
  } else if (Consume(rest, "unknown")) {
    result.kind = Designator::kUnknown;
  } else {
    if (!rest.starts_with('+') && !rest.starts_with('-')) return std::nullopt;
    int sign = rest.front() == '-' ? -1 : 1;
    rest.remove_prefix(1);
    uint32_t distance = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), distance);
    if (error != std::errc()) return std::nullopt;
    rest.remove_prefix(end - rest.data());
    result.offset = int64_t{sign} * distance;
  }
  return result;
}

// Reads the comment that starts with "expected-" at line[start]. The braces must end the line.
std::optional<Comment> ParseAt(std::string_view line, size_t start) {
  Comment comment = {start, DiagnosticKind::kError, false, {}, {}};
  std::string_view rest = line.substr(start);
  if (!Consume(rest, "expected-")) return std::nullopt;
  bool known_kind = false;
  for (auto kind : {DiagnosticKind::kError, DiagnosticKind::kWarning, DiagnosticKind::kRemark,
                    DiagnosticKind::kNote}) {
    if (!Consume(rest, DiagnosticKindName(kind))) continue;
    comment.kind = kind;
    known_kind = true;
    break;
  }
  if (!known_kind) return std::nullopt;
  comment.is_regex = Consume(rest, "-re");
  SkipBlanks(rest);
  if (Consume(rest, "@")) {
    std::optional<Designator> designator = ConsumeDesignator(rest);
    if (!designator) return std::nullopt;
    comment.designator = *designator;
  }
  SkipBlanks(rest);
  if (!Consume(rest, "{{") || !rest.ends_with("}}")) return std::nullopt;
  rest.remove_suffix(2);
  comment.text = rest;
  return comment;
}

std::optional<Comment> FindComment(std::string_view line) {
  while (!line.empty() && std::string_view(" \t\n\v\f\r").find(line.back()) != line.npos) {
    line.remove_suffix(1);
  }
  for (size_t at = line.find("expected-"); at != line.npos; at = line.find("expected-", at + 1)) {
    if (auto comment = ParseAt(line, at)) return comment;
  }
  return std::nullopt;
}

// Makes one extended regular expression of literal text and {{...}} parts. Returns an error text,
// empty if all is well.
std::string BuildRegex(std::string_view text, std::string& regex) {
  auto append_literal = [&](std::string_view literal) {
    for (char c : literal) {
      if (std::string_view("()^$|*+?.[]\\{}").find(c) != std::string_view::npos) regex += '\\';
      regex += c;
    }
  };
  while (!text.empty()) {
    size_t open = text.find("{{");
    append_literal(text.substr(0, open));
    if (open == text.npos) break;
    text.remove_prefix(open + 2);
    size_t close = text.find("}}");
    if (close == text.npos) return "found start of regex with no end '}}'";
    std::string part(text.substr(0, close));
    text.remove_prefix(close + 2);
    if (Regex compiled(part); !compiled.valid()) return "invalid regex: " + compiled.error();
    regex += '(' + part + ')';
  }
  return "";
}

}  // namespace

std::string_view DiagnosticKindName(DiagnosticKind kind) {
  static constexpr std::string_view kNames[] = {"error", "warning", "remark", "note"};
  return kNames[static_cast<int>(kind)];
}

bool ExpectedDiagnostic::Matches(std::string_view message) const {
  if (regex.empty()) return message.find(text) != message.npos;
  return Regex(regex).Search(std::string(message));
}

std::vector<ExpectedDiagnostic> ParseExpectedDiagnostics(
    std::string_view source, std::string_view path, std::vector<ExpectedDiagnosticError>* errors) {
  std::vector<ExpectedDiagnostic> result;
  std::vector<size_t> waiting_for_line;  // indices of @below comments
  uint32_t last_plain_line = 1;
  uint32_t line_number = 0;
  while (!source.empty()) {
    ++line_number;
    size_t end = source.find('\n');
    std::string_view line = source.substr(0, end);
    source.remove_prefix(end == source.npos ? source.size() : end + 1);

    std::optional<Comment> comment = FindComment(line);
    if (!comment) {
      for (size_t index : waiting_for_line) result[index].line = line_number;
      waiting_for_line.clear();
      last_plain_line = line_number;
      continue;
    }
    ExpectedDiagnostic expected;
    expected.kind = comment->kind;
    expected.path = path;
    expected.comment_line = line_number;
    expected.comment_column = static_cast<uint32_t>(comment->start) + 1;
    expected.text = comment->text;
    if (comment->is_regex) {
      std::string error = BuildRegex(comment->text, expected.regex);
      if (!error.empty()) {
        errors->push_back({line_number, expected.comment_column, std::move(error)});
        continue;
      }
    }
    switch (comment->designator.kind) {
      case Designator::kOffset:
        // A line before the first, like one after the last, is a line without diagnostics.
        expected.line = static_cast<uint32_t>(
            std::max<int64_t>(0, int64_t{line_number} + comment->designator.offset));
        break;
      case Designator::kAbove:
        expected.line = last_plain_line;
        break;
      case Designator::kBelow:
        waiting_for_line.push_back(result.size());
        break;
      case Designator::kUnknown:
        expected.at_unknown_location = true;
        break;
    }
    result.push_back(std::move(expected));
  }
  return result;
}

}  // namespace tfrt
