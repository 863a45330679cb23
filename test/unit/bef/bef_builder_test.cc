// Builder to reader and back: what a BefBuilder was told is what a BefView gives.

#include "tfrt/bef/bef_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/format/bef/attribute_reader.h"
#include "lib/format/bef/bef_reader.h"
#include "test/unit/bef/sample_modules.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string BuildError(FunctionSpec function) {
  BefBuilder builder;
  builder.AddFunction(std::move(function));
  StatusOr<std::vector<uint8_t>> file = builder.Build();
  return file.ok() ? "" : std::string(file.status().message());
}

TEST(BefBuilder, RoundTrip) {
  std::vector<uint8_t> file = *RichModule().Build();
  StatusOr<BefView> view = BefView::Open(file);
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  EXPECT_EQ(view->file().data(), file.data());
  EXPECT_THAT(view->kernel_names(), ElementsAre("t.const", "t.inner", "t.region", "t.call"));
  EXPECT_THAT(view->type_names(), ElementsAre("i32", "f32", "!tfrt.chain", "i64"));
  ASSERT_EQ(view->functions().size(), 4u);
  EXPECT_EQ(view->functions()[0].name, "native");
  EXPECT_EQ(view->functions()[0].kind, FunctionKind::kNative);
  EXPECT_THAT(view->functions()[0].argument_types, ElementsAre(0));
  EXPECT_THAT(view->functions()[0].result_types, ElementsAre(1));
  EXPECT_EQ(view->functions()[1].name, "");
  EXPECT_EQ(view->functions()[2].name, "main");
  EXPECT_EQ(view->functions()[3].kind, FunctionKind::kSync);

  StatusOr<DecodedFunction> main = view->DecodeFunction(2);
  ASSERT_TRUE(main.ok());
  EXPECT_EQ(main->num_arguments(), 1u);
  EXPECT_EQ(main->root_stream(), 2u);
  EXPECT_EQ(main->num_registers(), 4u);
  EXPECT_THAT(main->use_counts(), ElementsAre(2, 2, 1, 1));
  EXPECT_THAT(main->kernels_without_operands(), ElementsAre(0));
  EXPECT_THAT(main->argument_user_counts(), ElementsAre(2));
  EXPECT_THAT(main->argument_users(), ElementsAre(2, 1));
  EXPECT_THAT(main->returns(), ElementsAre(3, 1));
  ASSERT_EQ(main->kernels().size(), 3u);
  const DecodedKernel& constant = main->kernels()[0];
  EXPECT_EQ(constant.kernel_id(), 0u);
  EXPECT_EQ(constant.attributes().size(), 3u);
  EXPECT_THAT(constant.operands(), IsEmpty());
  EXPECT_THAT(constant.results(), ElementsAre(1));
  EXPECT_THAT(constant.user_counts(), ElementsAre(1));
  EXPECT_THAT(constant.users(), ElementsAre(1));
  const DecodedKernel& region = main->kernels()[1];
  EXPECT_THAT(region.operands(), ElementsAre(0, 1));
  EXPECT_THAT(region.functions(), ElementsAre(1));
  const DecodedKernel& call = main->kernels()[2];
  EXPECT_EQ(call.stream(), 7u);
  EXPECT_THAT(call.functions(), ElementsAre(0, 3));

  EXPECT_EQ(*view->FindAttributeType(constant.attributes()[1]), TypeCode::kDense);
  EXPECT_FALSE(view->FindAttributeType(constant.attributes()[1] + 1).has_value());
  StatusOr<DenseView> dense = ReadDense(view->attributes(), constant.attributes()[1]);
  ASSERT_TRUE(dense.ok());
  EXPECT_EQ(dense->data.size(), 400u);
  EXPECT_EQ((dense->data.data() - file.data()) % 64, 0);
  EXPECT_THAT(view->AttributeNames(2), ElementsAre("a", "dense", "text"));
  EXPECT_THAT(view->AttributeNames(0), IsEmpty());
  EXPECT_THAT(view->RegisterTypes(2), ElementsAre(0, 0, 2, 1));

  EXPECT_EQ(view->nonstrict(), (NonStrictMarks{{.function = 2, .kernels = {2}}}));
  EXPECT_EQ(view->ReadExtras().module_attributes, (std::vector<TextAttribute>{{"m", "1 : i32"}}));
  ASSERT_EQ(view->ReadExtras().functions.size(), 1u);
  EXPECT_EQ(view->ReadExtras().functions[0].function, 2u);
  EXPECT_EQ(view->ReadExtras().functions[0].kernels[0].kernel, 2u);
  EXPECT_EQ(view->ReadExtras().functions[0].kernels[0].cost, 12);
}

