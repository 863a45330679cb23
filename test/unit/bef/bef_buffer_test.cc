#include "tfrt/bef/bef_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/format/bef/byte_reader.h"
#include "test/unit/bef/bytes_from_text.h"

namespace tfrt::bef {
namespace {

TEST(Buffer, VbrIsBigEndianGroupsOfSevenBits) {
  auto encode = [](uint64_t value) {
    Buffer buffer;
    buffer.EmitVbr(value);
    EXPECT_EQ(buffer.size(), VbrSize(value));
    uint64_t back = 0;
    ByteReader in(buffer.bytes());
    EXPECT_TRUE(in.ReadVbr(&back));
    EXPECT_EQ(back, value);
    EXPECT_TRUE(in.empty());
    return buffer.bytes();
  };
  EXPECT_EQ(encode(0), Bytes("00"));
  EXPECT_EQ(encode(127), Bytes("7f"));
  EXPECT_EQ(encode(128), Bytes("81 00"));
  EXPECT_EQ(encode(300), Bytes("82 2c"));
  EXPECT_EQ(encode(~uint64_t{0}), Bytes("81 ff ff ff ff ff ff ff ff 7f"));
}

TEST(ByteReader, RefusesDamagedVbr) {
  uint64_t value;
  for (const char* text :
       {"", "80 01", "81", "83 ff ff ff ff ff ff ff ff 7f", "ff ff ff ff ff ff ff ff ff ff 7f"}) {
    std::vector<uint8_t> bytes = Bytes(text);
    ByteReader in(bytes);
    EXPECT_FALSE(in.ReadVbr(&value)) << text;
  }
  std::vector<uint8_t> bytes = Bytes("90 80 80 80 00");  // 2^32
  ByteReader in(bytes);
  uint32_t small;
  EXPECT_FALSE(in.ReadVbr32(&small));
}

TEST(Buffer, AlignForPadsWhatFollowsThePrefix) {
  Buffer buffer;
  buffer.EmitByte(1);
  buffer.AlignFor(8, 4);
  EXPECT_EQ(buffer.bytes(), Bytes("01 cc cc cc"));
  EXPECT_EQ(buffer.required_alignment(), 8u);
  buffer.EmitU32(2);
  buffer.Align(2);
  EXPECT_EQ(buffer.required_alignment(), 8u);
  Buffer outer;
  outer.EmitByte(7);
  EXPECT_EQ(outer.Embed(buffer), 8u);
  EXPECT_EQ(outer.size(), 16u);
}

TEST(Buffer, AlignmentOneDoesNothing) {
  Buffer buffer;
  buffer.EmitByte(1);
  buffer.Align(0);
  buffer.Align(1);
  EXPECT_EQ(buffer.size(), 1u);
  EXPECT_EQ(buffer.required_alignment(), 1u);
}

TEST(FileWriter, HeaderHasAlignmentByteOnlyWhereNeeded) {
  Buffer aligned;
  aligned.EmitU64(1);
  FileWriter file;
  EXPECT_EQ(file.PayloadPosition(aligned.size(), aligned.required_alignment()), 8u);
  file.AppendSection(SectionId::kAttributes, aligned);
  Buffer bytes;
  for (int i = 0; i < 4; ++i) bytes.EmitByte(9);
  file.AppendSection(SectionId::kStrings, bytes);
  EXPECT_EQ(file.PayloadPosition(aligned.size(), aligned.required_alignment()), 24u);
  file.AppendSection(SectionId::kFunctions, aligned);
  EXPECT_EQ(
      std::move(file).Take(),
      Bytes("0b ef 00 01 11 08 cc cc 00000001 00000000 00 08 09 09 09 09 05 10 00000001 00000000"));
}

}  // namespace
}  // namespace tfrt::bef
