// Files of tensors, and bytes that are none.

#include "lib/compiler/onnx/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

namespace tfrt::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string FileOf(const std::string& header, const std::string& data) {
  uint64_t size = header.size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof(size));
  return bytes + header + data;
}

StatusOr<SafeTensors> Read(const std::string& bytes) {
  return SafeTensors::FromBytes(
      FileBytes::CopyOf({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}), "w.st");
}
std::string Error(const std::string& header, const std::string& data = "") {
  return std::string(Read(FileOf(header, data)).status().message());
}

constexpr const char* kHeader = R"({"__metadata__": {"by": "hand"},)"
                                R"( "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},)"
                                R"( "b": {"dtype": "U8", "shape": [], "data_offsets": [8, 9]}})";

TEST(SafeTensorsTest, FindsTensorsByName) {
  StatusOr<SafeTensors> file = Read(FileOf(kHeader, "12345678x"));
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->tensors().size(), 2u);
  const SafeTensor* a = file->Find("a");
  ASSERT_TRUE(a);
  EXPECT_EQ(a->dtype, DType::kF32);
  EXPECT_THAT(a->dims, ElementsAre(2));
  EXPECT_EQ(std::memcmp(a->bytes.data(), "12345678", 8), 0);
  EXPECT_EQ(file->Find("b")->bytes.size(), 1u);
  EXPECT_EQ(file->Find("c"), nullptr);
}

TEST(SafeTensorsTest, WhatIsNotInTheFormatIsAnError) {
  EXPECT_EQ(Read("1234").status().message(), "w.st: the file is shorter than its first number");
  EXPECT_EQ(Read(std::string(8, '\x7f')).status().message(),
            "w.st: the header is said to have 9187201950435737471 bytes, but there are 0");
  EXPECT_EQ(Error("[1]"), "w.st: the header is no JSON object");
  EXPECT_EQ(Error("{"), "w.st: the header is no JSON object");
  EXPECT_EQ(Error(std::string(1000, '[')), "w.st: the header is no JSON object");
  EXPECT_EQ(Error(R"({"a": 1})"), "w.st: tensor 'a': its entry is no object");
  EXPECT_EQ(Error(R"({"a": {}})"), "w.st: tensor 'a': there is no dtype");
  EXPECT_EQ(Error(R"({"a": {"dtype": "F8_E4M3", "shape": [], "data_offsets": [0, 0]}})"),
            "w.st: tensor 'a' is of F8_E4M3, which is not supported");
  EXPECT_EQ(Error(R"({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 0]}})"),
            "w.st: tensor 'a': a size in its shape is no number of elements");
  EXPECT_EQ(Error(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", "1234"),
            "w.st: tensor 'a': its data_offsets are outside of the 4 bytes of data");
  EXPECT_EQ(Error(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}})", "1234"),
            "w.st: tensor 'a': its data_offsets are outside of the 4 bytes of data");
  EXPECT_EQ(Error(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}})", "1234"),
            "w.st: tensor 'a': it has 4 bytes of data, but needs 2 elements of 4");
  EXPECT_THAT(Error(R"({"a": {"dtype": "F32", "shape": [9223372036854775807, 9],)"
                    R"( "data_offsets": [0, 0]}})"),
              HasSubstr("more elements than can be counted"));
}

TEST(SafeTensorsTest, TruncationsAndRandomChangesAreFilesOrErrors) {
  const std::string bytes = FileOf(kHeader, "12345678x");
  for (size_t size = 0; size < bytes.size(); ++size) (void)Read(bytes.substr(0, size));
  std::mt19937 random(1);
  for (int i = 0; i < 5'000; ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] = static_cast<char>(random());
    (void)Read(changed);
  }
}

}  // namespace
}  // namespace tfrt::onnx
