#include "byte_product.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "fallible_blocks.h"
#include "lib/ops/maths/cpu/isa_clones.h"

namespace tfrt::contraction {
namespace {

// Packs `together` neighbours in depth of some columns, which lie side by side, and adds them up.
template <int together>
[[gnu::always_inline]] inline void PackSideBySide(const uint8_t* from, int64_t stride,
                                                  int64_t columns, uint8_t flip, int8_t* to,
                                                  int32_t* sums) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t j = 0; j < columns; ++j) {
    int32_t sum = 0;
    for (int k = 0; k < together; ++k) {
      const auto value = static_cast<int8_t>(from[k * stride + j] ^ flip);
      to[j * together + k] = value;
      sum += value;
    }
    sums[j] += sum;
  }
}
// The same for so many groups of neighbours below each other, which panels have `width` apart.
TFRT_ISA_CLONES
void PackPairs(const uint8_t* from, int64_t stride, int64_t columns, int64_t count, int64_t width,
               uint8_t flip, int8_t* to, int32_t* sums) {
  for (int64_t i = 0; i < count; ++i, from += 2 * stride, to += 2 * width) {
    PackSideBySide<2>(from, stride, columns, flip, to, sums);
  }
}
TFRT_ISA_CLONES
void PackQuads(const uint8_t* from, int64_t stride, int64_t columns, int64_t count, int64_t width,
               uint8_t flip, int8_t* to, int32_t* sums) {
  for (int64_t i = 0; i < count; ++i, from += 4 * stride, to += 4 * width) {
    PackSideBySide<4>(from, stride, columns, flip, to, sums);
  }
}

// A column that lies together, and its sum. The rest of the last neighbours stays as it is.
template <int together>
[[gnu::always_inline]] inline int32_t PackOneColumn(const uint8_t* from, int64_t depth,
                                                    int64_t width, uint8_t flip, int8_t* to) {
  int32_t sum = 0;
  for (int64_t k = 0; k < depth; ++k) {
    const auto value = static_cast<int8_t>(from[k] ^ flip);
    to[k / together * width * together + k % together] = value;
    sum += value;
  }
  return sum;
}

// Packs columns [first, first + count), as i8, and adds them up. The panels are whole.
void PackColumns(const ByteKernel& kernel, const ByteColumns& b, int64_t first, int64_t count,
                 int8_t* panels, int32_t* sums) {
  const int64_t depth = kernel.PaddedDepth(b.depth), width = kernel.columns;
  const int64_t together = kernel.together;
  assert(together == 2 || together == 4);
  const uint8_t flip = b.is_signed ? 0 : kOtherSign;
  std::fill_n(sums, count, 0);
  if (depth == 0) return;  // perhaps there is no memory either
  for (int64_t begin = 0; begin < count; begin += width, panels += width * depth) {
    const int64_t columns = std::min(width, count - begin);
    // Only what is not written below.
    if (columns < width || depth != b.depth) std::memset(panels, 0, size_t(width * depth));
    const uint8_t* from = b.data + (first + begin) * b.column_stride;
    auto pack = [&](int64_t k, int64_t j, uint8_t byte) {
      const auto value = static_cast<int8_t>(byte ^ flip);
      panels[(k / together * width + j) * together + k % together] = value;
      sums[begin + j] += value;
    };
    const bool is_aligned = b.inner % together == 0 || b.inner >= b.depth;
    for (int64_t outer = 0; outer * b.inner < b.depth; ++outer) {
      const uint8_t* part = from + outer * b.outer_stride;
      const int64_t k = outer * b.inner;
      if (b.column_stride == 1) {
        int64_t i = 0;
        if (is_aligned) {
          const int64_t groups = b.inner / together;
          (together == 2 ? PackPairs : PackQuads)(part, b.inner_stride, columns, groups, width,
                                                  flip, panels + k * width, sums + begin);
          i = groups * together;
        }
        for (; i < b.inner; ++i) {
          for (int64_t j = 0; j < columns; ++j) pack(k + i, j, part[i * b.inner_stride + j]);
        }
        continue;
      }
      for (int64_t j = 0; j < columns; ++j) {
        const uint8_t* column = part + j * b.column_stride;
        if (is_aligned && b.inner_stride == 1) {
          int8_t* to = panels + k * width + j * together;
          sums[begin + j] += together == 2 ? PackOneColumn<2>(column, b.inner, width, flip, to)
                                           : PackOneColumn<4>(column, b.inner, width, flip, to);
          continue;
        }
        for (int64_t i = 0; i < b.inner; ++i) pack(k + i, j, column[i * b.inner_stride]);
      }
    }
  }
}

