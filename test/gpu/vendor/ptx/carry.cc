// Arithmetic of several words: the carry of each lane, left by .cc and taken by addc, subc and
// madc.
#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

enum CarryMode : uint8_t { kTakesCarry = 1, kLeavesCarry = 2, kSubtracts = 4, kHigh = 8 };

template <class T>
T MultiplyPart(T a, T b, bool high) {
  __extension__ using Product = unsigned __int128;
  Product product = Product(a) * b;
  return static_cast<T>(high ? product >> (8 * sizeof(T)) : product);
}
template <>
uint32_t MultiplyPart(uint32_t a, uint32_t b, bool high) {
  uint64_t product = uint64_t{a} * b;
  return static_cast<uint32_t>(high ? product >> 32 : product);
}
uint32_t MultiplyHighSigned(uint32_t a, uint32_t b) {
  int64_t product = int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b);
  return static_cast<uint32_t>(static_cast<uint64_t>(product) >> 32);
}
uint64_t MultiplyHighSigned(uint64_t a, uint64_t b) {
  __extension__ using Product = __int128;
  Product product = Product(static_cast<int64_t>(a)) * static_cast<int64_t>(b);
  return static_cast<uint64_t>(product >> 64);
}

// left + right + carry, or left - right - borrow; the carry that this leaves is the borrow of a
// subtraction.
template <class T>
T AddWithCarry(T left, T right, uint8_t mode, bool& carry) {
  bool in = (mode & kTakesCarry) != 0 && carry;
  if ((mode & kSubtracts) != 0) {
    carry = left < right || (in && left == right);
    return static_cast<T>(left - right - (in ? 1 : 0));
  }
  T sum = static_cast<T>(left + right);
  T result = static_cast<T>(sum + (in ? 1 : 0));
  carry = sum < left || result < sum;
  return result;
}

template <class T, bool kMultiplies>
void RunCarry(Warp& warp, const Instruction& in, LaneMask lanes) {
  const uint64_t* a = warp.Read(in.a);
  const uint64_t* b = warp.Read(in.b);
  const uint64_t* c = kMultiplies ? warp.Read(in.c) : nullptr;
  uint64_t* d = warp.Write(in.d);
  LaneMask left_carry = warp.carry;
  for (uint32_t lane : LanesOf(lanes)) {
    bool carry = (warp.carry >> lane & 1) != 0;
    T left = FromSlot<T>(a[lane]), right = FromSlot<T>(b[lane]);
    if (kMultiplies) {
      bool high = (in.mode & kHigh) != 0;
      left = high && IsSigned(in.type) ? MultiplyHighSigned(left, right)
                                       : MultiplyPart(left, right, high);
      right = FromSlot<T>(c[lane]);
    }
    d[lane] = ToSlot<T>(AddWithCarry(left, right, in.mode, carry));
    LaneMask bit = LaneMask{1} << lane;
    if ((in.mode & kLeavesCarry) != 0) left_carry = (left_carry & ~bit) | (carry ? bit : 0);
  }
  warp.carry = left_carry;
}

// addc, subc, madc; and add, sub, mad with .cc, which the encoders of these leave to this one.
void EncodeCarry(Encoder& encoder) {
  std::string_view name = encoder.opcode();
  Instruction& out = encoder.out();
  bool multiplies = name.starts_with("mad");
  out.mode = 0;
  if (name.size() == 4) out.mode |= kTakesCarry;
  if (name.starts_with("sub")) out.mode |= kSubtracts;
  if (multiplies) {
    if (encoder.Take("hi")) {
      out.mode |= kHigh;
    } else if (!encoder.Take("lo")) {
      encoder.Fail(".lo or .hi is missing");
    }
  }
  if (encoder.Take("cc")) out.mode |= kLeavesCarry;
  Type type = encoder.TakeType();
  if (!IsInteger(type) || BitsOf(type) < 32 || type == Type::kU16x2 || type == Type::kS16x2) {
    encoder.BadType(type);
  }
  out.type = type;
  if (BitsOf(type) == 32) {
    out.run = multiplies ? &RunCarry<uint32_t, true> : &RunCarry<uint32_t, false>;
  } else {
    out.run = multiplies ? &RunCarry<uint64_t, true> : &RunCarry<uint64_t, false>;
  }
  encoder.ExpectOperands(multiplies ? 4 : 3);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  if (multiplies) out.c = encoder.Source(3, type);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"addc", &EncodeCarry},
    {"subc", &EncodeCarry},
    {"madc", &EncodeCarry},
};

}  // namespace

std::span<const OpcodeEntry> CarryOpcodes() { return kOpcodes; }
void EncodeArithmeticWithCarry(Encoder& encoder) { EncodeCarry(encoder); }

}  // namespace tfrt::gpu::ptx
