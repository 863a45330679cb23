// The verifier's messages, one test row per way in which a file can be wrong.

#include "lib/format/bef/bef_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "test/unit/bef/bytes_from_text.h"
#include "test/unit/bef/sample_modules.h"

namespace tfrt::bef {
namespace {

struct Error {
  std::string message;
  std::string detail;
  bool operator==(const Error&) const = default;
};
void PrintTo(const Error& error, std::ostream* out) {
  *out << "{\"" << error.message << "\", \"" << error.detail << "\"}";
}

Error OpenError(const std::vector<uint8_t>& file) {
  Error error;
  StatusOr<BefView> view = BefView::Open(file, &error.detail);
  if (!view.ok()) error.message = view.status().message();
  return error;
}
Error OpenError(const std::string& text) { return OpenError(Bytes(text)); }

constexpr char kKernels[] = "invalid Kernels section in BEF file";
constexpr char kTypes[] = "invalid Types section in BEF file";
constexpr char kFunction[] = "invalid Function section in BEF file";
constexpr char kIndex[] =
    "invalid FunctionIndex section in BEF file: Failed to read the FunctionIndex section";
constexpr char kHeader[] = "BEF file section header corrupted";

TEST(BefReader, Header) {
  constexpr char kMessage[] = "invalid BEF file header detected";
  EXPECT_EQ(OpenError(""),
            (Error{kMessage, "the file (0 bytes) does not begin with 0b ef and a version"}));
  EXPECT_EQ(OpenError("0b ef").message, kMessage);
  EXPECT_EQ(OpenError("0b ee 00").message, kMessage);
  EXPECT_EQ(OpenError("0b ef 01"), (Error{"Unknown BEF format version detected",
                                          "version 1; this reader knows version 0"}));
}

TEST(BefReader, Memory) {
  alignas(8) uint8_t memory[16] = {0, 0x0B, 0xEF, 0};
  StatusOr<BefView> view = BefView::Open({memory + 1, 3});
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.status().message(), "The BEF file memory should be aligned by 8");
}

TEST(BefReader, SectionHeaders) {
  auto error = [](const char* rest) { return OpenError(std::string("0b ef 00 ") + rest); };
  EXPECT_EQ(error("00"), (Error{kHeader, "section header at byte 3 of 4: the length is damaged"}));
  EXPECT_EQ(error("00 80 02").message, kHeader);
  EXPECT_EQ(error("00 03"),
            (Error{kHeader, "section header at byte 3 of 5: the alignment is missing"}));
  EXPECT_EQ(
      error("00 03 03 00"),
      (Error{kHeader, "section header at byte 3 of 7: the alignment 3 is not a power of two"}));
  EXPECT_EQ(error("00 03 10 00"),
            (Error{kHeader, "section header at byte 3 of 7: the padding is cut off"}));
  EXPECT_EQ(error("00 04 00"),
            (Error{kHeader, "section header at byte 3 of 6: length 2 but 1 bytes remain"}));
  EXPECT_EQ(error("00 ff ff ff ff ff ff ff 7e 00").message, kHeader);
  EXPECT_EQ(error("00 00 00 00"),
            (Error{kHeader, "section header at byte 5 of 7: section Strings appears twice"}));
}

// Only weights may need more than 4 GiB (weights_test.cc). Nothing is read of another section that
// says so: nothing is behind these addresses.
TEST(BefReader, SectionsOfMoreThan4GiB) {
  constexpr size_t kPayload = size_t{5} << 30;
  constexpr size_t kHeaderSize = 9;
  void* memory = mmap(nullptr, kHeaderSize + kPayload, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no address space";
  auto* bytes = static_cast<uint8_t*>(memory);
  // 2 * 5 GiB as a vbr: 10 << 30 = 40 << 28.
  std::ranges::copy(Bytes("0b ef 00 44 a8 80 80 80 00"), bytes);
  std::string detail;
  StatusOr<BefView> view = BefView::Open({bytes, kHeaderSize + kPayload}, &detail);
  EXPECT_EQ(view.status().message(), kHeader);
  EXPECT_EQ(detail,
            "section header at byte 3 of 5368709129: length 5368709120 is more than 4294967295");
  munmap(memory, kHeaderSize + kPayload);
}

TEST(BefReader, MissingSections) {
  std::string file = "0b ef 00 ";
  EXPECT_EQ(OpenError(file).message, "invalid Strings section in BEF file: the file has none");
  file += "00 00 ";
  EXPECT_EQ(OpenError(file).message, "invalid Attributes section in BEF file: the file has none");
  file += "01 00 ";
  EXPECT_EQ(OpenError(file), (Error{kKernels, "the file has none"}));
  file += "02 02 00 ";
  EXPECT_EQ(OpenError(file), (Error{kTypes, "the file has none"}));
  file += "03 02 00 ";
  EXPECT_EQ(OpenError(file), (Error{kIndex, "the file has none"}));
  file += "04 02 00 ";
  EXPECT_EQ(OpenError(file), (Error{kFunction, "the file has none"}));
  file += "05 00 ";
  EXPECT_EQ(OpenError(file), (Error{"", ""}));
}

TEST(BefReader, SectionsInAnyOrderAndUnknownOnes) {
  for (const char* unknown : {"7f", "44"}) {
    EXPECT_EQ(OpenError(std::string("0b ef 00 05 00 04 02 00 ") + unknown + " 04 01 02 " + unknown +
                        " 00 03 02 00 02 02 00 01 00 00 00"),
              (Error{"", ""}));
  }
}

TEST(BefReader, StringsAndNames) {
  auto error = [](const char* strings, const char* kernels, const char* types) {
    return OpenError(std::string("0b ef 00 ") + strings + " 01 00 " + kernels + " " + types +
                     " 04 02 00 05 00");
  };
  EXPECT_EQ(error("00 02 'x'", "02 02 00", "03 02 00").message,
            "invalid Strings section in BEF file: the last string is not terminated");
  EXPECT_EQ(error("00 04 'x' 00", "02 00", "03 02 00"), (Error{kKernels, "the count is damaged"}));
  EXPECT_EQ(error("00 04 'x' 00", "02 06 8f 7f 00", "03 02 00"),
            (Error{kKernels, "the count is damaged"}));
  EXPECT_EQ(error("00 04 'x' 00", "02 04 01 80", "03 02 00"),
            (Error{kKernels, "entry 0 of 1 is cut off"}));
  EXPECT_EQ(error("00 04 'x' 00", "02 04 01 01", "03 02 00"),
            (Error{kKernels, "entry 0 names no string (offset 1)"}));
  EXPECT_EQ(error("00 04 'x' 00", "02 04 01 00", "03 04 01 02"),
            (Error{kTypes, "entry 0 names no string (offset 2)"}));
  EXPECT_EQ(error("00 04 'x' 00", "02 06 01 00 00", "03 02 00"),
            (Error{"unexpected data in BEF section", "1 bytes behind the end of section Kernels"}));
}

TEST(BefReader, FunctionIndex) {
  auto error = [](const char* index, const char* functions = "05 00") {
    return OpenError(std::string("0b ef 00 00 04 'x' 00 01 00 02 02 00 03 04 01 00 ") + index +
                     " " + functions);
  };
  EXPECT_EQ(error("04 02 05"), (Error{kIndex, "the count is damaged"}));
  EXPECT_EQ(error("04 0a 01 01 00 00 00"), (Error{kIndex, "the count is damaged"}));
  EXPECT_EQ(error("04 0c 01 03 00 00 00 00"), (Error{kIndex, "function 0 of 1: unknown kind 3"}));
  EXPECT_EQ(error("04 0c 01 00 81 81 81 81"), (Error{kIndex, "function 0 of 1: it is cut off"}));
  EXPECT_EQ(error("04 0c 01 00 00 01 00 00"),
            (Error{kIndex, "function 0 of 1: its name is no string (offset 1)"}));
  constexpr char kType[] = "function 0 of 1: a type id is damaged or not below 1";
  EXPECT_EQ(error("04 0e 01 01 00 00 01 01 00"), (Error{kIndex, kType}));
  EXPECT_EQ(error("04 0c 01 01 00 00 00 05"), (Error{kIndex, kType}));
  EXPECT_EQ(
      error("04 0e 01 01 00 00 00 00 00"),
      (Error{"unexpected data in BEF section", "1 bytes behind the end of section FunctionIndex"}));
  constexpr char kOffset[] =
      "function 0 ('x') has offset 9 in a section of 0 bytes, where the body before it ends at 0";
  EXPECT_EQ(error("04 0c 01 00 09 00 00 00"),
            (Error{"invalid FunctionIndex section in BEF file: Invalid offset found for "
                   "BEFFunction",
                   kOffset}));
  EXPECT_EQ(error("04 0c 01 02 09 00 00 00"),
            (Error{"invalid FunctionIndex section in BEF file: Invalid offset found for "
                   "SyncBEFFunction",
                   kOffset}));
  EXPECT_EQ(error("04 0c 01 01 00 00 00 00"), (Error{"", ""}));  // native
  EXPECT_EQ(error("04 0c 01 00 00 00 00 00", "05 02 00").message, kFunction);
}

// Bytes of the one body of AddModule, without optional sections:
//   40 location, 41 registers, 42 use counts, 46 kernels, 47 + 3 k kernel entries, 56 result;
//   60 entry kernel: 80 results, 84 user counts, 96 registers, 108 users of both arguments;
//   120 kernel 1: 128 operands, 132 attributes, 136 functions, 140 results, 144 user count,
//       148 operands, 156 result, 160 user; 164 kernel 2, likewise.
class BefReaderBody : public testing::Test {
 protected:
  static std::vector<uint8_t> File() {
    return *AddModule().Build({.optional_sections = false, .v0_exact = false});
  }
  static std::string Detail(size_t position, uint8_t value) {
    std::vector<uint8_t> file = File();
    file[position] = value;
    Error error = OpenError(file);
    EXPECT_EQ(error.message, kFunction) << position;
    constexpr std::string_view kPrefix = "function 0 ('add'): ";
    EXPECT_EQ(error.detail.substr(0, kPrefix.size()), kPrefix);
    return error.detail.substr(std::min(error.detail.size(), kPrefix.size()));
  }
};

TEST_F(BefReaderBody, LayoutIsAsDescribed) {
  std::vector<uint8_t> file = File();
  ASSERT_EQ(file.size(), 204u + 2 + 5);
  EXPECT_EQ(OpenError(file), (Error{"", ""}));
  EXPECT_EQ(file[60], 0xAB);
  EXPECT_EQ(file[80], 3);
}

TEST_F(BefReaderBody, Tables) {
  EXPECT_EQ(Detail(41, 0xFF), "more registers than bytes");
  EXPECT_EQ(Detail(41, 0x7F), "the register table is cut off");
  EXPECT_EQ(Detail(46, 0xFF), "more kernels than bytes");
  EXPECT_EQ(Detail(46, 0x7F), "more kernels than bytes");
  EXPECT_EQ(Detail(87, 0x7F), "the user lists of kernel 0 are cut off");
  EXPECT_EQ(Detail(41, 1), "2 arguments but only 1 registers");
  EXPECT_EQ(Detail(46, 0), "the function has no entry kernel");
  EXPECT_EQ(Detail(50, 0x38), "kernel 1 is at offset 56 instead of 60");
  EXPECT_EQ(Detail(56, 4), "result register 4 of 4");
  EXPECT_EQ(Detail(40, 5), "its location offset 5 is not that of a location");
}

TEST_F(BefReaderBody, EntryKernel) {
  EXPECT_EQ(Detail(48, 1), "the entry kernel has operands, attributes or functions");
  EXPECT_EQ(Detail(96, 5), "the entry kernel's register is 5 instead of 4");
  EXPECT_EQ(Detail(100, 1), "argument 0 has register 1");
  EXPECT_EQ(Detail(108, 1), "the users of register 0 do not agree with kernel 2");
  EXPECT_EQ(Detail(116, 2), "the users of register 1 do not agree with kernel 1");
}

TEST_F(BefReaderBody, Kernels) {
  EXPECT_EQ(Detail(120, 1), "kernel 1 has kernel id 1 of 1");
  EXPECT_EQ(Detail(124, 9), "kernel 1 has location offset 9, which is not that of a location");
  EXPECT_EQ(Detail(51, 1), "kernel 1 has 2 operands but its entry says 1");
  EXPECT_EQ(Detail(148, 2), "kernel 1 uses register 2 before it is defined");
  EXPECT_EQ(Detail(148, 1), "the users of register 1 do not agree with kernel 1");
  EXPECT_EQ(Detail(156, 3), "kernel 1 defines register 3 instead of 2");
  EXPECT_EQ(Detail(160, 1), "the users of register 2 do not agree with kernel 2");
  EXPECT_EQ(Detail(135, 0x7F), "kernel 1 is cut off");
  EXPECT_EQ(Detail(42, 3), "register 0 has 2 uses but its count says 3");
  EXPECT_EQ(Detail(45, 0), "register 3 has 1 uses but its count says 0");
}

TEST(BefReader, AttributesAndFunctionsOfKernels) {
  FunctionSpec g{.name = "g"};
  g.AddKernel({.name = "k", .attributes = {{"a", BoolAttribute(true)}}});
  g.AddKernel({.name = "k", .callees = {"g"}});
  BefBuilder builder;
  builder.AddFunction(std::move(g));
  for (bool optional : {true, false}) {
    std::vector<uint8_t> file = *builder.Build({.optional_sections = optional, .v0_exact = false});
    // The last words of both records: find them behind their headers.
    auto patch = [&](uint32_t count_word, uint32_t value) {
      std::vector<uint8_t> changed = file;
      for (size_t i = 0; i + 28 <= file.size(); ++i) {
        uint32_t words[7];
        std::memcpy(words, &file[i], sizeof(words));
        bool header = words[0] == 0 && words[2] == 0 && words[5] == 0 &&
                      words[3] == (count_word == 3) && words[4] == (count_word == 4) &&
                      words[1] >= 1 && words[1] <= 2 && words[6] == 0;
        if (header) std::memcpy(&changed[i + 24], &value, 4);
      }
      return OpenError(changed).detail;
    };
    EXPECT_EQ(patch(3, 1),
              "function 0 ('g'): kernel 1 has attribute offset 1, which is not that of an "
              "attribute (section of 1 bytes)");
    EXPECT_EQ(patch(4, 1), "function 0 ('g'): kernel 2 names function 1 of 1");
  }
}

// Whole bodies by hand, of a function without arguments, with one, and with one result.
TEST(BefReader, HandMadeBodies) {
  auto detail = [](const char* index, const char* functions) {
    Error error = OpenError(std::string("0b ef 00 00 04 'x' 00 01 00 02 02 00 03 04 01 00 ") +
                            index + " " + functions + " 06 00 07 02 00");
    constexpr std::string_view kPrefix = "function 0 ('x'): ";
    EXPECT_EQ(error.message, error.detail.empty() ? "" : kFunction);
    return error.detail.starts_with(kPrefix) ? error.detail.substr(kPrefix.size()) : error.detail;
  };
  // The Functions payload starts at 28 in all of them.
  constexpr char kNoArguments[] = "04 0c 01 00 00 00 00 00";
  constexpr char kOneArgument[] = "04 0e 01 00 00 00 01 00 00";
  constexpr char kOneResult[] = "04 0e 01 00 00 00 00 01 00";
  EXPECT_EQ(detail(kNoArguments, "05 02 80"), "the section is not aligned by 4");
  EXPECT_EQ(detail(kNoArguments, "05 03 04 cc 80"), "the location is cut off");
  EXPECT_EQ(detail(kNoArguments, "05 0d 04 cc 00 00 01 00 00 00"), "the kernel area is cut off");
  EXPECT_EQ(detail(kNoArguments, "05 0d 04 cc 00 00 01 00 00 81"), "the kernel table is cut off");
  EXPECT_EQ(detail(kNoArguments, "05 11 04 cc 00 00 01 00 00 00 cc cc"), "kernel 0 is cut off");
  EXPECT_EQ(detail(kNoArguments, "05 11 04 cc 00 01 00 01 00 00 00 cc"),
            "1 registers but only 0 words of kernels");
  EXPECT_EQ(detail(kOneResult, "05 0d 04 00 00 01 00 00 00"), "the result registers are cut off");
  EXPECT_EQ(detail(kNoArguments,
                   "05 51 04 cc 00 00 01 00 00 00 cc cc abababab cdcdcdcd"
                   " 00000000 00000000 00000000 00000001 00000000 00000000"),
            "");
  EXPECT_EQ(detail(kNoArguments,
                   "05 51 04 cc 00 01 00 01 00 00 00 cc abababab cdcdcdcd"
                   " 00000000 00000000 00000000 00000001 00000000 00000001"),
            "1 registers but 0 arguments and results");
  EXPECT_EQ(detail(kNoArguments,
                   "05 61 04 cc 00 00 01 00 00 00 cc cc abababab cdcdcdcd"
                   " 00000000 00000000 00000000 00000002 00000000 00000000 00000000 00000000"),
            "the entry kernel has 2 results for 0 arguments");
  EXPECT_EQ(detail(kNoArguments,
                   "05 59 04 cc 00 00 01 00 00 00 cc cc abababab cdcdcdcd"
                   " 00000000 00000000 00000000 00000001 00000001 00000000 00000001"),
            "the entry kernel has 1 users too many");
  EXPECT_EQ(detail(kOneArgument,
                   "05 69 04 00 01 01 01 00 00 00 cc abababab cdcdcdcd 00000000 00000000"
                   " 00000000 00000002 00000000 00000001 00000001 00000000 00000005"),
            "register 0 has 1 users too many");

  FunctionSpec f{.name = "f"};
  f.AddKernel({.name = "k"});
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> file = *builder.Build({.optional_sections = false, .v0_exact = false});
  ASSERT_EQ(file[76], 1);  // the entry kernel's user
  file[76] = 2;
  EXPECT_EQ(OpenError(file).detail,
            "function 0 ('f'): the entry kernel's users do not agree with kernel 1");
}

TEST(BefReader, SyncFunctions) {
  auto error = [](std::vector<uint32_t> returns) {
    FunctionSpec f{.name = "f", .kind = FunctionKind::kSync, .argument_types = {"i32"}};
    f.AddKernel({.name = "k", .result_types = {"i32"}});
    f.returns = std::move(returns);
    BefBuilder builder;
    builder.AddFunction(std::move(f));
    return OpenError(*builder.Build()).message;
  };
  constexpr std::string_view kPrefix =
      "invalid FunctionIndex section in BEF file: Invalid SyncBEFFunction(";
  EXPECT_EQ(error({1}), "");
  EXPECT_EQ(error({1, 0}),
            std::string(kPrefix) + "return value 1 is an argument in a sync function)");
  EXPECT_EQ(error({1, 1}),
            std::string(kPrefix) + "return value 1 is duplicated in a sync function)");
}

// Sections that come behind those of a file without functions.
TEST(BefReader, OptionalSectionsOfAnEmptyFile) {
  auto error = [](const std::string& rest, const char* attributes = "01 00") {
    return OpenError(std::string("0b ef 00 00 04 'x' 00 02 02 00 03 02 00 04 02 00 05 00 ") +
                     attributes + " " + rest)
        .message;
  };
  EXPECT_EQ(error("06 02 'x'"),
            "invalid LocationStrings section in BEF file: the last string is not terminated");
  std::string at0 = "invalid Locations section in BEF file: the location at offset 0 ";
  EXPECT_EQ(error("07 02 05"), at0 + "has the unknown kind 5");
  EXPECT_EQ(error("07 02 03"), at0 + "is cut off");
  EXPECT_EQ(error("07 08 01 00 01 01"), at0 + "names no string (offset 0)");
  EXPECT_EQ(error("06 02 00 07 06 01 00 01"), at0 + "is cut off");
  EXPECT_EQ(error("07 04 04 07"), at0 + "has more parts than bytes");
  std::string deep = "07 90 00 ";  // 1024 bytes
  for (int i = 0; i < 512; ++i) deep += "04 01 ";
  deep = "07 90 02 " + deep.substr(9) + "00";  // 1025 bytes
  EXPECT_EQ(error(deep), at0 + "is nested more than 512 deep");

  EXPECT_EQ(error("08 02 05"), "invalid AttributeTypes section in BEF file: the count is damaged");
  EXPECT_EQ(error("08 06 01 00 80"),
            "invalid AttributeTypes section in BEF file: entry 0 of 1 is damaged");
  EXPECT_EQ(error("08 06 01 04 05", "01 02 01"),
            "invalid Attributes section in BEF file: i1 attribute at offset 4 of 1 bytes runs past "
            "the end of the section (1 bytes)");
  EXPECT_EQ(error("08 0a 02 00 05 00 05", "01 02 01"),
            "invalid AttributeTypes section in BEF file: attribute 1 at offset 0 begins before the "
            "end of the one before it (1)");
  EXPECT_EQ(error("08 04 00 00"), "unexpected data in BEF section");
  EXPECT_EQ(error("09 02 01"),
            "invalid AttributeNames section in BEF file: the number of functions is not 0");
  EXPECT_EQ(error("0a 02 01"),
            "invalid RegisterTypes section in BEF file: the number of functions is not 0");
  EXPECT_EQ(error("40 00"), "section NonStrict in BEF file is damaged near its byte 0");
  EXPECT_EQ(error("40 08 01 00 01 00"), "invalid NonStrict section in BEF file: function 0 of 0");
  EXPECT_EQ(error("41 02 00"), "section Extras in BEF file is damaged near its byte 1");
  EXPECT_EQ(error("41 0c 00 01 02 00 00 00"),
            "invalid Extras section in BEF file: function 2 of 0");
}

// Sections appended to a file with one function, whose kernel has one attribute and one function.
TEST(BefReader, OptionalSectionsOfAFunction) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  f.AddKernel({.name = "k",
               .result_types = {"i32"},
               .attributes = {{"a", BoolAttribute(true)}},
               .callees = {"f"}});
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> file = *builder.Build({.optional_sections = false, .v0_exact = false});
  auto error = [&](const char* rest) {
    std::vector<uint8_t> longer = file;
    std::vector<uint8_t> added = Bytes(rest);
    longer.insert(longer.end(), added.begin(), added.end());
    return OpenError(longer).message;
  };
  EXPECT_EQ(error("09 06 01 02 00 0a 08 01 02 00 00 40 08 01 00 01 00"), "");
  EXPECT_EQ(
      error("09 06 01 03 00"),
      "invalid AttributeNames section in BEF file: the number of kernels of function 0 is not "
      "2");
  EXPECT_EQ(
      error("09 06 01 02 01"),
      "invalid AttributeNames section in BEF file: name 0 of 1 in function 0 is not that of a "
      "string");
  EXPECT_EQ(error("09 08 01 02 00 00"), "unexpected data in BEF section");
  EXPECT_EQ(error("0a 06 01 01 00"),
            "invalid RegisterTypes section in BEF file: the number of registers of function 0 is "
            "not 2");
  EXPECT_EQ(error("0a 08 01 02 00 01"),
            "invalid RegisterTypes section in BEF file: type 1 of 2 in function 0 is not one of 1 "
            "types");
  EXPECT_EQ(error("0a 0a 01 02 00 00 00"), "unexpected data in BEF section");
  EXPECT_EQ(error("40 08 01 00 01 01"),
            "invalid NonStrict section in BEF file: function 0 has no kernel 1 (1 kernels)");
  EXPECT_EQ(error("41 14 00 01 00 00 00 01 01 00 00 00"),
            "invalid Extras section in BEF file: function 0 has no kernel 1 (1 kernels)");
  EXPECT_EQ(error("41 1a 00 01 00 00 00 01 00 00 01 01 'x' 05 00"),
            "invalid Extras section in BEF file: kernel 0 of function 0 has 1 functions, not 2");
}

TEST(BefReader, DecodeFunctionErrors) {
  std::vector<uint8_t> file = *RichModule().Build();
  StatusOr<BefView> view = BefView::Open(file);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->DecodeFunction(4).status().message(), "function 4 of a BEF file with 4");
  EXPECT_EQ(view->DecodeFunction(0).status().message(), "native function 'native' has no body");
}

// Many index entries that share one body would be quadratic to check: they are refused.
TEST(BefReader, BodiesDoNotOverlap) {
  std::vector<uint8_t> file = Bytes(
      "0b ef 00 00 04 'x' 00 01 00 02 02 00 03 02 00"
      " 04 16 02 00 00 00 00 00 00 00 00 00 00"
      " 05 51 04 cc 00 00 01 00 00 00 cc cc"
      " abababab cdcdcdcd 00000000 00000000 00000000 00000001 00000000 00000000"
      " 06 00 07 02 00");
  EXPECT_EQ(OpenError(file).message,
            "invalid FunctionIndex section in BEF file: Invalid offset found for BEFFunction");
}

}  // namespace
}  // namespace tfrt::bef
