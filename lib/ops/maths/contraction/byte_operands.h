// Factors of 8-bit integers as tensors, and the numbers beside them as products read them.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_OPERANDS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_OPERANDS_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aligned_buffer.h"
#include "byte_product.h"
#include "quantized_products.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::maths {

// A packed second factor as a value of programs. dtype and shape are those of the plain one.
// Immutable; thread-safe.
class PackedBytesTensor final : public Tensor {
 public:
  using AsyncValueBases = BaseTypes<Tensor>;
  PackedBytesTensor(TensorMetadata metadata, PackedBytesRef packed, bool transposed)
      : Tensor(std::move(metadata)), packed_(std::move(packed)), transposed_(transposed) {}
  const PackedBytesRef& packed() const { return packed_; }
  bool transposed() const { return transposed_; }

  TensorType tensor_type() const override { return kPackedMatrixTensorType; }
  // "PackedMatrix tensor dtype = i8, shape = [2, 3]"
  std::string ToString() const override;

 private:
  PackedBytesRef packed_;
  bool transposed_;
};

// A product of bytes keeps this until it is done. Zero points are shifted as kernels read factors.
struct ByteJob {
  int32_t a_zero = 0;
  std::vector<int32_t> a_zeros;  // one for each row; empty: a_zero
  // One for each column; null: zeros.
  const int32_t* b_zeros() const { return static_cast<const int32_t*>(b_zero_memory.data()); }
  contraction::AlignedBuffer b_zero_memory, scale_memory, bias_memory;
  bool sums_take_bias = true;  // 32 bits have room for a bias of i32
  const int32_t* bias = nullptr;
  std::optional<DenseHostTensor> addend;  // as large as the result
  contraction::ByteTail tail;
  std::unique_ptr<contraction::ByteRows> rows;

  // A product with these numbers, of which the caller sets the factors and the places.
  contraction::ByteProduct Product() const;
};

// Tensors of the call whose memory the job reads or writes. They are valid during the call alone.
using JobTensors = std::vector<const DenseHostTensor*>;
// The result, and what stands beside the factors.
JobTensors TensorsOf(const QuantizedNumbers& numbers, const DenseHostTensor& out);

// Sums of more products leave 32 bits for some bytes, whatever the zero points are.
inline constexpr int64_t kMostDepth = std::numeric_limits<int32_t>::max() / (128 * 128);

// Sizes that the numbers of a product must fit.
struct ByteSizes {
  DType a_dtype, b_dtype;
  int64_t depth = 0, outputs = 0;
  // Zero points of a may be one, so many, or so many others.
  int64_t rows = 1, all_rows = 1;
  // The result has no elements: numbers are checked, but not prepared.
  bool is_empty = false;
  std::string_view a_name = "the first factor", b_name = "the second factor";
  bool any_a_scale = false;  // that of x with infinities gives NaN
};

// Zero points alone, for sums in i32. InvalidArgument for a wrong dtype or number of zero points,
// and for sums that may leave 32 bits.
StatusOr<std::shared_ptr<ByteJob>> JobOfSums(const ByteSizes& sizes, const DenseHostTensor* a_zero,
                                             const DenseHostTensor* b_zero, DenseHostTensor& out);
// All numbers. The scales must be positive and finite, and products of two of them normal. That of
// a may be 0, infinite or no number with `any_a_scale`, and for floats as the result. Some factors
// are quantised by the program. ResourceExhausted without memory for the numbers of columns.
StatusOr<std::shared_ptr<ByteJob>> JobOf(const ByteSizes& sizes, const QuantizedNumbers& numbers,
                                         DenseHostTensor& out, const ExecutionContext& exec_ctx);

// Rows that lie in memory, as u8.
class MatrixRows final : public contraction::ByteRows {
 public:
  MatrixRows(const void* data, bool is_signed, int64_t depth)
      : data_(static_cast<const uint8_t*>(data)),
        flip_(is_signed ? contraction::kOtherSign : 0),
        depth_(depth) {}
  void Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const override;

 private:
  const uint8_t* data_;
  uint8_t flip_;
  int64_t depth_;
};

// to[i] = from[i] ^ flip
void CopyFlipped(const uint8_t* from, int64_t count, uint8_t flip, uint8_t* to);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_OPERANDS_H_
