// The numbers of BTF files.
#ifndef TFRT_LIB_RUNTIME_TENSOR_BTF_FORMAT_H_
#define TFRT_LIB_RUNTIME_TENSOR_BTF_FORMAT_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tfrt/tensor/dtype.h"

namespace tfrt::internal {

// Tensors are used where they lie in the file.
static_assert(std::endian::native == std::endian::little, "BTF files are little-endian");

// The dtype with code i at index i.
inline constexpr DType kBtfDTypes[] = {DType::kI8,   DType::kI16, DType::kI32, DType::kI64,
                                       DType::kF32,  DType::kF64, DType::kUI8, DType::kUI16,
                                       DType::kUI32, DType::kUI64};

// Records, and what they consist of, begin at multiples of this.
inline constexpr size_t kBtfAlignment = 8;
// u64 rank, u8 dtype, u8 layout, 6 bytes of padding.
inline constexpr size_t kBtfHeaderSize = 16;

constexpr uint64_t BtfPadding(uint64_t size) {
  return (kBtfAlignment - size % kBtfAlignment) % kBtfAlignment;
}

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_TENSOR_BTF_FORMAT_H_
