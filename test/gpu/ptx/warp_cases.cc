// What lanes do together, moves, addresses, and control flow: kernels written by hand.
#include <algorithm>
#include <bit>

#include "test/gpu/ptx/form_case.h"

namespace tfrt::gpu::ptx {
namespace {

using Values = std::vector<uint64_t>;

FormCase WarpForm(std::string body, std::vector<std::string> sources, std::string result,
                  std::function<Values(const Values&)> expect) {
  FormCase c;
  c.body = std::move(body);
  c.sources = std::move(sources);
  c.result = std::move(result);
  c.expect_warp = std::move(expect);
  return c;
}

uint32_t Yes(const Values& a) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < 32; ++i) mask |= uint32_t{a[i] != 0} << i;
  return mask;
}

// Segments of 8 lanes: shuffles by 3 inside of them; where there is no such lane, a lane keeps its
// value.
std::optional<FormCase> ShuffleCase(const Form& form) {
  std::string clamp = form.Has("up") ? "0x1800" : "0x1807";
  FormCase c = WarpForm("", {"b32"}, "b32", [=](const Values& a) {
    Values d(32);
    for (int i = 0; i < 32; ++i) {
      int first = i / 8 * 8, from = form.Has("up")     ? i - 3
                                    : form.Has("down") ? i + 3
                                    : form.Has("bfly") ? i ^ 3
                                                       : first + 3;
      bool inside = from >= first && from < first + 8;
      d[static_cast<size_t>(i)] = a[static_cast<size_t>(inside ? from : i)];
    }
    return d;
  });
  c.body = form.text + " %d|%pt, %a0, 3, " + clamp + (form.Has("sync") ? ", -1;" : ";");
  if (!form.Has("sync")) c.head = ".version 6.0\n.target sm_60\n";
  return c;
}

std::optional<FormCase> VoteCase(const Form& form) {
  std::string members = form.Has("sync") ? ", -1;" : ";";
  FormCase c = WarpForm(form.text + " %d, %a0" + members, {"pred"},
                        form.Has("ballot") ? "b32" : "pred", [=](const Values& a) {
                          uint32_t yes = Yes(a);
                          uint64_t result = form.Has("ballot") ? yes
                                            : form.Has("all")  ? yes == ~0u
                                            : form.Has("any")  ? yes != 0
                                                               : yes == 0 || yes == ~0u;
                          return Values(32, result);
                        });
  if (!form.Has("sync")) c.head = ".version 6.0\n.target sm_60\n";
  return c;
}

std::optional<FormCase> MatchCase(const Form& form) {
  std::string width = form.types[0].substr(1);
  std::string few = "and.b" + width + " %a0, %a0, 3;\n  ";
  bool all = form.Has("all");
  return WarpForm(few + form.text + (all ? " %d|%pt, %a0, -1;" : " %d, %a0, -1;"), {form.types[0]},
                  "b32", [=](const Values& a) {
                    Values d(32);
                    for (uint32_t i = 0; i < 32; ++i) {
                      for (uint32_t j = 0; j < 32; ++j)
                        d[i] |= uint64_t{(a[i] & 3) == (a[j] & 3)} << j;
                    }
                    bool same = d[0] == 0xffffffff;
                    if (all) std::fill(d.begin(), d.end(), same ? 0xffffffff : 0);
                    return d;
                  });
}

std::optional<FormCase> ReduceCase(const Form& form) {
  return WarpForm(form.text + " %d, %a0, -1;", {form.types[0]}, form.types[0],
                  [=](const Values& a) {
                    int64_t result = SignedOf(form.types[0], a[0]);
                    for (size_t i = 1; i < 32; ++i) {
                      int64_t value = SignedOf(form.types[0], a[i]);
                      result = form.Has("add")   ? result + value
                               : form.Has("min") ? std::min(result, value)
                               : form.Has("max") ? std::max(result, value)
                               : form.Has("and") ? result & value
                               : form.Has("or")  ? result | value
                                                 : result ^ value;
                    }
                    return Values(32, Masked(static_cast<uint64_t>(result), 32));
                  });
}

