// The element types of tensors and attributes, in one table: codes, names, sizes, C++ types, and
// what other formats call them. The numbers are the type codes of BEF files.
#ifndef TFRT_OPINFO_ELEMENT_TYPE_H_
#define TFRT_OPINFO_ELEMENT_TYPE_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "tfrt/support/half.h"

namespace tfrt {

enum class DType : uint8_t {
  kUnsupported = 0,
  kUI8 = 1,
  kUI16 = 2,
  kUI32 = 3,
  kUI64 = 4,
  kI1 = 5,
  kI8 = 6,
  kI16 = 7,
  kI32 = 8,
  kI64 = 9,
  kF32 = 10,
  kF64 = 11,
  kComplex64 = 12,
  kComplex128 = 13,
  kF16 = 14,
  kBF16 = 15,
  kString = 16,
  kResource = 17,
  kVariant = 18,
  kQUI8 = 19,
  kQUI16 = 20,
  kQI8 = 21,
  kQI16 = 22,
  kQI32 = 23,
};

// The kinds of numbers that DLPack and NumPy tell apart. The values are DLPack's type codes
// (dlpack.h, DLDataTypeCode), kNone apart.
enum class NumberKind : uint8_t {
  kSigned = 0,
  kUnsigned = 1,
  kFloat = 2,
  kBFloat = 4,
  kComplex = 5,
  kBool = 6,
  kNone = 255,
};

// A row of the table.
struct ElementType {
  // Half as large as a string_view: small programs have the table, too.
  struct Name {
    const char* text;
    constexpr Name(const char* text) : text(text) {}              // NOLINT: implicit by design
    constexpr operator std::string_view() const { return text; }  // NOLINT: implicit by design
  };

