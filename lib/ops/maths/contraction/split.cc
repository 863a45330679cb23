// How a problem becomes pieces for several threads.

#include <algorithm>
#include <optional>
#include <vector>

#include "contractions.h"

namespace tfrt::contraction {
namespace {

// A piece should outweigh what handing it to another thread costs, about a microsecond and what the
// other processor's cache must be told: this many operations take 5 us at 100 Gflop/s.
constexpr double kMinPieceFlops = kMinFlopsToSplit / 2;

int64_t NumPieces(double flops, int parallelism) {
  return std::clamp<int64_t>(static_cast<int64_t>(flops / kMinPieceFlops), 1, parallelism);
}

// The first of `size` items of part `index` of `parts`, with boundaries at multiples of `unit`.
int64_t Boundary(int64_t size, int64_t index, int64_t parts, int64_t unit) {
  if (index == parts) return size;
  return size * index / parts / unit * unit;
}

// Operands may be null.
template <typename T>
void Advance(T*& operand, int64_t count) {
  if (operand) operand += count;
}

// Rows of the output at a time that backends' inner loops like.
constexpr int64_t kRowUnit = 8;
// Output channels at a time.
constexpr int64_t kOutputUnit = 16;
// Outputs that libraries' layouts of packed weights keep together.
constexpr int64_t kPackedOutputs = 64;

// Products with fewer rows are bound by reading B: each piece then reads its part of it alone.
constexpr int64_t kFewProductRows = 64;

std::vector<Piece<MatMulProblem>> SplitColumns(const MatMulProblem& p, const Operands& operands,
                                               int64_t parts) {
  parts = std::min(parts, p.n / kPackedOutputs);
  if (parts <= 1) return {{p, operands}};
  std::vector<Piece<MatMulProblem>> pieces;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t begin = Boundary(p.n, i, parts, kPackedOutputs);
    Piece<MatMulProblem> piece{p, operands};
    piece.problem.n = Boundary(p.n, i + 1, parts, kPackedOutputs) - begin;
    if (p.m == 1) piece.problem.out_row_stride = piece.problem.n;  // there is no next row
    if (p.packed_b) {
      piece.problem.all_columns = p.n;
      piece.problem.first_column = begin;
    }
    Advance(piece.operands.b, begin * (p.transpose_b ? p.b_row_stride : 1));
    Advance(piece.operands.bias, begin);
    Advance(piece.operands.out, begin);
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

template <>
std::vector<Piece<MatMulProblem>> Split(const MatMulProblem& p, const Operands& operands,
                                        int parallelism, bool may_take_outputs) {
  int64_t parts = NumPieces(p.work(), parallelism);
  bool by_batch = p.batch > 1;
  if (!by_batch && p.m < kFewProductRows && (!p.packed_b || may_take_outputs)) {
    return SplitColumns(p, operands, parts);
  }
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
      Advance(piece.operands.a, begin * a_batch);
      Advance(piece.operands.b, begin * b_batch);  // batches do not come packed
      Advance(piece.operands.out, begin * out_batch);
    } else {
      int64_t begin = Boundary(p.m, i, parts, kRowUnit);
      piece.problem.m = Boundary(p.m, i + 1, parts, kRowUnit) - begin;
      Advance(piece.operands.a, begin * (p.transpose_a ? 1 : p.a_row_stride));
      Advance(piece.operands.out, begin * p.out_row_stride);
    }
    pieces.push_back(piece);
  }
  return pieces;
}

namespace {

// The outermost spatial dimension that has several places: by it images are cut.
struct CutAxis {
  int64_t &in, &filter, &out, &stride, &dilation, &pad_before, &pad_after;
};
CutAxis CutAxisOf(ConvolutionProblem& p) {
  if (p.out_depth > 1) {
    return {p.in_depth,       p.filter_depth, p.out_depth, p.stride_depth,
            p.dilation_depth, p.pad_front,    p.pad_back};
  }
  return {p.in_height,       p.filter_height, p.out_height, p.stride_height,
          p.dilation_height, p.pad_top,       p.pad_bottom};
}

// Some outputs of a problem with channels first: whole groups if there are groups.
Piece<ConvolutionProblem> OutputsOf(const ConvolutionProblem& p, const Operands& operands,
                                    int64_t begin, int64_t end) {
  Piece<ConvolutionProblem> piece{p, operands};
  piece.problem.out_channels = end - begin;
  if (p.groups > 1) {
    const int64_t first = begin / p.group_outputs();
    piece.problem.groups = end / p.group_outputs() - first;
    piece.problem.in_channels = piece.problem.groups * p.group_inputs();
    Advance(piece.operands.a, first * p.group_inputs() * p.in_pixels());
  }
  Advance(piece.operands.b, begin * p.group_inputs() * p.taps());
  Advance(piece.operands.bias, begin);
  Advance(piece.operands.out, begin * p.out_pixels());
  return piece;
}

// Some rows of the output, and of the input those under their windows. Empty if the windows are all
// in the padding.
std::optional<Piece<ConvolutionProblem>> RowsOf(const ConvolutionProblem& p,
                                                const Operands& operands, int64_t begin,
                                                int64_t end) {
  Piece<ConvolutionProblem> piece{p, operands};
  CutAxis axis = CutAxisOf(piece.problem);
  const int64_t in_row = p.in_pixels() / axis.in * p.in_channels;
  const int64_t out_row = p.out_pixels() / axis.out * p.out_channels;
  const int64_t first = begin * axis.stride - axis.pad_before;
  int64_t last = first + (end - begin - 1) * axis.stride + (axis.filter - 1) * axis.dilation + 1;
  const int64_t in_begin = std::clamp<int64_t>(first, 0, axis.in);
  int64_t in_end = std::clamp<int64_t>(last, 0, axis.in);
  if (in_begin >= in_end) return std::nullopt;
  // Rows that the stride leaves over belong to the piece: libraries like sizes that it divides.
  if (last < axis.in) {
    in_end = std::min(axis.in, last + axis.stride - 1);
    last = in_end;
  }
  axis.out = end - begin;
  axis.in = in_end - in_begin;
  axis.pad_before = in_begin - first;
  axis.pad_after = last - in_end;
  Advance(piece.operands.a, in_begin * in_row);
  Advance(piece.operands.out, begin * out_row);
  return piece;
}

// True if each pixel of the output is made of the one at its place in the input.
bool IsPointwise(const ConvolutionProblem& p) {
  return p.taps() == 1 && p.in_depth == p.out_depth && p.in_height == p.out_height &&
         p.in_width == p.out_width && p.stride_depth == 1 && p.stride_height == 1 &&
         p.stride_width == 1 && p.pad_front == 0 && p.pad_top == 0 && p.pad_left == 0;
}

// The pixels of a pointwise problem with channels last may lie in one column. It can be cut more
// evenly than rows: of 7x7 pixels one half has 24, not 21.
std::vector<Piece<ConvolutionProblem>> SplitPixels(const ConvolutionProblem& p,
                                                   const Operands& operands, int64_t parts) {
  const int64_t pixels = p.out_pixels();
  parts = std::min(parts, pixels / kRowUnit);
  if (parts <= 1) return {{p, operands}};
  std::vector<Piece<ConvolutionProblem>> pieces;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t begin = Boundary(pixels, i, parts, kRowUnit);
    Piece<ConvolutionProblem> piece{p, operands};
    ConvolutionProblem& cut = piece.problem;
    cut.in_depth = cut.out_depth = cut.in_width = cut.out_width = 1;
    cut.in_height = cut.out_height = Boundary(pixels, i + 1, parts, kRowUnit) - begin;
    cut.pad_back = cut.pad_bottom = cut.pad_right = 0;
    Advance(piece.operands.a, begin * p.in_channels);
    Advance(piece.operands.out, begin * p.out_channels);
    pieces.push_back(piece);
  }
  return pieces;
}

// A few rows cannot be cut evenly, but outputs can, if they are so many that all pieces are alike.
// Each piece then reads its part of the filter alone.
constexpr int64_t kFewRows = 8;
bool CanTakeOutputs(const ConvolutionProblem& p) {
  return p.packed_filter && !p.channels_first && p.groups == 1 && p.all_outputs == 0 &&
         p.out_channels % kPackedOutputs == 0;
}
std::vector<Piece<ConvolutionProblem>> SplitOutputs(const ConvolutionProblem& p,
                                                    const Operands& operands, int64_t parts) {
  parts = std::min(parts, p.out_channels / kPackedOutputs);
  if (parts <= 1) return {{p, operands}};
  std::vector<Piece<ConvolutionProblem>> pieces;
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t begin = Boundary(p.out_channels, i, parts, kPackedOutputs);
    Piece<ConvolutionProblem> piece{p, operands};
    piece.problem.all_outputs = p.out_channels;
    piece.problem.first_output = begin;
    piece.problem.out_channels = Boundary(p.out_channels, i + 1, parts, kPackedOutputs) - begin;
    Advance(piece.operands.bias, begin);
    Advance(piece.operands.out, begin);
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

template <>
std::vector<Piece<ConvolutionProblem>> Split(const ConvolutionProblem& p, const Operands& operands,
                                             int parallelism, bool may_take_outputs) {
  int64_t parts = NumPieces(p.work(), parallelism);
  std::vector<Piece<ConvolutionProblem>> pieces;
  ConvolutionProblem cut = p;
  const bool by_batch = p.batch > 1;
  // With channels first, rows of all channels do not lie together. Packed filters have no parts.
  const bool by_outputs = !by_batch && p.channels_first && p.filter_first && !p.packed_filter;
  const int64_t rows = CutAxisOf(cut).out;
  // Rows, if they can be cut evenly: libraries choose layouts by sizes, and like ones give like
  // ways.
  if (!by_batch && !p.channels_first && IsPointwise(p) && (parts <= 1 || rows % parts != 0)) {
    return SplitPixels(p, operands, parts);
  }
  if (may_take_outputs && !by_batch && CanTakeOutputs(p) && rows < kFewRows * parts &&
      rows % parts != 0) {
    return SplitOutputs(p, operands, parts);
  }
  const int64_t outputs_unit = p.groups > 1 ? p.group_outputs() : kOutputUnit;
  parts = std::min(parts, by_batch           ? p.batch
                          : by_outputs       ? p.out_channels / outputs_unit
                          : p.channels_first ? 1
                                             : rows);
  if (parts <= 1) return {{p, operands}};
  for (int64_t i = 0; i < parts; ++i) {
    if (by_batch) {
      Piece<ConvolutionProblem> piece{p, operands};
      const int64_t begin = Boundary(p.batch, i, parts, 1);
      piece.problem.batch = Boundary(p.batch, i + 1, parts, 1) - begin;
      Advance(piece.operands.a, begin * p.in_pixels() * p.in_channels);
      Advance(piece.operands.out, begin * p.out_pixels() * p.out_channels);
      pieces.push_back(piece);
    } else if (by_outputs) {
      pieces.push_back(OutputsOf(p, operands, Boundary(p.out_channels, i, parts, outputs_unit),
                                 Boundary(p.out_channels, i + 1, parts, outputs_unit)));
    } else {
      auto piece =
          RowsOf(p, operands, Boundary(rows, i, parts, 1), Boundary(rows, i + 1, parts, 1));
      if (!piece) return {{p, operands}};
      pieces.push_back(*piece);
    }
  }
  return pieces;
}

}  // namespace tfrt::contraction
