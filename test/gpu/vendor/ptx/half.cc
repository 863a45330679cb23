// Arithmetic of f16 and bf16, and of pairs of these in 32 bits.
#include "encoder.h"
#include "float_families.h"
#include "lanes.h"
#include "rounding.h"

namespace tfrt::gpu::ptx {
namespace {

enum HalfMode : uint8_t { kPropagatesNan = 1, kRelu = 2 };

template <class F>
uint16_t FlushHalf(const Instruction& in, uint16_t bits) {
  return in.flush && F::IsSubnormal(bits) ? bits & F::kSign : bits;
}

// Rounds a result to the format, and does with it what the modifiers say.
template <class F>
uint16_t Finish(const Instruction& in, double value) {
  if (in.saturate) value = Clamp01(value);
  if ((in.mode & kRelu) != 0 && value < 0) value = 0;
  return FlushHalf<F>(in, static_cast<uint16_t>(F::Narrow(value, in.rounding)));
}

// Products of two such numbers are exact in double, and their sums are rounded to odd, so that all
// is rounded once.
template <class F>
uint16_t Add(const Instruction& in, uint16_t a, uint16_t b) {
  return Finish<F>(in, AddToOdd(F::Widen(FlushHalf<F>(in, a)), F::Widen(FlushHalf<F>(in, b))));
}
template <class F>
uint16_t Subtract(const Instruction& in, uint16_t a, uint16_t b) {
  return Finish<F>(in, AddToOdd(F::Widen(FlushHalf<F>(in, a)), -F::Widen(FlushHalf<F>(in, b))));
}
template <class F>
uint16_t Multiply(const Instruction& in, uint16_t a, uint16_t b) {
  return Finish<F>(in, F::Widen(FlushHalf<F>(in, a)) * F::Widen(FlushHalf<F>(in, b)));
}
template <class F>
uint16_t Fma(const Instruction& in, uint16_t a, uint16_t b, uint16_t c) {
  double product = F::Widen(FlushHalf<F>(in, a)) * F::Widen(FlushHalf<F>(in, b));
  return Finish<F>(in, AddToOdd(product, F::Widen(FlushHalf<F>(in, c))));
}
template <class F>
uint16_t Negate(const Instruction& in, uint16_t a) {
  return static_cast<uint16_t>(FlushHalf<F>(in, a) ^ F::kSign);
}
template <class F>
uint16_t Absolute(const Instruction& in, uint16_t a) {
  return static_cast<uint16_t>(FlushHalf<F>(in, a) & ~F::kSign);
}
template <class F, bool kMaximum>
uint16_t MinimumOrMaximum(const Instruction& in, uint16_t a, uint16_t b) {
  a = FlushHalf<F>(in, a);
  b = FlushHalf<F>(in, b);
  bool a_is_nan = F::IsNan(a), b_is_nan = F::IsNan(b);
  if (a_is_nan || b_is_nan) {
    if ((in.mode & kPropagatesNan) != 0 || (a_is_nan && b_is_nan))
      return static_cast<uint16_t>(F::kNan);
    return a_is_nan ? b : a;
  }
  double x = F::Widen(a), y = F::Widen(b);
  bool a_is_less = x < y || (x == y && std::signbit(x));
  return a_is_less != kMaximum ? a : b;
}

// The same for both halves of 32 bits.
template <auto kFunction>
uint32_t Pair1(const Instruction& in, uint32_t a) {
  uint32_t low = kFunction(in, static_cast<uint16_t>(a));
  return low | uint32_t{kFunction(in, static_cast<uint16_t>(a >> 16))} << 16;
}
template <auto kFunction>
uint32_t Pair2(const Instruction& in, uint32_t a, uint32_t b) {
  uint32_t low = kFunction(in, static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  return low |
         uint32_t{kFunction(in, static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16))}
             << 16;
}
template <auto kFunction>
uint32_t Pair3(const Instruction& in, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t low =
      kFunction(in, static_cast<uint16_t>(a), static_cast<uint16_t>(b), static_cast<uint16_t>(c));
  return low | uint32_t{kFunction(in, static_cast<uint16_t>(a >> 16),
                                  static_cast<uint16_t>(b >> 16), static_cast<uint16_t>(c >> 16))}
                   << 16;
}

template <class F>
Handler HandlerFor(std::string_view name, bool pair) {
  if (name == "add") return pair ? Map<&Pair2<&Add<F>>> : Map<&Add<F>>;
  if (name == "sub") return pair ? Map<&Pair2<&Subtract<F>>> : Map<&Subtract<F>>;
  if (name == "mul") return pair ? Map<&Pair2<&Multiply<F>>> : Map<&Multiply<F>>;
  if (name == "fma") return pair ? Map<&Pair3<&Fma<F>>> : Map<&Fma<F>>;
  if (name == "neg") return pair ? Map<&Pair1<&Negate<F>>> : Map<&Negate<F>>;
  if (name == "abs") return pair ? Map<&Pair1<&Absolute<F>>> : Map<&Absolute<F>>;
  if (name == "min")
    return pair ? Map<&Pair2<&MinimumOrMaximum<F, false>>> : Map<&MinimumOrMaximum<F, false>>;
  if (name == "max")
    return pair ? Map<&Pair2<&MinimumOrMaximum<F, true>>> : Map<&MinimumOrMaximum<F, true>>;
  return nullptr;
}

}  // namespace

void EncodeHalf(Encoder& encoder) {
  std::string_view name = encoder.opcode();
  Instruction& out = encoder.out();
  bool arithmetic = name == "add" || name == "sub" || name == "mul" || name == "fma";
  if (arithmetic) {
    if (!encoder.Take("rn") && name == "fma") encoder.Fail("a rounding is missing");
    out.saturate = encoder.Take("sat");
    if (name == "fma" && encoder.Take("relu")) out.mode |= kRelu;
  } else if (name == "min" || name == "max") {
    if (encoder.Take("NaN")) out.mode |= kPropagatesNan;
  }
  out.flush = encoder.Take("ftz");
  Type type = encoder.TakeType();
  bool pair = BitsOf(type) == 32;
  bool is_half = type == Type::kF16 || type == Type::kF16x2;
  if (!is_half && (out.flush || out.saturate))
    encoder.Fail(".ftz or .sat with type ." + std::string(TypeName(type)));
  out.run = is_half ? HandlerFor<Half>(name, pair) : HandlerFor<BFloat>(name, pair);
  if (out.run == nullptr) encoder.BadType(type);
  size_t sources = name == "fma" ? 3 : name == "neg" || name == "abs" ? 1 : 2;
  encoder.ExpectOperands(sources + 1);
  // Their registers hold bits: .b16 and .b32.
  Type bits = pair ? Type::kB32 : Type::kB16;
  out.d = encoder.Destination(0, bits);
  out.a = encoder.Source(1, bits);
  if (sources > 1) out.b = encoder.Source(2, bits);
  if (sources > 2) out.c = encoder.Source(3, bits);
}

}  // namespace tfrt::gpu::ptx