TEST(BefBuilder, WithoutOptionalAndOwnSections) {
  std::vector<uint8_t> file = *RichModule().Build({.optional_sections = false, .v0_exact = true});
  StatusOr<BefView> view = BefView::Open(file);
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  EXPECT_FALSE(view->has_attribute_types());
  EXPECT_FALSE(view->has_attribute_names());
  EXPECT_FALSE(view->has_register_types());
  EXPECT_THAT(view->AttributeNames(2), IsEmpty());
  EXPECT_THAT(view->RegisterTypes(2), IsEmpty());
  EXPECT_THAT(view->nonstrict(), IsEmpty());
  EXPECT_TRUE(view->ReadExtras().empty());
}

TEST(BefBuilder, EqualAttributesAreWrittenOnce) {
  FunctionSpec f{.name = "f"};
  for (int32_t value : {1, 2, 1}) {
    f.AddKernel({.name = "k", .attributes = {{"value", I32Attribute(value)}}});
  }
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> file = *builder.Build();
  StatusOr<BefView> view = BefView::Open(file);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->attribute_types().size(), 2u);
  EXPECT_EQ(view->attributes().size(), 8u);
}

TEST(BefBuilder, LaterFunctionOfANameIsTheOneCalled) {
  BefBuilder builder;
  builder.AddFunction({.name = "g"});
  builder.AddFunction({.name = "g"});
  FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "t.call", .callees = {"g"}});
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> file = *builder.Build();
  StatusOr<BefView> view = BefView::Open(file);
  ASSERT_TRUE(view.ok());
  StatusOr<DecodedFunction> decoded = view->DecodeFunction(2);
  EXPECT_THAT(decoded->kernels()[0].functions(), ElementsAre(1));
}

TEST(BefBuilder, Errors) {
  EXPECT_EQ(BuildError({.name = "f", .kernels = {{.name = "k", .operands = {0}}}}),
            "kernel 'k' in function 'f' uses register 0 before it is defined");
  EXPECT_EQ(BuildError({.name = "f", .returns = {3}}), "function 'f' returns register 3 of 0");
  EXPECT_EQ(BuildError({.name = "f", .kernels = {{.name = "k", .callees = {"g"}}}}),
            "function 'g' is not defined");
  EXPECT_EQ(BuildError({.name = std::string("f\0g", 3)}),
            "the name 'f' goes on behind a NUL character");
  EXPECT_EQ(BuildError({.name = "f",
                        .kernels = {{.name = "k",
                                     .attributes = {{"a", TypeAttribute(TypeCode::kShape)}}}}}),
            "the attribute has no BEF encoding");
}

// Regions have no name; one must not be taken for a function that is called without one.
TEST(BefBuilder, RegionsCannotBeCalledByName) {
  FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "k", .regions = {FunctionSpec{}}});
  f.AddKernel({.name = "t.call", .callees = {""}});
  EXPECT_EQ(BuildError(std::move(f)), "function '' is not defined");
}

// Every section stays within what its offsets can reach, or there is no file. The limit is lowered
// here, so that no section needs 4 GiB to go beyond it.
TEST(BefBuilder, SectionsBeyondTheirOffsets) {
  const BefBuilder builder = RichModule();
  const std::vector<uint8_t> file = *builder.Build();
  std::vector<std::pair<size_t, std::string_view>> refused;  // size, name
  size_t longest = 0;
  for (const SectionInfo& section : ListSections(file)) {
    if (section.size > longest) refused.emplace_back(section.size, SectionName(section.id));
    longest = std::max(longest, section.size);
  }
  ASSERT_GE(refused.size(), 2u);
  for (uint64_t limit = 0; limit < longest; ++limit) {
    // The first section in the file that is too long.
    auto [size, name] = *std::ranges::find_if(refused, [&](auto r) { return r.first > limit; });
    StatusOr<std::vector<uint8_t>> built = builder.Build({.max_section_bytes = limit});
    ASSERT_FALSE(built.ok()) << limit;
    EXPECT_EQ(built.status(), InvalidArgumentError(
                                  StrCat("the section ", name, " takes ", size,
                                         " bytes, more than its offsets can reach (", limit, ")")));
  }
  EXPECT_EQ(*builder.Build({.max_section_bytes = longest}), file);
}

