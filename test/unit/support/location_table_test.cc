#include "tfrt/support/location_table.h"

#include <gtest/gtest.h>

namespace tfrt {
namespace {

TEST(LocationTableTest, PlacesOfOtherLanguages) {
  LocationTable table;
  Location first = table.Add("train.py", 7), second = table.Add("train.py", 8, 3);
  EXPECT_EQ(first.Decode().ToString(), "train.py:7:0");
  EXPECT_EQ(second.Decode().ToString(), "train.py:8:3");
  EXPECT_EQ(table.Add("train.py", 7).data(), first.data());  // kept once
}

}  // namespace
}  // namespace tfrt
