// Logic, shifts, fields of bits and permutations of bytes; logic of predicates.
#include <algorithm>
#include <bit>

#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

template <class T>
struct And {
  static T Run(T a, T b) { return a & b; }
};
template <class T>
struct Or {
  static T Run(T a, T b) { return a | b; }
};
template <class T>
struct Xor {
  static T Run(T a, T b) { return a ^ b; }
};
template <class T>
struct Not {
  static T Run(T a) { return static_cast<T>(~a); }
};
template <class T>
struct LogicalNot {
  static T Run(T a) { return a == 0; }
};
// Amounts at or above the width shift everything out.
template <class T>
struct ShiftLeft {
  static T Run(T a, uint32_t n) {
    return n < 8 * sizeof(T) ? static_cast<T>(uint64_t(a) << n) : T(0);
  }
};
template <class T>
struct ShiftRight {
  static T Run(T a, uint32_t n) {
    constexpr uint32_t kBits = 8 * sizeof(T);
    if (n >= kBits) return std::is_signed_v<T> && a < 0 ? T(-1) : T(0);
    return static_cast<T>(a >> n);
  }
};

template <class T>
struct PopulationCount {
  static uint32_t Run(T a) { return static_cast<uint32_t>(std::popcount(a)); }
};
template <class T>
struct LeadingZeros {
  static uint32_t Run(T a) { return static_cast<uint32_t>(std::countl_zero(a)); }
};
template <class T>
struct ReverseBits {
  static T Run(T a) {
    T result = 0;
    for (size_t i = 0; i < 8 * sizeof(T); ++i) result = static_cast<T>(result << 1 | (a >> i & 1));
    return result;
  }
};
// The number of the highest bit that differs from the sign, or how far it would have to be shifted
// up; all bits if there is none.
template <class T>
uint32_t FindHighest(T a, bool shift) {
  auto bits = static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a);
  if (bits == 0) return ~uint32_t{0};
  uint32_t zeros = static_cast<uint32_t>(std::countl_zero(bits));
  return shift ? zeros : static_cast<uint32_t>(8 * sizeof(T)) - 1 - zeros;
}
template <class T>
struct FindBit {
  static uint32_t Run(T a) { return FindHighest(a, false); }
};
template <class T>
struct FindShift {
  static uint32_t Run(T a) { return FindHighest(a, true); }
};

// Position and length are bytes; a field that reaches above the value is filled with its sign.
template <class T>
struct ExtractField {
  static T Run(T a, uint32_t b, uint32_t c) {
    constexpr uint32_t kBits = 8 * sizeof(T);
    uint32_t position = b & 0xff, length = c & 0xff;
    if (length == 0) return 0;
    bool sign = std::is_signed_v<T> && (a >> std::min(position + length - 1, kBits - 1) & 1) != 0;
    using U = std::make_unsigned_t<T>;
    U field = position < kBits ? static_cast<U>(static_cast<U>(a) >> position) : U(0);
    uint32_t taken = position < kBits ? std::min(length, kBits - position) : 0;
    if (taken < kBits) {
      U mask = static_cast<U>((U(1) << taken) - 1);
      field = static_cast<U>((field & mask) | (sign ? ~mask : U(0)));
    }
    return static_cast<T>(field);
  }
};
template <class T>
T InsertField(T a, T b, uint32_t c, uint32_t d) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  uint32_t position = c & 0xff, length = std::min(d & 0xff, kBits);
  if (position >= kBits || length == 0) return b;
  T mask = length == kBits ? ~T(0) : static_cast<T>((T(1) << length) - 1);
  mask = static_cast<T>(mask << position);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
}
template <class T>
void RunInsertField(Warp& warp, const Instruction& in, LaneMask lanes) {
  const std::vector<Operand>& list = warp.launch().program().lists[in.extra];
  const uint64_t* a = warp.Read(in.a);
  const uint64_t* b = warp.Read(in.b);
  const uint64_t* position = warp.Read(in.c);
  const uint64_t* length = warp.Read(list[0]);
  uint64_t* d = warp.Write(in.d);
  ForEachLane(lanes, [=](uint32_t i) {
    d[i] = InsertField(FromSlot<T>(a[i]), FromSlot<T>(b[i]), FromSlot<uint32_t>(position[i]),
                       FromSlot<uint32_t>(length[i]));
  });
}

