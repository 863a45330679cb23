#include "diagnostic_verifier.h"

#include "lib/base/support/read_file.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

bool DiagnosticVerifier::SourceFile::FindLine(uint32_t number, std::string_view* line) const {
  std::string_view rest = text;
  for (uint32_t i = 1; !rest.empty(); ++i) {
    size_t end = rest.find('\n');
    if (i == number) {
      *line = rest.substr(0, end);
      return true;
    }
    if (end == rest.npos) break;
    rest.remove_prefix(end + 1);
  }
  return false;
}

DiagnosticVerifier::SourceFile& DiagnosticVerifier::GetFile(const std::string& path) {
  auto [it, inserted] = files_.try_emplace(path);
  SourceFile& file = it->second;
  if (!inserted) return file;
  StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return file;
  file.text = *std::move(text);
  file.readable = true;

  std::vector<ExpectedDiagnosticError> errors;
  for (ExpectedDiagnostic& expected : ParseExpectedDiagnostics(file.text, path, &errors)) {
    auto& list = expected.at_unknown_location ? expected_at_unknown_location_ : file.expected;
    list.push_back(std::move(expected));
  }
  for (const ExpectedDiagnosticError& error : errors) {
    Complain(path, error.line, error.column, error.message);
  }
  return file;
}

void DiagnosticVerifier::AddError(const DecodedLocation& location, std::string_view message) {
  std::lock_guard lock(mutex_);
  if (location.is_file_location()) {
    CompareWith(GetFile(location.file).expected, location, message);
  } else {
    CompareWith(expected_at_unknown_location_, location, message);
  }
}

void DiagnosticVerifier::CompareWith(std::vector<ExpectedDiagnostic>& expected,
                                     const DecodedLocation& location, std::string_view message) {
  const ExpectedDiagnostic* other_kind = nullptr;
  for (ExpectedDiagnostic& e : expected) {
    if (location.is_file_location() && e.line != location.line) continue;
    if (!e.Matches(message)) continue;
    if (e.kind == DiagnosticKind::kError) {
      e.matched = true;
      return;
    }
    other_kind = &e;
  }
  if (other_kind) {
    Complain(other_kind->path, other_kind->comment_line, other_kind->comment_column,
             StrCat("'error' diagnostic emitted when expecting a '",
                    DiagnosticKindName(other_kind->kind), "'"));
  } else {
    ComplainUnexpected(location, message);
  }
}

bool DiagnosticVerifier::Verify() {
  std::lock_guard lock(mutex_);
  auto check = [&](const std::vector<ExpectedDiagnostic>& list) {
    for (const ExpectedDiagnostic& e : list) {
      if (e.matched) continue;
      Complain(
          e.path, e.comment_line, e.comment_column,
          StrCat("expected ", DiagnosticKindName(e.kind), " \"", e.text, "\" was not produced"));
    }
  };
  for (const auto& [path, file] : files_) check(file.expected);
  check(expected_at_unknown_location_);
  return !failed_;
}

void DiagnosticVerifier::ComplainUnexpected(const DecodedLocation& location,
                                            std::string_view message) {
  if (location.is_file_location()) {
    Complain(location.file, location.line, location.column, StrCat("unexpected error: ", message));
    return;
  }
  failed_ = true;
  // "(unknown)" is how a file spells a location that it knows nothing of.
  bool nameless = location.name.empty() || location.name == "(unknown)";
  std::string place = nameless ? "" : StrCat("loc(\"", location.name, "\"): ");
  output_(StrCat("<unknown>:0: error: ", place, "unexpected error: ", message, "\n"));
}

void DiagnosticVerifier::Complain(const std::string& path, uint32_t line, uint32_t column,
                                  std::string_view message) {
  failed_ = true;
  std::string text = StrCat(path, ":", line, ":", column, ": error: ", message, "\n");
  std::string_view source_line;
  if (auto it = files_.find(path);
      it != files_.end() && it->second.readable && it->second.FindLine(line, &source_line)) {
    text += source_line;
    text += '\n';
    // A column from a changed or damaged file may lie anywhere; then there is no caret. Tabs stay
    // tabs, so that the caret stands under its column whatever their width.
    if (column >= 1 && column <= source_line.size() + 1) {
      for (uint32_t i = 1; i < column; ++i) text += source_line[i - 1] == '\t' ? '\t' : ' ';
      text += "^\n";
    }
  }
  output_(text);
}

}  // namespace tfrt
