#include "types.h"

namespace tfrt::gpu::ptx {
namespace {

enum class Kind : uint8_t { kNone, kPred, kUntyped, kUnsigned, kSigned, kFloat };

struct TypeDescription {
  const char* name;
  uint8_t bits;
  Kind kind;
};

// In the order of the enumeration.
constexpr TypeDescription kTypes[] = {
    {"none", 0, Kind::kNone},       {"pred", 1, Kind::kPred},     {"b8", 8, Kind::kUntyped},
    {"b16", 16, Kind::kUntyped},    {"b32", 32, Kind::kUntyped},  {"b64", 64, Kind::kUntyped},
    {"u8", 8, Kind::kUnsigned},     {"u16", 16, Kind::kUnsigned}, {"u32", 32, Kind::kUnsigned},
    {"u64", 64, Kind::kUnsigned},   {"s8", 8, Kind::kSigned},     {"s16", 16, Kind::kSigned},
    {"s32", 32, Kind::kSigned},     {"s64", 64, Kind::kSigned},   {"f16", 16, Kind::kFloat},
    {"f16x2", 32, Kind::kFloat},    {"bf16", 16, Kind::kFloat},   {"bf16x2", 32, Kind::kFloat},
    {"tf32", 32, Kind::kFloat},     {"f32", 32, Kind::kFloat},    {"f64", 64, Kind::kFloat},
    {"u16x2", 32, Kind::kUnsigned}, {"s16x2", 32, Kind::kSigned},
};

const TypeDescription& Describe(Type type) { return kTypes[static_cast<int>(type)]; }

}  // namespace

Type ParseType(std::string_view name) {
  for (int i = 1; i < static_cast<int>(std::size(kTypes)); ++i) {
    if (name == kTypes[i].name) return static_cast<Type>(i);
  }
  return Type::kNone;
}

const char* TypeName(Type type) { return Describe(type).name; }
int BitsOf(Type type) { return Describe(type).bits; }
bool IsFloat(Type type) { return Describe(type).kind == Kind::kFloat; }
bool IsSigned(Type type) { return Describe(type).kind == Kind::kSigned; }
bool IsUnsigned(Type type) { return Describe(type).kind == Kind::kUnsigned; }
bool IsUntyped(Type type) { return Describe(type).kind == Kind::kUntyped; }

const char* SpaceName(Space space) {
  constexpr const char* kNames[] = {"generic", "global", "const", "shared", "local", "param"};
  return kNames[static_cast<int>(space)];
}

}  // namespace tfrt::gpu::ptx
