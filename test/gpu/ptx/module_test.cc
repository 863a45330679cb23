// What a module tells of itself, and why texts are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "test/gpu/ptx/test_memory.h"
#include "test/gpu/vendor/ptx/module.h"
#include "test/gpu/vendor/ptx/program.h"

namespace tfrt::gpu::ptx {
namespace {

using testing::HasSubstr;

constexpr char kHead[] = ".version 7.0\n.target sm_75\n.address_size 64\n";

ParseError ErrorOf(const std::string& text) {
  auto parsed = Module::Parse(text);
  if (auto* error = std::get_if<ParseError>(&parsed)) return *error;
  ADD_FAILURE() << "accepted: " << text;
  return {};
}
std::string BodyText(const std::string& body) {
  return kHead +
         std::string(
             ".entry k() {\n.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>; .reg .pred "
             "%p<9>;\n") +
         body + "\n}\n";
}
ParseError ErrorOfBody(const std::string& body) { return ErrorOf(BodyText(body)); }

TEST(Module, TellsOfEntriesAndVariables) {
  auto parsed = Module::Parse(kHead + std::string(R"(
.global .align 8 .u64 table[2] = {other, other+4};
.visible .global .align 16 .b8 other[12] = {1, 2, 3};
)"));
  EXPECT_TRUE(std::holds_alternative<ParseError>(parsed))
      << "'other' is used before it is declared";
  parsed = Module::Parse(kHead + std::string(R"(
.visible .global .align 16 .b8 other[12] = {1, 2, 3};
.global .align 8 .u64 table[2] = {other, generic(other)+4};
.const .f32 factors[2][2] = {{1.0, 0f40000000}, {3.0, -4.0}};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 .ptr .global .align 4 a, .param .u8 b, .param .align 8 .b8 c[20],
 .param .f32 d)
.reqntid 8, 4, 2
.maxntid 256 {
  .shared .align 4 .b8 s[10];
  .shared .align 8 .b64 t;
  .local .align 4 .b8 l[40];
  .reg .b32 %r;
  mov.u32 %r, s;
  mov.u32 %r, t;
  mov.u32 %r, dynamic;
  ret;
}
)"));
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<const Module>>(parsed))
      << std::get<ParseError>(parsed).Log();
  const Module& module = *std::get<std::unique_ptr<const Module>>(parsed);
  EXPECT_EQ(module.version(), 70);
  EXPECT_EQ(module.target(), 75);
  ASSERT_EQ(module.entries().size(), 1u);
  const Entry& entry = *module.FindEntry("k");
  ASSERT_EQ(entry.parameters.size(), 4u);
  EXPECT_EQ(entry.parameters[1].offset, 8u);
  EXPECT_EQ(entry.parameters[2].offset, 16u);
  EXPECT_EQ(entry.parameters[2].size, 20u);
  EXPECT_EQ(entry.parameters[2].alignment, 8u);
  EXPECT_EQ(entry.parameters[3].offset, 36u);
  EXPECT_EQ(entry.parameter_bytes, 40u);
  EXPECT_EQ(entry.required_threads, (Dim3{8, 4, 2}));
  EXPECT_EQ(entry.maximum_threads, (Dim3{256, 1, 1}));
  EXPECT_EQ(entry.static_shared_bytes, 24u);
  EXPECT_TRUE(entry.uses_dynamic_shared);
  EXPECT_EQ(entry.local_bytes, 40u);
  EXPECT_EQ(module.FindEntry("other"), nullptr);
  ASSERT_EQ(module.variables().size(), 3u);
  EXPECT_TRUE(module.variables()[2].constant);
  const uint64_t addresses[] = {0x1000, 0x2000, 0x3000};
  std::vector<std::byte> bytes = module.InitialBytes(*module.FindVariable("table"), addresses);
  uint64_t values[2];
  ASSERT_EQ(bytes.size(), sizeof(values));
  std::memcpy(values, bytes.data(), sizeof(values));
  EXPECT_EQ(values[0], 0x1000u);
  EXPECT_EQ(values[1], 0x1004u);
  EXPECT_EQ(module.InitialBytes(0, addresses)[2], std::byte{3});
  EXPECT_EQ(module.InitialBytes(0, addresses).size(), 12u);
}

TEST(Module, TellsWhyATextIsRefused) {
  struct Case {
    ParseErrorKind kind;
    std::string text;
    uint32_t line;
    const char* message;
  };
  const Case cases[] = {
      {ParseErrorKind::kNotPtx, "", 1, "a PTX text begins with .version"},
      {ParseErrorKind::kNotPtx,
       "\x7f"
       "ELF\x02",
       1, "a PTX text begins with .version"},
      {ParseErrorKind::kSyntax, ".version seven", 1, "'seven' where a version belongs"},
      {ParseErrorKind::kUnsupported, ".version 5.0\n.target sm_50", 1,
       "version 5.0 is not supported; 6.0 to 9.0 are"},
      {ParseErrorKind::kUnsupported, ".version 9.1\n.target sm_90", 1,
       "version 9.1 is not supported"},
      {ParseErrorKind::kUnsupported, ".version 8.6\n.target sm_100", 2,
       "target 'sm_100' is not supported; sm_30 to sm_90 are"},
      {ParseErrorKind::kUnsupported, ".version 6.0\n.target sm_20", 2, "target 'sm_20'"},
      {ParseErrorKind::kSyntax, ".version 6.0\n.target volta", 2, "'volta' is no target"},
      {ParseErrorKind::kUnsupported, ".version 6.0\n.target sm_30\n.address_size 32", 3, "32 bits"},
      {ParseErrorKind::kSyntax, std::string(kHead) + "entry k() {}", 4,
       "'entry' where a directive belongs"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".entry k() { ret;", 4,
       "end of the text where '}' belongs"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".entry k() { ret; } /*", 4,
       "comment without an end"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".entry k() {} .entry k() {}", 4,
       "'k' is defined twice"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".shared .b32 s = 1;", 4,
       "shared memory cannot be initialised"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".global .b32 s[2] = {1, 2, 3};", 4,
       "more values than 's' has elements"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".global .b32 s[1/0];", 4,
       "a division by zero"},
      {ParseErrorKind::kUnsupported, std::string(kHead) + ".global .texref t;", 4,
       "'.texref' is no type of a variable"},
      {ParseErrorKind::kSyntax, std::string(kHead) + ".func f();\n.entry k() { call f; }", 4,
       "function 'f' is called and not defined"},
      {ParseErrorKind::kUnsupported,
       std::string(kHead) + ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 "
                            "b);\n.entry k() {.param .b64 a; .param .b32 r;\n"
                            "call (r), vprintf, (a, a); }",
       4, "function 'vprintf', which prints, is not supported"},
      {ParseErrorKind::kSyntax,
       std::string(kHead) + ".entry k() { .shared .b8 s[49153]; .reg .b32 %r; mov.u32 %r, s; }", 1,
       "more than 49152 bytes"},
  };
  for (const Case& c : cases) {
    ParseError error = ErrorOf(c.text);
    EXPECT_EQ(error.kind, c.kind) << c.text << ": " << error.Log();
    EXPECT_EQ(error.line, c.line) << c.text << ": " << error.Log();
    EXPECT_THAT(error.message, HasSubstr(c.message)) << c.text;
  }
}

struct BodyCase {
  ParseErrorKind kind;
  const char* body;
  const char* message;
};

constexpr auto kSyntax = ParseErrorKind::kSyntax;
constexpr auto kUnsupported = ParseErrorKind::kUnsupported;
constexpr BodyCase kBodyCases[] = {
    {kUnsupported, "wgmma.fence.sync.aligned;",
     "instruction 'wgmma.fence.sync.aligned' is not supported"},
    {kUnsupported, "cp.async.bulk.tensor.2d.shared::cluster.global.tile [%r0], [%d0, {%r0, %r1}];",
     "instruction 'cp.async.bulk.tensor"},
    {kUnsupported, "tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r0,%r1}];",
     "instruction 'tex.2d.v4.f32.s32' is not supported"},
    {kUnsupported, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r0}, {%f0};",
     "instruction 'mma.sync"},
    {kUnsupported, "add.f99 %f0, %f1, %f2;", "modifier '.f99' is not supported"},
    {kSyntax, "adds.s32 %r0, %r1, %r2;", "'adds' is no instruction"},
    {kSyntax, "add.s32 %r0, %r1;", "'add.s32': 2 operands, where 3 belong"},
    {kSyntax, "add.s32 %f0, %r1, %r2;", "register '%f0' of type .f32 does not fit type .s32"},
    {kSyntax, "add.s32 %r0, %r1, %d1;", "register '%d1' of type .b64 does not fit type .s32"},
    {kSyntax, "add.s32 %r0, %r1, %r9;", "'%r9' is not declared"},
    {kSyntax, "add.f32 %f0, %f1, 1;", "an integer where a value of type .f32 belongs"},
    {kSyntax, "add.s32 %r0, %r1, 1.5;",
     "a floating-point number where a value of type .s32 belongs"},
    {kSyntax, "add.s32 7, %r1, %r2;", "the destination is no register"},
    {kSyntax, "mul.s32 %r0, %r1, %r2;", ".hi, .lo or .wide is missing"},
    {kSyntax, "fma.f32 %f0, %f1, %f2, %f3;", "a rounding is missing"},
    {kSyntax, "cvt.s32.f32 %r0, %f1;", "a rounding to an integer is missing"},
    {kSyntax, "setp.lt.b32 %p0, %r0, %r1;", "type .b32 is not one of this instruction"},
    {kSyntax, "setp.s32 %p0, %r0, %r1;", "a comparison is missing"},
    {kSyntax, "ld.global.u32 %r0, %d0;", "operand 2 must be an address"},
    {kSyntax, "ld.global.v2.u32 %r0, [%d0];", "a vector of 2 elements is missing"},
    {kSyntax, "ld.global.v4.u64 {%d0,%d1,%d2,%d3}, [%d0];", "a vector of more than 128 bits"},
    {kSyntax, "st.const.u32 [%d0], %r0;", "a store to constant memory"},
    {kSyntax, "bra nowhere;", "label 'nowhere' is not defined"},
    {kSyntax, "L: L: ret;", "label 'L' is defined twice"},
    {kSyntax, "@%r0 ret;", "an operand that is no predicate"},
    {kSyntax, "call %r0;", "does not fit type .b64"},
    {kSyntax, ".reg .b32 %r0, %r0;", "'%r0' is declared twice"},
    {kSyntax, "mov.f32 %f0, 0f1234;", "too few digits in the bits of a number"},
    {kUnsupported, ".reg .b128 %q;", "registers of type .b128 are not supported"},
    {kUnsupported, "barrier.cluster.arrive;", "clusters are not supported"},
    {kUnsupported, "fence.proxy.async;", "such fences are not supported"},
    {kSyntax, ".nothing;", "'.nothing' is no directive of a function"},
};

TEST(Module, TellsWhatIsWrongWithAnInstruction) {
  for (const BodyCase& c : kBodyCases) {
    ParseError error = ErrorOfBody(c.body);
    EXPECT_EQ(error.kind, c.kind) << c.body << ": " << error.Log();
    EXPECT_THAT(error.message, HasSubstr(c.message)) << c.body;
    EXPECT_EQ(error.line, 6u) << c.body;
  }
}

// What is called an error here, an assembler does not take, either.
TEST(Module, AnAssemblerRefusesWhatIsRefused) {
  std::string assembler = TFRT_PTXAS;
  if (assembler.empty()) GTEST_SKIP() << "no ptxas";
  std::string path = testing::TempDir() + "/ptx_refused.ptx";
  std::string command =
      assembler + " -arch=sm_90 -O0 " + path + " -o /dev/null > " + path + ".log 2>&1";
  std::ofstream(path) << BodyText("ret;");
  ASSERT_EQ(std::system(command.c_str()), 0);
  for (const BodyCase& c : kBodyCases) {
    if (c.kind != kSyntax) continue;
    std::ofstream(path) << BodyText(c.body);
    EXPECT_NE(std::system(command.c_str()), 0) << c.body;
  }
}

// The program grows with its text, not with the square of it.
TEST(Module, BranchesShareTheirTable) {
  std::string body = "T: .branchtargets A, B;\n";
  for (int i = 0; i < 100; ++i) body += "brx.idx %r1, T;\n";
  auto parsed = Module::Parse(BodyText(body + "A: ret;\nB: ret;"));
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<const Module>>(parsed));
  const Program& program = std::get<std::unique_ptr<const Module>>(parsed)->program();
  EXPECT_EQ(program.branch_tables, (std::vector<std::vector<uint32_t>>{{100, 101}}));
  ParseError error = ErrorOfBody("T: .branchtargets nowhere;\nbrx.idx %r1, T;");
  EXPECT_EQ(error.line, 6u);
  EXPECT_THAT(error.message, HasSubstr("label 'nowhere' is not defined"));
}

