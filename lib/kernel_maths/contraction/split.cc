// How a problem becomes pieces for several threads.

#include <algorithm>

#include "contractions.h"

namespace tfrt::contraction {
namespace {

// A piece should outweigh what handing it to another thread costs, about 10 us: this many
// operations take 20 us at 100 Gflop/s.
constexpr double kMinPieceFlops = kMinFlopsToSplit / 2;

int64_t NumPieces(double flops, int parallelism) {
  return std::clamp<int64_t>(static_cast<int64_t>(flops / kMinPieceFlops), 1, parallelism);
}

// The first of `size` items of part `index` of `parts`, with boundaries at multiples of `unit`.
int64_t Boundary(int64_t size, int64_t index, int64_t parts, int64_t unit) {
  if (index == parts) return size;
  return size * index / parts / unit * unit;
}

// Rows of the output at a time that backends' inner loops like.
constexpr int64_t kRowUnit = 8;

}  // namespace

template <>
std::vector<Piece<MatMulProblem>> Split(const MatMulProblem& p, const Operands& operands,
                                        int parallelism) {
  int64_t parts = NumPieces(p.flops(), parallelism);
  bool by_batch = p.batch > 1;
  // Few rows: a row vector times a matrix, say, is bound by reading the matrix.
  parts = std::min(parts, by_batch ? p.batch : p.m / kRowUnit);
  if (parts <= 1) return {{p, operands}};
  int64_t a_batch = (p.transpose_a ? p.k : p.m) * p.a_row_stride;
  int64_t b_batch = (p.transpose_b ? p.n : p.k) * p.b_row_stride;
  int64_t out_batch = p.m * p.out_row_stride;
  std::vector<Piece<MatMulProblem>> pieces;
  for (int64_t i = 0; i < parts; ++i) {
    Piece<MatMulProblem> piece{p, operands};
    if (by_batch) {
      int64_t begin = Boundary(p.batch, i, parts, 1);
      piece.problem.batch = Boundary(p.batch, i + 1, parts, 1) - begin;
      piece.operands.a += begin * a_batch;
      piece.operands.b += begin * b_batch;  // batches do not come packed
      piece.operands.out += begin * out_batch;
    } else {
      int64_t begin = Boundary(p.m, i, parts, kRowUnit);
      piece.problem.m = Boundary(p.m, i + 1, parts, kRowUnit) - begin;
      piece.operands.a += begin * (p.transpose_a ? 1 : p.a_row_stride);
      piece.operands.out += begin * p.out_row_stride;
    }
    pieces.push_back(piece);
  }
  return pieces;
}

template <>
std::vector<Piece<ConvolutionProblem>> Split(const ConvolutionProblem& p, const Operands& operands,
                                             int parallelism) {
  int64_t parts = NumPieces(p.flops(), parallelism);
  bool by_batch = p.batch > 1;
  parts = std::min(parts, by_batch ? p.batch : p.out_height);
  if (parts <= 1) return {{p, operands}};
  int64_t in_row = p.in_width * p.in_channels;
  int64_t out_row = p.out_width * p.out_channels;
  std::vector<Piece<ConvolutionProblem>> pieces;
  for (int64_t i = 0; i < parts; ++i) {
    Piece<ConvolutionProblem> piece{p, operands};
    if (by_batch) {
      int64_t begin = Boundary(p.batch, i, parts, 1);
      piece.problem.batch = Boundary(p.batch, i + 1, parts, 1) - begin;
      piece.operands.a += begin * p.in_height * in_row;
      piece.operands.out += begin * p.out_height * out_row;
    } else {
      // Some rows of the output, and of the input those under their windows.
      int64_t begin = Boundary(p.out_height, i, parts, 1);
      int64_t rows = Boundary(p.out_height, i + 1, parts, 1) - begin;
      int64_t first = begin * p.stride_height - p.pad_top;
      int64_t end =
          first + (rows - 1) * p.stride_height + (p.filter_height - 1) * p.dilation_height + 1;
      int64_t in_begin = std::clamp<int64_t>(first, 0, p.in_height);
      int64_t in_end = std::clamp<int64_t>(end, 0, p.in_height);
      if (in_begin >= in_end) return {{p, operands}};  // windows all in the padding
      // Rows that the stride leaves over belong to the piece: libraries like sizes that it divides.
      if (end < p.in_height) {
        in_end = std::min(p.in_height, end + p.stride_height - 1);
        end = in_end;
      }
      piece.problem.out_height = rows;
      piece.problem.in_height = in_end - in_begin;
      piece.problem.pad_top = in_begin - first;
      piece.problem.pad_bottom = end - in_end;
      piece.operands.a += in_begin * in_row;
      piece.operands.out += begin * out_row;
    }
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace tfrt::contraction