int64_t WholePanels(const ByteKernel& kernel, int64_t columns) {
  return (columns + kernel.columns - 1) / kernel.columns * kernel.columns;
}

TFRT_ISA_CLONES
void Widen(const uint8_t* from, int64_t count, int16_t* to) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) to[i] = from[i];
}

TFRT_ISA_CLONES
int32_t SumOf(const uint8_t* from, int64_t count) {
  int32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += from[i];
  return sum;
}

// Part of a product that one thread computes.
struct Part {
  int64_t first_row, rows, first_column, columns;
};

// The working memory of a thread.
struct Scratch {
  AlignedBuffer bytes, words, sums, row_sums, panels, panel_sums;
};
thread_local Scratch scratch;

template <typename T>
T* Reserve(AlignedBuffer& buffer, int64_t count) {
  if (!buffer.Reserve(static_cast<size_t>(count) * sizeof(T))) return nullptr;
  return static_cast<T*>(buffer.data());
}

// Rows that stay in a second-level cache while panels pass.
int64_t RowsTogether(int64_t row_bytes, int64_t rows) {
  constexpr int64_t kCacheBytes = 192 << 10, kUnit = 96;
  const int64_t most = std::max<int64_t>(kCacheBytes / row_bytes / kUnit, 1) * kUnit;
  if (rows <= most) return rows;
  const int64_t blocks = (rows + most - 1) / most;
  return (rows + blocks - 1) / blocks;
}

class PartOfProduct {
 public:
  PartOfProduct(const ByteProduct& product, const ByteKernel& kernel, int64_t depth,
                const Part& part)
      : p_(product), kernel_(kernel), depth_(depth), part_(part) {}

  Status Run() {
    if (!Prepare()) return ResourceExhaustedError("no memory");
    for (int64_t row = 0; row < part_.rows; row += together_) {
      const int64_t rows = std::min(together_, part_.rows - row);
      FillRows(part_.first_row + row, rows);
      for (int64_t column = 0; column < part_.columns; column += kTailColumns) {
        MultiplyBlock(row, rows, column, std::min(kTailColumns, part_.columns - column));
      }
    }
    return OkStatus();
  }

 private:
  bool Prepare() {
    padded_ = kernel_.PaddedDepth(depth_);
    together_ = RowsTogether(std::max<int64_t>(padded_, 64) * (kernel_.widens ? 2 : 1), part_.rows);
    // A kernel of words needs a row of bytes at a time.
    bytes_ = Reserve<uint8_t>(scratch.bytes, (kernel_.widens ? 1 : together_) * padded_ + 64);
    sums_ = Reserve<int32_t>(scratch.sums, together_ * kTailColumns);
    row_sums_ = Reserve<int32_t>(scratch.row_sums, together_);
    if (kernel_.widens) words_ = Reserve<int16_t>(scratch.words, together_ * padded_ + 64);
    if (!bytes_ || !sums_ || !row_sums_ || (kernel_.widens && !words_)) return false;
    if (p_.packed) {
      panels_ = p_.packed->panels(p_.factor, part_.first_column);
      column_sums_ = p_.packed->sums(p_.factor) + part_.first_column;
      return true;
    }
    auto* panels =
        Reserve<int8_t>(scratch.panels, WholePanels(kernel_, part_.columns) * padded_ + 64);
    auto* sums = Reserve<int32_t>(scratch.panel_sums, part_.columns);
    if (!panels || !sums) return false;
    PackColumns(kernel_, p_.b, part_.first_column, part_.columns, panels, sums);
    panels_ = panels;
    column_sums_ = sums;
    return true;
  }

