// Comparisons and choices: setp, set, selp, slct, testp.
#include "encoder.h"
#include "lanes.h"
#include "rounding.h"

namespace tfrt::gpu::ptx {
namespace {

// The value that a register of the type holds, as something that C++ compares.
template <class T>
struct Plain {
  using Value = T;
  static T Load(const Instruction& in, uint64_t slot) { return FromSlot<T>(slot); }
};
struct PlainFloat {
  using Value = float;
  static float Load(const Instruction& in, uint64_t slot) {
    float value = FromSlot<float>(slot);
    return in.flush ? Flush(value) : value;
  }
};
template <class F>
struct Small {
  using Value = double;
  static double Load(const Instruction& in, uint64_t slot) {
    uint32_t bits = static_cast<uint16_t>(slot);
    return F::Widen(in.flush && F::IsSubnormal(bits) ? bits & F::kSign : bits);
  }
};

template <Comparison kComparison, class T>
bool Compare(T a, T b) {
  bool unordered = a != a || b != b;
  switch (kComparison) {
    case Comparison::kEq:
      return a == b;
    case Comparison::kNe:
      return !unordered && a != b;
    case Comparison::kLt:
      return a < b;
    case Comparison::kLe:
      return a <= b;
    case Comparison::kGt:
      return a > b;
    case Comparison::kGe:
      return a >= b;
    case Comparison::kEqu:
      return unordered || a == b;
    case Comparison::kNeu:
      return unordered || a != b;
    case Comparison::kLtu:
      return unordered || a < b;
    case Comparison::kLeu:
      return unordered || a <= b;
    case Comparison::kGtu:
      return unordered || a > b;
    case Comparison::kGeu:
      return unordered || a >= b;
    case Comparison::kNum:
      return !unordered;
    case Comparison::kNan:
      return unordered;
  }
  return false;
}

template <class L, Comparison kComparison>
LaneMask CompareLanes(const Instruction& in, const uint64_t* a, const uint64_t* b) {
  LaneMask result = 0;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    bool bit = Compare<kComparison>(L::Load(in, a[lane]), L::Load(in, b[lane]));
    result |= LaneMask{bit} << lane;
  }
  return result;
}

template <class L>
LaneMask CompareLanes(const Instruction& in, const uint64_t* a, const uint64_t* b) {
  switch (in.comparison) {
    case Comparison::kEq:
      return CompareLanes<L, Comparison::kEq>(in, a, b);
    case Comparison::kNe:
      return CompareLanes<L, Comparison::kNe>(in, a, b);
    case Comparison::kLt:
      return CompareLanes<L, Comparison::kLt>(in, a, b);
    case Comparison::kLe:
      return CompareLanes<L, Comparison::kLe>(in, a, b);
    case Comparison::kGt:
      return CompareLanes<L, Comparison::kGt>(in, a, b);
    case Comparison::kGe:
      return CompareLanes<L, Comparison::kGe>(in, a, b);
    case Comparison::kEqu:
      return CompareLanes<L, Comparison::kEqu>(in, a, b);
    case Comparison::kNeu:
      return CompareLanes<L, Comparison::kNeu>(in, a, b);
    case Comparison::kLtu:
      return CompareLanes<L, Comparison::kLtu>(in, a, b);
    case Comparison::kLeu:
      return CompareLanes<L, Comparison::kLeu>(in, a, b);
    case Comparison::kGtu:
      return CompareLanes<L, Comparison::kGtu>(in, a, b);
    case Comparison::kGeu:
      return CompareLanes<L, Comparison::kGeu>(in, a, b);
    case Comparison::kNum:
      return CompareLanes<L, Comparison::kNum>(in, a, b);
    case Comparison::kNan:
      return CompareLanes<L, Comparison::kNan>(in, a, b);
  }
  return 0;
}

LaneMask Combine(BoolOp op, LaneMask a, LaneMask b) {
  switch (op) {
    case BoolOp::kNone:
      return a;
    case BoolOp::kAnd:
      return a & b;
    case BoolOp::kOr:
      return a | b;
    case BoolOp::kXor:
      return a ^ b;
  }
  return a;
}

// p = (a cmp b) op c, q = !(a cmp b) op c; of pairs, p and q are of the low and the high halves.
template <class L>
void RunSetPredicate(Warp& warp, const Instruction& in, LaneMask lanes) {
  LaneMask result = CompareLanes<L>(in, warp.Read(in.a), warp.Read(in.b));
  LaneMask other = warp.Read(PredicateOperand{in.extra});
  warp.Write(in.p, lanes, Combine(in.combine, result, other));
  if (in.mode != 0) warp.Write(in.q, lanes, Combine(in.combine, ~result, other));
}
template <class F>
LaneMask CompareUpperHalves(const Instruction& in, const uint64_t* a, const uint64_t* b) {
  uint64_t high_a[kWarpLanes], high_b[kWarpLanes];
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    high_a[lane] = a[lane] >> 16;
    high_b[lane] = b[lane] >> 16;
  }
  return CompareLanes<Small<F>>(in, high_a, high_b);
}
template <class F>
void RunSetPredicatePair(Warp& warp, const Instruction& in, LaneMask lanes) {
  const uint64_t* a = warp.Read(in.a);
  const uint64_t* b = warp.Read(in.b);
  LaneMask low = CompareLanes<Small<F>>(in, a, b), high = CompareUpperHalves<F>(in, a, b);
  LaneMask other = warp.Read(PredicateOperand{in.extra});
  warp.Write(in.p, lanes, Combine(in.combine, low, other));
  if (in.mode != 0) warp.Write(in.q, lanes, Combine(in.combine, high, other));
}

