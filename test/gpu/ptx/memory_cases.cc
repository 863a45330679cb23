// Loads, stores and atomic operations in all state spaces.
#include <algorithm>
#include <bit>
#include <cmath>

#include "test/gpu/ptx/form_case.h"
#include "test/gpu/ptx/reference_float.h"

namespace tfrt::gpu::ptx {
namespace {

std::string SpaceOf(const Form& form) {
  for (const char* space : {"global", "shared", "local", "const", "param"}) {
    if (form.Has(space)) return space;
  }
  return form.Has("shared::cta") ? "shared" : "";
}

uint64_t BytesAt(const Slots& in, int begin, int size) {
  unsigned __int128 both = static_cast<unsigned __int128>(in[1]) << 64 | in[0];
  return Masked(static_cast<uint64_t>(both >> (8 * begin)), 8 * size);
}

std::string Register(const std::string& type) {
  return std::to_string(std::max(16, BitsOfType(type)));
}

// 16 bytes that belong to the thread, and instructions that bring their address into %t2 (%t0 for a
// window of 32 bits).
struct Place {
  std::string globals;
  std::string setup;
  std::string address;
};

Place PlaceIn(const std::string& space) {
  if (space == "shared") {
    return {".shared .align 16 .b8 sdata[4096];\n",
            "mov.u32 %t0, %tid.x;\n  shl.b32 %t0, %t0, 4;\n  mov.u32 %t1, sdata;\n  add.u32 %t0, "
            "%t0, %t1;\n  ",
            "%t0"};
  }
  if (space == "local")
    return {"", ".local .align 16 .b8 ldata[16];\n  mov.u64 %t2, ldata;\n  ", "%t2"};
  return {"", "", "%out"};
}

// What a load of one element leaves in its register, extended with its sign if it has one.
uint64_t Extended(const std::string& type, uint64_t bits) {
  return Masked(IsSignedType(type) ? static_cast<uint64_t>(SignedOf(type, bits)) : bits,
                std::max(16, BitsOfType(type)));
}

FormCase LoadCase(const Form& form) {
  FormCase c;
  std::string space = SpaceOf(form), type = form.types[0];
  int count = form.Has("v4") ? 4 : form.Has("v2") ? 2 : 1, size = BitsOfType(type) / 8;
  c.sources = {"b64", "b64"};
  c.result = c.result2 = type;
  std::string width = Register(type);
  std::string target = count == 1 ? "%d" : count == 2 ? "{%d, %e}" : "{%d, %v1, %v2, %e}";
  std::string last = count == 1 ? "\n  mov.b" + width + " %e, %d;" : "";
  if (space == "param") {
    c.globals = ".visible .func (.param .b64 r) pass(.param .align 8 .b8 x[8]) {\n  .reg .b" +
                width + " %v;\n  .reg .b64 %w;\n  " + form.text + " %v, [x];\n  " +
                (width == "64" ? "mov.b64 %w, %v;" : "cvt.u64.u" + width + " %w, %v;") +
                "\n  st.param.b64 [r], %w;\n  ret;\n}\n";
    c.body =
        "{\n  .param .align 8 .b8 p[8];\n  .param .b64 q;\n  st.param.b64 [p], %a0;\n  call.uni "
        "(q), pass, (p);\n  ld.param.b64 %t2, [q];\n  }\n  " +
        (width == "64" ? std::string("mov.b64 %d, %t2;") : "cvt.u" + width + ".u64 %d, %t2;") +
        last;
  } else if (space == "const") {
    c.globals = ".const .align 16 .b64 cdata[2] = {0x8182838485868788, 0x7172737475767778};\n";
    c.body = ".reg .b" + width + " %v1, %v2;\n  " + form.text + " " + target + ", [cdata];" + last;
  } else if (form.opcode == "ldu" || form.Has("nc")) {
    // Of memory that the kernel does not write: the sources themselves, in their 16 bytes.
    c.body = ".reg .b" + width + " %v1, %v2;\n  " + form.text + " " + target + ", [%in];" + last;
  } else {
    Place place = PlaceIn(space);
    std::string store = space.empty() ? "global" : space;
    c.globals = place.globals;
    c.body = ".reg .b" + width + " %v1, %v2;\n  " + place.setup + "st." + store + ".b64 [" +
             place.address + "], %a0;\n  st." + store + ".b64 [" + place.address + "+8], %a1;\n  " +
             form.text + " " + target + ", [" + place.address + "];" + last;
  }
  auto element = [=](const Slots& in, int index) {
    Slots constant = {0x8182838485868788, 0x7172737475767778};
    return Extended(type, BytesAt(space == "const" ? constant : in, index * size, size));
  };
  c.expect = [=](const Slots& in) { return element(in, 0); };
  c.expect2 = [=](const Slots& in) { return element(in, count - 1); };
  return c;
}

FormCase StoreCase(const Form& form) {
  FormCase c;
  std::string space = SpaceOf(form), type = form.types[0];
  int count = form.Has("v4") ? 4 : form.Has("v2") ? 2 : 1, bits = BitsOfType(type);
  c.sources.assign(static_cast<size_t>(count), type);
  c.result = c.result2 = "b64";
  std::string width = Register(type);
  if (space == "param") {
    c.globals = ".visible .func (.param .align 8 .b8 r[8]) pass(.param .b64 x) {\n  .reg .b" +
                width + " %v;\n  .reg .b64 %w;\n  ld.param.b64 %w, [x];\n  " +
                (width == "64" ? "mov.b64 %v, %w;" : "cvt.u" + width + ".u64 %v, %w;") +
                "\n  st.param.b64 [r], 0;\n  " + form.text + " [r], %v;\n  ret;\n}\n";
    c.body = std::string("{\n  .param .align 8 .b8 p[8];\n  .param .b64 q;\n  ") +
             (width == "64" ? "mov.b64 %t2, %a0;" : "cvt.u64.u" + width + " %t2, %a0;") +
             "\n  st.param.b64 [q], %t2;\n  call.uni (p), pass, (q);\n  ld.param.b64 %d, [p];\n  "
             "}\n  mov.b64 %e, 0;";
  } else {
    Place place = PlaceIn(space);
    std::string plain = space.empty() ? "global" : space;
    std::string source = count == 1 ? "%a0" : count == 2 ? "{%a0, %a1}" : "{%a0, %a1, %a2, %a3}";
    c.globals = place.globals;
    std::string at = "[" + place.address, load = "ld." + plain + ".b64",
                store = "st." + plain + ".b64";
    c.body = place.setup + store + " " + at + "], 0;\n  " + store + " " + at + "+8], 0;\n  " +
             form.text + " " + at + "], " + source + ";\n  " + load + " %d, " + at + "];\n  " +
             load + " %e, " + at + "+8];";
  }
  auto both = [=](const Slots& in) {
    unsigned __int128 bytes = 0;
    for (int i = 0; i < count; ++i)
      bytes |= static_cast<unsigned __int128>(Masked(in[i], bits)) << (bits * i);
    return bytes;
  };
  c.expect = [=](const Slots& in) { return static_cast<uint64_t>(both(in)); };
  c.expect2 = [=](const Slots& in) { return static_cast<uint64_t>(both(in) >> 64); };
  return c;
}

uint64_t Sum(const std::string& type, bool flush, uint64_t a, uint64_t b) {
  if (type == "f64")
    return std::bit_cast<uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
  if (type == "f32") {
    if (flush) {
      a = kSingleFormat.Flush(a);
      b = kSingleFormat.Flush(b);
    }
    uint64_t sum = kSingleFormat.EncodeNearest(kSingleFormat.Decode(a) + kSingleFormat.Decode(b));
    return flush ? kSingleFormat.Flush(sum) : sum;
  }
  SmallFormat format = type.starts_with("bf") ? kBFloatFormat : kHalfFormat;
  uint64_t result = 0;
  for (int shift = 0; shift < BitsOfType(type); shift += 16) {
    result |= format.EncodeNearest(format.Decode(a >> shift & 0xffff) +
                                   format.Decode(b >> shift & 0xffff))
              << shift;
  }
  return result;
}

}  // namespace

std::optional<FormCase> MemoryCase(const Form& form) {
  if (form.types.size() != 1) return std::nullopt;
  if (form.opcode == "ld" || form.opcode == "ldu") return LoadCase(form);
  if (form.opcode == "st") return StoreCase(form);
  return std::nullopt;
}

std::optional<FormCase> AtomicCase(const Form& form) {
  if ((form.opcode != "atom" && form.opcode != "red") || form.types.size() != 1)
    return std::nullopt;
  std::string space = SpaceOf(form), type = form.types[0], op;
  for (const char* name : {"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"}) {
    if (form.Has(name)) op = name;
  }
  bool gives_back = form.opcode == "atom";
  int bits = BitsOfType(type);
  std::string width = std::to_string(bits), plain = space.empty() ? "global" : space;
  Place place = PlaceIn(space);
  FormCase c;
  c.globals = place.globals;
  c.sources = {type, type, type};
  c.result = c.result2 = type;
  std::string at = "[" + place.address + "]";
  c.body = place.setup + "st." + plain + ".b" + width + " " + at + ", %a0;\n  " + form.text +
           (gives_back ? " %d, " : " ") + at + ", %a1" + (op == "cas" ? ", %a2" : "") + ";\n  ld." +
           plain + ".b" + width + " %e, " + at + ";" +
           (gives_back ? "" : "\n  mov.b" + width + " %d, %a0;");
  c.expect = [](const Slots& in) { return in[0]; };
  c.expect2 = [=](const Slots& in) {
    uint64_t a = in[0], b = in[1];
    int64_t x = SignedOf(type, a), y = SignedOf(type, b);
    bool less = IsSignedType(type) ? x < y : a < b;
    if (op == "and") return a & b;
    if (op == "or") return a | b;
    if (op == "xor") return a ^ b;
    if (op == "cas") return a == b ? in[2] : a;
    if (op == "exch") return b;
    if (op == "min") return less ? a : b;
    if (op == "max") return less ? b : a;
    if (op == "inc") return a >= b ? uint64_t{0} : a + 1;
    if (op == "dec") return a == 0 || a > b ? b : a - 1;
    if (IsFloatType(type)) return Sum(type, space != "shared", a, b);
    return Masked(a + b, bits);
  };
  return c;
}

}  // namespace tfrt::gpu::ptx
