#include "tfrt/support/file_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lib/base/support/read_file.h"

namespace tfrt {
namespace {

std::string TextOf(const FileBytes& bytes) { return {bytes.bytes().begin(), bytes.bytes().end()}; }

class FileBytesTest : public testing::Test {
 protected:
  FileBytesTest() : path_(testing::TempDir() + "file_bytes_test") {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    std::fputs("abc", file);
    std::fclose(file);
  }
  ~FileBytesTest() override { std::remove(path_.c_str()); }
  const std::string path_;
};

TEST_F(FileBytesTest, MapsFiles) {
  auto bytes = FileBytes::FromFile(path_);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(TextOf(*bytes), "abc");
  EXPECT_FALSE(bytes->is_writable());
  FileBytes moved = *std::move(bytes);
  EXPECT_EQ(TextOf(moved), "abc");
  moved = FileBytes::CopyOf({});
  EXPECT_EQ(TextOf(moved), "");
}

TEST_F(FileBytesTest, WhatIsWrittenStaysInMemory) {
  auto bytes = FileBytes::FromFile(path_, FileBytes::Access::kCopyOnWrite);
  ASSERT_TRUE(bytes.ok());
  ASSERT_TRUE(bytes->is_writable());
  *const_cast<uint8_t*>(bytes->bytes().data()) = 'X';
  EXPECT_EQ(TextOf(*bytes), "Xbc");
  EXPECT_EQ(*ReadFile(path_), "abc");
}

TEST_F(FileBytesTest, CopiesAreAlignedAndBorrowedBytesStay) {
  std::vector<uint8_t> bytes = {1, 2, 3};
  FileBytes copy = FileBytes::CopyOf(bytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(copy.bytes().data()) % 64, 0u);
  EXPECT_TRUE(copy.is_writable());
  FileBytes borrowed = FileBytes::Borrow(bytes);
  EXPECT_EQ(borrowed.bytes().data(), bytes.data());
  EXPECT_FALSE(borrowed.is_writable());
}

TEST(FileBytesErrorsTest, NameThePathAndTheReason) {
  EXPECT_EQ(FileBytes::FromFile("/nonexistent").status(),
            NotFoundError("cannot open input file '/nonexistent': No such file or directory"));
  EXPECT_EQ(FileBytes::FromFile("/").status(),
            InternalError("cannot open input file '/': Is a directory"));
  EXPECT_EQ(FileBytes::FromDescriptor(-1, "it").status(),
            InternalError("cannot read 'it': Bad file descriptor"));
}

// How many pages of a mapping are in memory.
size_t PagesInMemory(const FileBytes& bytes) {
  std::ifstream maps("/proc/self/smaps");
  char address[32];
  std::snprintf(address, sizeof(address), "%lx-",
                reinterpret_cast<unsigned long>(bytes.bytes().data()));
  std::string line;
  while (std::getline(maps, line) && !line.starts_with(address)) continue;
  while (std::getline(maps, line) && !line.starts_with("Rss:")) continue;
  return static_cast<size_t>(std::atol(line.c_str() + 4)) * 1024 /
         static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(FileBytesTest, ForgetsPagesOfAFile) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::ofstream(path_) << std::string(64 * page, 'x');
  for (auto access : {FileBytes::Access::kReadOnly, FileBytes::Access::kCopyOnWrite}) {
    auto bytes = FileBytes::FromFile(path_, access);
    ASSERT_TRUE(bytes.ok());
    auto all = bytes->bytes();
    auto count = [&] { return std::ranges::count(all, 'x'); };
    EXPECT_EQ(count(), static_cast<std::ptrdiff_t>(64 * page));
    const size_t before = PagesInMemory(*bytes);
    EXPECT_EQ(before, 64u);
    // Whole pages alone: 9 to 39.
    bytes->Forget(all.subspan(8 * page + 1, 32 * page));
    EXPECT_EQ(PagesInMemory(*bytes), access == FileBytes::Access::kReadOnly ? 64u - 31u : 64u);
    EXPECT_EQ(count(), static_cast<std::ptrdiff_t>(64 * page));
  }
  FileBytes copy = FileBytes::CopyOf(std::vector<uint8_t>(3 * page, 'x'));
  copy.Forget(copy.bytes());
  EXPECT_EQ(copy.bytes()[page], 'x');
}

}  // namespace
}  // namespace tfrt
