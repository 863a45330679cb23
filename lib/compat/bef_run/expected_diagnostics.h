// Parses the "expected-error {{...}}" comments of a source file, like MLIR's diagnostic verifier.
#ifndef TFRT_LIB_COMPAT_BEF_RUN_EXPECTED_DIAGNOSTICS_H_
#define TFRT_LIB_COMPAT_BEF_RUN_EXPECTED_DIAGNOSTICS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt {

enum class DiagnosticKind { kError, kWarning, kRemark, kNote };
std::string_view DiagnosticKindName(DiagnosticKind kind);

// One comment: expected-KIND[-re] [@+N | @-N | @above | @below | @unknown] {{TEXT}}
struct ExpectedDiagnostic {
  DiagnosticKind kind = DiagnosticKind::kError;
  bool at_unknown_location = false;
  uint32_t line = 0;  // 1-based line of the diagnostic; meaningless at an unknown location
  std::string path;   // of the file that holds the comment
  uint32_t comment_line = 0;
  uint32_t comment_column = 0;  // 1-based, of the word "expected-..."
  std::string text;             // between the braces, as written
  // For "-re": a POSIX extended regular expression made from `text`. Its {{...}} parts are
  // expressions, the rest is literal. Empty for plain substrings.
  std::string regex;
  bool matched = false;

  // True if `message` contains the text or a match of the regular expression.
  bool Matches(std::string_view message) const;
};

struct ExpectedDiagnosticError {
  uint32_t line;
  uint32_t column;
  std::string message;
};

// Returns the comments in file order. A comment with a malformed expression is left out and added
// to `errors`.
std::vector<ExpectedDiagnostic> ParseExpectedDiagnostics(
    std::string_view source, std::string_view path, std::vector<ExpectedDiagnosticError>* errors);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_BEF_RUN_EXPECTED_DIAGNOSTICS_H_
