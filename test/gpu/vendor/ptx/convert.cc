// Conversions between types, with rounding, saturation and .ftz: cvt.
#include <limits>

#include "encoder.h"
#include "lanes.h"
#include "rounding.h"

namespace tfrt::gpu::ptx {
namespace {

enum ConvertMode : uint8_t { kToInteger = 1, kRelu = 2 };

// An integer of any source type: 64 bits, and whether they mean a negative number.
struct Integer {
  uint64_t bits;
  bool negative;  // then bits are those of two's complement
};

Integer LoadInteger(Type type, uint64_t slot) {
  int unused = 64 - BitsOf(type);
  if (!IsSigned(type)) return {slot << unused >> unused, false};
  int64_t value = static_cast<int64_t>(slot << unused) >> unused;
  return {static_cast<uint64_t>(value), value < 0};
}

// The nearest value of the integer type `type`, at most of `bits` bits of a register.
uint64_t SaturateInteger(Type type, Integer value) {
  int bits = BitsOf(type);
  if (IsSigned(type)) {
    int64_t largest = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
    int64_t smallest = -largest - 1;
    if (value.negative) {
      int64_t v = static_cast<int64_t>(value.bits);
      return static_cast<uint64_t>(v < smallest ? smallest : v);
    }
    return value.bits > static_cast<uint64_t>(largest) ? static_cast<uint64_t>(largest)
                                                       : value.bits;
  }
  if (value.negative) return 0;
  uint64_t largest = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  return value.bits > largest ? largest : value.bits;
}

// A value of the integer type as a register of `width` bits holds it: with its sign, if it has one.
uint64_t StoreInteger(Type type, uint64_t value, int width) {
  int bits = BitsOf(type);
  if (bits < 64) {
    int unused = 64 - bits;
    value = IsSigned(type) ? static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused)
                           : value << unused >> unused;
  }
  return width < 64 ? value & ((uint64_t{1} << width) - 1) : value;
}

double RoundToIntegral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kZero:
      return std::trunc(value);
    case Rounding::kDown:
      return std::floor(value);
    case Rounding::kUp:
      return std::ceil(value);
    case Rounding::kNearestAway:
      return std::round(value);
    case Rounding::kNearest:
      return std::nearbyint(value);
  }
  return value;
}

double LoadFloat(const Instruction& in, Type type, uint64_t slot) {
  uint32_t bits = static_cast<uint32_t>(slot);
  switch (type) {
    case Type::kF16:
      return Half::Widen(bits & 0xffff);
    case Type::kBF16:
      return BFloat::Widen(bits & 0xffff);
    case Type::kF32: {
      float value = FromSlot<float>(slot);
      return in.flush ? Flush(value) : value;
    }
    default:
      return FromSlot<double>(slot);
  }
}

uint64_t StoreFloat(const Instruction& in, Type type, double value) {
  if (in.saturate) value = Clamp01(value);
  if ((in.mode & kRelu) != 0 && value < 0) value = 0;
  switch (type) {
    case Type::kF16:
      return Half::Narrow(value, in.rounding);
    case Type::kBF16:
      return BFloat::Narrow(value, in.rounding);
    case Type::kTF32:
      return uint64_t{TFloat::Narrow(value, in.rounding)} << 13;
    case Type::kF32: {
      float result = NarrowToFloat(value, in.rounding);
      return ToSlot(in.flush ? Flush(result) : result);
    }
    default:
      return ToSlot(value);
  }
}

// Integers of 64 bits have more digits than a double: rounded to odd, so that rounding once more is
// right.
double ToOddDouble(Integer value) {
  uint64_t magnitude = value.negative ? -value.bits : value.bits;
  if (magnitude >> 53 != 0) {
    int extra = 11 - std::countl_zero(magnitude);
    uint64_t lost = magnitude & ((uint64_t{1} << extra) - 1);
    magnitude = (magnitude >> extra | (lost != 0 ? 1 : 0)) << extra;
  }
  double result = static_cast<double>(magnitude);
  return value.negative ? -result : result;
}

uint64_t IntegerToInteger(const Instruction& in, uint64_t slot) {
  Integer value = LoadInteger(in.from, slot);
  uint64_t result = in.saturate ? SaturateInteger(in.type, value) : value.bits;
  return StoreInteger(in.type, result, in.count);
}

uint64_t IntegerToFloat(const Instruction& in, uint64_t slot) {
  Integer value = LoadInteger(in.from, slot);
  if (in.type != Type::kF64) return StoreFloat(in, in.type, ToOddDouble(value));
  // To double directly: no wider format to round from, so the last bits decide.
  uint64_t magnitude = value.negative ? -value.bits : value.bits;
  double result = static_cast<double>(magnitude >> 11 << 11);
  result = AddRounded(value.negative ? -result : result,
                      (value.negative ? -1.0 : 1.0) * static_cast<double>(magnitude & 0x7ff),
                      in.rounding);
  return ToSlot(in.saturate ? Clamp01(result) : result);
}

