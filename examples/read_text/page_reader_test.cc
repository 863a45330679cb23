#include "page_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace read_text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kAlphabet = {"", "a", "b", " "};

// Steps that are sure of these characters.
Values Steps(const std::vector<int>& characters) {
  Values steps{{1, static_cast<int64_t>(characters.size()), 4}, {}};
  for (int character : characters) {
    for (int c = 0; c < 4; ++c) steps.elements.push_back(c == character ? 0.7f : 0.1f);
  }
  return steps;
}

TEST(ParseAlphabet, PutsNoneBeforeAndSpaceAfter) {
  EXPECT_THAT(ParseAlphabet("a\n\xc3\xa4\nz"), ElementsAre("", "a", "\xc3\xa4", "z", " "));
}

TEST(Decode, JoinsRepeatedCharactersAndSkipsNone) {
  auto line = Decode(Steps({0, 1, 1, 0, 1, 3, 2, 2, 0}), kAlphabet);
  ASSERT_TRUE(line.ok()) << line.status().ToString();
  EXPECT_EQ(line->text, "aa b");
  EXPECT_NEAR(line->confidence, 0.7, 1e-6);
}

TEST(Decode, SaysWhatDoesNotFit) {
  Values steps{{1, 2, 3}, std::vector<float>(6)};
  EXPECT_EQ(Decode(steps, kAlphabet).status().message(),
            "the recogniser gives values of shape [1,2,3], which do not fit its job");
}

// Networks for a page with two lines: the detector takes dark pixels for text, the second line is
// turned, and the recogniser sees an "a" in a line that begins dark, else a "b".
Networks TwoLines() {
  Networks networks;
  networks.detector = [](const Values& input) -> tfrt::StatusOr<Values> {
    Values map{{1, 1, input.shape[2], input.shape[3]}, {}};
    for (int64_t i = 0; i < input.shape[2] * input.shape[3]; ++i) {
      map.elements.push_back(input.elements[static_cast<size_t>(i)] < 0 ? 1.0f : 0.0f);
    }
    return map;
  };
  networks.direction = [](const Values& input) -> tfrt::StatusOr<Values> {
    Values turned{{input.shape[0], 2}, {}};
    for (int64_t i = 0; i < input.shape[0]; ++i) {
      turned.elements.insert(turned.elements.end(), {i == 1 ? 0.05f : 0.2f, i == 1 ? 0.95f : 0.8f});
    }
    return turned;
  };
  networks.recogniser = [](const Values& input) -> tfrt::StatusOr<Values> {
    auto middle = static_cast<size_t>(input.shape[3] * (input.shape[2] / 2));
    auto begin = input.elements.begin() + static_cast<std::ptrdiff_t>(middle);
    return Steps({*std::min_element(begin, begin + 70) < -0.5 ? 1 : 2});
  };
  networks.alphabet = kAlphabet;
  return networks;
}

TEST(ReadPage, FindsTurnsAndReadsLines) {
  Picture page{256, 128, std::vector<uint8_t>(256 * 128, 255)};
  for (int64_t y : {20, 80}) {
    for (int64_t row = y; row < y + 20; ++row) {
      for (int64_t x = 20; x < 148; ++x) {
        page.greys[static_cast<size_t>(row * 256 + x)] = x < 84 ? 0 : 120;
      }
    }
  }
  auto read = ReadPage(TwoLines(), page);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  ASSERT_EQ(read->lines.size(), 2u);
  EXPECT_EQ(read->lines[0].text, "a");
  EXPECT_FALSE(read->lines[0].turned);
  EXPECT_EQ(read->lines[1].text, "b");
  EXPECT_TRUE(read->lines[1].turned);
}

TEST(ReadPage, OfAnEmptyPageHasNoLines) {
  auto read = ReadPage(TwoLines(), {40, 30, std::vector<uint8_t>(40 * 30, 255)});
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_TRUE(read->lines.empty());
}

TEST(ReadPage, SaysWhichNetworkDoesNotFit) {
  Networks networks = TwoLines();
  networks.detector = [](const Values&) -> tfrt::StatusOr<Values> {
    return Values{{1, 2}, {0, 0}};
  };
  Picture page{32, 32, std::vector<uint8_t>(32 * 32)};
  EXPECT_THAT(ReadPage(networks, page).status().message(), HasSubstr("the detector gives values"));
  networks.detector = [](const Values&) -> tfrt::StatusOr<Values> {
    return tfrt::InternalError("broken");
  };
  EXPECT_EQ(ReadPage(networks, page).status().message(), "broken");
}

}  // namespace
}  // namespace read_text