// Returns the type's value for a comparison that holds: 1 as a number, all bits set as an integer.
uint64_t TrueOf(Type type) {
  switch (type) {
    case Type::kF32:
      return 0x3f800000;
    case Type::kF16:
      return 0x3c00;
    case Type::kBF16:
      return 0x3f80;
    case Type::kF16x2:
      return 0x3c003c00;
    case Type::kBF16x2:
      return 0x3f803f80;
    default:
      return BitsOf(type) == 16 ? 0xffff : 0xffffffff;
  }
}

template <class L>
void RunSet(Warp& warp, const Instruction& in, LaneMask lanes) {
  LaneMask result = CompareLanes<L>(in, warp.Read(in.a), warp.Read(in.b));
  result = Combine(in.combine, result, warp.Read(PredicateOperand{in.extra}));
  uint64_t yes = TrueOf(in.type);
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) d[lane] = (result >> lane & 1) != 0 ? yes : 0;
}
template <class F>
void RunSetPair(Warp& warp, const Instruction& in, LaneMask lanes) {
  const uint64_t* a = warp.Read(in.a);
  const uint64_t* b = warp.Read(in.b);
  LaneMask other = warp.Read(PredicateOperand{in.extra});
  uint64_t yes = TrueOf(in.type);
  LaneMask low = Combine(in.combine, CompareLanes<Small<F>>(in, a, b), other);
  LaneMask high = Combine(in.combine, CompareUpperHalves<F>(in, a, b), other);
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) {
    d[lane] = ((low >> lane & 1) != 0 ? yes & 0xffff : 0) |
              ((high >> lane & 1) != 0 ? yes & 0xffff0000 : 0);
  }
}

Handler SetPredicateHandler(Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return &RunSetPredicate<Plain<uint16_t>>;
    case Type::kB32:
    case Type::kU32:
      return &RunSetPredicate<Plain<uint32_t>>;
    case Type::kB64:
    case Type::kU64:
      return &RunSetPredicate<Plain<uint64_t>>;
    case Type::kS16:
      return &RunSetPredicate<Plain<int16_t>>;
    case Type::kS32:
      return &RunSetPredicate<Plain<int32_t>>;
    case Type::kS64:
      return &RunSetPredicate<Plain<int64_t>>;
    case Type::kF32:
      return &RunSetPredicate<PlainFloat>;
    case Type::kF64:
      return &RunSetPredicate<Plain<double>>;
    case Type::kF16:
      return &RunSetPredicate<Small<Half>>;
    case Type::kBF16:
      return &RunSetPredicate<Small<BFloat>>;
    case Type::kF16x2:
      return &RunSetPredicatePair<Half>;
    case Type::kBF16x2:
      return &RunSetPredicatePair<BFloat>;
    default:
      return nullptr;
  }
}

