// The constants of the BEF file format, version 0, and of the project's own sections (ids >= 64).
// The grammar is in docs/reference/bef_format.md, with the sections byte by byte.
#ifndef TFRT_BEF_BEF_FORMAT_H_
#define TFRT_BEF_BEF_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::bef {

inline constexpr uint8_t kMagic0 = 0x0B;
inline constexpr uint8_t kMagic1 = 0xEF;
inline constexpr uint8_t kVersion0 = 0;
inline constexpr uint8_t kPadding = 0xCC;

// The alignment of the memory that holds a BEF file.
inline constexpr size_t kFileAlignment = 8;
// The alignment, as file position, of dense constants with at least kLargeDenseBytes of data. Not
// applied if exact version 0 output was requested.
inline constexpr size_t kLargeDenseAlignment = 64;
inline constexpr size_t kLargeDenseBytes = 256;

// The largest size of a section's payload in bytes, because offsets have 32 bits. Does not hold for
// Weights, whose offsets have 64.
inline constexpr uint64_t kMaxSectionBytes = 0xFFFFFFFF;

enum class SectionId : uint8_t {
  kStrings = 0,
  kAttributes = 1,
  kKernels = 2,
  kTypes = 3,
  kFunctionIndex = 4,
  kFunctions = 5,
  kLocationStrings = 6,
  kLocations = 7,
  kAttributeTypes = 8,
  kAttributeNames = 9,
  kRegisterTypes = 10,
  // The project's own sections; readers of version 0 skip them.
  kNonStrict = 64,
  kExtras = 65,
  kSignatures = 66,
  kWeights = 67,
};

// The section's name, or "unknown".
std::string_view SectionName(SectionId id);

// Native: a C++ function of the runtime. Sync: runs to its end on the caller's thread.
enum class FunctionKind : uint8_t { kAsync = 0, kNative = 1, kSync = 2 };

// Type codes of attributes and of the elements of type, dense and array attributes: the codes of
// dtypes, and more.
enum class TypeCode : uint8_t {
  kUnsupported = static_cast<uint8_t>(DType::kUnsupported),
  kUI8 = static_cast<uint8_t>(DType::kUI8),
  kUI16 = static_cast<uint8_t>(DType::kUI16),
  kUI32 = static_cast<uint8_t>(DType::kUI32),
  kUI64 = static_cast<uint8_t>(DType::kUI64),
  kI1 = static_cast<uint8_t>(DType::kI1),
  kI8 = static_cast<uint8_t>(DType::kI8),
  kI16 = static_cast<uint8_t>(DType::kI16),
  kI32 = static_cast<uint8_t>(DType::kI32),
  kI64 = static_cast<uint8_t>(DType::kI64),
  kF32 = static_cast<uint8_t>(DType::kF32),
  kF64 = static_cast<uint8_t>(DType::kF64),
  kComplex64 = static_cast<uint8_t>(DType::kComplex64),
  kComplex128 = static_cast<uint8_t>(DType::kComplex128),
  kF16 = static_cast<uint8_t>(DType::kF16),
  kBF16 = static_cast<uint8_t>(DType::kBF16),
  kString = static_cast<uint8_t>(DType::kString),
  kResource = static_cast<uint8_t>(DType::kResource),
  kVariant = static_cast<uint8_t>(DType::kVariant),
  kQUI8 = static_cast<uint8_t>(DType::kQUI8),
  kQUI16 = static_cast<uint8_t>(DType::kQUI16),
  kQI8 = static_cast<uint8_t>(DType::kQI8),
  kQI16 = static_cast<uint8_t>(DType::kQI16),
  kQI32 = static_cast<uint8_t>(DType::kQI32),
  kType = 25,
  kFunction = 26,
  kShape = 27,
  kDense = 28,
  kSymbolRef = 29,
  kAggregate = 30,
  kEmptyArray = 136,  // the code of i32 arrays as well
};
inline constexpr uint8_t kArrayFlag = 128;

constexpr bool IsArrayCode(TypeCode code) { return static_cast<uint8_t>(code) >= kArrayFlag; }
constexpr TypeCode ArrayOf(TypeCode element) {
  return static_cast<TypeCode>(static_cast<uint8_t>(element) + kArrayFlag);
}
constexpr TypeCode ArrayElement(TypeCode array) {
  return static_cast<TypeCode>(static_cast<uint8_t>(array) & ~kArrayFlag);
}

// Returns whether a scalar attribute can have this type: integers and floats of 1 to 64 bits.
constexpr bool IsScalarCode(TypeCode code) {
  return (code >= TypeCode::kUI8 && code <= TypeCode::kF64) || code == TypeCode::kF16 ||
         code == TypeCode::kBF16;
}
constexpr bool IsIntegerCode(TypeCode code) {
  return code >= TypeCode::kUI8 && code <= TypeCode::kI64;
}
// Returns whether a type attribute may name this code.
constexpr bool IsElementCode(TypeCode code) {
  return code >= TypeCode::kUI8 && code <= TypeCode::kQI32;
}

// Returns the bytes of one element in an array or dense attribute (i1: 1; type: 1), or 0 if it has
// no fixed size.
constexpr size_t ElementSize(TypeCode code) {
  return code == TypeCode::kType ? 1 : DTypeSize(static_cast<DType>(code));
}

// Returns "i32", "dense", "i32 array", ...; "unsupported" for a code without a name.
std::string_view TypeCodeName(TypeCode code);

enum class LocationKind : uint8_t {
  kUnknown = 0,
  kFileLineColumn = 1,
  kName = 2,
  kCallSite = 3,
  kFused = 4,
};

// Locations that v0 cannot express get the virtual offsets FFFFFFFE, FFFFFFFD, ... . All offsets
// from kMinVirtualLocation on are virtual, that is unknown.
inline constexpr uint32_t kFirstVirtualLocation = 0xFFFFFFFE;
inline constexpr uint32_t kMinVirtualLocation = 0xF0000000;
// Readers refuse locations and aggregates that are nested deeper.
inline constexpr int kMaxLocationDepth = 512;
inline constexpr int kMaxAggregateDepth = 128;

// The first two words of the pseudo kernel that stands for a function's entry.
inline constexpr uint32_t kPseudoKernelId = 0xABABABAB;
inline constexpr uint32_t kPseudoKernelLocation = 0xCDCDCDCD;
// The number of words before the lists of a kernel record.
inline constexpr size_t kKernelHeaderWords = 6;

}  // namespace tfrt::bef

#endif  // TFRT_BEF_BEF_FORMAT_H_
