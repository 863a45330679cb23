// Floating-point numbers: f32 and f64 in the host's own roundings, halves by way of a format that
// holds their sums exactly.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "test/gpu/ptx/form_case.h"
#include "test/gpu/ptx/reference_float.h"

namespace tfrt::gpu::ptx {
namespace {

template <class T>
uint64_t Bits(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<uint32_t>(value);
  return std::bit_cast<uint64_t>(static_cast<double>(value));
}
template <class T>
T Value(uint64_t slot) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<float>(static_cast<uint32_t>(slot));
  return std::bit_cast<double>(slot);
}

// a + b, rounded to odd where it is not exact, so that rounding it once more rounds the exact sum.
Exact Sum(Exact a, Exact b) {
  Exact sum = a + b;
  if (sum != sum || sum - sum != 0) return sum;
  Exact b_part = sum - a, error = (a - (sum - b_part)) + (b - b_part);
  auto bits = std::bit_cast<unsigned __int128>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : -1;
  return std::bit_cast<Exact>(bits);
}

// Computes in the rounding of the form; nothing moves across the calls, as all goes through
// volatile variables.
template <class T>
T Compute(const std::string& op, int rounding, T a, T b, T c) {
  volatile T x = a, y = b, z = c, result = 0;
  int before = std::fegetround();
  std::fesetround(rounding);
  if (op == "add") result = x + y;
  if (op == "sub") result = x - y;
  if (op == "mul") result = x * y;
  if (op == "div") result = x / y;
  if (op == "fma" || op == "mad") result = std::fma(x, y, z);
  if (op == "rcp") result = T(1) / x;
  if (op == "sqrt") result = std::sqrt(x);
  std::fesetround(before);
  return result;
}

template <class T>
T Flushed(bool flush, T value) {
  if (!flush || sizeof(T) != 4 || !(std::fabs(value) < std::numeric_limits<float>::min()))
    return value;
  return std::copysign(T(0), value);
}

template <class T>
FormCase Rounded(const Form& form, size_t sources) {
  FormCase c;
  const std::string& type = form.types[0];
  c.body = form.text + " %d";
  for (size_t i = 0; i < sources; ++i) {
    c.body += ", %a" + std::to_string(i);
    c.sources.push_back(type);
  }
  c.body += ";";
  c.result = type;
  int rounding = form.Has("rz")   ? FE_TOWARDZERO
                 : form.Has("rm") ? FE_DOWNWARD
                 : form.Has("rp") ? FE_UPWARD
                                  : FE_TONEAREST;
  bool flush = form.Has("ftz"), saturate = form.Has("sat");
  std::string op = form.opcode;
  c.expect = [=](const Slots& in) {
    T result = Compute<T>(op, rounding, Flushed(flush, Value<T>(in[0])),
                          Flushed(flush, Value<T>(in[1])), Flushed(flush, Value<T>(in[2])));
    result = Flushed(flush, result);
    if (saturate) result = result > 0 ? (result < 1 ? result : T(1)) : T(0);
    return Bits(result);
  };
  return c;
}

template <class T>
std::optional<FormCase> Approximation(const Form& form) {
  FormCase c = Rounded<T>(form, form.opcode == "div" ? 2 : 1);
  std::string op = form.opcode;
  bool flush = form.Has("ftz");
  c.expect = [=](const Slots& in) {
    double x = Flushed(flush, Value<T>(in[0])), y = Flushed(flush, Value<T>(in[1]));
    if (flush && sizeof(T) == 8 && std::fabs(x) < std::numeric_limits<double>::min())
      x = std::copysign(0.0, x);
    double result = op == "sin"     ? std::sin(x)
                    : op == "cos"   ? std::cos(x)
                    : op == "lg2"   ? std::log2(x)
                    : op == "ex2"   ? std::exp2(x)
                    : op == "tanh"  ? std::tanh(x)
                    : op == "rcp"   ? 1 / x
                    : op == "sqrt"  ? std::sqrt(x)
                    : op == "rsqrt" ? 1 / std::sqrt(x)
                                    : x / y;
    if (flush && sizeof(T) == 8 && std::fabs(result) < std::numeric_limits<double>::min())
      result = std::copysign(0.0, result);
    return Bits(Flushed(flush, static_cast<T>(result)));
  };
  // Of doubles, .ftz gives the upper 32 bits.
  c.tolerance = sizeof(T) == 8 ? (flush ? 0x1p-18 : 0x1p-50) : 0x1p-21;
  return c;
}

template <class T>
std::optional<FormCase> Plain(const Form& form) {
  const std::string& op = form.opcode;
  bool flush = form.Has("ftz"), propagates = form.Has("NaN");
  if (op == "min" || op == "max") {
    FormCase c = Rounded<T>(form, 2);
    c.expect = [=](const Slots& in) {
      T a = Flushed(flush, Value<T>(in[0])), b = Flushed(flush, Value<T>(in[1]));
      if (std::isnan(a) || std::isnan(b)) {
        if (propagates || (std::isnan(a) && std::isnan(b)))
          return Bits(std::numeric_limits<T>::quiet_NaN());
        return Bits(std::isnan(a) ? b : a);
      }
      if (a == b) return Bits(std::signbit(a) == (op == "min") ? a : b);  // of two zeros
      return Bits((a < b) == (op == "min") ? a : b);
    };
    return c;
  }
  if (op == "abs" || op == "neg") {
    FormCase c = Rounded<T>(form, 1);
    c.expect = [=](const Slots& in) {
      uint64_t sign = uint64_t{1} << (8 * sizeof(T) - 1),
               bits = Bits(Flushed(flush, Value<T>(in[0])));
      return op == "abs" ? bits & ~sign : bits ^ sign;
    };
    return c;
  }
  if (op == "copysign") {
    FormCase c = Rounded<T>(form, 2);
    c.expect = [=](const Slots& in) {
      uint64_t sign = uint64_t{1} << (8 * sizeof(T) - 1);
      return (in[0] & sign) | (in[1] & ~sign & (sign | (sign - 1)));
    };
    return c;
  }
  if (form.Has("approx") || form.Has("full")) return Approximation<T>(form);
  if (op == "fma" || op == "mad") return Rounded<T>(form, 3);
  if (op == "rcp" || op == "sqrt") return Rounded<T>(form, 1);
  if (op == "add" || op == "sub" || op == "mul" || op == "div") return Rounded<T>(form, 2);
  return std::nullopt;
}

}  // namespace