  void FillRows(int64_t row, int64_t rows) {
    const int64_t first = p_.first_row + row;
    if (!kernel_.widens) {
      p_.a->Fill(first, rows, bytes_, padded_);
      for (int64_t i = 0; i < rows; ++i) FinishRow(bytes_ + i * padded_, i);
      return;
    }
    for (int64_t i = 0; i < rows; ++i) {
      p_.a->Fill(first + i, 1, bytes_, padded_);
      FinishRow(bytes_, i);
      Widen(bytes_, padded_, words_ + i * padded_);
    }
  }
  void FinishRow(uint8_t* row, int64_t i) {
    std::fill(row + depth_, row + padded_, uint8_t{0});
    if (p_.b_zeros) row_sums_[i] = SumOf(row, depth_);
  }

  void MultiplyBlock(int64_t row, int64_t rows, int64_t column, int64_t columns) {
    PanelRows call{.a = kernel_.widens ? static_cast<const void*>(words_) : bytes_,
                   .a_stride = padded_,
                   .panel = panels_ + column * padded_,
                   .depth = padded_,
                   .out = sums_,
                   .out_stride = kTailColumns,
                   .rows = rows};
    for (int64_t done = 0; done < columns; done += kernel_.columns) {
      kernel_.multiply(call);
      call.panel += kernel_.columns * padded_;
      call.out += kernel_.columns;
    }
    const int64_t first_column = part_.first_column + column;
    // Sum of (a - a_zero) (b - b_zero) =
    //   sum of a b + a_zero (depth b_zero - sum of b) - b_zero sum of a
    int32_t terms[kTailColumns], a_zero_terms[kTailColumns];
    const int32_t* b_zeros = p_.b_zeros ? p_.b_zeros + first_column : nullptr;
    for (int64_t j = 0; j < columns; ++j) {
      const uint32_t of_a =
          static_cast<uint32_t>(depth_) * static_cast<uint32_t>(b_zeros ? b_zeros[j] : 0) -
          static_cast<uint32_t>(column_sums_[column + j]);
      a_zero_terms[j] = static_cast<int32_t>(of_a);
      const uint32_t bias = p_.bias ? static_cast<uint32_t>(p_.bias[first_column + j]) : 0;
      const uint32_t a_zero = p_.a_zeros ? 0 : static_cast<uint32_t>(p_.a_zero);
      terms[j] = static_cast<int32_t>(a_zero * of_a + bias);
    }
    const int64_t first_row = part_.first_row + row;
    const SumTerms added{.a_zeros = p_.a_zeros ? p_.a_zeros + first_row : nullptr,
                         .a_zero_terms = a_zero_terms,
                         .row_sums = row_sums_,
                         .b_zeros = b_zeros,
                         .terms = terms};
    FinishSums(p_.tail, added, sums_, kTailColumns, first_row, rows, first_column, columns);
  }

  const ByteProduct& p_;
  const ByteKernel& kernel_;
  const int64_t depth_;
  const Part part_;
  int64_t padded_ = 0, together_ = 0;
  uint8_t* bytes_ = nullptr;
  int16_t* words_ = nullptr;
  int32_t *sums_ = nullptr, *row_sums_ = nullptr;
  const int8_t* panels_ = nullptr;
  const int32_t* column_sums_ = nullptr;
};

// Products are cut into so many parts of rows and of columns.
struct Cut {
  int64_t of_rows = 1, of_columns = 1;
};
Cut CutOf(int64_t count, int64_t rows, int64_t columns, int64_t depth, bool is_packed,
          int parallelism) {
  // A part should take longer than its way to another thread: some 10 us.
  constexpr double kMinProducts = 500'000;
  // Parts of fewer rows read the panels too often.
  constexpr int64_t kMinRows = 48;
  const double all =
      double(count) * double(rows) * double(columns) * double(std::max<int64_t>(depth, 1));
  const int64_t wanted = std::clamp<int64_t>(static_cast<int64_t>(all / kMinProducts), 1,
                                             parallelism <= 1 ? 1 : 2 * parallelism);
  const int64_t each = (wanted + count - 1) / count;
  // Parts of rows would each pack all columns of a factor that is not packed: its columns are cut
  // first.
  const int64_t most[] = {rows / kMinRows, columns / kTailColumns};
  const int first = is_packed ? 0 : 1;
  int64_t parts[2];
  parts[first] = std::clamp<int64_t>(most[first], 1, each);
  parts[1 - first] =
      std::clamp<int64_t>(most[1 - first], 1, (each + parts[first] - 1) / parts[first]);
  return {parts[0], parts[1]};
}

}  // namespace

