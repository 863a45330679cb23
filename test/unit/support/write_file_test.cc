#include "tfrt/support/write_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "lib/base/support/read_file.h"
#include "tfrt/support/file_bytes.h"

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

TEST_F(WriteFileTest, AMappedFileStaysAsItWas) {
  const std::string path = folder_ + "a";
  ASSERT_TRUE(WriteText(path, "old text").ok());
  StatusOr<FileBytes> mapped = FileBytes::FromFile(path);
  ASSERT_TRUE(mapped.ok());
  ASSERT_TRUE(WriteText(path, "new").ok());
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(mapped->bytes().data()),
                             mapped->bytes().size()),
            "old text");
  EXPECT_EQ(*ReadFile(path), "new");
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

// To open such a path is to open the descriptor's file anew; and the name is not the file's.
TEST_F(WriteFileTest, Descriptors) {
  const std::string path = folder_ + "a";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_TRUE(file);
  std::fputs("before ", file);
  std::fflush(file);
  const std::string number = std::to_string(fileno(file));
  EXPECT_TRUE(WriteText("/dev/fd/" + number, "one ").ok());
  EXPECT_TRUE(WriteText("/proc/self/fd/" + number, "two ").ok());
  std::filesystem::create_symlink("/dev/fd/" + number, folder_ + "link");
  EXPECT_TRUE(WriteText(folder_ + "link", "three ").ok());
  std::fputs("after", file);
  std::fclose(file);
  EXPECT_EQ(*ReadFile(path), "before one two three after");
  EXPECT_EQ(NumFiles(), 2u);
  EXPECT_EQ(WriteText("/dev/fd/999", "x"),
            InternalError("cannot write '/dev/fd/999': Bad file descriptor"));
}

TEST_F(WriteFileTest, LinksAreFollowed) {
  std::filesystem::create_directory(folder_ + "sub");
  std::filesystem::create_symlink("sub/file", folder_ + "near");
  std::filesystem::create_symlink(folder_ + "near", folder_ + "far");
  ASSERT_TRUE(WriteText(folder_ + "far", "new").ok());  // what is not there yet
  EXPECT_EQ(*ReadFile(folder_ + "sub/file"), "new");
  ASSERT_TRUE(WriteText(folder_ + "near", "newer").ok());
  EXPECT_EQ(*ReadFile(folder_ + "sub/file"), "newer");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "near"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "far"));
  EXPECT_EQ(NumFiles(), 3u);
  std::filesystem::create_symlink("loop", folder_ + "loop");
  EXPECT_FALSE(WriteText(folder_ + "loop", "x").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "loop"));
}

TEST_F(WriteFileTest, PermissionsStay) {
  const std::string path = folder_ + "a";
  ASSERT_TRUE(WriteText(path, "old").ok());
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  ASSERT_TRUE(WriteText(path, "new").ok());
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  ASSERT_EQ(chmod(path.c_str(), 0440), 0);
  if (access(path.c_str(), W_OK) != 0) {  // root may write all files
    EXPECT_EQ(WriteText(path, "x"),
              InternalError("cannot write '" + path + "': Permission denied"));
  }
  EXPECT_EQ(*ReadFile(path), "new");
}

TEST_F(WriteFileTest, LongNames) {
  const std::string path = folder_ + std::string(255, 'n');
  EXPECT_TRUE(WriteText(path, "text").ok());
  EXPECT_EQ(*ReadFile(path), "text");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(WriteFileTest, NewFiles) {
  const std::string path = folder_ + "a";
  ASSERT_TRUE(WriteText(path, "old").ok());
  {
    StatusOr<NewFile> file = NewFile::Create(path);
    ASSERT_TRUE(file.ok());
    NewFile moved = *std::move(file);
    ASSERT_TRUE(WriteText(moved.name(), "new").ok());
    EXPECT_EQ(*ReadFile(path), "old");
    EXPECT_EQ(NumFiles(), 2u);
    NewFile other = *NewFile::Create(path);
    EXPECT_EQ(NumFiles(), 3u);
    EXPECT_TRUE(moved.Keep().ok());
  }
  EXPECT_EQ(*ReadFile(path), "new");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(WriteFileTest, OutputsThatAreInputs) {
  const std::string path = folder_ + "a";
  EXPECT_TRUE(CheckIsNotInput(path, path).ok());  // neither is there
  ASSERT_TRUE(WriteText(path, "x").ok());
  std::filesystem::create_symlink("a", folder_ + "link");
  EXPECT_EQ(CheckIsNotInput(folder_ + "link", path),
            InvalidArgumentError("'" + folder_ + "link' is the file that is read"));
  EXPECT_TRUE(CheckIsNotInput(folder_ + "b", path).ok());
  EXPECT_TRUE(CheckIsNotInput("/dev/null", "/dev/null").ok());
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
