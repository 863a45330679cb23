// cvt, setp, set, selp, slct, testp.
#include <bit>
#include <cmath>

#include "test/gpu/ptx/form_case.h"
#include "test/gpu/ptx/reference_float.h"

namespace tfrt::gpu::ptx {
namespace {

SmallFormat FormatOf(std::string_view type) {
  return type.starts_with("f16")    ? kHalfFormat
         : type.starts_with("bf16") ? kBFloatFormat
         : type == "tf32"           ? kTFloatFormat
                                    : kSingleFormat;
}

Exact Decode(std::string_view type, uint64_t slot) {
  if (!IsFloatType(type))
    return IsSignedType(type) ? Exact(SignedOf(type, slot)) : Exact(Masked(slot, BitsOfType(type)));
  if (type == "f64") return std::bit_cast<double>(slot);
  return FormatOf(type).Decode(Masked(slot, type.ends_with("x2") ? 16 : BitsOfType(type)));
}

Exact Integral(Exact value, SmallFormat::Mode mode) {
  if (value != value || value >= 0x1p62 || value <= -0x1p62)
    return value;  // these are integers, here
  auto whole = static_cast<int64_t>(value);
  Exact rest = value - whole;
  if (rest < 0) {
    --whole;
    rest += 1;
  }
  bool up = mode == SmallFormat::Mode::kUp     ? rest > 0
            : mode == SmallFormat::Mode::kDown ? false
            : mode == SmallFormat::Mode::kZero ? value < 0 && rest > 0
                                               : rest > 0.5 || (rest == 0.5 && (whole & 1) != 0);
  Exact result = whole + (up ? 1 : 0);
  return result == 0 && std::signbit(static_cast<double>(value)) ? Exact(-0.0) : result;
}

uint64_t EncodeDouble(Exact value, SmallFormat::Mode mode) {
  if (value != value) return 0x7ff8000000000000;
  double nearest = static_cast<double>(value);
  if (mode == SmallFormat::Mode::kDown && nearest > value)
    nearest = std::nextafter(nearest, -HUGE_VAL);
  if (mode == SmallFormat::Mode::kUp && nearest < value)
    nearest = std::nextafter(nearest, HUGE_VAL);
  if (mode == SmallFormat::Mode::kZero && (nearest < 0 ? nearest < value : nearest > value)) {
    nearest = std::nextafter(nearest, 0);
  }
  return std::bit_cast<uint64_t>(nearest);
}

uint64_t EncodeInteger(const std::string& type, Exact value, bool from_wide) {
  int bits = BitsOfType(type);
  if (value != value) return bits == 64 || from_wide ? uint64_t{1} << (bits - 1) : 0;
  bool is_signed = IsSignedType(type);
  Exact limit = std::ldexp(1.0, is_signed ? bits - 1 : bits), least = is_signed ? -limit : Exact(0);
  uint64_t largest = Masked(~uint64_t{0}, is_signed ? bits - 1 : bits);
  if (value >= limit) return largest;
  if (value < least) return is_signed ? largest + 1 : 0;
  return value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value))
                   : static_cast<uint64_t>(value);
}

SmallFormat::Mode ModeOf(const Form& form) {
  if (form.Has("rz") || form.Has("rzi")) return SmallFormat::Mode::kZero;
  if (form.Has("rm") || form.Has("rmi")) return SmallFormat::Mode::kDown;
  if (form.Has("rp") || form.Has("rpi")) return SmallFormat::Mode::kUp;
  return form.Has("rna") ? SmallFormat::Mode::kAway : SmallFormat::Mode::kNearest;
}

bool IsTinySingle(Exact value) { return value < 0x1p-126 && value > -0x1p-126; }

// A value of type `from` as one of type `to`, in a register as wide as the type.
uint64_t Converted(const Form& form, const std::string& to, const std::string& from,
                   uint64_t slot) {
  SmallFormat::Mode mode = ModeOf(form);
  Exact value = Decode(from, slot);
  bool flush = form.Has("ftz");
  if (flush && from == "f32" && IsTinySingle(value))
    value = std::signbit(static_cast<double>(value)) ? -0.0 : 0.0;
  bool integral = form.Has("rni") || form.Has("rzi") || form.Has("rmi") || form.Has("rpi");
  if (integral) value = Integral(value, mode);
  if (!IsFloatType(to)) {
    bool wraps = !IsFloatType(from) && !form.Has("sat");
    if (wraps) return Masked(static_cast<uint64_t>(SignedOf(from, slot)), BitsOfType(to));
    return Masked(EncodeInteger(to, value, from == "f64"), BitsOfType(to));
  }
  if (form.Has("sat")) value = value > 0 ? (value < 1 ? value : Exact(1)) : Exact(0);
  if (form.Has("relu") && value < 0) value = 0;
  if (to == "f64") return EncodeDouble(value, mode);
  uint64_t bits = FormatOf(to).Encode(value, mode);
  if (flush && to == "f32") bits = kSingleFormat.Flush(bits);
  return to == "tf32" ? bits << 13 : bits;
}

}  // namespace