TEST(Module, LogIsOneLineWithTheNumberOfTheLine) {
  EXPECT_EQ(ErrorOfBody("adds.s32 %r0, %r1, %r2;").Log(),
            "ptx text, line 6; error: 'adds' is no instruction");
  EXPECT_EQ(ErrorOfBody("wgmma.fence;").Log(),
            "ptx text, line 6; not supported: instruction 'wgmma.fence' is not supported");
}

TEST(Module, VariablesOfTheModuleKeepTheirValues) {
  TestMemory memory;
  TestModule module(kHead + std::string(R"(
.global .u32 counter = 5;
.global .u64 where = counter;
.func (.param .b32 r) twice(.param .b32 x) {
  .reg .b32 %v; ld.param.b32 %v, [x]; add.u32 %v, %v, %v; st.param.b32 [r], %v; ret;
}
.func (.param .b32 r) next(.param .b32 x) {
  .reg .b32 %v; ld.param.b32 %v, [x]; add.u32 %v, %v, 1; st.param.b32 [r], %v; ret;
}
.global .u64 functions[2] = {twice, next};
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %d<6>;
  .param .b32 x; .param .b32 r;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u64 %d2, [where];
  ld.u32 %r1, [%d2];
  and.b32 %r2, %r0, 1;
  mul.wide.u32 %d3, %r2, 8;
  mov.u64 %d4, functions;
  add.u64 %d4, %d4, %d3;
  ld.global.u64 %d5, [%d4];
  st.param.b32 [x], %r1;
P: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (r), %d5, (x), P;
  ld.param.b32 %r3, [r];
  st.global.u32 [%d0], %r3;
  ret;
}
)"),
                    memory);
  uint64_t out = memory.Allocate(256);
  LaunchResult result = module.Launch("k", {1}, {64}, TestModule::Arguments(out));
  ASSERT_TRUE(result.ok()) << Findings(result);
  std::vector<uint32_t> values = memory.Download<uint32_t>(out);
  EXPECT_EQ(values[0], 10u);
  EXPECT_EQ(values[1], 6u);
  EXPECT_EQ(values[62], 10u);
  EXPECT_EQ(values[63], 6u);
}