Handler SetHandler(Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return &RunSet<Plain<uint16_t>>;
    case Type::kB32:
    case Type::kU32:
      return &RunSet<Plain<uint32_t>>;
    case Type::kB64:
    case Type::kU64:
      return &RunSet<Plain<uint64_t>>;
    case Type::kS16:
      return &RunSet<Plain<int16_t>>;
    case Type::kS32:
      return &RunSet<Plain<int32_t>>;
    case Type::kS64:
      return &RunSet<Plain<int64_t>>;
    case Type::kF32:
      return &RunSet<PlainFloat>;
    case Type::kF64:
      return &RunSet<Plain<double>>;
    case Type::kF16:
      return &RunSet<Small<Half>>;
    case Type::kBF16:
      return &RunSet<Small<BFloat>>;
    case Type::kF16x2:
      return &RunSetPair<Half>;
    case Type::kBF16x2:
      return &RunSetPair<BFloat>;
    default:
      return nullptr;
  }
}

// The comparison and what it is combined with; of unsigned integers .lo, .ls, .hi and .hs are other
// names.
void TakeComparison(Encoder& encoder) {
  constexpr Comparison kComparisons[] = {
      Comparison::kEq,  Comparison::kNe,  Comparison::kLt,  Comparison::kLe,  Comparison::kGt,
      Comparison::kGe,  Comparison::kEqu, Comparison::kNeu, Comparison::kLtu, Comparison::kLeu,
      Comparison::kGtu, Comparison::kGeu, Comparison::kNum, Comparison::kNan, Comparison::kLt,
      Comparison::kLe,  Comparison::kGt,  Comparison::kGe};
  int index = encoder.TakeOneOf({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu",
                                 "gtu", "geu", "num", "nan", "lo", "ls", "hi", "hs"});
  if (index < 0) {
    encoder.Fail("a comparison is missing");
    return;
  }
  Instruction& out = encoder.out();
  out.comparison = kComparisons[index];
  out.combine = static_cast<BoolOp>(encoder.TakeOneOf({"and", "or", "xor"}) + 1);
  out.flush = encoder.Take("ftz");
}

// Comparisons for numbers that may be none are not those of integers, and bits are only equal or
// not.
void CheckComparison(Encoder& encoder, Type type) {
  Comparison comparison = encoder.out().comparison;
  bool needs_float = comparison >= Comparison::kEqu;
  bool needs_order = comparison != Comparison::kEq && comparison != Comparison::kNe;
  if ((needs_float && !IsFloat(type)) || (needs_order && IsUntyped(type))) encoder.BadType(type);
}

Type OperandType(Type type) {
  if (type == Type::kF16 || type == Type::kBF16) return Type::kB16;
  if (type == Type::kF16x2 || type == Type::kBF16x2) return Type::kB32;
  return type;
}

void EncodeSetPredicate(Encoder& encoder) {
  TakeComparison(encoder);
  Type type = encoder.TakeType();
  CheckComparison(encoder, type);
  Instruction& out = encoder.out();
  out.run = SetPredicateHandler(type);
  if (out.run == nullptr) encoder.BadType(type);
  bool combines = out.combine != BoolOp::kNone;
  encoder.ExpectOperands(combines ? 4 : 3);
  const OperandSyntax& destination = encoder.operand(0);
  bool pair = destination.kind == OperandSyntax::Kind::kPair;
  out.mode = pair ? 1 : 0;
  out.p = encoder.PredicateDestination(pair ? destination.elements[0] : destination);
  if (pair) out.q = encoder.PredicateDestination(destination.elements[1]);
  out.a = encoder.Source(1, OperandType(type));
  out.b = encoder.Source(2, OperandType(type));
  out.extra = combines ? encoder.PredicateSource(3).bits : PredicateOperand::True().bits;
}

