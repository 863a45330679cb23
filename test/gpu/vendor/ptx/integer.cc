// Integer arithmetic.
#include <algorithm>
#include <limits>

#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Twice as many bits, of the same sign.
template <class T>
struct WideOf;
template <>
struct WideOf<uint16_t> {
  using type = uint32_t;
};
template <>
struct WideOf<int16_t> {
  using type = int32_t;
};
template <>
struct WideOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct WideOf<int32_t> {
  using type = int64_t;
};
__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;
template <>
struct WideOf<uint64_t> {
  using type = Uint128;
};
template <>
struct WideOf<int64_t> {
  using type = Int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class T>
struct Add {
  static T Run(T a, T b) { return static_cast<T>(uint64_t(a) + uint64_t(b)); }
};
template <class T>
struct Subtract {
  static T Run(T a, T b) { return static_cast<T>(uint64_t(a) - uint64_t(b)); }
};
int32_t Saturate(int64_t value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}
int32_t AddSaturated(int32_t a, int32_t b) { return Saturate(int64_t{a} + b); }
int32_t SubtractSaturated(int32_t a, int32_t b) { return Saturate(int64_t{a} - b); }

template <class T>
struct MultiplyLow {
  static T Run(T a, T b) { return static_cast<T>(uint64_t(a) * uint64_t(b)); }
};
template <class T>
struct MultiplyHigh {
  static T Run(T a, T b) { return static_cast<T>((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T))); }
};
template <class T>
Wide<T> MultiplyWide(T a, T b) {
  return Wide<T>(a) * Wide<T>(b);
}
template <class T>
struct MultiplyAddLow {
  static T Run(T a, T b, T c) { return static_cast<T>(uint64_t(a) * uint64_t(b) + uint64_t(c)); }
};
template <class T>
struct MultiplyAddHigh {
  static T Run(T a, T b, T c) {
    return static_cast<T>(uint64_t(MultiplyHigh<T>::Run(a, b)) + uint64_t(c));
  }
};
int32_t MultiplyAddHighSaturated(int32_t a, int32_t b, int32_t c) {
  return Saturate(int64_t{MultiplyHigh<int32_t>::Run(a, b)} + c);
}
template <class T>
Wide<T> MultiplyAddWide(T a, T b, Wide<T> c) {
  using U = Unsigned<Wide<T>>;
  return static_cast<Wide<T>>(U(Wide<T>(a) * Wide<T>(b)) + U(c));
}

// The product of the low 24 bits, of which bits 0 to 31 or 16 to 47 are the result.
template <class T>
int64_t Product24(T a, T b) {
  auto low = [](T x) { return int64_t(T(uint32_t(x) << 8) >> 8); };
  return low(a) * low(b);
}
template <class T>
T Multiply24Low(T a, T b) {
  return static_cast<T>(Product24(a, b));
}
template <class T>
T Multiply24High(T a, T b) {
  return static_cast<T>(Product24(a, b) >> 16);
}
template <class T>
T MultiplyAdd24Low(T a, T b, T c) {
  return static_cast<T>(uint64_t(Product24(a, b)) + uint64_t(c));
}
template <class T>
T MultiplyAdd24High(T a, T b, T c) {
  return static_cast<T>(uint64_t(Product24(a, b) >> 16) + uint64_t(c));
}

