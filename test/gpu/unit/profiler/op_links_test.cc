#include "gpu/profiler/op_links.h"

#include <gtest/gtest.h>

#include <string>

namespace tfrt::gpu {
namespace {

TEST(ExternalIdTest, HasAMark) {
  EXPECT_EQ(FromExternalId(ToExternalId(0)), 0u);
  EXPECT_EQ(FromExternalId(ToExternalId(123456789)), 123456789u);
  EXPECT_EQ(FromExternalId(123456789), std::nullopt);
  EXPECT_EQ(FromExternalId(~uint64_t{0}), std::nullopt);
}

TEST(OpNamesTest, OneNumberPerName) {
  OpNames names;
  EXPECT_EQ(names.NumberOf(""), 0u);
  EXPECT_EQ(names.NumberOf("a"), 1u);
  EXPECT_EQ(names.NumberOf(std::string("b")), 2u);
  EXPECT_EQ(names.NumberOf("a"), 1u);
  EXPECT_EQ(names.NameOf(2), "b");
  EXPECT_EQ(names.NameOf(0), "");
  EXPECT_EQ(names.NameOf(3), "");
  for (size_t i = 0; i < OpNames::kMaxNames; ++i) names.NumberOf(std::to_string(i));
  EXPECT_EQ(names.NumberOf("one too many"), 0u);
  EXPECT_EQ(names.NumberOf("a"), 1u);
}

TEST(GraphOpsTest, ClonesHaveTheOpOfTheirOriginal) {
  GraphOps ops;
  ops.Add(1, {.op_id = 5});
  ops.AddClone(2, 1);
  ops.AddClone(3, 2);
  ops.AddClone(4, 9);
  EXPECT_EQ(ops.Find(3)->op_id, 5u);
  EXPECT_FALSE(ops.Find(4).has_value());
  ops.Clear();
  EXPECT_FALSE(ops.Find(1).has_value());
}

TEST(GraphOpsTest, RoomIsBounded) {
  GraphOps ops;
  for (uint64_t node = 0; node < GraphOps::kMaxNodes + 3; ++node) ops.Add(node, {.op_id = 1});
  EXPECT_EQ(ops.num_dropped(), 3u);
}

}  // namespace
}  // namespace tfrt::gpu
