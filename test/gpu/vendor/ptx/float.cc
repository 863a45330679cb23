// Arithmetic of f32 and f64 that is rounded exactly; min, max, abs, neg of these.
#include "encoder.h"
#include "float_families.h"
#include "lanes.h"
#include "rounding.h"

namespace tfrt::gpu::ptx {
namespace {

// The operations by one name for both formats; what is in front and behind is the same for all.
struct AddOp {
  template <class T>
  static T Run(T a, T b, Rounding rounding) {
    return AddRounded(a, b, rounding);
  }
};
struct SubtractOp {
  template <class T>
  static T Run(T a, T b, Rounding rounding) {
    return AddRounded(a, -b, rounding);
  }
};
struct MultiplyOp {
  template <class T>
  static T Run(T a, T b, Rounding rounding) {
    return MultiplyRounded(a, b, rounding);
  }
};
struct DivideOp {
  template <class T>
  static T Run(T a, T b, Rounding rounding) {
    return DivideRounded(a, b, rounding);
  }
};
struct FmaOp {
  template <class T>
  static T Run(T a, T b, T c, Rounding rounding) {
    return FmaRounded(a, b, c, rounding);
  }
};
struct ReciprocalOp {
  template <class T>
  static T Run(T a, Rounding rounding) {
    return DivideRounded(T(1), a, rounding);
  }
};
struct SqrtOp {
  template <class T>
  static T Run(T a, Rounding rounding) {
    return SqrtRounded(a, rounding);
  }
};

// To nearest, with or without .ftz: what nearly all programs use.
template <class Op, class T, bool kFlush, class... Operands>
T Nearest(Operands... operands) {
  if constexpr (kFlush)
    return Flush(Canonical(Op::template Run<T>(Flush(operands)..., Rounding::kNearest)));
  return Canonical(Op::template Run<T>(operands..., Rounding::kNearest));
}
template <class Op, class T, class... Operands>
T General(const Instruction& in, Operands... operands) {
  T result = in.flush ? Flush(Op::template Run<T>(Flush(operands)..., in.rounding))
                      : Op::template Run<T>(operands..., in.rounding);
  return in.saturate ? Clamp01(result) : Canonical(result);
}

template <class Op, class T, class... Operands>
Handler Choose(const Instruction& in) {
  if (in.rounding != Rounding::kNearest || in.saturate) return Map<&General<Op, T, Operands...>>;
  if (in.flush) return Map<&Nearest<Op, T, true, Operands...>>;
  return Map<&Nearest<Op, T, false, Operands...>>;
}
template <class Op>
Handler ChooseBinary(const Instruction& in, Type type) {
  return type == Type::kF32 ? Choose<Op, float, float, float>(in)
                            : Choose<Op, double, double, double>(in);
}
template <class Op>
Handler ChooseUnary(const Instruction& in, Type type) {
  return type == Type::kF32 ? Choose<Op, float, float>(in) : Choose<Op, double, double>(in);
}

// The number of two operands, if one is none; -0 is less than +0.
template <class T>
T MinimumOrMaximum(const Instruction& in, T a, T b) {
  constexpr uint8_t kMaximum = 1, kPropagates = 2;
  if (in.flush) {
    a = Flush(a);
    b = Flush(b);
  }
  if (a != a || b != b) {
    bool propagates = (in.mode & kPropagates) != 0 || (a != a && b != b);
    if (propagates) return sizeof(T) == 4 ? T(std::bit_cast<float>(kSingleNan)) : (a != a ? a : b);
    return a != a ? b : a;
  }
  bool a_is_less = a < b || (a == b && std::signbit(a));
  return a_is_less != ((in.mode & kMaximum) != 0) ? a : b;
}

float FlushIf(const Instruction& in, float value) { return in.flush ? Flush(value) : value; }
float NegateFloat(const Instruction& in, float a) { return -FlushIf(in, a); }
float AbsoluteFloat(const Instruction& in, float a) { return std::fabs(FlushIf(in, a)); }
double NegateDouble(double a) { return -a; }
double AbsoluteDouble(double a) { return std::fabs(a); }

void TakeOperands(Encoder& encoder, Type type, size_t sources) {
  Instruction& out = encoder.out();
  encoder.ExpectOperands(sources + 1);
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  if (sources > 1) out.b = encoder.Source(2, type);
  if (sources > 2) out.c = encoder.Source(3, type);
}

bool IsSingleOrDouble(Encoder& encoder, Type type) {
  if (type == Type::kF32 || type == Type::kF64) return true;
  encoder.BadType(type);
  return false;
}

// add, sub, mul, fma (and mad), div, rcp, sqrt
void EncodeRounded(Encoder& encoder) {
  std::string_view name = encoder.opcode();
  Instruction& out = encoder.out();
  bool needs_rounding = name != "add" && name != "sub" && name != "mul";
  if (!encoder.TakeRounding() && needs_rounding) encoder.Fail("a rounding is missing");
  out.flush = encoder.Take("ftz");
  out.saturate = encoder.Take("sat");
  Type type = encoder.TakeType();
  if (!IsSingleOrDouble(encoder, type)) return;
  if (type == Type::kF64 && (out.flush || out.saturate))
    encoder.Fail(".ftz or .sat with type .f64");
  if (name == "add") out.run = ChooseBinary<AddOp>(out, type);
  if (name == "sub") out.run = ChooseBinary<SubtractOp>(out, type);
  if (name == "mul") out.run = ChooseBinary<MultiplyOp>(out, type);
  if (name == "div") out.run = ChooseBinary<DivideOp>(out, type);
  if (name == "rcp") out.run = ChooseUnary<ReciprocalOp>(out, type);
  if (name == "sqrt") out.run = ChooseUnary<SqrtOp>(out, type);
  if (name == "fma" || name == "mad") {
    out.run = type == Type::kF32 ? Choose<FmaOp, float, float, float, float>(out)
                                 : Choose<FmaOp, double, double, double, double>(out);
    return TakeOperands(encoder, type, 3);
  }
  TakeOperands(encoder, type, name == "rcp" || name == "sqrt" ? 1 : 2);
}

void EncodeMinimumOrMaximum(Encoder& encoder) {
  Instruction& out = encoder.out();
  out.mode = encoder.opcode() == "max" ? 1 : 0;
  out.flush = encoder.Take("ftz");
  if (encoder.Take("NaN")) out.mode |= 2;
  Type type = encoder.TakeType();
  if (!IsSingleOrDouble(encoder, type)) return;
  out.run = type == Type::kF32 ? Map<&MinimumOrMaximum<float>> : Map<&MinimumOrMaximum<double>>;
  TakeOperands(encoder, type, 2);
}

void EncodeSign(Encoder& encoder) {
  Instruction& out = encoder.out();
  bool negates = encoder.opcode() == "neg";
  out.flush = encoder.Take("ftz");
  Type type = encoder.TakeType();
  if (!IsSingleOrDouble(encoder, type)) return;
  if (type == Type::kF32) {
    out.run = negates ? Map<&NegateFloat> : Map<&AbsoluteFloat>;
  } else {
    out.run = negates ? Map<&NegateDouble> : Map<&AbsoluteDouble>;
  }
  TakeOperands(encoder, type, 1);
}

template <class T>
T CopySign(T a, T b) {
  return std::copysign(b, a);
}
void EncodeCopySign(Encoder& encoder) {
  Type type = encoder.TakeType();
  if (!IsSingleOrDouble(encoder, type)) return;
  encoder.out().run = type == Type::kF32 ? Map<&CopySign<float>> : Map<&CopySign<double>>;
  TakeOperands(encoder, type, 2);
}

// rcp and sqrt, whose approximations are elsewhere.
void EncodeReciprocalOrRoot(Encoder& encoder) {
  if (encoder.Has("approx")) return EncodeApproximate(encoder);
  EncodeRounded(encoder);
}

void EncodeFma(Encoder& encoder) { EncodeFloatArithmetic(encoder); }

constexpr OpcodeEntry kOpcodes[] = {
    {"fma", &EncodeFma},
    {"rcp", &EncodeReciprocalOrRoot},
    {"sqrt", &EncodeReciprocalOrRoot},
    {"copysign", &EncodeCopySign},
};

}  // namespace

void EncodeFloatArithmetic(Encoder& encoder) {
  std::string_view name = encoder.opcode();
  Type type = encoder.PeekType();
  if (BitsOf(type) == 16 || type == Type::kF16x2 || type == Type::kBF16x2)
    return EncodeHalf(encoder);
  if (name == "div" && (encoder.Has("approx") || encoder.Has("full")))
    return EncodeApproximate(encoder);
  if (name == "min" || name == "max") return EncodeMinimumOrMaximum(encoder);
  if (name == "abs" || name == "neg") return EncodeSign(encoder);
  EncodeRounded(encoder);
}

std::span<const OpcodeEntry> FloatOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