// One kernel stores the address of a function, and another one calls what it finds there.
TEST(Module, FunctionsAreCalledByAddressesOfOtherKernels) {
  TestMemory memory;
  TestModule module(kHead + std::string(R"(
.func (.reg .b32 %o) scaled(.reg .b32 %i) { mul.lo.u32 %o, %i, 12345; ret; }
.visible .entry store(.param .u64 p) {
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [p]; mov.u64 %d2, scaled; st.global.u64 [%d1], %d2; ret;
}
.visible .entry call(.param .u64 p) {
  .reg .b64 %d<3>; .reg .b32 %r<3>;
  ld.param.u64 %d1, [p]; ld.global.u64 %d2, [%d1]; mov.b32 %r1, 1;
P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
  call (%r2), %d2, (%r1), P;
  st.global.u32 [%d1], %r2; ret;
}
)"),
                    memory);
  uint64_t p = memory.Allocate(8);
  ASSERT_TRUE(module.Launch("store", {1}, {1}, TestModule::Arguments(p)).ok());
  LaunchResult result = module.Launch("call", {1}, {1}, TestModule::Arguments(p));
  ASSERT_TRUE(result.ok()) << Findings(result);
  EXPECT_EQ(memory.Download<uint32_t>(p)[0], 12345u);
}

