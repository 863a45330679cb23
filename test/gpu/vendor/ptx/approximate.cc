// Functions that hardware approximates: computed in double and rounded.

#include "encoder.h"
#include "float_families.h"
#include "lanes.h"
#include "rounding.h"

namespace tfrt::gpu::ptx {
namespace {

enum class Curve : uint8_t { kSin, kCos, kLog2, kExp2, kTanh, kReciprocal, kSqrt, kReciprocalSqrt };

double Compute(Curve function, double x) {
  switch (function) {
    case Curve::kSin:
      return std::sin(x);
    case Curve::kCos:
      return std::cos(x);
    case Curve::kLog2:
      return std::log2(x);
    case Curve::kExp2:
      return std::exp2(x);
    case Curve::kTanh:
      return std::tanh(x);
    case Curve::kReciprocal:
      return 1 / x;
    case Curve::kSqrt:
      return std::sqrt(x);
    case Curve::kReciprocalSqrt:
      return 1 / std::sqrt(x);
  }
  return x;
}

float ApproximateSingle(const Instruction& in, float a) {
  if (in.flush) a = Flush(a);
  float result = Canonical(static_cast<float>(Compute(static_cast<Curve>(in.mode), a)));
  return in.flush ? Flush(result) : result;
}

double ApproximateDouble(const Instruction& in, double a) {
  auto function = static_cast<Curve>(in.mode);
  if (!in.flush) return Compute(function, a);
  // rcp and rsqrt with .ftz look at the upper 32 bits only, and set only these.
  constexpr uint64_t kUpper = ~uint64_t{0} << 32;
  double x = std::bit_cast<double>(std::bit_cast<uint64_t>(a) & kUpper);
  if (std::fabs(x) < std::numeric_limits<double>::min()) x = std::copysign(0.0, x);
  double result = Compute(function, x);
  if (std::fabs(result) < std::numeric_limits<double>::min()) result = std::copysign(0.0, result);
  return std::bit_cast<double>(std::bit_cast<uint64_t>(result) & kUpper);
}

template <class F>
uint16_t ApproximateHalf(const Instruction& in, uint16_t a) {
  if (in.flush && F::IsSubnormal(a)) a &= F::kSign;
  uint32_t result =
      F::Narrow(Compute(static_cast<Curve>(in.mode), F::Widen(a)), Rounding::kNearest);
  return static_cast<uint16_t>(in.flush && F::IsSubnormal(result) ? result & F::kSign : result);
}
template <class F>
uint32_t ApproximatePair(const Instruction& in, uint32_t a) {
  uint32_t low = ApproximateHalf<F>(in, static_cast<uint16_t>(a));
  return low | uint32_t{ApproximateHalf<F>(in, static_cast<uint16_t>(a >> 16))} << 16;
}

float DivideSingle(const Instruction& in, float a, float b) {
  if (in.flush) {
    a = Flush(a);
    b = Flush(b);
  }
  float result = Canonical(a / b);
  return in.flush ? Flush(result) : result;
}

Handler HandlerFor(Type type) {
  switch (type) {
    case Type::kF32:
      return Map<&ApproximateSingle>;
    case Type::kF64:
      return Map<&ApproximateDouble>;
    case Type::kF16:
      return Map<&ApproximateHalf<Half>>;
    case Type::kBF16:
      return Map<&ApproximateHalf<BFloat>>;
    case Type::kF16x2:
      return Map<&ApproximatePair<Half>>;
    case Type::kBF16x2:
      return Map<&ApproximatePair<BFloat>>;
    default:
      return nullptr;
  }
}

Curve FunctionOf(std::string_view name) {
  struct Named {
    std::string_view name;
    Curve function;
  };
  constexpr Named kFunctions[] = {
      {"sin", Curve::kSin},
      {"cos", Curve::kCos},
      {"lg2", Curve::kLog2},
      {"ex2", Curve::kExp2},
      {"tanh", Curve::kTanh},
      {"rcp", Curve::kReciprocal},
      {"rsqrt", Curve::kReciprocalSqrt},
  };
  for (const Named& named : kFunctions) {
    if (named.name == name) return named.function;
  }
  return Curve::kSqrt;
}

// Whether the function has an approximation for the type.
bool Serves(Curve function, Type type, bool flush) {
  switch (type) {
    case Type::kF32:
      return true;
    case Type::kF64:
      return (function == Curve::kReciprocal && flush) || function == Curve::kReciprocalSqrt;
    default:
      return function == Curve::kExp2 || (function == Curve::kTanh && !flush);
  }
}

constexpr OpcodeEntry kOpcodes[] = {
    {"sin", &EncodeApproximate}, {"cos", &EncodeApproximate},  {"lg2", &EncodeApproximate},
    {"ex2", &EncodeApproximate}, {"tanh", &EncodeApproximate}, {"rsqrt", &EncodeApproximate},
};

}  // namespace

void EncodeApproximate(Encoder& encoder) {
  Instruction& out = encoder.out();
  bool divides = encoder.opcode() == "div";
  if (!encoder.Take("approx") && !(divides && encoder.Take("full")))
    encoder.Fail(".approx is missing");
  out.flush = encoder.Take("ftz");
  Type type = encoder.TakeType();
  Curve function = FunctionOf(encoder.opcode());
  out.mode = static_cast<uint8_t>(function);
  out.run = divides ? (type == Type::kF32 ? Map<&DivideSingle> : nullptr) : HandlerFor(type);
  if (out.run == nullptr || (!divides && !Serves(function, type, out.flush))) encoder.BadType(type);
  encoder.ExpectOperands(divides ? 3 : 2);
  Type operand = type == Type::kF32 || type == Type::kF64 ? type
                 : BitsOf(type) == 16                     ? Type::kB16
                                                          : Type::kB32;
  out.d = encoder.Destination(0, operand);
  out.a = encoder.Source(1, operand);
  if (divides) out.b = encoder.Source(2, operand);
}

std::span<const OpcodeEntry> ApproximateOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
