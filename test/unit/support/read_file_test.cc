#include "lib/base/support/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tfrt {
namespace {

TEST(ReadFileTest, GivesAllBytes) {
  std::string path = testing::TempDir() + "read_file_test";
  std::string bytes(10000, '\0');
  bytes += "end";
  std::ofstream(path, std::ios::binary) << bytes;
  auto read = ReadFile(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, bytes);
}

TEST(ReadFileTest, MissingFilesAndDirectoriesAreErrors) {
  for (const std::string& path : {std::string("no/such/file"), testing::TempDir(), std::string()}) {
    auto read = ReadFile(path);
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(std::string(read.status().message()),
                testing::StartsWith("cannot read '" + path + "'"));
  }
}

}  // namespace
}  // namespace tfrt
