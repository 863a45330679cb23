#include "file_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace file_types {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr FeatureSizes kSizes = {16, 4, 4, 256, 3};

FileEnds EndsOf(const std::string& content) { return {content.size(), content, content}; }

TEST(ExtractFeatures, TakesBothEndsWithoutWhiteSpace) {
  EXPECT_THAT(ExtractFeatures(EndsOf(" \nabcdefgh\t \n"), kSizes),
              ElementsAre('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
}

TEST(ExtractFeatures, PadsTheOuterEnds) {
  EXPECT_THAT(ExtractFeatures(EndsOf("abc"), kSizes),
              ElementsAre('a', 'b', 'c', 256, 256, 'a', 'b', 'c'));
}

TEST(ExtractFeatures, KeepsBytesThatAreNoCharacters) {
  EXPECT_THAT(ExtractFeatures(EndsOf(std::string("\0\xff\x85\xa0", 4)), kSizes),
              ElementsAre(0, 255, 0x85, 0xa0, 0, 255, 0x85, 0xa0));
}

TEST(ExtractFeatures, GivesNothingForTooFewBytes) {
  EXPECT_THAT(ExtractFeatures(EndsOf("ab"), kSizes), IsEmpty());
  EXPECT_THAT(ExtractFeatures(EndsOf("        ab"), kSizes), IsEmpty());
  EXPECT_THAT(ExtractFeatures(EndsOf("          "), kSizes), IsEmpty());
}

TEST(ReadEnds, ReadsNoMoreThanTheBlocks) {
  std::string path = testing::TempDir() + "/ends" + std::to_string(getpid());
  std::ofstream(path) << "0123456789";
  auto ends = ReadEnds(path, 4);
  ASSERT_TRUE(ends.ok()) << ends.status().ToString();
  EXPECT_EQ(ends->size, 10u);
  EXPECT_EQ(ends->first, "0123");
  EXPECT_EQ(ends->last, "6789");
  std::remove(path.c_str());
}

TEST(ReadEnds, SaysWhatIsNoFile) {
  EXPECT_EQ(ReadEnds("/there/is/none", 4).status().message(), "cannot open /there/is/none");
  EXPECT_EQ(ReadEnds("/dev/null", 4).status().message(), "/dev/null is not a file");
}

TEST(IsUtf8, KnowsTextFromOtherBytes) {
  for (const char* text : {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x8d\x8e"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
  // A lone byte, one cut off, overlong forms, a surrogate, beyond Unicode.
  for (const char* bytes : {"\x80", "a\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf",
                            "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
    EXPECT_FALSE(IsUtf8(bytes));
  }
}

}  // namespace
}  // namespace file_types