// Lane i writes to shared memory, waits, and reads what lane 31 - i wrote: only a barrier makes
// that no race.
FormCase ThroughShared(const std::string& barrier) {
  FormCase c =
      WarpForm("", {"b32"}, "b32", [](const Values& a) { return Values(a.rbegin(), a.rend()); });
  c.globals = ".shared .align 4 .b32 sdata[1024];\n";
  c.body =
      "mov.u32 %t0, %tid.x;\n  shl.b32 %t0, %t0, 2;\n  mov.u32 %t1, sdata;\n  add.u32 %t0, %t0, "
      "%t1;\n  st.shared.b32 [%t0], %a0;\n  " +
      barrier +
      "\n  mov.u32 %t0, %tid.x;\n  xor.b32 %t0, %t0, 31;\n  shl.b32 %t0, %t0, 2;\n  add.u32 %t0, "
      "%t0, %t1;\n  ld.shared.b32 %d, [%t0];";
  return c;
}

std::optional<FormCase> BarrierCase(const Form& form) {
  if (form.Has("warp")) return ThroughShared(form.text + " -1;");
  if (form.Has("arrive")) return ThroughShared(form.text + " 1, 128;\n  bar.sync 0;");
  if (!form.Has("red")) return ThroughShared(form.text + " 0;");
  // All threads of the block have the same predicate in these: that of their warp's first lane
  // would do as well.
  std::string result = form.Has("popc") ? "b32" : "pred";
  return WarpForm("setp.ne.u32 %pt, %thread, 0xffffffff;\n  " + form.text + " %d, 0, %pt;", {"b32"},
                  result, [=](const Values&) { return Values(32, form.Has("popc") ? 128 : 1); });
}

std::optional<FormCase> Plain(std::string body, std::vector<std::string> sources,
                              std::string result, std::function<uint64_t(const Slots&)> expect,
                              std::string globals = "") {
  FormCase c;
  c.body = std::move(body);
  c.sources = std::move(sources);
  c.result = std::move(result);
  c.expect = std::move(expect);
  c.globals = std::move(globals);
  return c;
}

uint64_t First(const Slots& in) { return in[0]; }

}  // namespace

std::optional<FormCase> WarpCase(const Form& form) {
  const std::string& op = form.opcode;
  if (op == "shfl") return ShuffleCase(form);
  if (op == "vote") return VoteCase(form);
  if (op == "match") return MatchCase(form);
  if (op == "redux") return ReduceCase(form);
  if (op == "bar" || op == "barrier") return BarrierCase(form);
  if (op == "activemask") {
    return WarpForm("activemask.b32 %d;", {"b32"}, "b32",
                    [](const Values&) { return Values(32, 0xffffffff); });
  }
  if (op == "elect") {
    return WarpForm("elect.sync %d|%pt, -1;", {"b32"}, "b32",
                    [](const Values&) { return Values(32, 0); });
  }
  return std::nullopt;
}

