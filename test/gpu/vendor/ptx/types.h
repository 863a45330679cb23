#ifndef TFRT_TEST_GPU_VENDOR_PTX_TYPES_H_
#define TFRT_TEST_GPU_VENDOR_PTX_TYPES_H_

#include <cstdint>
#include <string_view>

namespace tfrt::gpu::ptx {

// The types of instructions and registers, as PTX names them.
enum class Type : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBF16,
  kBF16x2,
  kTF32,
  kF32,
  kF64,
  kU16x2,
  kS16x2,
};

// The state spaces that an address can lie in.
enum class Space : uint8_t { kGeneric, kGlobal, kConst, kShared, kLocal, kParam };

// kNone if `name` (without the dot) is no type.
Type ParseType(std::string_view name);
const char* TypeName(Type type);
// 0 for kNone, 1 for kPred.
int BitsOf(Type type);
inline int BytesOf(Type type) { return (BitsOf(type) + 7) / 8; }

bool IsFloat(Type type);  // f16, bf16, tf32, f32, f64 and their pairs
bool IsSigned(Type type);
bool IsUnsigned(Type type);
bool IsUntyped(Type type);  // b8 to b64
inline bool IsInteger(Type type) { return IsSigned(type) || IsUnsigned(type); }

const char* SpaceName(Space space);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_TYPES_H_
