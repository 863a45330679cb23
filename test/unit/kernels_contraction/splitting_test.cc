#include "lib/ops/maths/contraction/contractions.h"

#include <array>

#include "test/unit/kernels_contraction/contraction_runner.h"

namespace tfrt::contraction {
namespace {

ConvolutionProblem Pointwise(int64_t size, int64_t inputs, int64_t outputs) {
  ConvolutionProblem p;
  p.in_height = p.in_width = p.out_height = p.out_width = size;
  p.in_channels = inputs;
  p.out_channels = outputs;
  return p;
}

TEST(SplitTest, PointwiseLayersAreCutByRowsWhereTheseAreEven) {
  auto pieces = Split(Pointwise(14, 256, 1024), {}, 2, false);
  ASSERT_EQ(pieces.size(), 2);
  EXPECT_EQ(pieces[0].problem, pieces[1].problem);
  EXPECT_EQ(pieces[0].problem.out_height, 7);
  EXPECT_EQ(pieces[0].problem.out_width, 14);
}

TEST(SplitTest, OtherPointwiseLayersAreCutByPixels) {
  auto pieces = Split(Pointwise(7, 512, 2048), {}, 2, false);
  ASSERT_EQ(pieces.size(), 2);
  EXPECT_EQ(pieces[0].problem.out_height, 24);
  EXPECT_EQ(pieces[1].problem.out_height, 25);
}

TEST(SplitTest, OperandsThatThereAreNotStayAway) {
  for (const auto& piece : Split(Pointwise(14, 256, 1024), {}, 2, false)) {
    EXPECT_EQ(piece.operands.a, nullptr);
    EXPECT_EQ(piece.operands.out, nullptr);
  }
}

// The halves of a layer read the filter as it was packed: turning its layout into another one at
// each run takes longer than the layer.
TEST(PackTest, PiecesReadThePackedFilterAsItIs) {
  if (!kHasOneDnn) GTEST_SKIP() << "built without oneDNN";
  ContractionRunner runner({.backend = ComputeBackend::kOneDnn, .threads = 2});
  auto& contractions = runner.host().GetOrCreateSharedContext<Contractions>();
  for (auto [size, inputs, outputs] :
       {std::array<int64_t, 3>{14, 256, 1024}, {14, 1024, 256}, {28, 128, 512}, {56, 64, 256}}) {
    ConvolutionProblem problem = Pointwise(size, inputs, outputs);
    problem.packed_filter = true;
    const std::vector<float> filter(static_cast<size_t>(inputs * outputs), 1.0f);
    auto packed = contractions.Pack(problem, filter.data(), filter.size());
    ASSERT_TRUE(packed.ok()) << packed.status().message();
    for (const auto& piece : Split(problem, {}, 2, false)) {
      std::unique_ptr<PlanCacheEntry<ConvolutionProblem>> uncached;
      auto entry = contractions.FindPlan(piece.problem, packed->get(),
                                         /*accept_reference=*/false, &uncached);
      ASSERT_TRUE(entry.ok()) << entry.status().message();
      EXPECT_NE(*entry, nullptr) << inputs << " to " << outputs;
    }
  }
}

}  // namespace
}  // namespace tfrt::contraction
