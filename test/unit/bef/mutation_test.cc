// Every truncation and many changed bytes of a small corpus: each mutant is refused with a message
// or opens, and then every accessor works. Run under sanitizers this shows that no byte is trusted.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "lib/format/bef/attribute_reader.h"
#include "lib/format/bef/bef_reader.h"
#include "test/unit/bef/sample_modules.h"

namespace tfrt::bef {
namespace {

// Uses everything that a view offers. The copy has exactly the file's size, so that a sanitizer
// sees each access behind it.
bool OpenAndUse(const std::vector<uint8_t>& bytes) {
  std::unique_ptr<uint8_t[]> copy(new uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  std::string detail;
  StatusOr<BefView> view = BefView::Open({copy.get(), bytes.size()}, &detail);
  if (!view.ok()) {
    EXPECT_FALSE(view.status().message().empty());
    return false;
  }
  EXPECT_EQ(detail, "");
  size_t used = 0;
  auto use_location = [&](uint32_t location) {
    used += view->DecodeLocation(location).ToString().size();
    used += view->DebugInfo(location).value_or("").size();
  };
  for (uint32_t f = 0; f < view->functions().size(); ++f) {
    used += view->functions()[f].name.size() + view->AttributeNames(f).size();
    for (uint32_t type : view->RegisterTypes(f)) used += view->type_names()[type].size();
    StatusOr<DecodedFunction> body = view->DecodeFunction(f);
    EXPECT_EQ(body.ok(), view->functions()[f].kind != FunctionKind::kNative);
    if (!body.ok()) continue;
    use_location(body->location());
    for (const DecodedKernel& kernel : body->kernels()) {
      use_location(kernel.location());
      used += view->kernel_names()[kernel.kernel_id()].size();
      for (uint32_t operand : kernel.operands()) EXPECT_LT(operand, body->num_registers());
      for (uint32_t user : kernel.users()) EXPECT_LT(user, body->kernels().size());
      for (uint32_t function : kernel.functions()) used += view->functions()[function].name.size();
      for (uint32_t offset : kernel.attributes()) {
        for (int code : {0x05, 0x06, 0x0B, 0x10, 0x19, 0x1B, 0x1C, 0x1D, 0x1E, 0x85, 0x88, 0x99}) {
          used += VerifyAttribute(view->attributes(), offset, static_cast<TypeCode>(code)).ok();
        }
      }
    }
  }
  Signatures signatures = view->ReadSignatures();
  for (const FunctionSignature& function : signatures.functions) {
    const FunctionInfo& info = view->functions()[function.function];
    EXPECT_LE(function.inputs.size(), info.argument_types.size());
    EXPECT_EQ(function.results.size(), info.result_types.size());
  }
  for (const Weight& weight : view->weights()) {
    used += weight.name.size() + weight.dims.size();
    for (uint8_t byte : weight.bytes) used += byte;
  }
  return used > 0;
}

std::vector<std::vector<uint8_t>> Corpus() {
  std::vector<std::vector<uint8_t>> corpus;
  for (bool optional : {true, false}) {
    for (const BefBuilder& builder : {BefBuilder(), AddModule(), RichModule(), ModelModule()}) {
      corpus.push_back(*builder.Build({.optional_sections = optional, .v0_exact = false}));
    }
  }
  return corpus;
}

TEST(Mutation, CorpusOpens) {
  size_t used = 0;
  for (const std::vector<uint8_t>& file : Corpus()) used += OpenAndUse(file);
  EXPECT_EQ(used, 6u);  // all but the two empty modules
}

TEST(Mutation, Truncations) {
  for (const std::vector<uint8_t>& file : Corpus()) {
    for (size_t size = 0; size < file.size(); ++size) {
      OpenAndUse({file.begin(), file.begin() + size});
    }
  }
}

TEST(Mutation, ChangedBytes) {
  for (const std::vector<uint8_t>& file : Corpus()) {
    for (size_t i = 0; i < file.size(); ++i) {
      std::vector<uint8_t> mutant = file;
      for (int bit = 0; bit < 8; ++bit) {
        mutant[i] = file[i] ^ (1 << bit);
        OpenAndUse(mutant);
      }
      for (uint8_t value : {0x00, 0x01, 0x7F, 0x80, 0xCC, 0xFF}) {
        mutant[i] = value;
        OpenAndUse(mutant);
      }
    }
  }
}

TEST(Mutation, ChangedWords) {
  for (const std::vector<uint8_t>& file : Corpus()) {
    for (size_t i = 0; i + 4 <= file.size(); ++i) {
      for (uint32_t value : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
        std::vector<uint8_t> mutant = file;
        std::memcpy(&mutant[i], &value, 4);
        OpenAndUse(mutant);
      }
    }
  }
}

// Pairs of random changes, which get behind checks that single ones do not.
TEST(Mutation, RandomPairs) {
  uint32_t state = 12345;
  auto next = [&] { return state = state * 1664525 + 1013904223; };
  for (const std::vector<uint8_t>& file : Corpus()) {
    for (int round = 0; round < 2000; ++round) {
      std::vector<uint8_t> mutant = file;
      for (int change = 0; change < 2; ++change) {
        mutant[(next() >> 8) % mutant.size()] = static_cast<uint8_t>(next() >> 16);
      }
      OpenAndUse(mutant);
    }
  }
}

}  // namespace
}  // namespace tfrt::bef