std::shared_ptr<const PackedBytes> PackedBytes::Create(const ByteKernel& kernel,
                                                       const ByteColumns& columns, int64_t factors,
                                                       int64_t factor_stride) {
  std::shared_ptr<PackedBytes> made(new PackedBytes(kernel));
  made->depth_ = columns.depth;
  made->columns_ = columns.columns;
  made->factors_ = factors;
  made->is_signed_ = columns.is_signed;
  const int64_t size = WholePanels(kernel, columns.columns) * kernel.PaddedDepth(columns.depth);
  const int64_t num_sums = columns.columns * factors;
  if (!made->panels_.Reserve(static_cast<size_t>(size * factors)) ||
      !made->sums_.Reserve(static_cast<size_t>(num_sums) * sizeof(int32_t))) {
    return nullptr;
  }
  for (int64_t i = 0; i < factors; ++i) {
    ByteColumns factor = columns;
    factor.data += i * factor_stride;
    PackColumns(kernel, factor, 0, columns.columns,
                static_cast<int8_t*>(made->panels_.data()) + i * size,
                static_cast<int32_t*>(made->sums_.data()) + i * columns.columns);
  }
  return made;
}

const int8_t* PackedBytes::panels(int64_t factor, int64_t column) const {
  const int64_t depth = kernel_.PaddedDepth(depth_);
  return static_cast<const int8_t*>(panels_.data()) +
         (factor * WholePanels(kernel_, columns_) + column) * depth;
}

AsyncValueRef<Chain> MultiplyBytes(const ExecutionContext& exec_ctx, int64_t count, int64_t rows,
                                   int64_t columns, int64_t depth,
                                   std::span<const DenseHostTensor* const> tensors,
                                   std::function<ByteProduct(int64_t)> product,
                                   const ByteKernel& kernel) {
  if (count == 0 || rows == 0 || columns == 0) return GetReadyChain();
  const Cut cut = CutOf(count, rows, columns, depth, product(0).packed != nullptr,
                        exec_ctx.work_queue().GetParallelismLevel());
  auto run = [=, product = std::move(product), &kernel](size_t i) -> Status {
    const auto index = static_cast<int64_t>(i);
    const int64_t column = index % cut.of_columns, row = index / cut.of_columns % cut.of_rows;
    auto boundary = [](int64_t size, int64_t part, int64_t parts, int64_t unit) {
      return part == parts ? size : size * part / parts / unit * unit;
    };
    Part part;
    part.first_row = boundary(rows, row, cut.of_rows, 1);
    part.rows = boundary(rows, row + 1, cut.of_rows, 1) - part.first_row;
    part.first_column = boundary(columns, column, cut.of_columns, kTailColumns);
    part.columns = boundary(columns, column + 1, cut.of_columns, kTailColumns) - part.first_column;
    const ByteProduct made = product(index / (cut.of_columns * cut.of_rows));
    return PartOfProduct(made, made.packed ? made.packed->kernel() : kernel, depth, part).Run();
  };
  return maths::RunFallibleBlocks(exec_ctx,
                                  static_cast<size_t>(count * cut.of_rows * cut.of_columns), 1,
                                  "a product of bytes", tensors, std::move(run));
}

Status MultiplyBytesOnThisThread(const ByteProduct& product, int64_t rows, int64_t columns,
                                 int64_t depth) {
  if (rows == 0 || columns == 0) return OkStatus();
  const ByteKernel& kernel = product.packed ? product.packed->kernel() : BestByteKernel();
  return PartOfProduct(product, kernel, depth, {0, rows, 0, columns}).Run();
}

}  // namespace tfrt::contraction
