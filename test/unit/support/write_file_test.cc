#include "tfrt/support/write_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "tfrt/support/read_file.h"

namespace {
int num_changes_of_mask = 0;
}

// In place of the C library's, for this program.
extern "C" mode_t umask(mode_t mask) noexcept {
  ++num_changes_of_mask;
  return static_cast<mode_t>(syscall(SYS_umask, mask));
}

namespace tfrt {
namespace {

Status WriteText(const std::string& path, std::string_view text) {
  return WriteFile(path, [&](const ByteSink& sink) {
    EXPECT_TRUE(sink(text.data(), text.size()));
    EXPECT_TRUE(sink(nullptr, 0));
    return OkStatus();
  });
}

class WriteFileTest : public testing::Test {
 protected:
  WriteFileTest() : folder_(testing::TempDir() + "write_file_test/") {
    std::filesystem::create_directory(folder_);
  }
  ~WriteFileTest() override { std::filesystem::remove_all(folder_); }
  size_t NumFiles() const {
    auto files = std::filesystem::directory_iterator(folder_);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }
  const std::string folder_;
};

TEST_F(WriteFileTest, NewAndOld) {
  const std::string path = folder_ + "a";
  ASSERT_TRUE(WriteText(path, "first").ok());
  EXPECT_EQ(*ReadFile(path), "first");
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(info.st_mode & 0777, 0666 & ~mask);
  ASSERT_TRUE(WriteText(path, "2").ok());
  EXPECT_EQ(*ReadFile(path), "2");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(WriteFileTest, AnErrorLeavesTheOldFile) {
  const std::string path = folder_ + "a";
  ASSERT_TRUE(WriteText(path, "old").ok());
  Status status = WriteFile(path, [](const ByteSink& sink) {
    EXPECT_TRUE(sink("new", 3));
    return InvalidArgumentError("no");
  });
  EXPECT_EQ(status, InvalidArgumentError("no"));
  EXPECT_EQ(*ReadFile(path), "old");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(WriteFileTest, WhatCannotBeWritten) {
  EXPECT_EQ(WriteText("/nonexistent/a", "x"),
            InternalError("cannot write '/nonexistent/a': No such file or directory"));
  EXPECT_EQ(WriteText(folder_, "x"),
            InternalError("cannot write '" + folder_ + "': Is a directory"));
}

// Is not replaced, and says that it is full.
TEST_F(WriteFileTest, Devices) {
  EXPECT_TRUE(WriteText("/dev/null", "x").ok());
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(WriteText("/dev/full", "x"),
            InternalError("cannot write '/dev/full': No space left on device"));
  struct stat info;
  ASSERT_EQ(stat("/dev/full", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

// The mask is the process's: files that other threads make meanwhile would have the permissions of
// a mask that is changed, for however short a time.
TEST_F(WriteFileTest, TheMaskOfTheProcessStays) {
  const mode_t old_mask = umask(077);
  const int before = num_changes_of_mask;
  EXPECT_TRUE(WriteText(folder_ + "a", "text").ok());
  EXPECT_EQ(num_changes_of_mask, before);
  umask(old_mask);
  struct stat info;
  ASSERT_EQ(stat((folder_ + "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace tfrt
