// Integers: arithmetic and bits.
#include <algorithm>
#include <bit>

#include "test/gpu/ptx/form_case.h"

namespace tfrt::gpu::ptx {
namespace {

__extension__ typedef __int128 Big;

// What the operation gives in numbers of any size, of values a, b, c.
using Operation = std::function<Big(Big a, Big b, Big c)>;

FormCase Case(const Form& form, size_t sources, const std::string& type, const std::string& result,
              Operation op) {
  FormCase c;
  c.body = form.text + " %d";
  for (size_t i = 0; i < sources; ++i) {
    c.body += ", %a" + std::to_string(i);
    c.sources.push_back(type);
  }
  c.body += ";";
  c.result = result;
  auto value = [type](uint64_t slot) {
    return IsSignedType(type) ? Big(SignedOf(type, slot)) : Big(Masked(slot, BitsOfType(type)));
  };
  int bits = BitsOfType(result);
  c.expect = [=](const Slots& in) {
    return Masked(static_cast<uint64_t>(op(value(in[0]), value(in[1]), value(in[2]))), bits);
  };
  return c;
}

Big Saturated(Big value) { return std::clamp<Big>(value, INT32_MIN, INT32_MAX); }

std::optional<FormCase> MultiplyCase(const Form& form, const std::string& type) {
  bool adds = form.opcode == "mad";
  size_t sources = adds ? 3 : 2;
  int bits = BitsOfType(type);
  if (form.Has("wide")) {
    std::string wide = type.substr(0, 1) + std::to_string(2 * bits);
    FormCase c = Case(form, 2, type, wide, [](Big a, Big b, Big) { return a * b; });
    if (!adds) return c;
    c.body = form.text + " %d, %a0, %a1, %a2;";
    c.sources.push_back(wide);
    c.expect = [=](const Slots& in) {
      Big product = IsSignedType(type) ? Big(SignedOf(type, in[0])) * SignedOf(type, in[1])
                                       : Big(Masked(in[0], bits)) * Big(Masked(in[1], bits));
      return Masked(static_cast<uint64_t>(product) + in[2], 2 * bits);
    };
    return c;
  }
  bool high = form.Has("hi"), saturates = form.Has("sat");
  return Case(form, sources, type, type, [=](Big a, Big b, Big c) {
    __extension__ typedef unsigned __int128 UnsignedBig;
    Big product = bits == 64 && !IsSignedType(type) ? Big(UnsignedBig(a) * UnsignedBig(b)) : a * b;
    if (high)
      product =
          bits == 64 && !IsSignedType(type) ? Big(UnsignedBig(product) >> 64) : product >> bits;
    if (adds) product = Big(UnsignedBig(product) + UnsignedBig(c));
    return saturates ? Saturated(product) : product;
  });
}

std::optional<FormCase> PairCase(const Form& form, const std::string& type) {
  FormCase c;
  c.body = form.text + " %d, %a0, %a1;";
  c.sources = {type, type};
  c.result = type;
  std::string op = form.opcode, half = type.substr(0, 3);
  c.expect = [=](const Slots& in) {
    uint64_t result = 0;
    for (int shift : {0, 16}) {
      int64_t a = SignedOf(half, in[0] >> shift), b = SignedOf(half, in[1] >> shift);
      int64_t value = op == "add" ? a + b : op == "min" ? std::min(a, b) : std::max(a, b);
      result |= Masked(static_cast<uint64_t>(value), 16) << shift;
    }
    return result;
  };
  return c;
}

// addc and its like, behind an instruction that leaves a carry: the carry of a2 + a3 or the borrow
// of a2 - a3.
std::optional<FormCase> CarryCase(const Form& form, const std::string& type) {
  int bits = BitsOfType(type);
  bool subtracts = form.opcode.starts_with("sub"), multiplies = form.opcode.starts_with("mad");
  bool takes = form.opcode.size() == 4, leaves = form.Has("cc"), high = form.Has("hi");
  FormCase c;
  c.sources.assign(multiplies ? 3 : 4, type);
  c.result = type;
  c.result2 = type;
  std::string cc = "." + type;
  if (takes) {
    c.body = subtracts ? "sub.cc" + cc + " %d, %a2, %a3;\n  "
                       : "add.cc" + cc + " %d, %a2, %a" + (multiplies ? "1" : "3") + ";\n  ";
  }
  c.body += form.text + " %d, %a0, %a1" + (multiplies ? ", %a2;" : ";");
  c.body += leaves ? (subtracts ? "\n  subc" : "\n  addc") + cc + " %e, 0, 0;"
                   : "\n  mov.b" + std::to_string(bits) + " %e, 0;";
  auto run = [=](const Slots& in, uint64_t& carry_out) {
    __extension__ typedef unsigned __int128 UnsignedBig;
    UnsignedBig modulus = UnsignedBig(1) << bits;
    UnsignedBig a = Masked(in[0], bits), b = Masked(in[1], bits), x = Masked(in[2], bits);
    UnsignedBig y = multiplies ? b : UnsignedBig(Masked(in[3], bits));
    UnsignedBig carry = !takes ? 0 : subtracts ? x < y : (x + y) / modulus;
    UnsignedBig left = a, right = b;
    if (multiplies) {
      UnsignedBig product = a * b;
      if (high && IsSignedType(type))
        product = UnsignedBig(Big(SignedOf(type, in[0])) * SignedOf(type, in[1]));
      left = (high ? product >> bits : product) % modulus;
      right = x;
    }
    if (subtracts) {
      carry_out = left < right + carry;
      return static_cast<uint64_t>((left + modulus + modulus - right - carry) % modulus);
    }
    carry_out = static_cast<uint64_t>((left + right + carry) / modulus);
    return static_cast<uint64_t>((left + right + carry) % modulus);
  };
  c.expect = [=](const Slots& in) {
    uint64_t carry;
    return run(in, carry);
  };
  c.expect2 = [=](const Slots& in) {
    uint64_t carry;
    run(in, carry);
    if (!leaves) return uint64_t{0};
    return subtracts ? Masked(-carry, bits) : carry;
  };
  return c;
}

std::optional<FormCase> DotProductCase(const Form& form) {
  if (form.types.size() != 2) return std::nullopt;
  bool four = form.opcode == "dp4a", high = form.Has("hi");
  std::string a_type = form.types[0].substr(0, 1) + (four ? "8" : "16"),
              b_type = form.types[1].substr(0, 1) + "8";
  FormCase c;
  c.body = form.text + " %d, %a0, %a1, %a2;";
  c.sources = {form.types[0], form.types[1], "b32"};
  c.result = "b32";
  c.expect = [=](const Slots& in) {
    int64_t sum = static_cast<int64_t>(in[2]);
    for (int i = 0; i < (four ? 4 : 2); ++i) {
      int a_shift = (four ? 8 : 16) * i, b_shift = 8 * (i + (!four && high ? 2 : 0));
      sum += SignedOf(a_type, in[0] >> a_shift) * SignedOf(b_type, in[1] >> b_shift);
    }
    return Masked(static_cast<uint64_t>(sum), 32);
  };
  return c;
}

uint64_t Permuted(uint64_t a, uint64_t b, uint64_t selector, std::string_view mode) {
  uint64_t bytes = b << 32 | a, result = 0;
  constexpr std::string_view kTables[][2] = {
      // for each value of the low two bits of the selector the bytes, the lowest last
      {"f4e", "3210 4321 5432 6543"}, {"b4e", "5670 6701 7012 0123"},
      {"rc8", "0000 1111 2222 3333"}, {"ecl", "3210 3211 3222 3333"},
      {"ecr", "0000 1110 2210 3210"}, {"rc16", "1010 3232 1010 3232"}};
  for (uint64_t i = 0; i < 4; ++i) {
    uint64_t digit = selector >> (4 * i) & 15;
    for (const auto& table : kTables) {
      if (table[0] == mode)
        digit = static_cast<uint64_t>(table[1][(selector & 3) * 5 + 3 - i] - '0');
    }
    uint64_t byte = bytes >> (8 * (digit & 7)) & 0xff;
    if (digit & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

}  // namespace

std::optional<FormCase> IntegerCase(const Form& form) {
  const std::string& op = form.opcode;
  if (op == "dp4a" || op == "dp2a") return DotProductCase(form);
  if (form.types.size() != 1 || IsFloatType(form.types[0]) || form.types[0] == "pred")
    return std::nullopt;
  const std::string& type = form.types[0];
  int bits = BitsOfType(type);
  bool carries = op == "addc" || op == "subc" || op == "madc" || form.Has("cc");
  if (carries) return CarryCase(form, type);
  if (type.ends_with("x2")) return PairCase(form, type);
  bool saturates = form.Has("sat");
  if (op == "add") {
    return Case(form, 2, type, type,
                [=](Big a, Big b, Big) { return saturates ? Saturated(a + b) : a + b; });
  }
  if (op == "sub") {
    return Case(form, 2, type, type,
                [=](Big a, Big b, Big) { return saturates ? Saturated(a - b) : a - b; });
  }
  if (op == "mul" || op == "mad") return MultiplyCase(form, type);
  if (op == "mul24" || op == "mad24") {
    bool high = form.Has("hi");
    return Case(form, op == "mad24" ? 3 : 2, type, type, [=](Big a, Big b, Big c) {
      auto low = [&](Big x) {
        int64_t value = static_cast<int64_t>(x) & 0xffffff;
        return IsSignedType(type) && value >= 0x800000 ? value - 0x1000000 : value;
      };
      int64_t product = low(a) * low(b);
      return Big(high ? product >> 16 : product) + (op == "mad24" ? c : 0);
    });
  }
  if (op == "div" || op == "rem") {
    FormCase c = Case(form, 2, type, type, [=](Big a, Big b, Big) {
      return b == 0 ? Big(0) : op == "div" ? a / b : a % b;
    });
    c.skip = [=](const Slots& in) { return Masked(in[1], bits) == 0; };  // not defined
    return c;
  }
  if (op == "min" || op == "max") {
    bool relu = form.Has("relu");
    return Case(form, 2, type, type, [=](Big a, Big b, Big) {
      Big chosen = (a < b) == (op == "min") ? a : b;
      return relu && chosen < 0 ? Big(0) : chosen;
    });
  }
  if (op == "abs") return Case(form, 1, type, type, [](Big a, Big, Big) { return a < 0 ? -a : a; });
  if (op == "neg") return Case(form, 1, type, type, [](Big a, Big, Big) { return -a; });
  if (op == "sad") {
    return Case(form, 3, type, type,
                [](Big a, Big b, Big c) { return c + (a < b ? b - a : a - b); });
  }
  return std::nullopt;
}

std::optional<FormCase> BitCase(const Form& form) {
  const std::string& op = form.opcode;
  if (form.types.size() != 1 || IsFloatType(form.types[0])) return std::nullopt;
  const std::string& type = form.types[0];
  int bits = BitsOfType(type);
  if (op == "and" || op == "or" || op == "xor") {
    return Case(form, 2, type, type, [=](Big a, Big b, Big) {
      return op == "and" ? a & b : op == "or" ? a | b : a ^ b;
    });
  }
  if (op == "not")
    return Case(form, 1, type, type, [=](Big a, Big, Big) { return type == "pred" ? 1 - a : ~a; });
  if (op == "cnot") return Case(form, 1, type, type, [](Big a, Big, Big) { return Big(a == 0); });
  if (op == "popc" || op == "clz" || op == "bfind") {
    bool shift = form.Has("shiftamt");
    return Case(form, 1, type, "b32", [=](Big a, Big, Big) {
      if (op == "bfind" && a < 0) a = ~a;
      int count = 0, highest = -1;
      for (int i = 0; i < bits; ++i) {
        if ((a >> i & 1) == 0) continue;
        ++count;
        highest = i;
      }
      if (op == "popc") return Big(count);
      if (op == "clz") return Big(bits - 1 - highest);
      return Big(highest >= 0 && shift ? bits - 1 - highest : highest);
    });
  }
  if (op == "brev") {
    return Case(form, 1, type, type, [=](Big a, Big, Big) {
      Big result = 0;
      for (int i = 0; i < bits; ++i) result |= (a >> i & 1) << (bits - 1 - i);
      return result;
    });
  }
  FormCase c;
  c.result = type;
  if (op == "shl" || op == "shr") {
    c.body = form.text + " %d, %a0, %a1;";
    c.sources = {type, "u32"};
    c.expect = [=](const Slots& in) {
      uint64_t n = in[1];
      if (op == "shl") return n >= static_cast<uint64_t>(bits) ? 0 : Masked(in[0] << n, bits);
      int64_t a = SignedOf(type, in[0]);
      if (n >= static_cast<uint64_t>(bits))
        return IsSignedType(type) && a < 0 ? Masked(~uint64_t{0}, bits) : 0;
      return IsSignedType(type) ? Masked(static_cast<uint64_t>(a >> n), bits)
                                : Masked(in[0], bits) >> n;
    };
    return c;
  }
  if (op == "bfe") {
    c.body = form.text + " %d, %a0, %a1, %a2;";
    c.sources = {type, "u32", "u32"};
    c.expect = [=](const Slots& in) {
      // The documentation's own words, bit by bit.
      int position = static_cast<int>(in[1] & 0xff), length = static_cast<int>(in[2] & 0xff),
          msb = bits - 1;
      bool sign = IsSignedType(type) && length != 0 &&
                  (in[0] >> std::min(position + length - 1, msb) & 1) != 0;
      uint64_t d = 0;
      for (int i = 0; i <= msb; ++i) {
        bool bit = i < length && position + i <= msb ? (in[0] >> (position + i) & 1) != 0 : sign;
        d |= uint64_t{bit} << i;
      }
      return d;
    };
    return c;
  }
  if (op == "bfi") {
    c.body = form.text + " %d, %a0, %a1, %a2, %a3;";
    c.sources = {type, type, "u32", "u32"};
    c.expect = [=](const Slots& in) {
      int position = static_cast<int>(in[2] & 0xff), length = static_cast<int>(in[3] & 0xff);
      uint64_t d = in[1];
      for (int i = 0; i < length && position + i < bits; ++i) {
        d = (d & ~(uint64_t{1} << (position + i))) | (in[0] >> i & 1) << (position + i);
      }
      return d;
    };
    return c;
  }
  if (op == "shf") {
    c.body = form.text + " %d, %a0, %a1, %a2;";
    c.sources = {type, type, "u32"};
    bool left = form.Has("l"), wraps = form.Has("wrap");
    c.expect = [=](const Slots& in) {
      Big both = Big(in[1] << 32 | in[0]);
      int n = static_cast<int>(wraps ? in[2] % 32 : std::min<uint64_t>(in[2], 32));
      return Masked(static_cast<uint64_t>(left ? (both << n) >> 32 : both >> n), 32);
    };
    return c;
  }
  if (op == "lop3") {
    c.body = form.text + " %d, %a0, %a1, %a2, 0xCA;";  // a ? b : c
    c.sources = {type, type, type};
    c.expect = [](const Slots& in) { return (in[0] & in[1]) | (~in[0] & in[2] & 0xffffffff); };
    return c;
  }
  if (op == "prmt") {
    c.body = form.text + " %d, %a0, %a1, %a2;";
    c.sources = {type, type, type};
    std::string mode = form.modifiers.size() > 1 ? form.modifiers[1] : "";
    c.expect = [=](const Slots& in) { return Permuted(in[0], in[1], in[2], mode); };
    return c;
  }
  if (op == "bmsk" || op == "szext") {
    c.body = form.text + " %d, %a0, %a1;";
    c.sources = {op == "bmsk" ? "u32" : type, "u32"};
    bool wraps = form.Has("wrap");
    c.expect = [=](const Slots& in) {
      uint64_t b = wraps ? in[1] & 31 : std::min<uint64_t>(in[1], 32);
      if (op == "szext") {
        if (b == 0) return uint64_t{0};
        uint64_t low = Masked(in[0], static_cast<int>(b));
        bool sign = IsSignedType(type) && (low >> (b - 1) & 1) != 0;
        return sign ? Masked(low | ~uint64_t{0} << b, 32) : low;
      }
      uint64_t a = wraps ? in[0] & 31 : in[0], d = 0;
      for (uint64_t i = a; i < 32 && i < a + b; ++i) d |= uint64_t{1} << i;
      return d;
    };
    return c;
  }
  if (op == "fns") {
    c.body = "and.b32 %t0, %a1, 31;\n  cvt.s32.s8 %t1, %a2;\n  fns.b32 %d, %a0, %t0, %t1;";
    c.sources = {"b32", "u32", "u16"};
    c.expect = [](const Slots& in) {
      int base = static_cast<int>(in[1] & 31), offset = static_cast<int8_t>(in[2]), found = -1;
      if (offset == 0) return in[0] >> base & 1 ? uint64_t(base) : uint64_t{0xffffffff};
      for (int i = base, left = std::abs(offset); i >= 0 && i < 32 && found < 0;
           i += offset > 0 ? 1 : -1) {
        if ((in[0] >> i & 1) != 0 && --left == 0) found = i;
      }
      return Masked(static_cast<uint64_t>(found), 32);
    };
    return c;
  }
  return std::nullopt;
}

}  // namespace tfrt::gpu::ptx
