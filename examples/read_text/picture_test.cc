#include "picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace read_text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParsePicture, ReadsGreysAfterCommentsAndSpaces) {
  auto picture = ParsePicture("P5 # grey\n3\t2\n#more\n255\nabcdef", "a.pgm");
  ASSERT_TRUE(picture.ok()) << picture.status().ToString();
  EXPECT_EQ(picture->width, 3);
  EXPECT_EQ(picture->height, 2);
  EXPECT_THAT(picture->greys, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
}

TEST(ParsePicture, MakesColoursGrey) {
  std::string bytes = "P6 2 1 255\n";
  bytes += std::string("\xff\x00\x00\xff\xff\xff", 6);
  auto picture = ParsePicture(bytes, "a.ppm");
  ASSERT_TRUE(picture.ok()) << picture.status().ToString();
  EXPECT_THAT(picture->greys, ElementsAre(76, 255));
}

TEST(ParsePicture, NamesWhatIsWrong) {
  EXPECT_THAT(ParsePicture("P2 1 1 255\n0", "a").status().message(),
              HasSubstr("a: expected a PGM or PPM file"));
  EXPECT_THAT(ParsePicture("P5 2 2 255\nabc", "a").status().message(),
              HasSubstr("2 by 2 pixels take 4 bytes, but there are 3"));
  EXPECT_THAT(ParsePicture("P5 1 99999999999999999999 255\n", "a").status().message(),
              HasSubstr("expected sides of 1 to 16384 pixels"));
  EXPECT_FALSE(ParsePicture("P5 1 1", "a").ok());
  EXPECT_FALSE(ParsePicture("P5 1 1 65535\nab", "a").ok());
  EXPECT_EQ(ReadPicture("/there/is/none").status().code(), tfrt::StatusCode::kNotFound);
}

TEST(Picture, IsCutAndTurned) {
  Picture picture{3, 2, {1, 2, 3, 4, 5, 6}};
  Picture part = Cut(picture, {1, 0, 3, 2});
  EXPECT_EQ(part.width, 2);
  EXPECT_THAT(part.greys, ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(Turn(picture).greys, ElementsAre(6, 5, 4, 3, 2, 1));
}

TEST(Scale, MixesNeighbours) {
  Picture picture{2, 1, {0, 100}};
  EXPECT_THAT(Scale(picture, 4, 1), ElementsAre(0, 25, 75, 100));
  EXPECT_THAT(Scale(picture, 1, 2), ElementsAre(50, 50));
  EXPECT_THAT(Scale(picture, 2, 1), ElementsAre(0, 100));
}

}  // namespace
}  // namespace read_text
