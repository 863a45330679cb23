// The main function of all unit tests. It takes two flags beside those of GoogleTest:
//   --tests_of=FILE   runs only the tests that stand in FILE, of those that --gtest_filter chooses.
//   --files=A,B,...   the files that ctest runs one by one. A test elsewhere, which nothing would
//                     run, is an error.
// Each test has a deadline, after which the program aborts and names it: 100 s, or what the
// environment variable TFRT_TEST_DEADLINE_SECONDS says; 0 is none, for debuggers.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "test/support/deadline.h"

namespace {

class DeadlineListener : public testing::EmptyTestEventListener {
 public:
  explicit DeadlineListener(std::chrono::seconds limit) : limit_(limit) {}

  void OnTestStart(const testing::TestInfo& test) override {
    deadline_.emplace(std::string(test.test_suite_name()) + "." + test.name(), limit_);
  }
  void OnTestEnd(const testing::TestInfo&) override { deadline_.reset(); }

 private:
  const std::chrono::seconds limit_;
  std::optional<tfrt::Deadline> deadline_;
};

// False if the environment does not give a number of seconds.
bool SetDeadlines() {
  long seconds = 100;
  if (const char* text = std::getenv("TFRT_TEST_DEADLINE_SECONDS")) {
    const char* end = text + std::string_view(text).size();
    auto [rest, error] = std::from_chars(text, end, seconds);
    if (rest != end || error != std::errc() || seconds < 0) {
      std::fprintf(stderr, "TFRT_TEST_DEADLINE_SECONDS is '%s', not a number of seconds\n", text);
      return false;
    }
  }
  if (seconds != 0) {
    auto listener = std::make_unique<DeadlineListener>(std::chrono::seconds(seconds));
    testing::UnitTest::GetInstance()->listeners().Append(listener.release());
  }
  return true;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool MatchesAny(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

std::string FileOf(const testing::TestInfo& test) {
  std::string_view path = test.file();
  return std::string(path.substr(path.rfind('/') + 1));
}

std::vector<const testing::TestInfo*> AllTests() {
  std::vector<const testing::TestInfo*> tests;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) tests.push_back(suite.GetTestInfo(k));
  }
  return tests;
}

// The names of the tests in `file` that the filter chooses, as a filter; empty if there are none.
std::string FilterFor(const std::string& file, const std::string& filter) {
  size_t dash = filter.find('-');
  std::vector<std::string> wanted = Split(filter.substr(0, dash), ':'), unwanted;
  if (wanted.empty()) wanted = {"*"};
  if (dash != std::string::npos) unwanted = Split(filter.substr(dash + 1), ':');
  std::string chosen;
  for (const testing::TestInfo* test : AllTests()) {
    if (FileOf(*test) != file) continue;
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    if (MatchesAny(wanted, name) && !MatchesAny(unwanted, name)) chosen += name + ":";
  }
  return chosen;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!SetDeadlines()) return 2;
  std::string file, files;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument.starts_with("--tests_of=")) {
      file = argument.substr(argument.find('=') + 1);
    } else if (argument.starts_with("--files=")) {
      files = argument.substr(argument.find('=') + 1);
    } else {
      std::fprintf(stderr, "unknown argument '%s'\n", argv[i]);
      return 2;
    }
  }
  if (!files.empty()) {
    std::vector<std::string> known = Split(files, ',');
    for (const testing::TestInfo* test : AllTests()) {
      if (std::find(known.begin(), known.end(), FileOf(*test)) == known.end()) {
        std::fprintf(stderr,
                     "the tests in %s are run by no ctest entry: name it in add_tfrt_test\n",
                     test->file());
        return 1;
      }
    }
  }
  if (!file.empty()) {
    std::string filter = FilterFor(file, GTEST_FLAG_GET(filter));
    if (filter.empty()) {
      std::fprintf(stderr, "no test in %s is chosen by '%s'\n", file.c_str(),
                   GTEST_FLAG_GET(filter).c_str());
      return 1;
    }
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
