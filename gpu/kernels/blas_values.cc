#include "blas_values.h"

#include <algorithm>
#include <cstring>

#include "gpu/libraries/saturated.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using cublas::cudaDataType;

struct Number {
  DType type = DType::kUnsupported;
  std::complex<double> value;
};

template <typename T>
bool Read(AsyncValue* value, DType type, Number* number) {
  if (value->type_id() != GetTypeId<T>()) return false;
  if constexpr (requires(T t) { t.real(); }) {
    *number = {type, std::complex<double>(value->get<T>())};
  } else {
    *number = {type, static_cast<double>(value->get<T>())};
  }
  return true;
}

template <typename T>
void Write(T value, BlasScalar* scalar) {
  std::memcpy(scalar->bytes, &value, sizeof(value));
}

uint64_t NumElements(const MatrixExtent& extent) {
  if (extent.rows <= 0 || extent.cols <= 0 || extent.batch_count <= 0) return 0;
  if (extent.ld < extent.rows) return 0;  // the library's error
  const auto ld = static_cast<uint64_t>(extent.ld);
  const uint64_t one = SaturatedPlus(SaturatedTimes(static_cast<uint64_t>(extent.cols - 1), ld),
                                     static_cast<uint64_t>(extent.rows));
  return SaturatedPlus(one, SaturatedTimes(static_cast<uint64_t>(extent.batch_count - 1),
                                           static_cast<uint64_t>(extent.stride)));
}

}  // namespace

DType ScalarTypeOf(cudaDataType type) {
  switch (type) {
    case cublas::CUDA_R_16F:
      return DType::kF16;
    case cublas::CUDA_R_32F:
      return DType::kF32;
    case cublas::CUDA_R_64F:
      return DType::kF64;
    case cublas::CUDA_C_32F:
      return DType::kComplex64;
    case cublas::CUDA_C_64F:
      return DType::kComplex128;
    case cublas::CUDA_R_32I:
      return DType::kI32;
    default:
      return DType::kUnsupported;
  }
}

StatusOr<BlasScalar> ReadBlasScalar(AsyncValue* value, DType expected, bool accepts_complex,
                                    cudaDataType type) {
  Number number;
  if (!Read<float>(value, DType::kF32, &number) && !Read<double>(value, DType::kF64, &number) &&
      !Read<Fp16>(value, DType::kF16, &number) && !Read<int32_t>(value, DType::kI32, &number) &&
      !Read<std::complex<float>>(value, DType::kComplex64, &number) &&
      !Read<std::complex<double>>(value, DType::kComplex128, &number)) {
    return InvalidArgumentError("pointer type not supported");
  }
  const bool is_complex = number.type == DType::kComplex64 || number.type == DType::kComplex128;
  if (number.type != expected && !(is_complex && accepts_complex)) {
    return InvalidArgumentError("unexpected argument type");
  }
  BlasScalar scalar;
  const double real = number.value.real();
  switch (type) {
    case cublas::CUDA_R_16F:
      Write(Fp16(real), &scalar);
      break;
    case cublas::CUDA_R_32F:
      Write(static_cast<float>(real), &scalar);
      break;
    case cublas::CUDA_R_64F:
      Write(real, &scalar);
      break;
    case cublas::CUDA_R_32I:
      Write(static_cast<int32_t>(std::clamp(real, -0x1p31, 0x1p31 - 1)), &scalar);
      break;
    case cublas::CUDA_C_32F:
      Write(std::complex<float>(number.value), &scalar);
      break;
    case cublas::CUDA_C_64F:
      Write(number.value, &scalar);
      break;
    default:
      return InvalidArgumentError("unexpected argument type");
  }
  return scalar;
}

size_t ElementBytes(cudaDataType type) {
  switch (type) {
    case cublas::CUDA_R_8I:
      return 1;
    case cublas::CUDA_R_16F:
    case cublas::CUDA_R_16BF:
      return 2;
    case cublas::CUDA_R_32F:
    case cublas::CUDA_R_32I:
      return 4;
    case cublas::CUDA_R_64F:
    case cublas::CUDA_C_32F:
      return 8;
    case cublas::CUDA_C_64F:
      return 16;
  }
  return 0;
}

Status CheckExtent(std::string_view name, const GpuBuffer::Use& use, cudaDataType type,
                   const MatrixExtent& extent) {
  if (extent.batch_count > 1 && extent.stride < 0) {
    return InvalidArgumentError(
        StrCat("the stride of ", name, " is negative (", extent.stride, ")"));
  }
  const uint64_t size_bytes = SaturatedTimes(NumElements(extent), ElementBytes(type));
  if (size_bytes <= use->size_bytes) return OkStatus();
  return InvalidArgumentError(StrCat("buffer size (", use->size_bytes, ") is smaller than the ",
                                     size_bytes, " bytes of ", name));
}

}  // namespace tfrt::gpu