  Name name;           // as tensors print it: "u8", "f32", "str"
  Name program_name;   // in names of kernels: "ui8", "f32", "string"
  Name mlir_name;      // as programs spell the type: "ui8", "complex<f32>"
  Name log_name;       // in the log of op attributes: "UI8", "CHAR"
  Name numpy_name;     // of the NumPy dtype with this layout; empty if there is none
  uint8_t size_bytes;  // of one element in memory and in BEF files; 0: not in dense tensors
  NumberKind kind;
};

inline constexpr ElementType kElementTypes[] = {
    {"unsupported", "unsupported", "unsupported", "UNSUPPORTED", "", 0, NumberKind::kNone},
    {"u8", "ui8", "ui8", "UI8", "uint8", 1, NumberKind::kUnsigned},
    {"u16", "ui16", "ui16", "UI16", "uint16", 2, NumberKind::kUnsigned},
    {"u32", "ui32", "ui32", "UI32", "uint32", 4, NumberKind::kUnsigned},
    {"u64", "ui64", "ui64", "UI64", "uint64", 8, NumberKind::kUnsigned},
    {"i1", "i1", "i1", "BOOL", "bool", 1, NumberKind::kBool},
    {"i8", "i8", "i8", "I8", "int8", 1, NumberKind::kSigned},
    {"i16", "i16", "i16", "I16", "int16", 2, NumberKind::kSigned},
    {"i32", "i32", "i32", "I32", "int32", 4, NumberKind::kSigned},
    {"i64", "i64", "i64", "I64", "int64", 8, NumberKind::kSigned},
    {"f32", "f32", "f32", "F32", "float32", 4, NumberKind::kFloat},
    {"f64", "f64", "f64", "F64", "float64", 8, NumberKind::kFloat},
    {"complex64", "complex64", "complex<f32>", "COMPLEX64", "complex64", 8, NumberKind::kComplex},
    {"complex128", "complex128", "complex<f64>", "COMPLEX128", "complex128", 16,
     NumberKind::kComplex},
    {"f16", "f16", "f16", "F16", "float16", 2, NumberKind::kFloat},
    {"bf16", "bf16", "bf16", "BF16", "", 2, NumberKind::kBFloat},
    {"str", "string", "string", "CHAR", "", 0, NumberKind::kNone},
    {"resource", "resource", "resource", "RESOURCE", "", 0, NumberKind::kNone},
    {"variant", "variant", "variant", "VARIANT", "", 0, NumberKind::kNone},
    {"qu8", "quint8", "quint8", "QUI8", "", 1, NumberKind::kNone},
    {"qu16", "quint16", "quint16", "QUI16", "", 2, NumberKind::kNone},
    {"qi8", "qint8", "qint8", "QI8", "", 1, NumberKind::kNone},
    {"qi16", "qint16", "qint16", "QI16", "", 2, NumberKind::kNone},
    {"qi32", "qint32", "qint32", "QI32", "", 4, NumberKind::kNone},
};
inline constexpr size_t kNumElementTypes = std::size(kElementTypes);
static_assert(kNumElementTypes == static_cast<size_t>(DType::kQI32) + 1);

// The C++ types of elements, each with its dtype: of integers, of real numbers, of all. The
// quantised dtypes have none.
#define TFRT_CPP_INTEGERS(V) \
  V(kUI8, uint8_t)           \
  V(kUI16, uint16_t)         \
  V(kUI32, uint32_t)         \
  V(kUI64, uint64_t)         \
  V(kI8, int8_t)             \
  V(kI16, int16_t)           \
  V(kI32, int32_t)           \
  V(kI64, int64_t)
#define TFRT_CPP_REALS(V) \
  TFRT_CPP_INTEGERS(V)    \
  V(kF32, float)          \
  V(kF64, double)         \
  V(kF16, ::tfrt::Fp16)   \
  V(kBF16, ::tfrt::Bf16)
#define TFRT_CPP_ELEMENT_TYPES(V)    \
  TFRT_CPP_REALS(V)                  \
  V(kI1, bool)                       \
  V(kComplex64, std::complex<float>) \
  V(kComplex128, std::complex<double>)

// The row of a dtype; that of kUnsupported for a value that is none.
constexpr const ElementType& ElementTypeOf(DType dtype) {
  auto code = static_cast<size_t>(dtype);
  return kElementTypes[code < kNumElementTypes ? code : 0];
}

// The dtype with this type code; kUnsupported if there is none.
constexpr DType DTypeFromCode(uint8_t code) {
  return code < kNumElementTypes ? static_cast<DType>(code) : DType::kUnsupported;
}

// Whether elements are real numbers with fractions.
constexpr bool IsFloat(DType dtype) {
  const NumberKind kind = ElementTypeOf(dtype).kind;
  return kind == NumberKind::kFloat || kind == NumberKind::kBFloat;
}

// As tensors print it: "u8", "i1", "f32", "complex64", "qi32", ...; "unsupported" for the rest.
constexpr std::string_view DTypeName(DType dtype) { return ElementTypeOf(dtype).name; }

namespace internal {

// By code: what hot code asks for, without the names.
struct ElementSizes {
  uint8_t bytes[kNumElementTypes];
  constexpr ElementSizes() : bytes{} {
    for (size_t code = 0; code < kNumElementTypes; ++code) {
      bytes[code] = kElementTypes[code].size_bytes;
    }
  }
};
inline constexpr ElementSizes kElementSizes;

}  // namespace internal

// Bytes of one element in memory and in BEF files (i1: 1). 0 for string, resource, variant and
// unsupported, which dense tensors cannot hold.
constexpr size_t DTypeSize(DType dtype) {
  auto code = static_cast<size_t>(dtype);
  return code < kNumElementTypes ? internal::kElementSizes.bytes[code] : 0;
}

// The dtype of a C++ element type; kUnsupported for types that are none.
template <typename T>
constexpr DType DTypeOf() {
#define TFRT_DTYPE_OF(dtype, type) \
  if constexpr (std::is_same_v<T, type>) return DType::dtype;
  TFRT_CPP_ELEMENT_TYPES(TFRT_DTYPE_OF)
#undef TFRT_DTYPE_OF
  return DType::kUnsupported;
}

// A C++ type of elements.
template <typename T>
concept TensorElement =
    (static_cast<uint8_t>(DTypeOf<T>()) != 0);  // as numbers: != may be overloaded

}  // namespace tfrt

#endif  // TFRT_OPINFO_ELEMENT_TYPE_H_
