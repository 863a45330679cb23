#include "lib/compat/bef_run/expected_diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfrt {
namespace {

std::vector<ExpectedDiagnostic> Parse(std::string_view source) {
  std::vector<ExpectedDiagnosticError> errors;
  auto result = ParseExpectedDiagnostics(source, "f.mlir", &errors);
  EXPECT_TRUE(errors.empty());
  return result;
}

std::string ParseError(std::string_view source) {
  std::vector<ExpectedDiagnosticError> errors;
  EXPECT_TRUE(ParseExpectedDiagnostics(source, "f.mlir", &errors).empty());
  return errors.size() == 1 ? errors[0].message : "";
}

TEST(ExpectedDiagnosticsTest, SameLine) {
  auto found = Parse("first\n  op // expected-error {{bad}}  \r\nlast\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_EQ(found[0].comment_line, 2u);
  EXPECT_EQ(found[0].comment_column, 9u);
  EXPECT_EQ(found[0].text, "bad");
  EXPECT_EQ(found[0].path, "f.mlir");
  EXPECT_EQ(found[0].kind, DiagnosticKind::kError);
}

TEST(ExpectedDiagnosticsTest, RelativeLines) {
  auto found = Parse(
      "// expected-error@+2 {{a}}\n"
      "plain\n"
      "// expected-error @-1 {{b}}\n"
      "// expected-error@-9 {{before the file}}\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].line, 3u);
  EXPECT_EQ(found[1].line, 2u);
  EXPECT_EQ(found[2].line, 0u);
}

TEST(ExpectedDiagnosticsTest, AboveAndBelowSkipOtherComments) {
  auto found = Parse(
      "plain 1\n"
      "// expected-error@above {{a}}\n"
      "// expected-error@above {{b}}\n"
      "// expected-error@below {{c}}\n"
      "// expected-error@below {{d}}\n"
      "plain 6\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].line, 1u);
  EXPECT_EQ(found[1].line, 1u);
  EXPECT_EQ(found[2].line, 6u);
  EXPECT_EQ(found[3].line, 6u);
}

TEST(ExpectedDiagnosticsTest, UnknownLocation) {
  auto found = Parse("// expected-error@unknown {{x}}");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].at_unknown_location);
}

TEST(ExpectedDiagnosticsTest, Kinds) {
  auto found =
      Parse("// expected-warning {{w}}\n// expected-remark {{r}}\n// expected-note {{n}}\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].kind, DiagnosticKind::kWarning);
  EXPECT_EQ(found[1].kind, DiagnosticKind::kRemark);
  EXPECT_EQ(found[2].kind, DiagnosticKind::kNote);
}

TEST(ExpectedDiagnosticsTest, OtherTextIsNoExpectation) {
  EXPECT_TRUE(Parse("// expected-error {{text}} and more\n").empty());
  EXPECT_TRUE(Parse("// expected-error 2 {{a count}}\n").empty());
  EXPECT_TRUE(Parse("// expected-error@12 {{an absolute line}}\n").empty());
  EXPECT_TRUE(Parse("// expected-error text\n").empty());
  EXPECT_TRUE(Parse("// expected-mistake {{text}}\n").empty());
}

TEST(ExpectedDiagnosticsTest, SubstringsAreLiteral) {
  auto found = Parse("// expected-error {{a.b (c)}}");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].Matches("runtime error: a.b (c)!"));
  EXPECT_FALSE(found[0].Matches("runtime error: axb (c)!"));
}

TEST(ExpectedDiagnosticsTest, RegularExpressions) {
  auto found = Parse("// expected-error-re {{[lib] {{.*}} of {{[0-9]+}}.}}");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].Matches("[lib] name of 42."));
  EXPECT_FALSE(found[0].Matches("[lib] name of x."));
  EXPECT_FALSE(found[0].Matches("l name of 42."));
}

TEST(ExpectedDiagnosticsTest, MalformedExpressions) {
  EXPECT_EQ(ParseError("// expected-error-re {{a {{b}}"), "found start of regex with no end '}}'");
  EXPECT_THAT(ParseError("// expected-error-re {{a {{(}} b}}"),
              ::testing::StartsWith("invalid regex: "));
}

}  // namespace
}  // namespace tfrt