std::optional<FormCase> FloatCase(const Form& form) {
  constexpr std::string_view kApproximate[] = {"sin", "cos", "lg2", "ex2", "tanh", "rsqrt"};
  constexpr std::string_view kExact[] = {"add",  "sub", "mul", "div", "fma", "mad",     "rcp",
                                         "sqrt", "min", "max", "abs", "neg", "copysign"};
  bool known = false;
  for (std::string_view op : kApproximate) known |= op == form.opcode;
  for (std::string_view op : kExact) known |= op == form.opcode;
  if (!known || form.types.size() != 1) return std::nullopt;
  if (form.types[0] == "f32") return Plain<float>(form);
  if (form.types[0] == "f64") return Plain<double>(form);
  return std::nullopt;
}

std::optional<FormCase> HalfCase(const Form& form) {
  if (form.types.size() != 1 || !IsFloatType(form.types[0])) return std::nullopt;
  std::string type = form.types[0];
  bool pair = type.ends_with("x2");
  SmallFormat format = type.starts_with("bf") ? kBFloatFormat : kHalfFormat;
  if (BitsOfType(type) != (pair ? 32 : 16)) return std::nullopt;
  const std::string op = form.opcode;
  size_t sources = op == "fma"                                                               ? 3
                   : op == "add" || op == "sub" || op == "mul" || op == "min" || op == "max" ? 2
                                                                                             : 1;
  bool known = sources > 1 || op == "abs" || op == "neg" || op == "tanh" || op == "ex2";
  if (!known) return std::nullopt;
  FormCase c;
  c.body = form.text + " %d";
  for (size_t i = 0; i < sources; ++i) {
    c.body += ", %a" + std::to_string(i);
    c.sources.push_back(type);
  }
  c.body += ";";
  c.result = type;
  bool flush = form.Has("ftz"), saturate = form.Has("sat"), relu = form.Has("relu"),
       propagates = form.Has("NaN");
  auto one = [=](uint64_t a_bits, uint64_t b_bits, uint64_t c_bits) -> uint64_t {
    auto flushed = [&](uint64_t bits) { return flush ? format.Flush(bits) : bits; };
    a_bits = flushed(a_bits);
    b_bits = flushed(b_bits);
    c_bits = flushed(c_bits);
    uint64_t sign = format.sign();
    if (op == "abs") return a_bits & ~sign;
    if (op == "neg") return a_bits ^ sign;
    Exact a = format.Decode(a_bits), b = format.Decode(b_bits), third = format.Decode(c_bits);
    if (op == "min" || op == "max") {
      bool a_nan = a != a, b_nan = b != b;
      if (a_nan || b_nan)
        return (propagates || (a_nan && b_nan)) ? sign - 1 : a_nan ? b_bits : a_bits;
      bool a_first = a == b ? (a_bits & sign) != 0 : a < b;
      return a_first == (op == "min") ? a_bits : b_bits;
    }
    Exact value = op == "add"   ? Sum(a, b)
                  : op == "sub" ? Sum(a, -b)
                  : op == "mul" ? a * b
                  : op == "fma" ? Sum(a * b, third)
                  : op == "ex2" ? Exact(std::exp2(static_cast<double>(a)))
                                : Exact(std::tanh(static_cast<double>(a)));
    if (saturate) value = value > 0 ? (value < 1 ? value : Exact(1)) : Exact(0);
    if (relu && value < 0) value = 0;
    return flushed(format.EncodeNearest(value));
  };
  c.expect = [=](const Slots& in) {
    uint64_t low = one(in[0] & 0xffff, in[1] & 0xffff, in[2] & 0xffff);
    if (!pair) return low;
    return low | one(in[0] >> 16 & 0xffff, in[1] >> 16 & 0xffff, in[2] >> 16 & 0xffff) << 16;
  };
  return c;
}

}  // namespace tfrt::gpu::ptx
