// Products of bytes: rows that are made as they are needed, times packed columns, and what becomes
// of the sums. Sums are exact modulo 2^32.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_PRODUCT_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_PRODUCT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "aligned_buffer.h"
#include "byte_kernels.h"
#include "byte_tail.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::contraction {

// Kernels multiply u8 with i8. Factors of the other dtype are shifted by 128, with their zero
// points: the products of differences stay the same.
inline constexpr uint8_t kOtherSign = 0x80;

// The second factor as it comes. Element k of column j is at
// k / inner * outer_stride + k % inner * inner_stride + j * column_stride.
struct ByteColumns {
  const uint8_t* data = nullptr;
  bool is_signed = true;
  int64_t depth = 0, columns = 0;
  int64_t inner = 1;
  int64_t outer_stride = 0, inner_stride = 0, column_stride = 1;
};

// The second factor in the layout of a kernel. Immutable; thread-safe.
class PackedBytes {
 public:
  // Several factors alike, as groups of a convolution have them: each is the one before moved by
  // `factor_stride`. Null without memory. The sum of a column must be in 32 bits.
  static std::shared_ptr<const PackedBytes> Create(const ByteKernel& kernel,
                                                   const ByteColumns& columns, int64_t factors,
                                                   int64_t factor_stride);

  const ByteKernel& kernel() const { return kernel_; }
  int64_t depth() const { return depth_; }
  int64_t columns() const { return columns_; }
  int64_t factors() const { return factors_; }
  bool is_signed() const { return is_signed_; }
  // Returns the panels of a factor, from a column on that begins one.
  const int8_t* panels(int64_t factor, int64_t column) const;
  // The sums of columns, as i8.
  const int32_t* sums(int64_t factor) const {
    return static_cast<const int32_t*>(sums_.data()) + factor * columns_;
  }

 private:
  explicit PackedBytes(const ByteKernel& kernel) : kernel_(kernel) {}
  const ByteKernel& kernel_;
  int64_t depth_ = 0, columns_ = 0, factors_ = 0;
  bool is_signed_ = true;
  AlignedBuffer panels_, sums_;
};

// The first factor. Thread-safe.
class ByteRows {
 public:
  virtual ~ByteRows() = default;
  // Writes rows [row, row + count) as u8, `stride` apart.
  virtual void Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const = 0;
};

// One product [rows, columns]. Borrowed. Zero points are shifted as their factors are.
struct ByteProduct {
  const ByteRows* a = nullptr;
  int64_t first_row = 0;  // of `a`
  // The second factor: a packed one, or as it comes.
  const PackedBytes* packed = nullptr;
  int64_t factor = 0;
  ByteColumns b;

  int32_t a_zero = 0;
  const int32_t* a_zeros = nullptr;  // one for each row, instead
  const int32_t* b_zeros = nullptr;  // one for each column; null: zeros
  const int32_t* bias = nullptr;     // added to the sums
  ByteTail tail;
};

// Computes product(i) for each i below `count`, all of them [rows, columns] with sums of so many
// products. Small ones are computed at once. Keeps what `product` holds and the memory of the
// tensors alive. Other kernels than the best one are for tests; a packed factor has its own.
AsyncValueRef<Chain> MultiplyBytes(const ExecutionContext& exec_ctx, int64_t count, int64_t rows,
                                   int64_t columns, int64_t depth,
                                   std::span<const DenseHostTensor* const> tensors,
                                   std::function<ByteProduct(int64_t)> product,
                                   const ByteKernel& kernel = BestByteKernel());
// Computes one product before it returns, on the calling thread alone.
Status MultiplyBytesOnThisThread(const ByteProduct& product, int64_t rows, int64_t columns,
                                 int64_t depth);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_PRODUCT_H_