std::optional<FormCase> ControlCase(const Form& form) {
  const std::string &op = form.opcode, &text = form.text;
  if (op == "mov") {
    const std::string& type = form.types[0];
    return Plain(text + " %d, %a0;", {type}, type, First);
  }
  if (op == "membar" || op == "fence" || op == "nanosleep" || op == "griddepcontrol") {
    return Plain(text + (op == "nanosleep" ? " 10" : "") + ";\n  mov.b32 %d, %a0;", {"b32"}, "b32",
                 First);
  }
  if (op == "bra") {
    return Plain(
        "setp.gt.s32 %pt, %a0, 0;\n  mov.b32 %d, 1;\n  @%pt bra YES;\n  mov.b32 %d, 2;\nYES:\n  " +
            text + " END;\n  mov.b32 %d, 3;\nEND:",
        {"s32"}, "b32", [](const Slots& in) { return SignedOf("s32", in[0]) > 0 ? 1 : 2; });
  }
  if (op == "brx") {
    return Plain(
        "and.b32 %t0, %a0, 3;\nTS: .branchtargets T0, T1, T2, T1;\n  brx.idx %t0, TS;\nT0:\n  "
        "mov.b32 %d, 10;\n  bra END;\n"
        "T1:\n  mov.b32 %d, 11;\n  bra END;\nT2:\n  mov.b32 %d, 12;\nEND:",
        {"b32"}, "b32", [](const Slots& in) {
          uint64_t index = in[0] & 3;
          return index == 0 ? 10 : index == 2 ? 12 : 11;
        });
  }
  if (op == "call" || op == "ret") {
    return Plain(
        "{\n  .param .b32 p;\n  .param .b32 q;\n  st.param.b32 [p], %a0;\n  " +
            (op == "call" ? text : "call") + " (q), next, (p);\n  ld.param.b32 %d, [q];\n  }",
        {"b32"}, "b32", [](const Slots& in) { return Masked(in[0] + 1, 32); },
        ".visible .func (.param .b32 r) next(.param .b32 x) {\n  .reg .b32 %v;\n  ld.param.b32 %v, "
        "[x];\n  add.u32 %v, %v, 1;\n"
        "  st.param.b32 [r], %v;\n  ret;\n}\n");
  }
  if (op == "exit") {
    return Plain(
        "mov.b32 %d, %a0;\n  setp.eq.u32 %pt, %a0, 0;\n  st.global.b32 [%out], 0;\n  @%pt exit;",
        {"b32"}, "b32", First);
  }
  if (op == "trap" || op == "brkpt") {
    return Plain("setp.eq.u32 %pt, %thread, 0xffffffff;\n  @%pt " + text + ";\n  mov.b32 %d, %a0;",
                 {"b32"}, "b32", First);
  }
  if (op == "isspacep") {
    bool global = form.Has("global");
    return Plain(text + " %d, %out;", {"b32"}, "pred",
                 [=](const Slots&) { return uint64_t{global}; });
  }
  if (op == "cvta") {
    std::string space = form.Has("shared")  ? "shared"
                        : form.Has("local") ? "local"
                        : form.Has("const") ? "const"
                                            : "global";
    std::string variable = space == "shared"   ? ".shared .align 8 .b64 var[128];\n"
                           : space == "const"  ? ".const .align 8 .b64 var[1] = {7};\n"
                           : space == "global" ? ".global .align 8 .b64 var[1] = {7};\n"
                                               : "";
    std::string local = space == "local" ? ".local .align 8 .b64 var[1];\n  " : "";
    bool to = form.Has("to");
    // To a generic address and, in one way or the other, back: what is stored by one kind is loaded
    // by the other.
    std::string there = to ? "cvta." + space + ".u64 %t2, %t2;\n  " : "",
                address = "mov.u64 %t2, var;\n  ";
    if (space == "const" || space == "global") {
      return Plain(
          address + there + text + " %t2, %t2;\n  ld" + (to ? "." + space : "") + ".b64 %d, [%t2];",
          {"b64"}, "b64", [](const Slots&) { return uint64_t{7}; }, variable);
    }
    std::string index =
        space == "shared"
            ? "mov.u32 %t0, %tid.x;\n  mul.wide.u32 %out2, %t0, 8;\n  add.u64 %t2, %t2, %out2;\n  "
            : "";
    return Plain(local + ".reg .b64 %out2;\n  " + address + index + "st." + space +
                     ".b64 [%t2], %a0;\n  " + there + text + " %t2, %t2;\n  ld" +
                     (to ? "." + space : "") + ".b64 %d, [%t2];",
                 {"b64"}, "b64", First, variable);
  }
  return std::nullopt;
}

}  // namespace tfrt::gpu::ptx