// The two words as one of 64 bits, shifted; .wrap takes the amount modulo 32, .clamp at most 32.
enum FunnelMode : uint8_t { kLeftWrap, kLeftClamp, kRightWrap, kRightClamp };
uint32_t FunnelShift(const Instruction& in, uint32_t low, uint32_t high, uint32_t amount) {
  bool wraps = in.mode == kLeftWrap || in.mode == kRightWrap;
  uint32_t n = wraps ? amount & 31 : std::min(amount, 32u);
  uint64_t both = uint64_t{high} << 32 | low;
  bool left = in.mode == kLeftWrap || in.mode == kLeftClamp;
  return static_cast<uint32_t>(left ? both << n >> 32 : both >> n);
}

// Bit i of the result is bit (a_i b_i c_i) of the table.
uint32_t LookUp3(const Instruction& in, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (uint32_t row = 0; row < 8; ++row) {
    if ((in.mode >> row & 1) == 0) continue;
    result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  }
  return result;
}

// Bytes of b:a, chosen by the digits of c.
enum PermuteMode : uint8_t { kGeneral, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };
uint32_t Permute(const Instruction& in, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  uint32_t n = c & 3;
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t index = 0;
    switch (in.mode) {
      case kGeneral:
        index = c >> 4 * i & 7;
        break;
      case kF4e:
        index = (n + i) & 7;
        break;
      case kB4e:
        index = (n - i) & 7;
        break;
      case kRc8:
        index = n;
        break;
      case kEcl:
        index = std::max(n, i);
        break;
      case kEcr:
        index = std::min(n, i);
        break;
      case kRc16:
        index = (n & 1) * 2 + (i & 1);
        break;
    }
    uint32_t byte = static_cast<uint32_t>(bytes >> 8 * index) & 0xff;
    if (in.mode == kGeneral && (c >> 4 * i & 8) != 0) byte = byte >> 7 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

// A mask of b bits from bit a on.
uint32_t BitMask(const Instruction& in, uint32_t a, uint32_t b) {
  bool wraps = in.mode != 0;
  uint64_t position = wraps ? a & 31 : a, length = wraps ? b & 31 : b;
  if (position >= 32) return 0;
  uint64_t mask = length >= 32 ? 0xffffffff : (uint64_t{1} << length) - 1;
  return static_cast<uint32_t>(mask << position);
}

// The low b bits of a, with their sign or with zeros above.
template <class T>
T SignExtend(const Instruction& in, T a, uint32_t b) {
  uint32_t length = in.mode != 0 ? b & 31 : std::min(b, 32u);
  if (length == 0) return 0;
  if (length == 32) return a;
  return static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << (32 - length)) >> (32 - length));
}

// The position of the c-th set bit of a, counted from bit b on, upwards or, if c is negative,
// downwards.
uint32_t FindNth(uint32_t mask, uint32_t base, int32_t offset) {
  if (base > 31) return ~uint32_t{0};
  int step = offset < 0 ? -1 : 1;
  int32_t left = offset < 0 ? -offset : offset;
  if (left == 0) return mask >> base & 1 ? base : ~uint32_t{0};
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
    if ((mask >> i & 1) != 0 && --left == 0) return static_cast<uint32_t>(i);
  }
  return ~uint32_t{0};
}

void RunPredicateLogic(Warp& warp, const Instruction& in, LaneMask lanes) {
  LaneMask a = warp.Read(in.p), b = warp.Read(in.q);
  LaneMask result = in.combine == BoolOp::kAnd   ? a & b
                    : in.combine == BoolOp::kOr  ? a | b
                    : in.combine == BoolOp::kXor ? a ^ b
                                                 : a;
  warp.Write(PredicateOperand{in.extra}, lanes, result);
}

