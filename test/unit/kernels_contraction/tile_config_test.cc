// Tiles, on processors without them: what their configuration is when it would be loaded. A
// compiler may believe that the instruction reads one byte of it, and leave out the others. And
// what computes where the system refuses tiles.

#include <gtest/gtest.h>

#include "lib/ops/maths/contraction/byte_kernels.h"

#if defined(__x86_64__) && defined(__linux__)

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>

#include <array>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace tfrt::contraction {
namespace {

constexpr size_t kConfigBytes = 64;

sigjmp_buf after_fault;
uint8_t config[kConfigBytes];
bool is_found;

// The address that `ldtilecfg [base + displacement]` reads; null if the instruction is not of that
// form.
const uint8_t* ConfigOf(const ucontext_t& context) {
  const greg_t* registers = context.uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const uint8_t*>(registers[REG_RIP]);
  const bool is_load = code[0] == 0xC4 && (code[1] & 0x1F) == 2 && (code[2] & 0x7F) == 0x78 &&
                       code[3] == 0x49 && (code[4] & 0x38) == 0;
  if (!is_load) return nullptr;
  const bool is_high = (code[1] & 0x20) == 0;  // bit B, inverted: one of r8 to r15
  const unsigned mode = code[4] >> 6, low = code[4] & 7;
  const uint8_t* rest = code + 5;
  if (mode == 3 || (mode == 0 && low == 5)) return nullptr;
  if (low == 4) {
    const uint8_t scaled = *rest++;
    const bool has_index = (scaled & 0x38) != 0x20 || (code[1] & 0x40) == 0;
    if (has_index || (mode == 0 && (scaled & 7) == 5)) return nullptr;
  }
  // In the order of the instruction's numbers. Where a second byte follows, it names r12 or rsp.
  constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
  const unsigned base = low == 4 ? rest[-1] & 7u : low;
  int32_t displacement = 0;
  if (mode == 1) displacement = static_cast<int8_t>(*rest);
  if (mode == 2) std::memcpy(&displacement, rest, sizeof(displacement));
  return reinterpret_cast<const uint8_t*>(registers[kRegisters[base + (is_high ? 8 : 0)]] +
                                          displacement);
}

void OnIllegalInstruction(int, siginfo_t*, void* context) {
  if (const uint8_t* found = ConfigOf(*static_cast<const ucontext_t*>(context))) {
    std::memcpy(config, found, kConfigBytes);
    is_found = true;
  }
  siglongjmp(after_fault, 1);
}

TEST(TileConfigTest, IsWholeWhenItIsLoaded) {
  if (kAmxBytes.is_available()) GTEST_SKIP() << "this processor has tiles";
  constexpr int64_t kRows = 21, kDepth = 64;  // a whole tile of rows and one of five
  const std::vector<uint8_t> rows(kRows * kDepth, 1);
  alignas(64) static int8_t panel[kDepth * 64] = {};
  std::vector<int32_t> out(kRows * 64);
  struct sigaction action = {}, before;
  action.sa_sigaction = &OnIllegalInstruction;
  action.sa_flags = SA_SIGINFO;
  ASSERT_EQ(sigaction(SIGILL, &action, &before), 0);
  is_found = false;
  if (sigsetjmp(after_fault, 1) == 0) {
    kAmxBytes.multiply({.a = rows.data(),
                        .a_stride = kDepth,
                        .panel = panel,
                        .depth = kDepth,
                        .out = out.data(),
                        .out_stride = 64,
                        .rows = kRows});
  }
  sigaction(SIGILL, &before, nullptr);
  ASSERT_TRUE(is_found) << "the first instruction of tiles does not load a configuration";
  std::array<uint8_t, kConfigBytes> expected = {1};                      // the palette
  for (size_t tile = 0; tile < 8; ++tile) expected[16 + 2 * tile] = 64;  // bytes of a row
  constexpr uint8_t kTileSizes[] = {16, 16, 5, 5, 16, 5, 16, 16};
  std::memcpy(&expected[48], kTileSizes, sizeof(kTileSizes));
  for (size_t i = 0; i < kConfigBytes; ++i) EXPECT_EQ(config[i], expected[i]) << "byte " << i;
}

constexpr int kCannotFilter = 77;
constexpr uint32_t kRequestPermission = 0x1023;

// From here on the system refuses to save tiles for this process, which ends if that cannot be.
void RefuseTiles() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kRequestPermission, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {.len = sizeof(program) / sizeof(program[0]), .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    std::exit(kCannotFilter);
  }
}

TEST(TileConfigTest, AnotherKernelComputesIfTheSystemRefusesTiles) {
  // Processes of their own: the permission is asked for once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  bool can_filter = true;
  const auto find_out = [&](int status) {
    can_filter = !(WIFEXITED(status) && WEXITSTATUS(status) == kCannotFilter);
    return true;
  };
  EXPECT_EXIT(
      {
        RefuseTiles();
        std::exit(0);
      },
      find_out, "");
  if (!can_filter) GTEST_SKIP() << "no system call can be refused here";
  EXPECT_EXIT(
      {
        RefuseTiles();
        errno = 0;
        const bool is_refused =
            syscall(SYS_arch_prctl, kRequestPermission, 18) == -1 && errno == EPERM;
        std::exit(is_refused && !kAmxBytes.is_available() && &BestByteKernel() != &kAmxBytes ? 0
                                                                                             : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tfrt::contraction

#endif