std::string NoteOf(const std::string& body, bool contracts = false) {
  auto parsed = Module::Parse(BodyText(".reg .b16 %h<9>; .reg .f64 %g<9>;\n" + body), contracts);
  if (auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->Log();
    return "";
  }
  return std::get<std::unique_ptr<const Module>>(parsed)->ContractionNote();
}

TEST(Module, TellsWhatAnAssemblerMayContract) {
  const std::string product = "mul.f32 %f3, %f1, %f2;\n";
  EXPECT_THAT(NoteOf(product + "add.f32 %f4, %f3, %f5;"),
              HasSubstr("line 8: add of the mul in line 7: neither says how it is rounded"));
  EXPECT_THAT(NoteOf(product + "add.f32 %f4, %f3, %f5;\nsub.f32 %f6, %f5, %f3;"),
              HasSubstr("; 2 such pairs"));
  for (const char* may : {"mul.ftz.f32 %f3, %f1, %f2; @%p1 sub.ftz.sat.f32 %f3, %f3, %f1;",
                          "mul.f32 %f3, %f1, 0f40000000; mov.f32 %f4, %f1; add.f32 %f5, %f4, %f3;",
                          "mul.f64 %g3, %g1, %g2; add.f64 %g4, %g3, %g5;",
                          "mul.f16 %h3, %h1, %h2; add.f16 %h4, %h5, %h3;",
                          "mul.f16x2 %r3, %r1, %r2; sub.f16x2 %r4, %r5, %r3;",
                          "mul.f32 %f3, %f1, %f2; mul.f32 %f3, %f2, %f2; add.f32 %f4, %f3, %f5;"}) {
    EXPECT_THAT(NoteOf(may), HasSubstr("neither says")) << may;
    EXPECT_EQ(NoteOf(may, /*contracts=*/true), "");
  }
  for (const char* may_not :
       {"mul.rn.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f5;",
        "mul.f32 %f3, %f1, %f2; add.rn.f32 %f4, %f3, %f5;",
        "mul.rz.f32 %f3, %f1, %f2; sub.f32 %f4, %f3, %f5;",
        "mul.ftz.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f5;",
        "mul.sat.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f5;",
        "mul.f32 %f3, %f1, %f2; mov.f32 %f3, %f5; add.f32 %f4, %f3, %f5;",
        "mul.f32 %f3, %f1, %f2; mov.f32 %f2, %f5; add.f32 %f4, %f3, %f5;",
        "mul.f32 %f1, %f1, %f2; add.f32 %f4, %f1, %f5;",
        "mul.f32 %f3, %f1, %f2; ld.global.v2.f32 {%f5, %f1}, [%d1]; add.f32 %f4, %f3, %f5;",
        "@%p1 mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f5;",
        "mul.f32 %f3, %f1, %f2; A: add.f32 %f4, %f3, %f5;",
        "mul.lo.u32 %r3, %r1, %r2; add.u32 %r4, %r3, %r5;"}) {
    EXPECT_EQ(NoteOf(may_not), "") << may_not;
  }
}

