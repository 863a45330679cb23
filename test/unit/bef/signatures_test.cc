#include "tfrt/bef/signatures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/format/bef/bef_reader.h"
#include "test/unit/bef/bytes_from_text.h"
#include "test/unit/bef/sample_modules.h"

namespace tfrt::bef {
namespace {

Signatures ExampleSignatures() {
  Signatures signatures{.producer = "p", .metadata = {{"k", "v"}}, .functions = {}};
  FunctionSignature function{.function = 300};
  function.inputs = {
      {"x", DType::kF32, std::vector<SignatureDim>{{.symbol = "n"}, {}, {.size = 5}}},
      {"s", DType::kI64, std::vector<SignatureDim>{}}};
  function.results = {{"y", DType::kI1, std::nullopt}};
  signatures.functions = {function};
  return signatures;
}

TEST(Signatures, BytesAndBack) {
  Buffer payload;
  EncodeSignatures(ExampleSignatures(), &payload);
  EXPECT_EQ(payload.bytes(), Bytes("01 'p'  01 01 'k' 01 'v'  01  82 2c"
                                   "  02  01 'x' 0a 04 01 01 'n' 00 07  01 's' 09 01"
                                   "  01  01 'y' 05 00"));
  StatusOr<Signatures> decoded = DecodeSignatures(payload.bytes());
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  EXPECT_EQ(*decoded, ExampleSignatures());
}

TEST(Signatures, AsText) {
  EXPECT_EQ(ToString(ExampleSignatures().functions[0].inputs[0]), "f32 [n,?,5]");
  EXPECT_EQ(ToString(ExampleSignatures().functions[0].inputs[1]), "i64 []");
  EXPECT_EQ(ToString(ExampleSignatures().functions[0].results[0]), "i1 [*]");
}

TEST(Signatures, RefusesEveryTruncation) {
  Buffer payload;
  EncodeSignatures(ExampleSignatures(), &payload);
  std::span<const uint8_t> bytes(payload.bytes());
  for (size_t size = 0; size < bytes.size(); ++size) {
    StatusOr<Signatures> decoded = DecodeSignatures(bytes.first(size));
    ASSERT_FALSE(decoded.ok()) << size;
    EXPECT_THAT(std::string(decoded.status().message()),
                testing::StartsWith("section Signatures in BEF file is damaged near its byte "));
  }
}

TEST(Signatures, RefusesDamage) {
  for (const char* text : {
           "00 00 02 05 00 00 05 00 00",           // functions do not ascend
           "00 00 01 00 01 00 00 00 00",           // a type that there is not
           "00 00 01 00 01 00 18 00 00",           // another one
           "00 00 01 00 01 00 0a 02 01 00 00 00",  // a symbol without a name
           "00 00 01 00 00 00 00",                 // something behind the end
       }) {
    EXPECT_FALSE(DecodeSignatures(Bytes(text)).ok()) << text;
  }
}

TEST(Signatures, OfAFile) {
  StatusOr<std::vector<uint8_t>> file = ModelModule().Build();
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  StatusOr<BefView> view = BefView::Open(*file);
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  Signatures signatures = view->ReadSignatures();
  EXPECT_EQ(signatures.producer, "maker 1.0");
  ASSERT_EQ(signatures.functions.size(), 1u);
  EXPECT_EQ(signatures.functions[0].function, 0u);
  EXPECT_EQ(signatures.functions[0].inputs[0].name, "x");
  EXPECT_EQ(signatures.functions[0].results[0].dtype, DType::kI64);
}

// What Open says of a file with such a signature of its only function, which has one argument and
// one result.
std::string OpenError(uint32_t function, size_t inputs, size_t results) {
  BefBuilder builder;
  builder.AddFunction({.name = "f", .argument_types = {"t"}, .returns = {0}});
  StatusOr<std::vector<uint8_t>> file = builder.Build();
  Buffer payload;
  SignatureValue value{"v", DType::kF32, std::nullopt};
  EncodeSignatures({.producer = {},
                    .metadata = {},
                    .functions = {{.function = function,
                                   .inputs = std::vector<SignatureValue>(inputs, value),
                                   .results = std::vector<SignatureValue>(results, value)}}},
                   &payload);
  file->push_back(static_cast<uint8_t>(SectionId::kSignatures));
  file->push_back(static_cast<uint8_t>(2 * payload.size()));
  file->insert(file->end(), payload.bytes().begin(), payload.bytes().end());
  StatusOr<BefView> view = BefView::Open(*file);
  return std::string(view.ok() ? "" : view.status().message());
}

TEST(Signatures, FitTheirFunctions) {
  EXPECT_EQ(OpenError(0, 1, 1), "");
  EXPECT_EQ(OpenError(0, 0, 1), "");
  EXPECT_EQ(OpenError(1, 0, 0), "invalid Signatures section in BEF file: function 1 of 1");
  EXPECT_EQ(OpenError(0, 2, 1),
            "invalid Signatures section in BEF file: function 0 has 1 arguments, fewer than 2 "
            "inputs");
  EXPECT_EQ(OpenError(0, 1, 0),
            "invalid Signatures section in BEF file: function 0 has 1 results, not 0");
}

TEST(Signatures, NotInVersion0) {
  BefBuilder builder;
  builder.set_producer("p");
  StatusOr<std::vector<uint8_t>> exact =
      builder.Build({.optional_sections = false, .v0_exact = true});
  ASSERT_TRUE(exact.ok());
  EXPECT_TRUE(BefView::Open(*exact)->ReadSignatures().empty());
}

}  // namespace
}  // namespace tfrt::bef
