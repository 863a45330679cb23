// What text tests cannot reach: modules that do not verify, and damaged files.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

#include "gmock/gmock.h"
#include "lib/base/support/read_file.h"
#include "lib/compiler/conversion/bef_to_mlir.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tfrt/bef/bef_builder.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/compiler/translate.h"

namespace tfrt::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ConvertersTest : public ::testing::Test {
 protected:
  ConvertersTest() : context_(mlir::MLIRContext::Threading::DISABLED) {
    prepareContext(&context_);
    context_.getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
      messages_.push_back(diagnostic.str());
      return mlir::success();
    });
  }

  mlir::FailureOr<std::vector<uint8_t>> Compile(llvm::StringRef text,
                                                const MlirToBefOptions& options = {}) {
    mlir::ParserConfig config(&context_, /*verifyAfterParse=*/false);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    if (!module_) return mlir::failure();
    return convertMlirToBef(*module_, options);
  }
  // What the bytes become as text; empty after an error.
  std::string Text(llvm::ArrayRef<uint8_t> bytes) {
    auto module =
        convertBefToMlir({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, &context_);
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (module) module->print(stream);
    return text;
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<std::string> messages_;
};

constexpr llvm::StringLiteral kModel = R"(
  module attributes {graph.producer = "p"} {
    func.func @main() -> (tensor<2xf32> {graph.name = "y"}) {
      %w = graph.weight dense_resource<w> : tensor<2xf32>
      tfrt.return %w : tensor<2xf32>
    }
  }
  {-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
)";

TEST_F(ConvertersTest, WritesFiles) {
  auto bytes = Compile(kModel);
  ASSERT_TRUE(mlir::succeeded(bytes));
  const std::string path = testing::TempDir() + "converters_test.bef";
  ASSERT_TRUE(mlir::succeeded(writeBefFile(*module_, path)));
  auto file = ReadFile(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(std::vector<uint8_t>(file->begin(), file->end()), *bytes);
  unlink(path.c_str());
  EXPECT_TRUE(mlir::failed(writeBefFile(*module_, "/nonexistent/a.bef")));
  EXPECT_THAT(messages_,
              ElementsAre("cannot write '/nonexistent/a.bef': No such file or directory"));
}

// Weights are where the file's bytes are, whatever their alignment.
TEST_F(ConvertersTest, WeightsOfAFile) {
  auto bytes = Compile(kModel);
  ASSERT_TRUE(mlir::succeeded(bytes));
  for (size_t shift : {0, 1}) {
    std::vector<uint64_t> memory(bytes->size() / 8 + 2);
    char* start = reinterpret_cast<char*>(memory.data()) + shift;
    std::copy(bytes->begin(), bytes->end(), start);
    auto module = convertBefToMlir({start, bytes->size()}, &context_);
    ASSERT_TRUE(module);
    llvm::ArrayRef<char> data;
    module->walk([&](mlir::Operation* op) {
      auto weight = op->getAttrOfType<mlir::DenseResourceElementsAttr>("value");
      if (weight) data = weight.getRawHandle().getBlob()->getData();
    });
    ASSERT_EQ(data.size(), 8u);
    EXPECT_TRUE(data.data() > start && data.data() < start + bytes->size());
    EXPECT_EQ(data[7], 0x40);
  }
}

TEST_F(ConvertersTest, WeightsAreNotVersion0) {
  EXPECT_TRUE(mlir::failed(Compile(kModel, {.optional_sections = true, .v0_exact = true})));
  EXPECT_THAT(messages_, testing::Contains("version 0 of the format has no weights"));
}

// What section 65 says of a weight is not what there is.
TEST_F(ConvertersTest, NumbersOfNoWeight) {
  for (const bef::AttributeValue& value :
       {bef::I64Attribute(0), bef::I64Attribute(-1), bef::I32Attribute(0)}) {
    bef::BefBuilder builder;
    bef::FunctionSpec f{.name = "f"};
    bef::KernelExtras extras;
    extras.attributes = {{"value", "dense_resource<w> : tensor<2xf32>"}};
    f.AddKernel({.name = "my.op", .attributes = {{"value", value}}, .extras = extras});
    builder.AddFunction(std::move(f));
    EXPECT_EQ(Text(*builder.Build()), "");
    EXPECT_EQ(messages_.back(), "the attribute 'value' names no weight");
  }
}

TEST_F(ConvertersTest, ReturnInTheMiddle) {
  EXPECT_TRUE(mlir::failed(Compile(R"(
    func.func @f() {
      "tfrt.return"() : () -> ()
      "tfrt.return"() : () -> ()
    })")));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("return op must be at the end of its block")));
}

constexpr llvm::StringRef kProgram = R"(
  func.func private @n(i32) -> i32 attributes {tfrt.native}
  func.func @f(%a: i32) -> i32 attributes {tfrt.cost_threshold = 2 : i64} {
    %b = "k.r"(%a) ({
    ^bb0(%x: i32):
      tfrt.return %x : i32
    }) {f = @n, a = [1 : i32, "x"], d = dense<5> : tensor<2xi32>} : (i32) -> i32
    %c = tfrt_test.test_cost %b {id = 1 : i64, _tfrt_cost = 9 : i64} : i32
    %d = "k.s"(%c) {bef.nonstrict, v = #corert.shape<?>, t = i64} : (i32) -> i32
    tfrt.return %d : i32
  })";

llvm::StringRef BytesOf(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(ConvertersTest, EveryTruncationIsAnErrorOrAModule) {
  auto bytes = Compile(kProgram);
  ASSERT_TRUE(mlir::succeeded(bytes));
  for (size_t size = 0; size < bytes->size(); ++size) {
    messages_.clear();
    auto module = convertBefToMlir(BytesOf(*bytes).take_front(size), &context_);
    EXPECT_TRUE(module || !messages_.empty()) << "no message for " << size << " bytes";
  }
}

TEST_F(ConvertersTest, EveryChangedByteIsAnErrorOrAModule) {
  auto bytes = Compile(kProgram);
  ASSERT_TRUE(mlir::succeeded(bytes));
  for (size_t i = 0; i < bytes->size(); ++i) {
    for (uint8_t change : {0x01, 0x02, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = *bytes;
      damaged[i] ^= change;
      messages_.clear();
      auto module = convertBefToMlir(BytesOf(damaged), &context_);
      EXPECT_TRUE(module || !messages_.empty()) << "no message for byte " << i;
    }
  }
}

// Whatever becomes of the pairs that stand for attributes, the ops either do not verify or can be
// printed.
TEST_F(ConvertersTest, EveryChangedByteOfEagerOpsIsAnErrorOrText) {
  auto bytes = Compile(R"(
    func.func @g(%c: !tfrt.chain) -> !tfrt.chain {
      tfrt.return %c : !tfrt.chain
    }
    func.func @f(%c: !tfrt.chain, %h: !corert.ophandler) -> !tfrt.chain {
      %x = corert.executeop(%h) "a"()
          {a = [1 : i32], s = #corert.shape<?>, t = !corert.string} {f = "g"} : 1
      %d = corert.executeop.seq(%h, %c) "b"(%x) {v = dense<1> : tensor<2xi8>}
      %e = corert.cond %x @g @g (%d) : () -> ()
      %y = corert_sync.executeop(%h) "c"() {k = "v"} : 1
      tfrt.return %e : !tfrt.chain
    })");
  ASSERT_TRUE(mlir::succeeded(bytes));
  for (size_t i = 0; i < bytes->size(); ++i) {
    for (uint8_t change : {0x01, 0x02, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = *bytes;
      damaged[i] ^= change;
      messages_.clear();
      auto module = convertBefToMlir(BytesOf(damaged), &context_);
      EXPECT_TRUE(module || !messages_.empty()) << "no message for byte " << i;
      std::string text;
      llvm::raw_string_ostream stream(text);
      if (module) module->print(stream);
    }
  }
}

// Hides a section behind an id that nobody knows. False if there is none.
bool HideSection(bef::SectionId id, std::vector<uint8_t>* bytes) {
  for (size_t at = 3; at < bytes->size();) {
    size_t header = at++;
    uint64_t size = 0;
    do {
      size = size << 7 | ((*bytes)[at] & 0x7f);
    } while (((*bytes)[at++] & 0x80) != 0);
    if ((size & 1) != 0) {
      size_t alignment = (*bytes)[at++];
      at = (at + alignment - 1) / alignment * alignment;
    }
    if ((*bytes)[header] == static_cast<uint8_t>(id)) {
      (*bytes)[header] = 99;
      return true;
    }
    at += size / 2;
  }
  return false;
}

// The program is printed with placeholders if any one of the three sections is missing.
TEST_F(ConvertersTest, EachOptionalSectionIsNeeded) {
  auto bytes = Compile(kProgram);
  ASSERT_TRUE(mlir::succeeded(bytes));
  EXPECT_THAT(Text(*bytes), ::testing::Not(HasSubstr("none")));
  for (bef::SectionId id : {bef::SectionId::kAttributeTypes, bef::SectionId::kAttributeNames,
                            bef::SectionId::kRegisterTypes}) {
    std::vector<uint8_t> stripped = *bytes;
    ASSERT_TRUE(HideSection(id, &stripped));
    messages_.clear();
    EXPECT_THAT(Text(stripped), HasSubstr("\"tfrt_test.test_cost\""));
    EXPECT_THAT(messages_, ElementsAre("Missing AttributeTypes, AttributeNames or RegisterTypes "
                                       "sections."));
  }
}

TEST_F(ConvertersTest, ShapesNeedADialectThatHasThem) {
  auto bytes = Compile(R"(func.func @f() {
    "k.s"() {v = #corert.shape<?>} : () -> ()
    tfrt.return
  })");
  ASSERT_TRUE(mlir::succeeded(bytes));
  mlir::MLIRContext bare(mlir::MLIRContext::Threading::DISABLED);
  bare.allowUnregisteredDialects();
  bare.getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
    messages_.push_back(diagnostic.str());
    return mlir::success();
  });
  EXPECT_FALSE(convertBefToMlir(BytesOf(*bytes), &bare));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("is a shape, but no loaded dialect has them")));
}

// Other sections that a tool may strip. An op that does not verify without what they say is an
// error only where types are known.
TEST_F(ConvertersTest, OtherSectionsMayBeMissingToo) {
  auto bytes = Compile(kProgram);
  ASSERT_TRUE(mlir::succeeded(bytes));
  std::vector<uint8_t> stripped = *bytes;
  ASSERT_TRUE(HideSection(bef::SectionId::kNonStrict, &stripped));
  EXPECT_THAT(Text(stripped), HasSubstr("k.s"));
  ASSERT_TRUE(HideSection(bef::SectionId::kExtras, &stripped));
  EXPECT_EQ(Text(stripped), "");
  EXPECT_THAT(messages_, ::testing::Contains(HasSubstr("requires attribute '_tfrt_cost'")));
  ASSERT_TRUE(HideSection(bef::SectionId::kRegisterTypes, &stripped));
  EXPECT_THAT(Text(stripped), HasSubstr("k.s"));
}

TEST_F(ConvertersTest, EveryChangedByteWithoutOptionalSectionsIsAnErrorOrText) {
  MlirToBefOptions options;
  options.optional_sections = false;
  auto bytes = Compile(kProgram, options);
  ASSERT_TRUE(mlir::succeeded(bytes));
  EXPECT_THAT(Text(*bytes), HasSubstr("none"));
  for (size_t i = 0; i < bytes->size(); ++i) {
    for (uint8_t change : {0x01, 0x02, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = *bytes;
      damaged[i] ^= change;
      messages_.clear();
      std::string text = Text(damaged);
      bool has_error = std::ranges::any_of(messages_, [](const std::string& message) {
        return !message.starts_with("Missing AttributeTypes");
      });
      EXPECT_TRUE(has_error || !text.empty()) << "no message for byte " << i;
    }
  }
}

// The structure of these files is fine; what they say is not.
class OddFilesTest : public ConvertersTest {
 protected:
  // The messages that reading a file with these functions gives.
  const std::vector<std::string>& Read(std::vector<bef::FunctionSpec> functions) {
    bef::BefBuilder builder;
    for (bef::FunctionSpec& function : functions) builder.AddFunction(std::move(function));
    auto bytes = builder.Build();
    EXPECT_TRUE(bytes.ok());
    EXPECT_FALSE(convertBefToMlir(BytesOf(*bytes), &context_));
    return messages_;
  }
};

TEST_F(OddFilesTest, RegionWithoutKernel) {
  EXPECT_THAT(Read({{.name = ""}}), ElementsAre("region 0 of the BEF file belongs to no kernel"));
}

TEST_F(OddFilesTest, RegionOfTwoKernels) {
  bef::FunctionSpec f{.name = "f"};
  for (int i = 0; i < 2; ++i) {
    bef::KernelSpec kernel{.name = "k.a"};
    kernel.regions.emplace_back();
    f.AddKernel(std::move(kernel));
  }
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> bytes = *builder.Build();
  // One of the bytes is the second kernel's number of its region.
  int num_seen = 0;
  for (uint8_t& byte : bytes) {
    for (uint8_t change : {1, 2, 3}) {
      byte ^= change;
      messages_.clear();
      (void)convertBefToMlir(BytesOf(bytes), &context_);
      for (const std::string& message : messages_) {
        num_seen += message.ends_with("belongs to several kernels");
      }
      byte ^= change;
    }
  }
  EXPECT_GT(num_seen, 0);
}

TEST_F(OddFilesTest, DeepRegions) {
  bef::FunctionSpec f{.name = ""};
  for (int i = 0; i < 200; ++i) {
    bef::FunctionSpec outer;
    outer.AddKernel({.name = "k.a", .regions = {std::move(f)}});
    f = std::move(outer);
  }
  f.name = "f";
  EXPECT_THAT(Read({f}), ElementsAre("regions of the BEF file are nested deeper than 128"));
}

TEST_F(OddFilesTest, DeepType) {
  std::string type;
  for (int i = 0; i < 200; ++i) type += "tuple<";
  EXPECT_THAT(Read({{.name = "f", .argument_types = {type + std::string(200, '>')}}}),
              ElementsAre("a type of the BEF file is nested deeper than 128"));
}

TEST_F(OddFilesTest, KernelWithoutName) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = ""});
  EXPECT_THAT(Read({f}), ElementsAre("a kernel of the BEF file has no name"));
}

TEST_F(OddFilesTest, AttributeWithoutName) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "k.a", .attributes = {{"", bef::I32Attribute(1)}}});
  EXPECT_THAT(Read({f}), ElementsAre("an attribute of the BEF file has no name"));
}

