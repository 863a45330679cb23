#include "tfrt/support/file_bytes.h"

#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tfrt/support/read_file.h"

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

}  // namespace
}  // namespace tfrt