// A division by zero is undefined. It gives all bits set here, and the dividend as the remainder.
template <class T>
struct Divide {
  static T Run(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(-uint64_t(a));
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Remainder {
  static T Run(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Minimum {
  static T Run(T a, T b) { return std::min(a, b); }
};
template <class T>
struct Maximum {
  static T Run(T a, T b) { return std::max(a, b); }
};
template <class T>
struct Absolute {
  static T Run(T a) { return a < 0 ? static_cast<T>(-uint64_t(a)) : a; }
};
template <class T>
struct Negate {
  static T Run(T a) { return static_cast<T>(-uint64_t(a)); }
};
template <class T>
struct SumOfDifferences {
  static T Run(T a, T b, T c) {
    uint64_t difference = a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b);
    return static_cast<T>(uint64_t(c) + difference);
  }
};
template <auto kFunction>
int32_t Relu(int32_t a, int32_t b) {
  return std::max(kFunction(a, b), 0);
}

// A pair of 16-bit integers in 32 bits.
template <class T, auto kFunction>
uint32_t Pairwise(uint32_t a, uint32_t b) {
  auto low = static_cast<uint16_t>(kFunction(static_cast<T>(a), static_cast<T>(b)));
  auto high = static_cast<uint16_t>(kFunction(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return uint32_t{high} << 16 | low;
}
template <template <class> class Op>
Handler ForPair(Type type) {
  if (type == Type::kU16x2) return Map<&Pairwise<uint16_t, &Op<uint16_t>::Run>>;
  if (type == Type::kS16x2) return Map<&Pairwise<int16_t, &Op<int16_t>::Run>>;
  return nullptr;
}

// d, a, b of one type.
void EncodeBinary(Encoder& encoder, Type type, Handler run) {
  encoder.ExpectOperands(3);
  if (run == nullptr) encoder.BadType(type);
  Instruction& out = encoder.out();
  out.run = run;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
}

void EncodeUnary(Encoder& encoder, Type type, Handler run) {
  encoder.ExpectOperands(2);
  if (run == nullptr) encoder.BadType(type);
  encoder.out().run = run;
  encoder.out().d = encoder.Destination(0, type);
  encoder.out().a = encoder.Source(1, type);
}

void EncodeAddOrSubtract(Encoder& encoder) {
  if (IsFloat(encoder.PeekType())) {
    return EncodeFloatArithmetic(encoder);
  }
  if (encoder.Has("cc")) return EncodeArithmeticWithCarry(encoder);
  bool is_add = encoder.opcode() == "add";
  bool saturate = encoder.Take("sat");
  Type type = encoder.TakeType();
  Handler run = is_add ? ForInteger<Add>(type) : ForInteger<Subtract>(type);
  if (is_add && run == nullptr) run = ForPair<Add>(type);
  if (saturate) {
    run = type != Type::kS32 ? nullptr : is_add ? Map<&AddSaturated> : Map<&SubtractSaturated>;
  }
  EncodeBinary(encoder, type, run);
}

// .hi, .lo or .wide: 0 to 2, which multiplications of integers must say.
int TakePart(Encoder& encoder) {
  int part = encoder.TakeOneOf({"hi", "lo", "wide"});
  if (part < 0) encoder.Fail(".hi, .lo or .wide is missing");
  return std::max(part, 0);
}

Handler WideMultiply(Type type) {
  switch (type) {
    case Type::kU16:
      return Map<&MultiplyWide<uint16_t>>;
    case Type::kS16:
      return Map<&MultiplyWide<int16_t>>;
    case Type::kU32:
      return Map<&MultiplyWide<uint32_t>>;
    case Type::kS32:
      return Map<&MultiplyWide<int32_t>>;
    default:
      return nullptr;
  }
}
Handler WideMultiplyAdd(Type type) {
  switch (type) {
    case Type::kU16:
      return Map<&MultiplyAddWide<uint16_t>>;
    case Type::kS16:
      return Map<&MultiplyAddWide<int16_t>>;
    case Type::kU32:
      return Map<&MultiplyAddWide<uint32_t>>;
    case Type::kS32:
      return Map<&MultiplyAddWide<int32_t>>;
    default:
      return nullptr;
  }
}
Type WideType(Type type) {
  switch (type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kS16:
      return Type::kS32;
    case Type::kU32:
      return Type::kU64;
    default:
      return Type::kS64;
  }
}

// mul, mad: .wide gives a result of twice as many bits, and adds one.
void EncodeMultiply(Encoder& encoder) {
  if (IsFloat(encoder.PeekType())) {
    return EncodeFloatArithmetic(encoder);
  }
  bool adds = encoder.opcode() == "mad";
  if (adds && encoder.Has("cc")) return EncodeArithmeticWithCarry(encoder);
  int part = TakePart(encoder);
  bool saturate = encoder.Take("sat");
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  if (part == 0)
    out.run = adds ? ForInteger<MultiplyAddHigh>(type) : ForInteger<MultiplyHigh>(type);
  if (part == 1) out.run = adds ? ForInteger<MultiplyAddLow>(type) : ForInteger<MultiplyLow>(type);
  if (part == 2) out.run = adds ? WideMultiplyAdd(type) : WideMultiply(type);
  if (saturate)
    out.run = adds && part == 0 && type == Type::kS32 ? Map<&MultiplyAddHighSaturated> : nullptr;
  if (out.run == nullptr) encoder.BadType(type);
  encoder.ExpectOperands(adds ? 4 : 3);
  Type result = part == 2 ? WideType(type) : type;
  out.d = encoder.Destination(0, result);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  if (adds) out.c = encoder.Source(3, result);
}

void EncodeMultiply24(Encoder& encoder) {
  bool adds = encoder.opcode() == "mad24";
  bool high = TakePart(encoder) == 0;
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  if (type == Type::kU32) {
    out.run = adds ? (high ? Map<&MultiplyAdd24High<uint32_t>> : Map<&MultiplyAdd24Low<uint32_t>>)
                   : (high ? Map<&Multiply24High<uint32_t>> : Map<&Multiply24Low<uint32_t>>);
  } else if (type == Type::kS32) {
    out.run = adds ? (high ? Map<&MultiplyAdd24High<int32_t>> : Map<&MultiplyAdd24Low<int32_t>>)
                   : (high ? Map<&Multiply24High<int32_t>> : Map<&Multiply24Low<int32_t>>);
  } else {
    encoder.BadType(type);
  }
  encoder.ExpectOperands(adds ? 4 : 3);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  if (adds) out.c = encoder.Source(3, type);
}

void EncodeDivide(Encoder& encoder) {
  if (IsFloat(encoder.PeekType())) {
    return EncodeFloatArithmetic(encoder);
  }
  Type type = encoder.TakeType();
  EncodeBinary(encoder, type, ForInteger<Divide>(type));
}

void EncodeRemainder(Encoder& encoder) {
  Type type = encoder.TakeType();
  EncodeBinary(encoder, type, ForInteger<Remainder>(type));
}

void EncodeMinimumOrMaximum(Encoder& encoder) {
  if (IsFloat(encoder.PeekType())) {
    return EncodeFloatArithmetic(encoder);
  }
  bool is_min = encoder.opcode() == "min";
  bool relu = encoder.Take("relu");
  Type type = encoder.TakeType();
  Handler run = is_min ? ForInteger<Minimum>(type) : ForInteger<Maximum>(type);
  if (run == nullptr) run = is_min ? ForPair<Minimum>(type) : ForPair<Maximum>(type);
  if (relu) {
    run = type != Type::kS32 ? nullptr
          : is_min           ? Map<&Relu<&Minimum<int32_t>::Run>>
                             : Map<&Relu<&Maximum<int32_t>::Run>>;
  }
  EncodeBinary(encoder, type, run);
}

void EncodeAbsoluteOrNegate(Encoder& encoder) {
  if (IsFloat(encoder.PeekType())) {
    return EncodeFloatArithmetic(encoder);
  }
  Type type = encoder.TakeType();
  Handler run = encoder.opcode() == "abs" ? ForInteger<Absolute>(type) : ForInteger<Negate>(type);
  EncodeUnary(encoder, type, IsSigned(type) ? run : nullptr);
}

void EncodeSad(Encoder& encoder) {
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  encoder.ExpectOperands(4);
  out.run = ForInteger<SumOfDifferences>(type);
  if (out.run == nullptr) encoder.BadType(type);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  out.c = encoder.Source(3, type);
}

// The sum of products of bytes, or of two 16-bit values and two bytes of b: dp4a, dp2a.lo, dp2a.hi.
template <class A, class B>
uint32_t DotProduct4(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<uint32_t>(int32_t{static_cast<A>(a >> 8 * i)} *
                               int32_t{static_cast<B>(b >> 8 * i)});
  }
  return c;
}
template <class A, class B, int kFirstByte>
uint32_t DotProduct2(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 2; ++i) {
    int64_t product =
        int64_t{static_cast<A>(a >> 16 * i)} * static_cast<B>(b >> 8 * (i + kFirstByte));
    c += static_cast<uint32_t>(product);
  }
  return c;
}
template <class A4, class B4, class A2>
Handler DotProduct(int bytes) {
  return bytes == 4   ? Map<&DotProduct4<A4, B4>>
         : bytes == 0 ? Map<&DotProduct2<A2, B4, 0>>
                      : Map<&DotProduct2<A2, B4, 2>>;
}

void EncodeDotProduct(Encoder& encoder) {
  int which = encoder.opcode() == "dp4a" ? 4 : encoder.Take("lo") ? 0 : 2;
  if (which == 2 && !encoder.Take("hi")) encoder.Fail(".lo or .hi is missing");
  Type a = encoder.TakeType(), b = encoder.TakeType();
  for (Type type : {a, b}) {
    if (type != Type::kU32 && type != Type::kS32) encoder.BadType(type);
  }
  Instruction& out = encoder.out();
  out.run = IsSigned(a) ? (IsSigned(b) ? DotProduct<int8_t, int8_t, int16_t>(which)
                                       : DotProduct<int8_t, uint8_t, int16_t>(which))
                        : (IsSigned(b) ? DotProduct<uint8_t, int8_t, uint16_t>(which)
                                       : DotProduct<uint8_t, uint8_t, uint16_t>(which));
  encoder.ExpectOperands(4);
  Type sum = IsSigned(a) || IsSigned(b) ? Type::kS32 : Type::kU32;
  out.d = encoder.Destination(0, sum);
  out.a = encoder.Source(1, a);
  out.b = encoder.Source(2, b);
  out.c = encoder.Source(3, sum);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"add", &EncodeAddOrSubtract},
    {"sub", &EncodeAddOrSubtract},
    {"mul", &EncodeMultiply},
    {"mad", &EncodeMultiply},
    {"mul24", &EncodeMultiply24},
    {"mad24", &EncodeMultiply24},
    {"div", &EncodeDivide},
    {"rem", &EncodeRemainder},
    {"min", &EncodeMinimumOrMaximum},
    {"max", &EncodeMinimumOrMaximum},
    {"abs", &EncodeAbsoluteOrNegate},
    {"neg", &EncodeAbsoluteOrNegate},
    {"sad", &EncodeSad},
    {"dp4a", &EncodeDotProduct},
    {"dp2a", &EncodeDotProduct},
};

}  // namespace

std::span<const OpcodeEntry> IntegerOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