// Always saturates, as hardware does; what is no number becomes 0, or the upper bit where 64 bits
// take part.
uint64_t FloatToInteger(const Instruction& in, uint64_t slot) {
  double value = LoadFloat(in, in.from, slot);
  int bits = BitsOf(in.type);
  uint64_t result = 0;
  if (value != value) {
    bool wide = bits == 64 || in.from == Type::kF64;
    result = wide ? uint64_t{1} << (bits - 1) : 0;
    return StoreInteger(in.type, result, in.count);
  }
  value = RoundToIntegral(value, in.rounding);
  double limit = std::ldexp(1.0, IsSigned(in.type) ? bits - 1 : bits);
  uint64_t largest = IsSigned(in.type) ? (uint64_t{1} << (bits - 1)) - 1
                     : bits == 64      ? ~uint64_t{0}
                                       : (uint64_t{1} << bits) - 1;
  if (value >= limit) {
    result = largest;
  } else if (IsSigned(in.type)) {
    result = value < -limit ? ~largest : static_cast<uint64_t>(static_cast<int64_t>(value));
  } else {
    result = value <= 0 ? 0 : static_cast<uint64_t>(value);
  }
  return StoreInteger(in.type, result, in.count);
}

uint64_t FloatToFloat(const Instruction& in, uint64_t slot) {
  // NaN keeps its bits where the format stays the same.
  double value = LoadFloat(in, in.from, slot);
  if (in.type == Type::kF64 && value != value) {
    return ToSlot(in.saturate ? 0.0 : std::bit_cast<double>(uint64_t{0x7ff8000000000000}));
  }
  if ((in.mode & kToInteger) != 0) value = RoundToIntegral(value, in.rounding);
  return StoreFloat(in, in.type, value);
}

// Two singles to a pair: a becomes the upper half.
uint64_t PackPair(const Instruction& in, float a, float b) {
  Type half = in.type == Type::kF16x2 ? Type::kF16 : Type::kBF16;
  return StoreFloat(in, half, a) << 16 | StoreFloat(in, half, b);
}

// .rni and its like round to an integer, .rn and its like to a format.
bool TakeIntegerRounding(Encoder& encoder) {
  int rounding = encoder.TakeOneOf({"rni", "rzi", "rmi", "rpi"});
  if (rounding >= 0) encoder.out().rounding = static_cast<Rounding>(rounding);
  return rounding >= 0;
}

void EncodePack(Encoder& encoder) {
  Instruction& out = encoder.out();
  encoder.ExpectOperands(3);
  if (out.from != Type::kF32) encoder.BadType(out.from);
  out.run = Map<&PackPair>;
  out.d = encoder.Destination(0, Type::kB32);
  out.a = encoder.Source(1, Type::kF32);
  out.b = encoder.Source(2, Type::kF32);
}

// True for conversions that lose digits: they must name a rounding mode.
bool NeedsRounding(Type to, Type from) {
  if (IsFloat(to) && IsFloat(from))
    return BitsOf(to) < BitsOf(from) || (BitsOf(to) == 16 && to != from);
  return IsFloat(to);
}

void EncodeConvert(Encoder& encoder) {
  Instruction& out = encoder.out();
  bool to_integer = TakeIntegerRounding(encoder);
  bool rounds = encoder.TakeRounding();
  if (!rounds && encoder.Take("rna")) {
    rounds = true;
    out.rounding = Rounding::kNearestAway;
  }
  if (encoder.Take("relu")) out.mode |= kRelu;
  out.flush = encoder.Take("ftz");
  out.saturate = encoder.Take("sat");
  out.type = encoder.TakeType();
  out.from = encoder.TakeType();
  if (out.type == Type::kF16x2 || out.type == Type::kBF16x2) return EncodePack(encoder);
  encoder.ExpectOperands(2);
  for (Type type : {out.type, out.from}) {
    bool known = IsInteger(type) || type == Type::kF16 || type == Type::kBF16 ||
                 type == Type::kF32 || type == Type::kF64 ||
                 (type == Type::kTF32 && type == out.type);
    if (!known || type == Type::kU16x2 || type == Type::kS16x2) encoder.BadType(type);
  }
  bool float_to = IsFloat(out.type), float_from = IsFloat(out.from);
  if (float_to != float_from || float_to) {
    bool needs_integer = !float_to && float_from;
    if (needs_integer && !to_integer) encoder.Fail("a rounding to an integer is missing");
    if (NeedsRounding(out.type, out.from) && !rounds) encoder.Fail("a rounding is missing");
  } else if (rounds || to_integer) {
    encoder.Fail("a rounding where nothing is rounded");
  }
  if (to_integer) out.mode |= kToInteger;
  out.run = float_from ? (float_to ? Map<&FloatToFloat> : Map<&FloatToInteger>)
                       : (float_to ? Map<&IntegerToFloat> : Map<&IntegerToInteger>);
  bool small_to = BitsOf(out.type) == 16 && float_to,
       small_from = BitsOf(out.from) == 16 && float_from;
  Type to = small_to ? Type::kB16 : out.type == Type::kTF32 ? Type::kB32 : out.type;
  out.d = encoder.Destination(0, to, !float_to);
  out.a = encoder.Source(1, small_from ? Type::kB16 : out.from, !float_from);
  // The width of the register that gets an integer, which may be wider than it.
  int width = Encoder::RegisterBits(encoder.operand(0));
  out.count = static_cast<uint8_t>(width > 0 ? width : 64);
}

constexpr OpcodeEntry kOpcodes[] = {{"cvt", &EncodeConvert}};

}  // namespace

std::span<const OpcodeEntry> ConvertOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
