// What is said of work that takes long.

#include "lib/base/support/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace tfrt {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ProgressTest : public testing::Test {
 protected:
  ~ProgressTest() override { std::fclose(stream_); }
  std::string Written() {
    std::string text(static_cast<size_t>(std::ftell(stream_)), '\0');
    std::rewind(stream_);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), stream_), text.size());
    return text;
  }
  // Until a line has been written.
  void Wait() {
    const long before = std::ftell(stream_);
    while (std::ftell(stream_) == before) std::this_thread::yield();
  }
  std::FILE* stream_ = std::tmpfile();
};

TEST_F(ProgressTest, SaysNothingOfWhatIsQuick) {
  {
    Progress progress("tfrt_run", stream_, std::chrono::hours(1));
    progress.Begin("loading");
    progress.Count(1, 2);
  }
  EXPECT_EQ(Written(), "");
}

TEST_F(ProgressTest, SaysWhatTakesLong) {
  {
    Progress progress("tfrt_run", stream_, std::chrono::milliseconds(1));
    progress.Begin("loading all of it");
    Wait();
    progress.Begin("runs");
    Wait();
    progress.Count(3, 10);
    Wait();
    progress.Count(4, 0);
    Wait();
  }
  const std::string text = Written();
  EXPECT_THAT(text, StartsWith("\rtfrt_run: loading all of it, 0 s\r"));
  // As long as the line before.
  EXPECT_THAT(text, HasSubstr("\rtfrt_run: runs, 0 s             \r"));
  EXPECT_THAT(text, HasSubstr("\rtfrt_run: runs: 3 of 10, 0 s"));
  EXPECT_THAT(text, HasSubstr("\rtfrt_run: runs: 4, 0 s"));
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace tfrt
