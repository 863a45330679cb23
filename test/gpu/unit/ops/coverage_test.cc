// GPUs have the rows of the op table. The others are the host's by design, or are listed here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "gpu/ops/gpu_ops.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::gpu {
namespace {

using testing::IsSubsetOf;

// Why a row is the host's.
enum class Reason {
  kMetadata,        // it reads metadata alone
  kEffect,          // it does more than compute results, in the host's order
  kOpenSizes,       // the sizes of its results depend on elements
  kHostValues,      // all its arguments are read on the host
  kErrorOfElement,  // whether it fails depends on elements, which the caller would wait for
  kLibrary,         // a library of the host decomposes matrices, or transforms
  kComplex,         // GPUs have no complex numbers
  kCompilerOnly,    // the compiler makes it, for the host's kernels
};
struct HostRow {
  std::string_view row;
  Reason reason;
};
constexpr HostRow kHostRows[] = {
    {"assert", Reason::kEffect},
    {"check_numerics", Reason::kErrorOfElement},
    {"check_numerics_v2", Reason::kErrorOfElement},
    {"cholesky", Reason::kLibrary},
    {"compress", Reason::kOpenSizes},
    {"determinant", Reason::kLibrary},
    {"dft", Reason::kLibrary},
    {"dynamic_quantized_lstm", Reason::kCompilerOnly},
    {"dynamic_quantized_matmul", Reason::kCompilerOnly},
    {"eigh", Reason::kLibrary},
    {"eigvalsh", Reason::kLibrary},
    {"elementwise_tape", Reason::kCompilerOnly},
    {"imag", Reason::kComplex},
    {"inverse", Reason::kLibrary},
    {"make_complex", Reason::kComplex},
    {"non_max_suppression", Reason::kOpenSizes},
    {"nonzero", Reason::kOpenSizes},
    {"pack_filter", Reason::kCompilerOnly},
    {"pack_matrix", Reason::kCompilerOnly},
    {"packed_attention", Reason::kCompilerOnly},
    {"print", Reason::kEffect},
    {"qr", Reason::kLibrary},
    {"quantized_conv", Reason::kCompilerOnly},
    {"quantized_matmul", Reason::kCompilerOnly},
    {"range", Reason::kHostValues},
    {"real", Reason::kComplex},
    {"shape_of", Reason::kMetadata},
    {"slogdet", Reason::kLibrary},
    {"solve", Reason::kLibrary},
    {"split_sizes", Reason::kErrorOfElement},
    {"svd", Reason::kLibrary},
    {"svdvals", Reason::kLibrary},
    {"unique", Reason::kOpenSizes},
};

// A row that GPUs get leaves this list.
constexpr std::string_view kNotYet[] = {
    "argsort",      "atan2",       "copysign",      "cumulative_product",
    "floor_divide", "gru",         "hypot",         "log10",
    "log2",         "logaddexp",   "lstm",          "nextafter",
    "rnn",          "random_bits", "search_sorted", "signbit",
    "sort",         "trunc"};

bool HasSpelling(const OpDescription& row) {
  return std::ranges::any_of(AllOpSpellings(),
                             [&](const OpSpelling* each) { return each->op == row.name; });
}

bool IsTrueOf(const OpDescription& row, Reason reason) {
  switch (reason) {
    case Reason::kMetadata:
      return row.reads_metadata_alone();
    case Reason::kEffect:
      return row.has_side_effects();
    case Reason::kOpenSizes:
      return HasFlag(row.flags, OpFlags::kOpenResults);
    case Reason::kHostValues:
      for (size_t i = 0; i < row.arguments.size(); ++i) {
        if (!row.is_host_value(i, row.arguments.size())) return false;
      }
      return !row.arguments.empty();
    case Reason::kErrorOfElement:
    case Reason::kLibrary:
    case Reason::kComplex:
      return !row.has_side_effects();  // the table does not tell errors
    case Reason::kCompilerOnly:
      return !HasSpelling(row);
  }
  return false;
}

TEST(CoverageTest, EachRowIsInOnePlace) {
  std::set<std::string_view> rows;
  for (const OpDescription* row : AllOpDescriptions()) {
    SCOPED_TRACE(row->name);
    rows.insert(row->name);
    const auto host = std::ranges::find(kHostRows, row->name, &HostRow::row);
    const bool is_on_gpu = FindGpuOp(*row) != nullptr, is_host = host != std::end(kHostRows);
    const bool is_missing = std::ranges::find(kNotYet, row->name) != std::end(kNotYet);
    EXPECT_EQ(int{is_on_gpu} + int{is_host} + int{is_missing}, 1)
        << "on gpu: " << is_on_gpu << ", the host's: " << is_host << ", not yet: " << is_missing;
    if (is_host) EXPECT_TRUE(IsTrueOf(*row, host->reason));
    // Placement's words for those that a program can call.
    if (HasSpelling(*row)) EXPECT_EQ(IsHostRow(*row), is_host);
  }
  std::set<std::string_view> listed(std::begin(kNotYet), std::end(kNotYet));
  for (const HostRow& row : kHostRows) listed.insert(row.row);
  EXPECT_EQ(listed.size(), std::size(kNotYet) + std::size(kHostRows)) << "one is listed twice";
  EXPECT_THAT(listed, IsSubsetOf(rows));
}

}  // namespace
}  // namespace tfrt::gpu
