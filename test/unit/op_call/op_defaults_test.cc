#include "lib/ops/op_call/op_defaults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/ops/host_ops/cpu_ops.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// "error: MESSAGE", or what op_attrs_print prints of the default.
std::string DefaultOf(AttrKind kind, std::string_view text) {
  OpAttrs attrs;
  Status status = SetDefault({"a", kind, text}, attrs);
  return status.ok() ? attrs.ToString() : "error: " + std::string(status.message());
}

TEST(OpDefaultsTest, OfEveryKind) {
  OpAttrs attrs;
  const OpAttrSpec specs[] = {
      {"bool", AttrKind::kBool, "true"},
      {"i32", AttrKind::kI32, "-7"},
      {"i64", AttrKind::kI64, "5000000000"},
      {"f32", AttrKind::kF32, "1e-4f"},
      {"string", AttrKind::kString, R"("a \"b\" \\")"},
      {"type", AttrKind::kType, "DType::kI64"},
      {"shape", AttrKind::kShape, "{2, -1}"},
      {"i64s", AttrKind::kI64Array, "{1, 2, -3}"},
      {"none", AttrKind::kI64Array, "{}"},
      {"f32s", AttrKind::kF32Array, "{0.5f, 1}"},
      {"strings", AttrKind::kStringArray, "{}"},
  };
  for (const OpAttrSpec& spec : specs) EXPECT_TRUE(SetDefault(spec, attrs).ok()) << spec.name;
  OpAttrsRef ref = attrs;
  EXPECT_EQ(ref.Get<bool>("bool"), true);
  EXPECT_EQ(ref.Get<int32_t>("i32"), -7);
  EXPECT_EQ(ref.Get<int64_t>("i64"), 5000000000);
  EXPECT_EQ(ref.Get<float>("f32"), 1e-4f);
  EXPECT_EQ(ref.GetString("string"), "a \"b\" \\");
  EXPECT_EQ(ref.GetType("type"), DType::kI64);
  EXPECT_THAT(ref.GetShape("shape")->dimensions(), testing::ElementsAre(2, -1));
  EXPECT_THAT(*ref.GetArray<int64_t>("i64s"), testing::ElementsAre(1, 2, -3));
  EXPECT_TRUE(ref.GetArray<int64_t>("none")->empty());
  EXPECT_THAT(*ref.GetArray<float>("f32s"), testing::ElementsAre(0.5f, 1.0f));
  EXPECT_TRUE(ref.GetArray<int64_t>("strings")->empty());
}

TEST(OpDefaultsTest, TextsThatAreNoValues) {
  EXPECT_EQ(DefaultOf(AttrKind::kI64, "1x"),
            "error: the default of the attribute 'a', 1x, is not an i64");
  for (auto [kind, text] :
       std::vector<std::pair<AttrKind, std::string_view>>{{AttrKind::kBool, "1"},
                                                          {AttrKind::kI32, "5000000000"},
                                                          {AttrKind::kF32, "f"},
                                                          {AttrKind::kString, "none"},
                                                          {AttrKind::kString, "\"a\\n\""},
                                                          {AttrKind::kString, "\"a\"b\""},
                                                          {AttrKind::kType, "DType::kUnsupported"},
                                                          {AttrKind::kType, "i64"},
                                                          {AttrKind::kI64Array, "{1, }"},
                                                          {AttrKind::kI64Array, "1, 2"},
                                                          {AttrKind::kStringArray, "{\"a\"}"},
                                                          {AttrKind::kAny, "1"},
                                                          {AttrKind::kDense, "1"}}) {
    EXPECT_TRUE(DefaultOf(kind, text).starts_with("error: ")) << text;
  }
}

TEST(OpDefaultsTest, WhatIsThereStays) {
  OpAttrs attrs;
  attrs.Set("a", int64_t{1});
  EXPECT_TRUE(SetDefault({"a", AttrKind::kI64, "2"}, attrs).ok());
  EXPECT_TRUE(SetDefault({"b", AttrKind::kI64}, attrs).ok());
  EXPECT_EQ(attrs.size(), 1u);
  EXPECT_EQ(OpAttrsRef(attrs).Get<int64_t>("a"), 1);
}

TEST(OpDefaultsTest, ComplementWhatACallGives) {
  const OpDefinition op = CustomOp{
      .name = "o",
      .summary = "",
      .attrs = {
          {"f", AttrKind::kFunction}, {"a", AttrKind::kI64, "2"}, {"b", AttrKind::kBool, "false"}}};
  OpAttrs given, complete;
  given.Set("b", true);
  given.SetFunction("f", "main");
  OpAttrsRef attrs = WithDefaults(op, given, complete);
  EXPECT_EQ(attrs.size(), 3u);
  EXPECT_EQ(attrs.Get<bool>("b"), true);
  EXPECT_EQ(attrs.Get<int64_t>("a"), 2);
  EXPECT_EQ(attrs.GetFunction("f"), "main");
}

TEST(OpDefaultsTest, OfAllOpsOfTheHostCanBeRead) {
  OpRegistry registry;
  RegisterCpuOps(&registry);
  size_t defaults = 0;
  for (const OpDefinition& op : registry.ops()) {
    EXPECT_TRUE(CheckDefaults(op.attrs).ok())
        << op.name << ": " << CheckDefaults(op.attrs).message();
    for (const OpAttrSpec& spec : op.attrs) defaults += !spec.default_value.empty();
  }
  EXPECT_GT(defaults, 20u);
}

}  // namespace
}  // namespace tfrt