std::optional<FormCase> ConvertCase(const Form& form) {
  if (form.opcode != "cvt" || form.types.size() != 2) return std::nullopt;
  std::string to = form.types[0], from = form.types[1];
  FormCase c;
  if (to.ends_with("x2")) {
    c.body = form.text + " %d, %a0, %a1;";
    c.sources = {from, from};
    c.result = to;
    std::string half = to.substr(0, to.size() - 2);
    c.expect = [=](const Slots& in) {
      return Converted(form, half, from, in[0]) << 16 | Converted(form, half, from, in[1]);
    };
    return c;
  }
  c.body = form.text + " %d, %a0;";
  c.sources = {from};
  c.result = to;
  // Bytes lie in registers of 16 bits, extended with their sign.
  c.expect = [=](const Slots& in) {
    uint64_t bits = Converted(form, to, from, in[0]);
    return BitsOfType(to) == 8 ? Masked(static_cast<uint64_t>(SignedOf(to, bits)), 16) : bits;
  };
  return c;
}

std::optional<FormCase> CompareCase(const Form& form) {
  const std::string& op = form.opcode;
  FormCase c;
  if (op == "selp") {
    std::string type = form.types[0];
    c.body = form.text + " %d, %a0, %a1, %a2;";
    c.sources = {type, type, "pred"};
    c.result = type;
    c.expect = [=](const Slots& in) {
      return Masked(in[2] != 0 ? in[0] : in[1], BitsOfType(type));
    };
    return c;
  }
  if (op == "slct") {
    std::string type = form.types[0], sign = form.types[1];
    c.body = form.text + " %d, %a0, %a1, %a2;";
    c.sources = {type, type, sign};
    c.result = type;
    bool flush = form.Has("ftz");
    c.expect = [=](const Slots& in) {
      Exact value = Decode(sign, in[2]);
      if (flush && IsTinySingle(value)) value = 0;
      return Masked(value >= 0 ? in[0] : in[1], BitsOfType(type));
    };
    return c;
  }
  if (op == "testp") {
    std::string type = form.types[0], what = form.modifiers[0];
    c.body = form.text + " %d, %a0;";
    c.sources = {type};
    c.result = "pred";
    c.expect = [=](const Slots& in) {
      double value = static_cast<double>(Decode(type, in[0]));
      double least = type == "f32" ? 0x1p-126 : 0x1p-1022;
      bool subnormal = value != 0 && std::fabs(value) < least;
      bool holds = what == "finite"       ? std::isfinite(value)
                   : what == "infinite"   ? std::isinf(value)
                   : what == "number"     ? !std::isnan(value)
                   : what == "notanumber" ? std::isnan(value)
                   : what == "normal"     ? std::isfinite(value) && !subnormal
                                          : subnormal;
      return uint64_t{holds};
    };
    return c;
  }
  if (op != "setp" && op != "set") return std::nullopt;
  std::string comparison = form.modifiers[0], type = form.types.back(),
              to = op == "set" ? form.types[0] : "pred";
  std::string combine = form.Has("and")   ? "and"
                        : form.Has("or")  ? "or"
                        : form.Has("xor") ? "xor"
                                          : "";
  bool pair = type.ends_with("x2"), flush = form.Has("ftz");
  auto holds = [=](uint64_t a_bits, uint64_t b_bits) {
    Exact a = Decode(type, a_bits), b = Decode(type, b_bits);
    if (flush && type == "f32") {
      if (IsTinySingle(a)) a = 0;
      if (IsTinySingle(b)) b = 0;
    }
    bool unordered = a != a || b != b;
    std::string_view name = comparison;
    if (name == "num") return !unordered;
    if (name == "nan") return unordered;
    bool accepts = name.size() == 3;  // equ and its like
    if (unordered) return accepts;
    name = name.substr(0, 2);
    if (name == "eq") return a == b;
    if (name == "ne") return a != b;
    if (name == "lt" || name == "lo") return a < b;
    if (name == "le" || name == "ls") return a <= b;
    if (name == "gt" || name == "hi") return a > b;
    return a >= b;
  };
  auto combined = [=](bool value, uint64_t other) {
    bool q = other != 0;
    return combine == "and"   ? value && q
           : combine == "or"  ? value || q
           : combine == "xor" ? value != q
                              : value;
  };
  c.sources = {type, type, "pred"};
  std::string rest = combine.empty() ? ";" : ", %a2;";
  c.result = to;
  if (op == "setp") {
    bool one_only = type == "f16" || type == "bf16";  // as assemblers want it
    c.body = form.text + (one_only ? " %d, %a0, %a1" : " %d|%e, %a0, %a1") + rest;
    if (!one_only) c.result2 = "pred";
    c.expect = [=](const Slots& in) { return uint64_t{combined(holds(in[0], in[1]), in[2])}; };
    if (one_only) return c;
    c.expect2 = [=](const Slots& in) {
      if (pair) return uint64_t{combined(holds(in[0] >> 16, in[1] >> 16), in[2])};
      return uint64_t{combined(!holds(in[0], in[1]), in[2])};
    };
    return c;
  }
  c.body = form.text + " %d, %a0, %a1" + rest;
  c.expect = [=](const Slots& in) -> uint64_t {
    uint64_t yes = to.starts_with("bf16")  ? 0x3f803f80
                   : to.starts_with("f16") ? 0x3c003c00
                   : to == "f32"           ? 0x3f800000
                                           : 0xffffffff;
    uint64_t low = combined(holds(in[0], in[1]), in[2]) ? yes : 0;
    if (!pair) return Masked(low, BitsOfType(to));
    uint64_t high = combined(holds(in[0] >> 16, in[1] >> 16), in[2]) ? yes : 0;
    return (low & 0xffff) | (high & 0xffff0000);
  };
  return c;
}

}  // namespace tfrt::gpu::ptx
