#include "lib/ops/maths/cpu/pick.h"

#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {
namespace {

// The positions of a padded dimension, "." where the constant is; or the message.
std::string Positions(int64_t size, int64_t before, int64_t after, PadMode mode) {
  StatusOr<PickedDim> dim = PaddedDim(size, before, after, mode);
  if (!dim.ok()) return std::string(dim.status().message());
  std::string text;
  for (const PickedDim::Piece& piece : dim->pieces) {
    for (int64_t i = 0; i < piece.count; ++i) {
      text += piece.from == PickedDim::kNowhere ? "." : StrCat(piece.from + i * piece.step);
    }
  }
  EXPECT_EQ(dim->size(), size + before + after);
  return text;
}

TEST(PickTest, PaddedWithAConstant) {
  EXPECT_EQ(Positions(3, 2, 1, PadMode::kConstant), "..012.");
  EXPECT_EQ(Positions(3, -1, 1, PadMode::kConstant), "12.");
  EXPECT_EQ(Positions(3, 1, -2, PadMode::kConstant), ".0");
  EXPECT_EQ(Positions(3, -1, -2, PadMode::kConstant), "");
  EXPECT_EQ(Positions(3, -4, 3, PadMode::kConstant), "..");
  EXPECT_EQ(Positions(3, 4, -5, PadMode::kConstant), "..");
  EXPECT_EQ(Positions(0, 1, 1, PadMode::kConstant), "..");
  EXPECT_EQ(Positions(3, -2, -2, PadMode::kConstant),
            "pad: a dimension of 3 cannot have -2 positions before and -2 after it");
  EXPECT_EQ(Positions(3, INT64_MIN, INT64_MAX, PadMode::kConstant),
            StrCat("pad: a dimension of 3 cannot have ", INT64_MIN, " positions before and ",
                   INT64_MAX, " after it"));
}

TEST(PickTest, PaddedWithWhatIsThere) {
  EXPECT_EQ(Positions(4, 3, 3, PadMode::kReflect), "3210123210");
  EXPECT_EQ(Positions(3, 5, 6, PadMode::kReflect), "10121012101210");
  EXPECT_EQ(Positions(1, 2, 1, PadMode::kReflect), "0000");
  EXPECT_EQ(Positions(3, 2, 1, PadMode::kEdge), "000122");
  EXPECT_EQ(Positions(3, 4, 5, PadMode::kWrap), "201201201201");
  // What is negative is cut off first.
  EXPECT_EQ(Positions(4, -1, 2, PadMode::kReflect), "12321");
  EXPECT_EQ(Positions(4, 2, -1, PadMode::kEdge), "00012");
  EXPECT_EQ(Positions(4, -1, 1, PadMode::kWrap), "1231");
  EXPECT_EQ(Positions(0, 1, 0, PadMode::kEdge),
            "pad: nothing of a dimension of 0 is left to take what is around it from");
  EXPECT_EQ(Positions(0, 0, 0, PadMode::kWrap), "");
}

TEST(PickTest, Modes) {
  EXPECT_EQ(*PadModeOf("edge"), PadMode::kEdge);
  EXPECT_EQ(PadModeOf("mirror").status().message(), "pad: unknown mode 'mirror'");
}

// Pieces are as long as they can be.
TEST(PickTest, Pieces) {
  PickedDim dim;
  for (int64_t at : {0, 2, 4, 6, 6, 6, 5, 4}) dim.Add(at);
  ASSERT_EQ(dim.pieces.size(), 3u);
  EXPECT_EQ(dim.pieces[0].step, 2);
  EXPECT_EQ(dim.pieces[1].count, 2);
  EXPECT_EQ(dim.pieces[2].step, -1);
  EXPECT_EQ(dim.size(), 8);
}

// Two rows and columns of 3 x 4, whose elements may be in units.
TEST(PickTest, ElementsOfAllSizes) {
  for (int64_t unit : {1, 3}) {
    for (size_t element_size : {1, 2, 4, 8, 16}) {
      std::vector<uint8_t> in(3 * 4 * static_cast<size_t>(unit) * element_size);
      for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i + 1);
      PickedDim rows, columns, units;
      for (int64_t row : {2, 2, -1, 0}) rows.Add(row);
      for (int64_t column : {-1, 3, 1, 0, 0}) columns.Add(column);
      units.Add({0, unit, 1});
      PickPlan plan({3, 4, unit}, {rows, columns, units}, element_size);
      EXPECT_EQ(plan.num_rows, 4);
      const std::vector<uint8_t> constant(element_size, 99);
      const size_t unit_bytes = static_cast<size_t>(unit) * element_size;
      std::vector<uint8_t> out(4 * 5 * unit_bytes), expected;
      for (int64_t row : {2, 2, -1, 0}) {
        for (int64_t column : {-1, 3, 1, 0, 0}) {
          for (size_t i = 0; i < unit_bytes; ++i) {
            const auto at = static_cast<size_t>(row * 4 + column) * unit_bytes + i;
            expected.push_back(row < 0 || column < 0 ? 99 : in[at]);
          }
        }
      }
      Pick(plan, in.data(), constant.data(), out.data(), 1, 4);
      Pick(plan, in.data(), constant.data(), out.data(), 0, 1);
      EXPECT_EQ(out, expected) << unit << " elements of " << element_size << " bytes";
    }
  }
}

}  // namespace
}  // namespace tfrt::cpu
