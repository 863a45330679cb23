// Whole files, byte for byte. The expected bytes were computed by hand from
// docs/reference/bef_format.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/format/bef/bef_reader.h"
#include "test/unit/bef/bytes_from_text.h"
#include "tfrt/bef/bef_builder.h"

namespace tfrt::bef {
namespace {

std::vector<uint8_t> Build(const BefBuilder& builder, bool optional_sections) {
  StatusOr<std::vector<uint8_t>> file =
      builder.Build({.optional_sections = optional_sections, .v0_exact = false});
  EXPECT_TRUE(file.ok()) << file.status().ToString();
  if (!file.ok()) return {};
  std::string detail;
  StatusOr<BefView> view = BefView::Open(*file, &detail);
  EXPECT_TRUE(view.ok()) << view.status().ToString() << ": " << detail;
  return *file;
}

TEST(FormatBytes, EmptyModule) {
  BefBuilder builder;
  EXPECT_EQ(Build(builder, true), Bytes("0b ef 00 00 00 01 00 02 02 00 03 02 00 04 02 00 05 00 "
                                        "08 02 00 09 02 00 0a 02 00"));
  EXPECT_EQ(Build(builder, false), Bytes("0b ef 00 00 00 01 00 02 02 00 03 02 00 04 02 00 05 00"));
}

// func.func @g() { tfrt.return } in g.mlir
TEST(FormatBytes, EmptyFunction) {
  BefBuilder builder;
  builder.AddFunction({.name = "g", .location = FileLocation("g.mlir", 1, 1)});
  EXPECT_EQ(Build(builder, false), Bytes("0b ef 00  00 04 67 00  01 00  02 02 00  03 02 00"
                                         " 04 0c 01 00 00 00 00 00"
                                         " 05 51 04 cc cc  00 00 01 00 00 00 cc cc"
                                         " abababab cdcdcdcd 00000000 00000000 00000000 00000001"
                                         " 00000000 00000000"
                                         " 06 0e 67 2e 6d 6c 69 72 00  07 08 01 00 01 01"));
}

// func.func @f() -> i32 { %0 = tfrt.constant.i32 42  tfrt.return %0 : i32 }, unknown locations.
// The Functions payload happens to fall on a multiple of 4 and needs no alignment byte.
TEST(FormatBytes, ConstantWithOptionalSections) {
  BefBuilder builder;
  FunctionSpec f{.name = "f"};
  f.returns = {f.AddKernel({.name = "tfrt.constant.i32",
                            .result_types = {"i32"},
                            .attributes = {{"value", I32Attribute(42)}}})};
  builder.AddFunction(std::move(f));
  EXPECT_EQ(Build(builder, true), Bytes("0b ef 00"
                                        " 00 3c 'f' 00 'i32' 00 'tfrt.constant.i32' 00 'value' 00"
                                        " 01 09 04 cc cc  0000002a"
                                        " 02 04 01 06  03 04 01 02"
                                        " 04 0e 01 00 00 00 00 01 00"
                                        " 05 81 28  00  01 01  02  00 00 00  24 00 00  00  cc"
                                        " abababab cdcdcdcd 00000000 00000000 00000000 00000001"
                                        " 00000001 00000001 00000001"
                                        " 00000000 00000001 00000000 00000001 00000000 00000001"
                                        " 00000000 00000000 00000000"
                                        " 06 00  07 04 00 00"
                                        " 08 06 01 00 08  09 06 01 02 18  0a 06 01 01 00"));
}

// %c = tfrt.add.i32 %a, %b; %d = tfrt.add.i32 %c, %a (stream 1). No location can be expressed.
TEST(FormatBytes, ArgumentsUsersAndVirtualLocations) {
  BefBuilder builder;
  FunctionSpec f{
      .name = "add", .argument_types = {"i32", "i32"}, .location = UnsupportedLocation()};
  f.AddKernel({.name = "tfrt.add.i32",
               .operands = {0, 1},
               .result_types = {"i32"},
               .location = UnsupportedLocation()});
  f.returns = {f.AddKernel({.name = "tfrt.add.i32",
                            .operands = {2, 0},
                            .result_types = {"i32"},
                            .stream = 1,
                            .location = UnsupportedLocation()})};
  builder.AddFunction(std::move(f));
  EXPECT_EQ(Build(builder, false),
            Bytes("0b ef 00"
                  " 00 2a 'add' 00 'i32' 00 'tfrt.add.i32' 00"
                  " 01 00  02 04 01 08  03 04 01 04"
                  " 04 12 01 00 00 00 02 00 00 01 00"
                  " 05 82 51 04 cc"
                  " 8f ff ff ff 7e  04 02 01 01 01  03  00 00 00  3c 02 00  68 02 01  03  cc cc cc"
                  " abababab cdcdcdcd 00000000 00000000 00000000 00000003"
                  " 00000000 00000002 00000001  00000004 00000000 00000001"
                  " 00000002 00000001 00000001"
                  " 00000000 fffffffd 00000002 00000000 00000000 00000001"
                  " 00000001  00000000 00000001  00000002  00000002"
                  " 00000000 fffffffc 00000002 00000000 00000000 00000001"
                  " 00000000  00000002 00000000  00000003"));
}

// func.func private @n(i32) -> i32 attributes {tfrt.native}
// func.func @m(%x: i32) { %r = t.call @n(%x); t.region(%r) { ^bb(%y: i32): tfrt.return %y } }
TEST(FormatBytes, NativeCallAndRegion) {
  BefBuilder builder;
  builder.AddFunction({.name = "n",
                       .kind = FunctionKind::kNative,
                       .argument_types = {"i32"},
                       .result_types = {"i32"}});
  FunctionSpec m{.name = "m", .argument_types = {"i32"}};
  uint32_t r =
      m.AddKernel({.name = "t.call", .operands = {0}, .result_types = {"i32"}, .callees = {"n"}});
  m.AddKernel({.name = "t.region",
               .operands = {r},
               .regions = {{.name = "", .argument_types = {"i32"}, .returns = {0}}}});
  builder.AddFunction(std::move(m));
  EXPECT_EQ(Build(builder, true),
            Bytes("0b ef 00"
                  " 00 32 00 'i32' 00 'm' 00 'n' 00 't.call' 00 't.region' 00"
                  " 01 00  02 06 02 09 10  03 04 01 01"
                  " 04 2a 03  01 00 07 01 00 01 00  00 00 00 01 00 01 00  00 30 05 01 00 00"
                  " 05 82 71 04"
                  // the region
                  " 00  01 01  01  00 00 00  00"
                  " abababab cdcdcdcd 00000000 00000000 00000000 00000002"
                  " 00000000 00000000  00000001 00000000"
                  // @m
                  " 01  02 01 01  03  00 00 00  2c 01 00  58 01 00  cc cc"
                  " abababab cdcdcdcd 00000000 00000000 00000000 00000002"
                  " 00000000 00000001  00000002 00000000  00000001"
                  " 00000000 00000002 00000001 00000000 00000001 00000001"
                  " 00000001  00000000  00000000  00000001  00000002"
                  " 00000001 00000003 00000001 00000000 00000001 00000000"
                  " 00000001  00000001"
                  " 06 00  07 08 00 00 00 00"
                  " 08 02 00  09 06 03 01 03  0a 0c 03 01 00 02 00 00"));
}

// func.func @s() -> (i32, i32) attributes {tfrt.sync}: one kernel with two results, one attribute
// of each alignment, and every kind of location.
TEST(FormatBytes, SyncFunctionWithLocations) {
  BefBuilder builder;
  FunctionSpec s{.name = "s",
                 .kind = FunctionKind::kSync,
                 .location = NameLocation("n", FileLocation("a.mlir", 300, 2))};
  uint32_t first =
      s.AddKernel({.name = "k",
                   .result_types = {"i1", "i64"},
                   .attributes = {{"b", I64Attribute(-2)}, {"a", BoolAttribute(true)}},
                   .location = FusedLocation(
                       {UnsupportedLocation(),
                        CallSiteLocation(FileLocation("a.mlir", 1, 2), NameLocation("c"))})});
  s.returns = {first + 1, first};
  builder.AddFunction(std::move(s));
  EXPECT_EQ(Build(builder, true),
            Bytes("0b ef 00"
                  // a 0, b 2, i1 4, i64 7, k 11, s 13
                  " 00 1e 'a' 00 'b' 00 'i1' 00 'i64' 00 'k' 00 's' 00"
                  " 01 21 08 cc  01 cc cc cc cc cc cc cc fffffffe ffffffff"
                  " 02 04 01 0b  03 06 02 04 07"
                  " 04 10 01  02 00 0d 00 02 01 00"
                  // header: position 40 + 9 + 10 = 59, payload from 64
                  " 05 81 49 04 cc"
                  " 00  02 01 01  02  00 00 00  24 00 00  01 00  cc cc cc"
                  " abababab cdcdcdcd 00000000 00000000 00000000 00000001"
                  " 00000001 00000002 00000001"
                  " 00000000 00000007 00000000 00000002 00000000 00000002"
                  " 00000000 00000000  00000000 00000008  00000000 00000001"
                  " 06 16 'n' 00 'a.mlir' 00 'c' 00"
                  " 07 22 02 00  01 02 82 2c 02   04 01 03  01 02 01 02  02 09 00"
                  " 08 0a 02 00 05 08 09  09 08 01 02 00 02  0a 08 01 02 00 01"));
}

// A function with an input of [n, ?, 5], one result of unknown rank, and two weights.
TEST(FormatBytes, SignaturesAndWeights) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6};
  auto padding = [](int count) {
    std::string text;
    while (count-- > 0) text += " cc";
    return text;
  };
  BefBuilder builder;
  builder.set_producer("p");
  builder.AddMetadata("k", "v");
  FunctionSpec f{.name = "f", .argument_types = {"t", "t"}, .returns = {0}};
  f.signature = FunctionSignature{
      .inputs = {{"x", DType::kF32, std::vector<SignatureDim>{{.symbol = "n"}, {}, {.size = 5}}}},
      .results = {{"y", DType::kI64, std::nullopt}}};
  builder.AddFunction(std::move(f));
  builder.AddWeight({"w", DType::kUI8, {2, 3}, bytes});
  builder.AddWeight({"", DType::kUI16, {1}, std::span(bytes).first(2)});
  EXPECT_EQ(Build(builder, false),
            Bytes("0b ef 00"
                  " 00 08 'f' 00 't' 00"
                  " 01 00  02 02 00  03 04 01 02"
                  " 04 12 01  00 00 00 02 00 00 01 00 "
                  " 05 79 04"
                  " 00  02 01 00  01  00 00 00  00 cc cc cc"
                  " abababab cdcdcdcd 00000000 00000000 00000000 00000003"
                  " 00000000 00000000 00000000  00000002 00000000 00000001"
                  " 06 00  07 02 00"
                  " 42 30  01 'p'  01 01 'k' 01 'v'  01  00"
                  "   01  01 'x' 0a 04 01 01 'n' 00 07   01  01 'y' 09 00"
                  // header: position 123, payload from 128
                  " 43 82 05 40 cc"
                  " 02  01 'w' 01 02 02 03  00 02 01 01  cc cc cc cc cc"
                  " 00000040 00000000 00000006 00000000"
                  " 00000080 00000000 00000002 00000000" +
                  padding(16) + " 01 02 03 04 05 06" + padding(58) + " 01 02"));
}

}  // namespace
}  // namespace tfrt::bef