TEST_F(OddFilesTest, ExtrasThatNameTooManyFunctions) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel(
      {.name = "k.a", .callees = {"f"}, .extras = bef::KernelExtras{.symbols = {{"a", true, 2}}}});
  EXPECT_THAT(Read({f}), ElementsAre(HasSubstr("has 1 functions, not 2")));
}

TEST_F(OddFilesTest, ExtrasThatNameTooFewFunctions) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "k.a",
               .callees = {"f", "f"},
               .extras = bef::KernelExtras{.symbols = {{"a", false, 1}}}});
  EXPECT_THAT(Read({f}),
              ElementsAre(HasSubstr("extras do not name 1 of the 2 functions of a kernel")));
}

TEST_F(OddFilesTest, ExtrasWithoutName) {
  bef::FunctionSpec f{.name = "f", .extras = bef::FunctionExtras{.attributes = {{"", "unit"}}}};
  EXPECT_THAT(Read({f}), ElementsAre("an extra attribute has no name"));
}

TEST_F(OddFilesTest, DeepExtras) {
  bef::FunctionSpec f{.name = "f",
                      .extras = bef::FunctionExtras{.attributes = {{"a", std::string(200, '[')}}}};
  EXPECT_THAT(Read({f}), ElementsAre("the attribute 'a' is nested deeper than 128"));
}

