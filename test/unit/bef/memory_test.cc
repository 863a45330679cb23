// Heap memory that reading hostile files takes: bounded by their size, whatever their counts say.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <new>
#include <string>

#include "lib/format/bef/attribute_reader.h"
#include "lib/format/bef/bef_reader.h"
#include "test/unit/bef/sample_modules.h"
#include "tfrt/bef/bef_buffer.h"

namespace {

// Bytes in use, and the most since ResetPeak(). The tests have one thread.
size_t bytes_in_use = 0;
size_t peak_bytes = 0;

constexpr size_t kHeader = 16;  // holds the size, keeps the alignment

void* Allocate(size_t size) {
  char* block = static_cast<char*>(std::malloc(size + kHeader));
  if (!block) std::abort();
  *reinterpret_cast<size_t*>(block) = size;
  bytes_in_use += size;
  peak_bytes = std::max(peak_bytes, bytes_in_use);
  return block + kHeader;
}

void Free(void* payload) {
  if (!payload) return;
  char* block = static_cast<char*>(payload) - kHeader;
  bytes_in_use -= *reinterpret_cast<size_t*>(block);
  std::free(block);
}

}  // namespace

void* operator new(size_t size) { return Allocate(size); }
void* operator new[](size_t size) { return Allocate(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* block) noexcept { Free(block); }
void operator delete[](void* block) noexcept { Free(block); }
void operator delete(void* block, size_t) noexcept { Free(block); }
void operator delete[](void* block, size_t) noexcept { Free(block); }

namespace tfrt::bef {
namespace {

constexpr size_t kSize = 100'000;   // bytes of the part that is hostile
constexpr size_t kOwnBytes = 4096;  // what messages and tables of a few bytes may take besides

// Peak heap bytes of `use` beyond what was in use before.
size_t PeakOf(const std::function<void()>& use) {
  const size_t before = bytes_in_use;
  peak_bytes = before;
  use();
  return peak_bytes - before;
}

// A file with an empty payload for every section that must be there and is not in `sections`.
class HostileFile {
 public:
  HostileFile() {
    for (SectionId id : {SectionId::kKernels, SectionId::kTypes, SectionId::kFunctionIndex}) {
      (*this)[id].EmitVbr(0);
    }
    (*this)[SectionId::kStrings].EmitByte(0);
    (*this)[SectionId::kAttributes];
    (*this)[SectionId::kFunctions].EmitU32(0);
  }
  Buffer& operator[](SectionId id) {
    auto found = std::ranges::find(sections_, id, &Section::id);
    if (found != sections_.end()) return found->payload;
    return sections_.emplace_back(Section{id, {}}).payload;
  }
  Buffer& Replace(SectionId id) { return (*this)[id] = Buffer(); }

  std::vector<uint8_t> Bytes() const {
    FileWriter writer;
    for (const Section& section : sections_) writer.AppendSection(section.id, section.payload);
    return std::move(writer).Take();
  }

 private:
  struct Section {
    SectionId id;
    Buffer payload;
  };
  std::deque<Section> sections_;  // references stay valid
};

// Opens the file, which `opens` or not, and takes no more memory than promised; then `use`s it
// likewise.
void ExpectBounded(const HostileFile& file, bool opens,
                   const std::function<void(const BefView&)>& use = {}) {
  const std::vector<uint8_t> bytes = file.Bytes();
  const size_t limit = kMaxHeapPerByte * bytes.size() + kOwnBytes;
  std::string detail;
  size_t peak = PeakOf([&] {
    StatusOr<BefView> view = BefView::Open(bytes, &detail);
    EXPECT_EQ(view.ok(), opens) << view.status().message() << ": " << detail;
  });
  EXPECT_LE(peak, limit) << "for " << bytes.size() << " bytes";
  if (!use) return;
  StatusOr<BefView> view = BefView::Open(bytes);
  ASSERT_TRUE(view.ok());
  peak = PeakOf([&] { use(*view); });
  EXPECT_LE(peak, limit) << "for " << bytes.size() << " bytes, when used";
}

void Repeat(Buffer& buffer, size_t count, std::initializer_list<uint8_t> bytes) {
  for (size_t i = 0; i < count; ++i) buffer.EmitBytes(std::span(bytes.begin(), bytes.size()));
}

TEST(BefMemory, FunctionIndexWithoutItsFunctions) {
  HostileFile file;
  Buffer& index = file.Replace(SectionId::kFunctionIndex);
  index.EmitVbr(kSize);
  Repeat(index, kSize, {0});
  ExpectBounded(file, false);
}

TEST(BefMemory, FunctionIndexCutOffAtItsEnd) {
  HostileFile file;
  Buffer& index = file.Replace(SectionId::kFunctionIndex);
  index.EmitVbr(kSize / 5);
  Repeat(index, kSize / 5 - 1, {1, 0, 0, 0, 0});
  Repeat(index, 5, {0xFF});
  ExpectBounded(file, false);
}

TEST(BefMemory, NativeFunctions) {
  HostileFile file;
  Buffer& index = file.Replace(SectionId::kFunctionIndex);
  index.EmitVbr(kSize / 5);
  Repeat(index, kSize / 5, {1, 0, 0, 0, 0});
  ExpectBounded(file, true);
}

TEST(BefMemory, TypeIds) {
  HostileFile file;
  Repeat(file.Replace(SectionId::kTypes), 1, {1, 0});
  Buffer& index = file.Replace(SectionId::kFunctionIndex);
  Repeat(index, 1, {1, 1, 0, 0});
  index.EmitVbr(kSize);
  Repeat(index, kSize + 1, {0});
  ExpectBounded(file, true);
}

TEST(BefMemory, KernelNamesAndTypeNames) {
  for (SectionId id : {SectionId::kKernels, SectionId::kTypes}) {
    HostileFile file;
    Buffer& names = file.Replace(id);
    names.EmitVbr(kSize);
    Repeat(names, kSize, {0});
    ExpectBounded(file, true);
  }
}

TEST(BefMemory, Strings) {
  for (SectionId id : {SectionId::kStrings, SectionId::kLocationStrings}) {
    HostileFile file;
    Repeat(file[id], kSize, {0});
    ExpectBounded(file, true);
  }
}

TEST(BefMemory, Locations) {
  HostileFile file;
  Repeat(file[SectionId::kLocations], kSize, {0});
  ExpectBounded(file, true);
}

// One location of many parts, as text.
TEST(BefMemory, PartsOfALocation) {
  HostileFile file;
  Buffer& locations = file[SectionId::kLocations];
  locations.EmitByte(4);
  locations.EmitVbr(kSize);
  Repeat(locations, kSize, {0});
  ExpectBounded(file, true, [](const BefView& view) {
    EXPECT_EQ(view.DecodeLocation(0).name.substr(0, 20), "(unknown),(unknown),");
    EXPECT_EQ(view.DebugInfo(0), "");
  });
}

TEST(BefMemory, AttributeTypes) {
  HostileFile file;
  Buffer& types = file[SectionId::kAttributeTypes];
  types.EmitVbr(kSize);
  Repeat(types, kSize, {0});
  ExpectBounded(file, false);
}

TEST(BefMemory, NestedNamesOfASymbolReference) {
  HostileFile file;
  Buffer& attributes = file.Replace(SectionId::kAttributes);
  Repeat(attributes, 1, {0, 0});
  attributes.EmitVbr(kSize);
  Repeat(attributes, kSize + 2, {0});
  Repeat(file[SectionId::kAttributeTypes], 1, {1, 0, static_cast<uint8_t>(TypeCode::kSymbolRef)});
  ExpectBounded(file, true, [](const BefView& view) {
    StatusOr<SymbolRefView> symbol = ReadSymbolRef(view.attributes(), 0);
    ASSERT_TRUE(symbol.ok());
    EXPECT_EQ(symbol->nested.size(), kSize);
  });
}

// One function with the body `body`.
HostileFile WithBody(const Buffer& body) {
  HostileFile file;
  Repeat(file.Replace(SectionId::kFunctionIndex), 1, {1, 0, 0, 0, 0, 0});
  file.Replace(SectionId::kFunctions) = body;
  Repeat(file[SectionId::kLocations], 1, {0});
  return file;
}

TEST(BefMemory, RegistersWithoutKernels) {
  Buffer body;
  body.Align(4);  // what a Functions section must be
  body.EmitByte(0);
  body.EmitVbr(kSize);
  Repeat(body, kSize, {0});
  Repeat(body, 1, {1, 0, 0, 0});
  ExpectBounded(WithBody(body), false);
}

TEST(BefMemory, KernelsWithoutRecords) {
  for (size_t count : {kSize, kSize / 3}) {
    Buffer body;
    body.Align(4);
    Repeat(body, 1, {0, 0});
    body.EmitVbr(count);
    Repeat(body, kSize, {0});
    ExpectBounded(WithBody(body), false);
  }
}

TEST(BefMemory, NonStrictMarks) {
  HostileFile file;
  Buffer& marks = file[SectionId::kNonStrict];
  marks.EmitVbr(kSize);
  Repeat(marks, kSize, {0, 1, 0});
  ExpectBounded(file, false);
}

TEST(BefMemory, ManyNonStrictFunctions) {
  HostileFile file;
  Buffer& marks = file[SectionId::kNonStrict];
  marks.EmitVbr(10000);
  for (size_t i = 0; i < 10000; ++i) {
    marks.EmitVbr(i);
    Repeat(marks, 1, {1, 0});
  }
  ExpectBounded(file, false);  // there are no such functions
}

// One of the lists of the Extras section, with as many empty elements as fit.
TEST(BefMemory, Extras) {
  auto check = [](std::initializer_list<uint8_t> before, std::initializer_list<uint8_t> element,
                  bool opens) {
    HostileFile file;
    Repeat(file.Replace(SectionId::kFunctionIndex), 1, {1, 1, 0, 0, 0, 0});  // one native function
    Buffer& extras = file[SectionId::kExtras];
    Repeat(extras, 1, before);
    extras.EmitVbr(kSize / element.size());
    Repeat(extras, kSize / element.size(), element);
    Repeat(extras, 1, {0});
    ExpectBounded(file, opens);
  };
  check({}, {0, 0}, true);                         // attributes of the module, 0 functions
  check({0}, {0, 0, 0, 0}, false);                 // functions; their numbers should ascend
  check({0, 1, 0, 0}, {0, 0}, true);               // attributes of a function, 0 kernels
  check({0, 1, 0, 0, 0}, {0, 0, 0, 0}, false);     // kernels
  check({0, 1, 0, 0, 0, 1, 0, 0}, {0, 2}, false);  // symbols of a kernel that is not there
}

TEST(BefMemory, ManyFunctionsInExtras) {
  HostileFile file;
  Buffer& extras = file[SectionId::kExtras];
  extras.EmitByte(0);
  extras.EmitVbr(10000);
  for (size_t i = 0; i < 10000; ++i) {
    extras.EmitVbr(i);
    Repeat(extras, 1, {0, 0, 0});
  }
  ExpectBounded(file, false);
}

TEST(BefMemory, Signatures) {
  auto check = [](std::initializer_list<uint8_t> before, std::initializer_list<uint8_t> element,
                  std::initializer_list<uint8_t> after) {
    HostileFile file;
    Buffer& signatures = file[SectionId::kSignatures];
    Repeat(signatures, 1, before);
    signatures.EmitVbr(kSize / element.size());
    Repeat(signatures, kSize / element.size(), element);
    Repeat(signatures, 1, after);
    ExpectBounded(file, /*opens=*/after.size() > 0);
  };
  check({0}, {0, 0}, {0});                // metadata, 0 functions
  check({0, 0}, {0, 0, 0}, {});           // functions; their numbers should ascend
  check({0, 0, 1, 0}, {0, 5, 0}, {});     // inputs of a function that is not there
  check({0, 0, 1, 0, 1, 0, 5}, {0}, {});  // sizes
}

TEST(BefMemory, Weights) {
  auto check = [](std::initializer_list<uint8_t> weight, size_t count, bool opens) {
    HostileFile file;
    Buffer& weights = file[SectionId::kWeights];
    weights.AlignFor(64, 0);
    weights.EmitVbr(count);
    Repeat(weights, count, weight);
    weights.Align(8);
    const size_t end = (weights.size() + 16 * count + 63) / 64 * 64;
    for (size_t i = 0; i < count; ++i) {
      weights.EmitU64(end);
      weights.EmitU64(0);
    }
    weights.Pad(end - weights.size());
    ExpectBounded(file, opens);
  };
  check({0, 1, 1, 0}, kSize / 20, true);
  check({0, 1, 7, 0, 0, 0, 0, 0, 0, 0}, kSize / 26, true);
  check({0, 24, 0}, kSize / 19, false);
}

TEST(BefMemory, EmptySectionsInAList) {
  std::vector<uint8_t> file = {kMagic0, kMagic1, kVersion0};
  for (size_t i = 0; i < kSize / 2; ++i) file.insert(file.end(), {0x7F, 0});
  EXPECT_LE(PeakOf([&] { EXPECT_EQ(ListSections(file).size(), kSize / 2); }),
            kMaxHeapPerByte * file.size() + kOwnBytes);
  EXPECT_LE(PeakOf([&] { EXPECT_FALSE(BefView::Open(file).ok()); }), kOwnBytes);
}

// Files that are in order keep the promise, too, with all that a view offers.
TEST(BefMemory, OrdinaryFiles) {
  BefBuilder builder;
  FunctionSpec main{.name = "main", .argument_types = std::vector<std::string>(500, "i32")};
  for (uint32_t i = 0; i < 1000; ++i) {
    main.AddKernel({.name = "k",
                    .operands = {i},
                    .result_types = {"i32"},
                    .attributes = {{"a", I32Attribute(static_cast<int32_t>(i))}}});
  }
  builder.AddFunction(std::move(main));
  std::vector<uint8_t> file = *builder.Build();
  const size_t limit = kMaxHeapPerByte * file.size();
  EXPECT_LE(PeakOf([&] { EXPECT_TRUE(BefView::Open(file).ok()); }), limit);
  StatusOr<BefView> view = BefView::Open(file);
  EXPECT_LE(PeakOf([&] { EXPECT_TRUE(view->DecodeFunction(0).ok()); }), limit);
  EXPECT_LE(PeakOf([&] { EXPECT_EQ(view->AttributeNames(0).size(), 1000u); }), limit);
  EXPECT_LE(PeakOf([&] { EXPECT_EQ(view->RegisterTypes(0).size(), 1500u); }), limit);
}

}  // namespace
}  // namespace tfrt::bef