// Both round, or one fma does; where rounding is asked for, nothing is fused.
TEST(Module, ContractsWhereItIsAskedFor) {
  constexpr char kText[] = R"(
.visible .entry k(.param .u64 p) {
  .reg .b64 %p; .reg .f32 %a, %b, %m<4>, %f<6>; .reg .f64 %d<6>; .reg .b16 %h<6>;
  ld.param.u64 %p, [p];
  ld.global.f32 %a, [%p]; ld.global.f32 %b, [%p+4];
  mul.f32 %m0, %a, %a; mul.rn.f32 %m1, %a, %a;
  sub.f32 %f0, %m0, %b; st.global.f32 [%p+8], %f0;
  sub.f32 %f1, %b, %m0; st.global.f32 [%p+12], %f1;
  neg.f32 %m2, %b; add.f32 %f2, %m2, %m0; st.global.f32 [%p+16], %f2;
  sub.f32 %f3, %m1, %b; st.global.f32 [%p+20], %f3;
  ld.global.f64 %d0, [%p+24]; ld.global.f64 %d1, [%p+32];
  mul.f64 %d2, %d0, %d0; sub.f64 %d3, %d2, %d1; st.global.f64 [%p+40], %d3;
  ld.global.b16 %h0, [%p+48]; ld.global.b16 %h1, [%p+50];
  mul.f16 %h2, %h0, %h0; sub.f16 %h3, %h2, %h1; st.global.b16 [%p+52], %h3;
  ret;
}
)";
  for (bool contracts : {false, true}) {
    struct {
      float a = 1 + 0x1p-12f, b = 1 + 0x1p-11f, f[4] = {};
      double d0 = 1 + 0x1p-27, d1 = 1 + 0x1p-26, d2 = 0;
      uint16_t h0 = 0x3c10, h1 = 0x3c20, h2 = 0, pad = 0;  // 1 + 2^-6, 1 + 2^-5
    } bytes;
    TestMemory memory;
    TestModule module(kHead + std::string(kText), memory, contracts);
    uint64_t p = memory.Upload(std::span<const decltype(bytes)>(&bytes, 1));
    LaunchResult result = module.Launch("k", {1}, {1}, TestModule::Arguments(p));
    ASSERT_TRUE(result.ok()) << Findings(result);
    bytes = memory.Download<decltype(bytes)>(p)[0];
    const float rest = contracts ? 0x1p-24f : 0.0f;
    EXPECT_EQ(bytes.f[0], rest);
    EXPECT_EQ(bytes.f[1], -rest);
    EXPECT_EQ(bytes.f[2], rest);
    EXPECT_EQ(bytes.f[3], 0.0f);
    EXPECT_EQ(bytes.d2, contracts ? 0x1p-54 : 0.0);
    EXPECT_EQ(bytes.h2, contracts ? 0x0c00 : 0);  // 2^-12
  }
}

TEST(Module, ManyParametersNeedALaterVersion) {
  auto log = [](const char* version, const char* target, int bytes) {
    auto parsed = Module::Parse(".version " + std::string(version) + "\n.target " + target +
                                "\n.address_size 64\n.entry k(.param .align 4 .b8 p[" +
                                std::to_string(bytes) + "]) { ret; }\n");
    auto* error = std::get_if<ParseError>(&parsed);
    if (error == nullptr) return std::string();
    EXPECT_EQ(error->kind, ParseErrorKind::kSyntax);
    return error->Log();
  };
  EXPECT_EQ(log("6.0", "sm_50", 4352), "");
  EXPECT_THAT(log("8.0", "sm_90", 4356), HasSubstr("more than 4352 bytes of parameters"));
  EXPECT_THAT(log("8.1", "sm_61", 4356),
              HasSubstr("which need .version 8.1 and .target sm_70 or later"));
  EXPECT_EQ(log("8.1", "sm_70", 4356), "");
  EXPECT_EQ(log("8.1", "sm_70", 32764), "");
  EXPECT_THAT(log("8.1", "sm_70", 32768), HasSubstr("more than 32764 bytes of parameters"));
}

}  // namespace
}  // namespace tfrt::gpu::ptx
