// The enumerations of the vendors' GPU libraries that attributes of `tfrt_gpu` ops are of: how
// programs spell their values and which number stands for each. Read by the dialect, which parses
// and prints them, and by kernels, which pass them on.
//
// Plain data: nothing of a vendor is needed to compile a program for it.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_GPU_ENUMS_H_
#define TFRT_LIB_FORMAT_OP_TABLE_GPU_ENUMS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/opinfo/element_type.h"

namespace tfrt {

// Whose library computes. The numbers are those of the binary.
enum class GpuPlatform : int32_t { kNone = 0, kCuda = 1, kRocm = 2 };

// The version of tfrt_gpu.get_entry_point that programs are written for.
inline constexpr int64_t kGpuEntryPointVersion = 410724080;

// V(name): the types of attributes, in the order of the language reference. The name is the one
// that the dialect's definitions use, too.
#define TFRT_GPU_ENUMS(V) \
  V(Platform)             \
  V(BlasDataType)         \
  V(BlasComputeType)      \
  V(BlasOperation)        \
  V(BlasDiagType)         \
  V(BlasFillMode)         \
  V(BlasSideMode)         \
  V(BlasGemmAlgo)         \
  V(DnnDataType)          \
  V(DnnConvolutionMode)   \
  V(DnnActivationMode)    \
  V(DnnMathType)          \
  V(DnnConvFwdAlgo)       \
  V(DnnConvBwdDataAlgo)   \
  V(DnnConvBwdFilterAlgo) \
  V(FftType)              \
  V(FftDirection)         \
  V(CclDataType)          \
  V(CclReductionOp)

enum class GpuEnum : uint8_t {
#define TFRT_GPU_ENUM_VALUE(name) k##name,
  TFRT_GPU_ENUMS(TFRT_GPU_ENUM_VALUE)
#undef TFRT_GPU_ENUM_VALUE
};

// How a value becomes the integer that an attribute holds.
enum class GpuEnumEncoding : uint8_t {
  kNumber,    // the number itself, 32 bits, signed: it is the same for all platforms
  kTagged32,  // number * 4 + platform, 32 bits, signed
  kTagged64,  // the same in 64 bits, unsigned; ROCm's have no names, only numbers
};

// One value, and the type of the scalars (alpha, beta) that belong to it. The type is kUnsupported
// if no scalars belong to the value. kI32 stands for a type that programs write `si32`.
struct VendorSpelling {
  std::string_view text;
  int32_t number;
  DType scalar = DType::kUnsupported;
};

// A vendor's enumeration. An alias follows the name that its number is printed as.
struct VendorEnum {
  std::string_view type;  // as the vendor calls it: "cudaDataType"
  std::span<const VendorSpelling> spellings;
};

// A row of the table.
struct GpuEnumInfo {
  std::string_view name;  // "BlasDataType"
  GpuEnumEncoding encoding;
  const VendorEnum* cuda;  // where the encoding is kNumber: of all platforms
  const VendorEnum* rocm;  // null where the encoding is not kTagged32
};
// Lives as long as the program.
const GpuEnumInfo& InfoOf(GpuEnum which);

// Returns the attribute's value for a number of a platform. The value has 64 bits. For a 32-bit
// encoding the lower 32 bits hold it, sign-extended.
int64_t EncodeGpuEnum(GpuEnum which, GpuPlatform platform, int64_t number);
// The platform of what an attribute holds; kNone where the encoding has none, and for values that
// nothing encodes.
GpuPlatform PlatformOf(GpuEnum which, int64_t value);
// The vendor's number of what an attribute holds.
int64_t NumberOf(GpuEnum which, int64_t value);

// Returns the attribute's value for a spelling; CUDA's spellings precede ROCm's. Empty if there is
// no such spelling. The numbers of kTagged64 are no spellings: EncodeGpuEnum takes them.
std::optional<int64_t> ParseGpuEnum(GpuEnum which, std::string_view text);
// The spelling; "cudaDataType(99)" for a number without a name, "BlasDataType(99)" for a value
// without a platform. Neither can be parsed.
std::string PrintGpuEnum(GpuEnum which, int64_t value);
// The type of scalars that belong to what an attribute holds; kUnsupported if there is none.
DType ScalarOf(GpuEnum which, int64_t value);
// Returns the error text for an unknown spelling: "Unknown cudaDataType: x", a line for each
// platform.
std::string UnknownGpuEnum(GpuEnum which, std::string_view text);

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_GPU_ENUMS_H_
