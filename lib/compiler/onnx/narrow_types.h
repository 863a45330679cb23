// Element types of ONNX that have no dtype here. A value of such a type is stored as a wider one
// that has all its numbers.
#ifndef TFRT_LIB_COMPILER_ONNX_NARROW_TYPES_H_
#define TFRT_LIB_COMPILER_ONNX_NARROW_TYPES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "model.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::onnx {

struct NarrowType {
  DataType type;
  DType stored;  // i8, ui8, f16 or f32
  int bits;      // of an element in a file, where the first element has the lowest bits of a byte
  // Floats have bits of the fraction and a bias of the exponent; others have 0.
  int fraction = 0;
  int bias = 0;
  float max = 0;
  bool is_signed = true;
  bool has_infinity = false;
  bool has_nan = true;
  bool has_negative_zero = true;

  bool is_float() const { return max != 0; }
  // Powers of two alone.
  bool is_exponent() const { return type == DataType::kFloat8E8M0; }
};

// Null for other types.
const NarrowType* FindNarrowType(DataType type);

// Returns `count` elements, of which `packed` has all bits, as the stored dtype has them.
std::vector<uint8_t> WidenElements(const NarrowType& type, std::span<const uint8_t> packed,
                                   size_t count);

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_NARROW_TYPES_H_