void EncodePredicateLogic(Encoder& encoder, BoolOp combine, bool negate) {
  Instruction& out = encoder.out();
  out.run = &RunPredicateLogic;
  out.combine = combine;
  out.extra = encoder.PredicateDestination(encoder.operand(0)).bits;
  out.p = encoder.PredicateSource(1);
  if (negate) out.p.bits ^= 1;
  if (combine != BoolOp::kNone) out.q = encoder.PredicateSource(2);
}

void EncodeLogic(Encoder& encoder) {
  Type type = encoder.TakeType();
  std::string_view name = encoder.opcode();
  encoder.ExpectOperands(3);
  BoolOp combine = name == "and" ? BoolOp::kAnd : name == "or" ? BoolOp::kOr : BoolOp::kXor;
  if (type == Type::kPred) return EncodePredicateLogic(encoder, combine, false);
  Instruction& out = encoder.out();
  out.run = combine == BoolOp::kAnd  ? ForBits<And>(type)
            : combine == BoolOp::kOr ? ForBits<Or>(type)
                                     : ForBits<Xor>(type);
  if (out.run == nullptr) encoder.BadType(type);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
}

// One operand, and a result of type `result`.
void EncodeUnary(Encoder& encoder, Type result, Type type, Handler run) {
  encoder.ExpectOperands(2);
  if (run == nullptr) encoder.BadType(type);
  encoder.out().run = run;
  encoder.out().d = encoder.Destination(0, result);
  encoder.out().a = encoder.Source(1, type);
}

void EncodeNot(Encoder& encoder) {
  Type type = encoder.TakeType();
  if (type == Type::kPred) {
    encoder.ExpectOperands(2);
    return EncodePredicateLogic(encoder, BoolOp::kNone, true);
  }
  EncodeUnary(encoder, type, type, ForBits<Not>(type));
}

void EncodeLogicalNot(Encoder& encoder) {
  Type type = encoder.TakeType();
  EncodeUnary(encoder, type, type, ForBits<LogicalNot>(type));
}

Type UnsignedOf(Type type) {
  return type == Type::kB16   ? Type::kU16
         : type == Type::kB32 ? Type::kU32
         : type == Type::kB64 ? Type::kU64
                              : type;
}

void EncodeShift(Encoder& encoder) {
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  encoder.ExpectOperands(3);
  bool left = encoder.opcode() == "shl";
  out.run = left ? ForBits<ShiftLeft>(type) : ForInteger<ShiftRight>(UnsignedOf(type));
  if (out.run == nullptr) encoder.BadType(type);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, Type::kU32);
}

void EncodeCount(Encoder& encoder) {
  std::string_view name = encoder.opcode();
  bool shift = encoder.Take("shiftamt");
  Type type = encoder.TakeType();
  Handler run = nullptr;
  if (name == "bfind") {
    if (IsInteger(type) && BitsOf(type) >= 32)
      run = shift ? ForInteger<FindShift>(type) : ForInteger<FindBit>(type);
  } else if (IsUntyped(type) && BitsOf(type) >= 32) {
    run = name == "popc" ? ForBits<PopulationCount>(type) : ForBits<LeadingZeros>(type);
  }
  EncodeUnary(encoder, Type::kU32, type, run);
}

void EncodeReverse(Encoder& encoder) {
  Type type = encoder.TakeType();
  EncodeUnary(encoder, type, type, BitsOf(type) >= 32 ? ForBits<ReverseBits>(type) : nullptr);
}

void EncodeExtract(Encoder& encoder) {
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  encoder.ExpectOperands(4);
  if (BitsOf(type) >= 32) out.run = ForInteger<ExtractField>(type);
  if (out.run == nullptr) encoder.BadType(type);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, Type::kU32);
  out.c = encoder.Source(3, Type::kU32);
}

