#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

#include "tfrt/opinfo/op_description.h"

namespace tfrt {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;
using HostValue = OpArgumentSpec::HostValue;

// A row says what it costs, what its results are like, and its gradient, or does not compile.
static_assert(!std::is_default_constructible_v<OpCostFormula> &&
              !std::is_default_constructible_v<OpShape> &&
              !std::is_default_constructible_v<OpGradient>);

TEST(OpTableTest, RowsAreComplete) {
  std::set<std::string_view> names;
  for (const OpDescription* op : AllOpDescriptions()) {
    SCOPED_TRACE(op->name);
    EXPECT_TRUE(names.insert(op->name).second) << "twice";
    EXPECT_EQ(FindOpDescription(op->name), op);
    EXPECT_EQ(op->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string_view::npos);
    EXPECT_FALSE(op->summary.empty());
    EXPECT_EQ(op->summary.back(), '.');
    std::set<std::string_view> arguments;
    for (size_t i = 0; i < op->arguments.size(); ++i) {
      const OpArgumentSpec& argument = op->arguments[i];
      EXPECT_FALSE(argument.name.empty());
      EXPECT_TRUE(arguments.insert(argument.name).second);
      const bool is_last = i + 1 == op->arguments.size();
      EXPECT_TRUE(argument.kind != ArgumentKind::kVariadic || is_last);
      EXPECT_TRUE(argument.host_value != HostValue::kLast ||
                  argument.kind == ArgumentKind::kVariadic);
      EXPECT_TRUE(i == 0 || argument.kind != ArgumentKind::kRequired ||
                  op->arguments[i - 1].kind == ArgumentKind::kRequired);
    }
    for (size_t i = 1; i < op->attrs.size(); ++i) {
      EXPECT_LT(op->attrs[i - 1].name, op->attrs[i].name);
    }
    for (const OpAttrSpec& attr : op->attrs) {
      if (attr.default_value.empty()) continue;
      EXPECT_TRUE(ParseDefault(attr).ok()) << ParseDefault(attr).status().message();
    }
    // Only arguments whose elements the op reads can be overwritten.
    for (size_t i = 0; i < 32; ++i) {
      if ((op->may_overwrite >> i & 1) == 0) continue;
      ASSERT_LT(i, op->arguments.size());
      EXPECT_FALSE(op->is_host_value(i, op->arguments.size()));
    }
  }
}

TEST(OpTableTest, SpellingsAreUniqueAndFitTheirOps) {
  std::set<std::string_view> names, spelled_ops;
  for (const OpSpelling* spelling : AllOpSpellings()) {
    SCOPED_TRACE(spelling->name);
    EXPECT_TRUE(names.insert(spelling->name).second) << "twice";
    EXPECT_EQ(FindOpSpelling(spelling->name), spelling);
    const OpDescription* op = FindOpDescription(spelling->op);
    ASSERT_TRUE(op) << spelling->op;
    spelled_ops.insert(op->name);
    for (const OpSpelling::Rename& rename : spelling->attrs) {
      bool found = false;
      for (const OpAttrSpec& attr : op->attrs) found |= attr.name == rename.canonical;
      EXPECT_TRUE(found) << rename.canonical;
      EXPECT_EQ(spelling->Canonical(rename.spelled), rename.canonical);
      EXPECT_EQ(spelling->Spelled(rename.canonical), rename.spelled);
    }
    const bool folds = !spelling->folded_argument.empty();
    auto arguments = SpelledArguments(*op, *spelling);
    auto attrs = SpelledAttrs(*op, *spelling);
    EXPECT_EQ(arguments.size() + folds, op->arguments.size());
    EXPECT_EQ(attrs.size(), op->attrs.size() + folds);
    for (size_t i = 1; i < attrs.size(); ++i) EXPECT_LT(attrs[i - 1].name, attrs[i].name);
  }
  // Others are for graphs alone.
  EXPECT_TRUE(spelled_ops.contains("add"));
}

TEST(OpTableTest, SpellingsRenameAttributesAndFoldArguments) {
  const OpSpelling* batch = FindOpSpelling("tf.BatchMatMulV2");
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->op, "batch_matmul");
  auto attrs = SpelledAttrs(*FindOpDescription(batch->op), *batch);
  ASSERT_EQ(attrs.size(), 2u);
  EXPECT_EQ(attrs[0].name, "adj_x");
  EXPECT_EQ(attrs[0].default_value, "false");
  EXPECT_EQ(batch->Canonical("adj_y"), "transpose_b");
  EXPECT_EQ(batch->Canonical("other"), "other");

  const OpSpelling* mean = FindOpSpelling("_tf.Mean");
  ASSERT_TRUE(mean);
  const OpDescription& reduce = *FindOpDescription(mean->op);
  EXPECT_EQ(SpelledArguments(reduce, *mean).size(), 1u);
  attrs = SpelledAttrs(reduce, *mean);
  ASSERT_EQ(attrs.size(), 2u);
  EXPECT_EQ(attrs[1].name, "reduction_indices");
  EXPECT_EQ(attrs[1].kind, OpAttrSpec::Kind::kI64Array);

  EXPECT_EQ(FindOpSpelling("tf.MatMul")->op, FindOpSpelling("tfrt_test.matmul")->op);
  EXPECT_FALSE(FindOpSpelling("matmul"));
  EXPECT_FALSE(FindOpDescription("tf.MatMul"));
}

TEST(OpTableTest, HostValues) {
  auto is_host_value = [](std::string_view op, size_t argument, size_t count) {
    return FindOpDescription(op)->is_host_value(argument, count);
  };
  EXPECT_FALSE(is_host_value("matmul", 0, 2));
  EXPECT_FALSE(is_host_value("reduce_sum", 0, 2));
  EXPECT_TRUE(is_host_value("reduce_sum", 1, 2));
  EXPECT_TRUE(is_host_value("conv2d_filter_grad", 1, 3));
  // The axis comes last, however many tensors there are.
  EXPECT_FALSE(is_host_value("concat", 1, 4));
  EXPECT_TRUE(is_host_value("concat", 3, 4));
  EXPECT_FALSE(is_host_value("fused_matmul", 5, 6));
  EXPECT_FALSE(is_host_value("constant", 0, 0));
  EXPECT_TRUE(FindOpDescription("concat")->has_host_values());
  EXPECT_FALSE(FindOpDescription("matmul")->has_host_values());
}

}  // namespace
}  // namespace tfrt
