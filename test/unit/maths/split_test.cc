// How products become pieces for several threads.

#include <gtest/gtest.h>

#include <vector>

#include "lib/ops/maths/contraction/contractions.h"

namespace tfrt::contraction {
namespace {

class SplitProductsTest : public testing::Test {
 protected:
  MatMulProblem Problem(int64_t m, int64_t n, int64_t k) {
    MatMulProblem p;
    p.m = m;
    p.n = n;
    p.k = k;
    p.a_row_stride = k;
    p.b_row_stride = n;
    p.out_row_stride = n;
    p.has_bias = true;
    return p;
  }
  // Where a piece's operands begin, in elements.
  int64_t A(const Piece<MatMulProblem>& piece) { return piece.operands.a - memory_.data(); }
  int64_t B(const Piece<MatMulProblem>& piece) { return piece.operands.b - memory_.data(); }
  int64_t Bias(const Piece<MatMulProblem>& piece) { return piece.operands.bias - memory_.data(); }
  int64_t Out(const Piece<MatMulProblem>& piece) { return piece.operands.out - memory_.data(); }

  std::vector<float> memory_ = std::vector<float>(1 << 22);  // of all operands: nothing is computed
  const Operands operands_{
      .a = memory_.data(), .b = memory_.data(), .bias = memory_.data(), .out = memory_.data()};
};

TEST_F(SplitProductsTest, ARowTimesAMatrixByColumns) {
  auto pieces = Split(Problem(1, 1000, 512), operands_, 2, false);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].problem.n, 448);
  EXPECT_EQ(pieces[1].problem.n, 552);
  for (auto& piece : pieces) {
    EXPECT_EQ(piece.problem.m, 1);
    EXPECT_EQ(piece.problem.b_row_stride, 1000);
    EXPECT_EQ(piece.problem.all_columns, 0);
    EXPECT_EQ(A(piece), 0);
  }
  EXPECT_EQ(B(pieces[1]), 448);
  EXPECT_EQ(Bias(pieces[1]), 448);
  EXPECT_EQ(Out(pieces[1]), 448);
}

TEST_F(SplitProductsTest, ColumnsOfATransposedMatrixAreItsRows) {
  MatMulProblem p = Problem(3, 1000, 512);
  p.transpose_b = true;
  p.b_row_stride = 512;
  auto pieces = Split(p, operands_, 2, false);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(B(pieces[1]), 448 * 512);
  EXPECT_EQ(Out(pieces[1]), 448);
  EXPECT_EQ(pieces[1].problem.out_row_stride, 1000);
}

TEST_F(SplitProductsTest, PackedMatricesByColumnsWhereTheirLayoutAllowsIt) {
  MatMulProblem p = Problem(16, 1000, 512);
  p.packed_b = true;
  auto pieces = Split(p, operands_, 2, true);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].problem.all_columns, 1000);
  EXPECT_EQ(pieces[0].problem.first_column, 0);
  EXPECT_EQ(pieces[1].problem.first_column, 448);
  EXPECT_NE(Hash(pieces[0].problem), Hash(pieces[1].problem));
  // Otherwise by rows.
  pieces = Split(p, operands_, 2, false);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[1].problem.m, 8);
  EXPECT_EQ(A(pieces[1]), 8 * 512);
  p.m = 1;
  EXPECT_EQ(Split(p, operands_, 2, false).size(), 1u);
}

TEST_F(SplitProductsTest, ManyRowsByRows) {
  auto pieces = Split(Problem(128, 1000, 512), operands_, 2, true);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[1].problem.m, 64);
  EXPECT_EQ(B(pieces[1]), 0);
}

// The work of a row is reading the matrix, which takes longer than its products.
TEST_F(SplitProductsTest, SmallOnesNotAtAll) {
  EXPECT_EQ(Split(Problem(1, 256, 256), operands_, 2, true).size(), 1u);
  EXPECT_EQ(Split(Problem(1, 768, 768), operands_, 2, true).size(), 2u);
  EXPECT_EQ(Split(Problem(1, 64, 1 << 16), operands_, 2, true).size(), 1u);  // one part of a layout
}

}  // namespace
}  // namespace tfrt::contraction