void EncodeInsert(Encoder& encoder) {
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  encoder.ExpectOperands(5);
  out.run = type == Type::kB32 ? &RunInsertField<uint32_t> : &RunInsertField<uint64_t>;
  if (type != Type::kB32 && type != Type::kB64) encoder.BadType(type);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  out.c = encoder.Source(3, Type::kU32);
  out.extra = encoder.AddList({encoder.Source(4, Type::kU32)});
}

// Three operands of 32 bits.
void EncodeThreeWords(Encoder& encoder, Handler run) {
  Type type = encoder.TakeType();
  if (type != Type::kB32) encoder.BadType(type);
  Instruction& out = encoder.out();
  out.run = run;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  out.c = encoder.Source(3, type);
}

void EncodeFunnelShift(Encoder& encoder) {
  bool left = encoder.Take("l");
  if (!left && !encoder.Take("r")) encoder.Fail(".l or .r is missing");
  bool wrap = encoder.Take("wrap");
  if (!wrap && !encoder.Take("clamp")) encoder.Fail(".wrap or .clamp is missing");
  encoder.out().mode = left ? (wrap ? kLeftWrap : kLeftClamp) : (wrap ? kRightWrap : kRightClamp);
  encoder.ExpectOperands(4);
  EncodeThreeWords(encoder, Map<&FunnelShift>);
}

void EncodeLookUp3(Encoder& encoder) {
  encoder.ExpectOperands(5);
  encoder.out().mode = static_cast<uint8_t>(encoder.Literal(4));
  if (encoder.Literal(4) > 255) encoder.Fail("a table of more than 8 bits");
  EncodeThreeWords(encoder, Map<&LookUp3>);
}

void EncodePermute(Encoder& encoder) {
  encoder.ExpectOperands(4);
  Type type = encoder.TakeType();  // in front of the mode
  int mode = encoder.TakeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  Instruction& out = encoder.out();
  out.mode = static_cast<uint8_t>(mode + 1);
  if (type != Type::kB32) encoder.BadType(type);
  out.run = Map<&Permute>;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  out.c = encoder.Source(3, type);
}

void EncodeMaskOrExtend(Encoder& encoder) {
  bool is_mask = encoder.opcode() == "bmsk";
  bool wrap = encoder.Take("wrap");
  if (!wrap && !encoder.Take("clamp")) encoder.Fail(".wrap or .clamp is missing");
  Type type = encoder.TakeType();
  Instruction& out = encoder.out();
  encoder.ExpectOperands(3);
  out.mode = wrap;
  if (is_mask ? type != Type::kB32 : type != Type::kU32 && type != Type::kS32)
    encoder.BadType(type);
  out.run = is_mask          ? Map<&BitMask>
            : IsSigned(type) ? Map<&SignExtend<int32_t>>
                             : Map<&SignExtend<uint32_t>>;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, Type::kU32);
}

void EncodeFindNth(Encoder& encoder) {
  Type type = encoder.TakeType();
  if (type != Type::kB32) encoder.BadType(type);
  encoder.ExpectOperands(4);
  Instruction& out = encoder.out();
  out.run = Map<&FindNth>;
  out.d = encoder.Destination(0, Type::kB32);
  out.a = encoder.Source(1, Type::kB32);
  out.b = encoder.Source(2, Type::kB32);
  out.c = encoder.Source(3, Type::kS32);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"and", &EncodeLogic},    {"or", &EncodeLogic},          {"xor", &EncodeLogic},
    {"not", &EncodeNot},      {"cnot", &EncodeLogicalNot},   {"shl", &EncodeShift},
    {"shr", &EncodeShift},    {"popc", &EncodeCount},        {"clz", &EncodeCount},
    {"bfind", &EncodeCount},  {"brev", &EncodeReverse},      {"bfe", &EncodeExtract},
    {"bfi", &EncodeInsert},   {"shf", &EncodeFunnelShift},   {"lop3", &EncodeLookUp3},
    {"prmt", &EncodePermute}, {"bmsk", &EncodeMaskOrExtend}, {"szext", &EncodeMaskOrExtend},
    {"fns", &EncodeFindNth},
};

}  // namespace

std::span<const OpcodeEntry> BitOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