TEST_F(OddFilesTest, ExtrasThatNameFunctionsWithoutName) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel(
      {.name = "k.a", .callees = {"f"}, .extras = bef::KernelExtras{.symbols = {{"", false, 1}}}});
  EXPECT_THAT(Read({f}), ElementsAre("extras name more functions than the kernel has (1)"));
}

TEST_F(OddFilesTest, UnknownTypeCode) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "k.a", .attributes = {{"t", bef::TypeAttribute(bef::TypeCode::kF32)}}});
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> bytes = *builder.Build();
  // The Attributes section: id 1, one byte (VBR 2), the code.
  const uint8_t section[] = {1, 2, static_cast<uint8_t>(bef::TypeCode::kF32)};
  auto at = std::search(bytes.begin(), bytes.end(), std::begin(section), std::end(section));
  ASSERT_NE(at, bytes.end());
  at[2] = 120;
  EXPECT_FALSE(convertBefToMlir(BytesOf(bytes), &context_));
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("120")));
}

TEST_F(OddFilesTest, DeepCompiledModule) {
  bef::FunctionSpec f{.name = "f"};
  f.AddKernel(
      {.name = "k.a",
       .attributes = {{"s", bef::SymbolRefAttribute(0, "m", {"g"}, std::string(200, '{'))}}});
  EXPECT_THAT(Read({f}), ElementsAre("a compiled module is nested deeper than 128"));
}

TEST_F(OddFilesTest, ExtrasThatDoNotParse) {
  bef::FunctionSpec f{.name = "f", .extras = bef::FunctionExtras{.attributes = {{"a", "<"}}}};
  EXPECT_THAT(Read({f}), ::testing::Not(::testing::IsEmpty()));
}

TEST_F(ConvertersTest, InMemoryRoundTrip) {
  auto bytes = Compile(kProgram);
  ASSERT_TRUE(mlir::succeeded(bytes));
  auto module = convertBefToMlir(BytesOf(*bytes), &context_);
  ASSERT_TRUE(module);
  auto again = convertMlirToBef(*module);
  ASSERT_TRUE(mlir::succeeded(again));
  EXPECT_EQ(*bytes, *again);
}

}  // namespace
}  // namespace tfrt::compiler
