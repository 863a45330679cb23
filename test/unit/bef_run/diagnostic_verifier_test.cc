#include "lib/compat/bef_run/diagnostic_verifier.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace tfrt {
namespace {

class DiagnosticVerifierTest : public ::testing::Test {
 protected:
  // Writes a source file that lives as long as the test and returns its path.
  const std::string& Source(const std::string& text) {
    path_ = ::testing::TempDir() + "/diagnostic_verifier_test.mlir";
    std::ofstream(path_) << text;
    return path_;
  }
  void TearDown() override {
    if (!path_.empty()) std::remove(path_.c_str());
  }
  void AddAt(uint32_t line, uint32_t column, std::string_view message) {
    verifier_.AddError({path_, line, column, ""}, message);
  }

  std::string path_;
  std::string output_;
  DiagnosticVerifier verifier_{[this](std::string_view text) { output_ += text; }};
};

TEST_F(DiagnosticVerifierTest, NothingHappened) {
  EXPECT_TRUE(verifier_.Verify());
  EXPECT_EQ(output_, "");
}

TEST_F(DiagnosticVerifierTest, ExpectedErrorsAreSilentHoweverOften) {
  Source("op // expected-error {{bad}}\n");
  AddAt(1, 1, "runtime error: bad thing");
  AddAt(1, 1, "runtime error: bad again");
  EXPECT_TRUE(verifier_.Verify());
  EXPECT_EQ(output_, "");
}

TEST_F(DiagnosticVerifierTest, UnexpectedErrorShowsLineAndCaret) {
  Source("first\n\tsecond op\n");
  AddAt(2, 9, "runtime error: m");
  EXPECT_EQ(output_, path_ +
                         ":2:9: error: unexpected error: runtime error: m\n"
                         "\tsecond op\n\t       ^\n");
  EXPECT_FALSE(verifier_.Verify());
}

TEST_F(DiagnosticVerifierTest, ColumnPastTheLineGetsNoCaret) {
  Source("ab\n");
  AddAt(1, 4000000000u, "m");
  EXPECT_EQ(output_, path_ + ":1:4000000000: error: unexpected error: m\nab\n");
}

TEST_F(DiagnosticVerifierTest, LinePastTheFileGetsNoSourceLine) {
  Source("ab\n");
  AddAt(7, 1, "m");
  EXPECT_EQ(output_, path_ + ":7:1: error: unexpected error: m\n");
}

TEST_F(DiagnosticVerifierTest, UnmetExpectationOfAFileWithADiagnostic) {
  Source("a // expected-error {{one}}\nb // expected-error {{two}}\n");
  AddAt(1, 1, "one");
  EXPECT_FALSE(verifier_.Verify());
  EXPECT_EQ(output_, path_ +
                         ":2:6: error: expected error \"two\" was not produced\n"
                         "b // expected-error {{two}}\n     ^\n");
}

TEST_F(DiagnosticVerifierTest, FileWithoutDiagnosticIsNotRead) {
  Source("a // expected-error {{one}}\n");
  EXPECT_TRUE(verifier_.Verify());
}

TEST_F(DiagnosticVerifierTest, UnreadableFile) {
  verifier_.AddError({"no/such.mlir", 3, 4, ""}, "m");
  EXPECT_EQ(output_, "no/such.mlir:3:4: error: unexpected error: m\n");
  EXPECT_FALSE(verifier_.Verify());
}

TEST_F(DiagnosticVerifierTest, OtherKind) {
  Source("a // expected-warning {{one}}\n");
  AddAt(1, 1, "one");
  EXPECT_EQ(output_, path_ +
                         ":1:6: error: 'error' diagnostic emitted when expecting a 'warning'\n"
                         "a // expected-warning {{one}}\n     ^\n");
}

TEST_F(DiagnosticVerifierTest, UnknownAndNamedLocations) {
  verifier_.AddError({}, "runtime error: m");
  verifier_.AddError({"", 0, 0, "f.x;3;4(nm)"}, "runtime error: m");
  EXPECT_EQ(output_,
            "<unknown>:0: error: unexpected error: runtime error: m\n"
            "<unknown>:0: error: loc(\"f.x;3;4(nm)\"): unexpected error: runtime error: m\n");
}

TEST_F(DiagnosticVerifierTest, UnknownLocationCommentCountsOnceItsFileWasRead) {
  Source("a // expected-error {{one}}\n// expected-error@unknown {{two}}\n");
  AddAt(1, 1, "one");
  verifier_.AddError({}, "two");
  EXPECT_TRUE(verifier_.Verify());
  EXPECT_EQ(output_, "");
}

TEST_F(DiagnosticVerifierTest, MalformedExpressionFails) {
  Source("a // expected-error {{one}}\n// expected-error-re {{x {{y}}\n");
  AddAt(1, 1, "one");
  EXPECT_EQ(output_, path_ +
                         ":2:4: error: found start of regex with no end '}}'\n"
                         "// expected-error-re {{x {{y}}\n   ^\n");
  EXPECT_FALSE(verifier_.Verify());
}

TEST_F(DiagnosticVerifierTest, ManyThreads) {
  Source("op // expected-error {{bad}}\n");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) AddAt(1, 1, "bad");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(verifier_.Verify());
}

}  // namespace
}  // namespace tfrt