void EncodeSet(Encoder& encoder) {
  TakeComparison(encoder);
  Type result = encoder.TakeType();
  Type type = encoder.TakeType();
  CheckComparison(encoder, type);
  Instruction& out = encoder.out();
  out.type = result;
  bool is_word = result == Type::kU32 || result == Type::kS32 || result == Type::kF32;
  bool is_small = IsFloat(type) && type != Type::kF32 && type != Type::kF64;
  bool is_half = is_small && (result == type || result == Type::kU16 || result == Type::kS16);
  if (!is_word && !is_half) encoder.BadType(result);
  out.run = SetHandler(type);
  if (out.run == nullptr) encoder.BadType(type);
  bool combines = out.combine != BoolOp::kNone;
  encoder.ExpectOperands(combines ? 4 : 3);
  out.d = encoder.Destination(0, OperandType(result));
  out.a = encoder.Source(1, OperandType(type));
  out.b = encoder.Source(2, OperandType(type));
  out.extra = combines ? encoder.PredicateSource(3).bits : PredicateOperand::True().bits;
}

void RunSelect(Warp& warp, const Instruction& in, LaneMask lanes) {
  const uint64_t* a = warp.Read(in.a);
  const uint64_t* b = warp.Read(in.b);
  uint64_t* d = warp.Write(in.d);
  LaneMask p = warp.Read(in.p);
  ForEachLane(lanes, [=](uint32_t i) { d[i] = (p >> i & 1) != 0 ? a[i] : b[i]; });
}

void EncodeSelect(Encoder& encoder) {
  Type type = encoder.TakeType();
  if (type == Type::kPred || BitsOf(type) < 16) encoder.BadType(type);
  encoder.ExpectOperands(4);
  Instruction& out = encoder.out();
  out.run = &RunSelect;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  out.p = encoder.PredicateSource(3);
}

// a if c >= 0, and b if it is less or no number.
template <class T>
uint64_t SelectBySign(const Instruction& in, uint64_t a, uint64_t b, T c) {
  if constexpr (std::is_same_v<T, float>) {
    if (in.flush) c = Flush(c);
  }
  return c >= 0 ? a : b;
}

void EncodeSelectBySign(Encoder& encoder) {
  Instruction& out = encoder.out();
  out.flush = encoder.Take("ftz");
  Type type = encoder.TakeType(), condition = encoder.TakeType();
  if (type == Type::kPred || BitsOf(type) < 16) encoder.BadType(type);
  if (condition != Type::kS32 && condition != Type::kF32) encoder.BadType(condition);
  encoder.ExpectOperands(4);
  out.run = condition == Type::kS32 ? Map<&SelectBySign<int32_t>> : Map<&SelectBySign<float>>;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, type);
  out.c = encoder.Source(3, condition);
}

enum TestMode : uint8_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
template <class T>
void RunTest(Warp& warp, const Instruction& in, LaneMask lanes) {
  const uint64_t* a = warp.Read(in.a);
  LaneMask result = 0;
  for (uint32_t lane : LanesOf(lanes)) {
    int kind = std::fpclassify(FromSlot<T>(a[lane]));
    bool holds = false;
    switch (in.mode) {
      case kFinite:
        holds = kind != FP_INFINITE && kind != FP_NAN;
        break;
      case kInfinite:
        holds = kind == FP_INFINITE;
        break;
      case kNumber:
        holds = kind != FP_NAN;
        break;
      case kNotANumber:
        holds = kind == FP_NAN;
        break;
      case kNormal:
        holds = kind == FP_NORMAL || kind == FP_ZERO;  // a special case of PTX
        break;
      case kSubnormal:
        holds = kind == FP_SUBNORMAL;
        break;
    }
    result |= LaneMask{holds} << lane;
  }
  warp.Write(in.p, lanes, result);
}

void EncodeTest(Encoder& encoder) {
  int mode =
      encoder.TakeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (mode < 0) encoder.Fail("what to test is missing");
  Type type = encoder.TakeType();
  if (type != Type::kF32 && type != Type::kF64) encoder.BadType(type);
  encoder.ExpectOperands(2);
  Instruction& out = encoder.out();
  out.mode = static_cast<uint8_t>(mode);
  out.run = type == Type::kF32 ? &RunTest<float> : &RunTest<double>;
  out.p = encoder.PredicateDestination(encoder.operand(0));
  out.a = encoder.Source(1, type);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"setp", &EncodeSetPredicate}, {"set", &EncodeSet},    {"selp", &EncodeSelect},
    {"slct", &EncodeSelectBySign}, {"testp", &EncodeTest},
};

}  // namespace

std::span<const OpcodeEntry> CompareOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
