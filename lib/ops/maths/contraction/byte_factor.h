// A matrix of bytes as the second factor of rows of floats, which are quantised before.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_FACTOR_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_FACTOR_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "byte_operands.h"
#include "lib/ops/maths/cpu/quantize.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// f32 quantised to u8 as they are needed.
class QuantizedRows final : public contraction::ByteRows {
 public:
  QuantizedRows(const float* data, int64_t depth, cpu::Quantization fit)
      : data_(data), depth_(depth), fit_(fit) {}
  void Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const override;

 private:
  const float* data_;
  int64_t depth_;
  cpu::Quantization fit_;
};

// Multiplies on the calling thread. Borrows the bytes; used by one thread at a time.
class ByteFactor {
 public:
  // The matrix `index` of [count,depth,columns], i8 or u8, which errors call `name`. There is one
  // scale and zero point for each matrix, [count], or for each column, [count,columns].
  // InvalidArgument for others, and as QuantizedMatMul.
  static StatusOr<ByteFactor> Create(std::string_view name, const DenseHostTensor& matrices,
                                     const DenseHostTensor& scale, const DenseHostTensor& zero,
                                     int64_t index, const ExecutionContext& exec_ctx);

  // Arranges the bytes once for several products. ResourceExhausted without memory.
  Status Pack();
  // Computes out = x * matrix + bias, with x [rows,depth] quantised for its range; no bias if null.
  Status Multiply(const float* x, int64_t rows, const cpu::FloatRange& range, const float* bias,
                  float* out);

 private:
  contraction::ByteColumns bytes_;
  std::shared_ptr<ByteJob> numbers_;  // its scales are those of the columns
  PackedBytesRef packed_;
  std::vector<float> scales_;
};

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_FACTOR_H_