// Locations: the grammar of docs/reference/bef_format.md.
TEST(BefBuilder, Locations) {
  LocationValue deep = FileLocation("f", 1, 1);
  for (int i = 1; i < kMaxLocationDepth; ++i) deep = NameLocation("n", std::move(deep));
  LocationValue too_deep = NameLocation("n", deep);
  struct Case {
    LocationValue location;
    DecodedLocation decoded;
    std::optional<std::string> debug_info;
  };
  auto name = [](std::string text) { return DecodedLocation{"", 0, 0, std::move(text)}; };
  std::vector<Case> cases = {
      {FileLocation("f.x", 3, 4), {"f.x", 3, 4, ""}, std::nullopt},
      {UnknownLocation(), name("(unknown)"), std::nullopt},
      {UnsupportedLocation(), name("(unknown)"), std::nullopt},
      {NameLocation("nm"), name("nm"), "nm"},
      {NameLocation("nm", FileLocation("f.x", 3, 4)), name("f.x;3;4(nm)"), "nm"},
      {CallSiteLocation(NameLocation("a"), FileLocation("f.x", 3, 4)), name("a<-f.x;3;4"), "a"},
      {CallSiteLocation(FileLocation("f.x", 3, 4), NameLocation("a")), name("f.x;3;4<-a"),
       std::nullopt},
      {FusedLocation({NameLocation("a"), UnknownLocation(), NameLocation("b")}),
       name("a,(unknown),b"), "ab"},
      {FusedLocation({FileLocation("f.x", 3, 4)}), name("f.x;3;4"), ""},
      {FusedLocation({UnsupportedLocation()}), name("(unknown)"), std::nullopt},
      {too_deep, name("(unknown)"), std::nullopt},
  };
  FunctionSpec f{.name = "f"};
  for (const Case& c : cases) f.AddKernel({.name = "k", .location = c.location});
  f.AddKernel({.name = "k", .location = deep});
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> file = *builder.Build();
  std::string detail;
  StatusOr<BefView> view = BefView::Open(file, &detail);
  ASSERT_TRUE(view.ok()) << view.status().ToString() << detail;
  StatusOr<DecodedFunction> decoded = view->DecodeFunction(0);
  for (size_t i = 0; i < cases.size(); ++i) {
    uint32_t offset = decoded->kernels()[i].location();
    DecodedLocation location = view->DecodeLocation(offset);
    EXPECT_EQ(location.file, cases[i].decoded.file) << i;
    EXPECT_EQ(location.line, cases[i].decoded.line) << i;
    EXPECT_EQ(location.column, cases[i].decoded.column) << i;
    EXPECT_EQ(location.name, cases[i].decoded.name) << i;
    EXPECT_EQ(view->DebugInfo(offset), cases[i].debug_info) << i;
  }
  EXPECT_TRUE(view->ReadLocation(decoded->kernels()[2].location()).unsupported);
  EXPECT_FALSE(view->ReadLocation(decoded->kernels()[1].location()).unsupported);
}

TEST(BefBuilder, LongLocationTextsAreCut) {
  std::vector<LocationValue> parts(100, NameLocation(std::string(1000, 'x')));
  BefBuilder builder;
  builder.AddFunction({.name = "f", .location = FusedLocation(std::move(parts))});
  std::vector<uint8_t> file = *builder.Build();
  StatusOr<BefView> view = BefView::Open(file);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->DecodeLocation(0).name.size(), 64u * 1024 + 3);
  EXPECT_EQ(view->DebugInfo(0)->size(), 64u * 1024 + 3);
}

}  // namespace
}  // namespace tfrt::bef
