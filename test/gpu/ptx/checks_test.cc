// What the executor finds in kernels that are wrong: each kind of fault and report, with lane, line
// and address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "test/gpu/ptx/test_memory.h"

namespace tfrt::gpu::ptx {
namespace {

using testing::HasSubstr;

constexpr char kHead[] = ".version 7.0\n.target sm_75\n.address_size 64\n";

// A kernel with the parameters p (a pointer) and n, both loaded; %tid is the number of the thread
// in its block.
std::string Kernel(const std::string& body, const std::string& globals = "",
                   const std::string& directives = "") {
  return std::string(kHead) + globals + ".visible .entry k(.param .u64 p, .param .u32 n)" +
         directives +
         "{\n.reg .b32 %i, %n, %a, %b; .reg .b64 %p, %q; .reg .pred %c;\n"
         "ld.param.u64 %p, [p]; ld.param.u32 %n, [n]; mov.u32 %i, %tid.x; mul.wide.u32 %q, %i, 4; "
         "add.s64 %q, %p, %q;\n" +
         body + "\nret;\n}\n";
}

// Runs it on 64 threads (or `threads`) of one block, with an array of 64 words whose values are
// their indices.
struct Trial {
  explicit Trial(const std::string& text, Dim3 block = {64}, uint32_t n = 64, uint32_t dynamic = 0,
                 LaunchLimits limits = {}) {
    std::vector<uint32_t> values(64);
    for (uint32_t i = 0; i < 64; ++i) values[i] = i;
    address = memory.Upload(std::span<const uint32_t>(values));
    TestModule module(text, memory);
    result = module.Launch("k", {1}, block, TestModule::Arguments(address, n), dynamic, limits);
    findings = Findings(result);
  }
  FaultKind kind() const { return result.fault ? result.fault->kind : FaultKind::kInvalidLaunch; }
  std::vector<uint32_t> values() { return memory.Download<uint32_t>(address); }

  TestMemory memory;
  uint64_t address = 0;
  LaunchResult result;
  std::string findings;
};

// Two warps read words side by side, and the same word for all lanes.
TEST(Traffic, BytesOfLanesAndSectorsOfWarps) {
  const std::string words = "ld.global.u32 %a, [%q];\n", same = "ld.global.u32 %b, [%p];\n";
  Trial side_by_side(Kernel(words + "st.global.u32 [%q], %a;"));
  ASSERT_TRUE(side_by_side.result.ok()) << side_by_side.findings;
  EXPECT_EQ(side_by_side.result.traffic.read_bytes, 256u);
  EXPECT_EQ(side_by_side.result.traffic.written_bytes, 256u);
  EXPECT_EQ(side_by_side.result.traffic.sectors, 2 * 2 * 4u);
  Trial one_word(Kernel(same + same));
  EXPECT_EQ(one_word.result.traffic.bytes(), 2 * 256u);
  EXPECT_EQ(one_word.result.traffic.sectors, 2 * 2 * 1u);
  // 8 threads that are 32 bytes apart; atomic operations read and write.
  Trial apart(Kernel("mul.wide.u32 %q, %i, 32; add.s64 %q, %p, %q;\n"
                     "atom.global.add.u32 %a, [%q], 1;"),
              {8});
  ASSERT_TRUE(apart.result.ok()) << apart.findings;
  EXPECT_EQ(apart.result.traffic.read_bytes, 32u);
  EXPECT_EQ(apart.result.traffic.written_bytes, 32u);
  EXPECT_EQ(apart.result.traffic.sectors, 8u);
}

TEST(Checks, AccessBehindTheEndNamesLaneLineAndAddress) {
  Trial run(Kernel("ld.global.u32 %a, [%q+4];\nst.global.u32 [%q], %a;"));
  ASSERT_EQ(run.kind(), FaultKind::kIllegalAddress) << run.findings;
  const Fault& fault = *run.result.fault;
  EXPECT_EQ(fault.thread[0], 63u);
  EXPECT_EQ(fault.line, 7u);
  EXPECT_EQ(fault.instruction, "ld.global.u32");
  EXPECT_EQ(fault.address, run.address + 256);
  EXPECT_EQ(fault.size, 4u);
  EXPECT_THAT(run.findings, HasSubstr("illegal address: line 7: ld.global.u32 in block (0,0,0), "
                                      "thread (63,0,0): a read of 4 bytes at "));
  EXPECT_THAT(run.findings, HasSubstr("which is in no allocation"));
}

// On hardware they go through a cache that does not see what the launch writes.
TEST(Checks, NonCoherentReadsOfWhatTheLaunchWrites) {
  constexpr char kBefore[] = "ld.global.nc.u32 %a, [%q];\nst.global.u32 [%q], %a;";
  constexpr char kBehind[] = "st.global.u32 [%q], %i;\nld.global.nc.u32 %a, [%q];";
  Trial before{Kernel(kBefore)}, behind{Kernel(kBehind)};
  ASSERT_EQ(before.result.reports.size(), 1u) << before.findings;
  EXPECT_EQ(before.result.reports[0].kind, FaultKind::kNonCoherentRead);
  EXPECT_THAT(before.findings, HasSubstr("non-coherent read: line 8: st.global.u32 in block "
                                         "(0,0,0), thread (0,0,0): a write of 4 bytes"));
  EXPECT_THAT(before.findings, HasSubstr("which the launch reads by .nc"));
  ASSERT_EQ(behind.result.reports.size(), 1u) << behind.findings;
  EXPECT_THAT(behind.findings, HasSubstr("line 8: ld.global.nc.u32"));
  EXPECT_THAT(behind.findings, HasSubstr("which the launch writes"));
  EXPECT_EQ(behind.values()[9], 9u);
  // Whichever thread it is, and whatever writes.
  for (const char* reported :
       {"ld.global.nc.u32 %a, [%p];\nred.global.add.u32 [%q], %a;",
        "ldu.global.u32 %a, [%p+252];\nst.volatile.global.u32 [%q], %a;",
        "st.global.u8 [%q+3], %i;\nxor.b64 %q, %q, 4;\nld.global.nc.u32 %a, [%q];"}) {
    Trial run{Kernel(reported)};
    ASSERT_GE(run.result.reports.size(), 1u) << reported;
    for (const Fault& report : run.result.reports) {
      EXPECT_EQ(report.kind, FaultKind::kNonCoherentRead) << reported << run.findings;
    }
  }
  // A launch may let threads write what they alone have read so; what they read later is another
  // matter, and so is what others read.
  const LaunchLimits lax = {.allow_own_writes_after_nc = true};
  EXPECT_EQ(Trial(Kernel(kBefore), {64}, 64, 0, lax).findings, "");
  for (const char* reported : {kBehind, "ld.global.nc.u32 %a, [%p];\nst.global.u32 [%q], %a;"}) {
    Trial run(Kernel(reported), {64}, 64, 0, lax);
    EXPECT_GE(run.result.reports.size(), 1u) << reported;
  }
  // Beside each other.
  for (const char* good :
       {"ld.global.nc.u8 %a, [%q];\nst.global.u8 [%q+1], %a;\nld.global.u8 %a, [%q+1];",
        "ld.global.u32 %a, [%q];\nst.global.u32 [%q], %a;"}) {
    Trial run{Kernel(good)};
    EXPECT_EQ(run.findings, "") << good;
  }
}

TEST(Checks, NullFreedReadOnlyAndMisalignedAccess) {
  EXPECT_EQ(Trial(Kernel("mov.u64 %q, 0;\nld.global.u32 %a, [%q];")).kind(),
            FaultKind::kIllegalAddress);
  Trial misaligned(Kernel("ld.global.u32 %a, [%q+2];"));
  EXPECT_EQ(misaligned.kind(), FaultKind::kMisalignedAddress);
  EXPECT_THAT(misaligned.findings, HasSubstr("no multiple of 4"));
  TestMemory memory;
  uint64_t constant = memory.Allocate(256, false);
  TestModule module(Kernel("st.global.u32 [%p], %i;"), memory);
  EXPECT_THAT(Findings(module.Launch("k", {1}, {1}, TestModule::Arguments(constant, 0u))),
              HasSubstr("which is read-only"));
  memory.Free(constant);
  EXPECT_THAT(Findings(module.Launch("k", {1}, {1}, TestModule::Arguments(constant, 0u))),
              HasSubstr("in no allocation"));
}

TEST(Checks, ReadOfUnwrittenGlobalMemoryIsReportedOnceAndGoesOn) {
  TestMemory memory;
  uint64_t fresh = memory.Allocate(256);
  TestModule module(
      Kernel("ld.global.u32 %a, [%q];\nst.global.u32 [%q], %i;\nld.global.u32 %a, [%q];"), memory);
  LaunchResult result = module.Launch("k", {1}, {64}, TestModule::Arguments(fresh, 0u));
  EXPECT_FALSE(result.fault);
  ASSERT_EQ(result.reports.size(), 1u);
  EXPECT_EQ(result.num_reports, 64u);
  EXPECT_EQ(result.reports[0].kind, FaultKind::kUninitialisedGlobal);
  EXPECT_EQ(result.reports[0].line, 7u);
  // What it wrote is defined in the next launch.
  EXPECT_TRUE(module.Launch("k", {1}, {64}, TestModule::Arguments(fresh, 0u)).ok());
}

TEST(Checks, TouchedBytesAreToldExactly) {
  TestMemory memory;
  std::vector<uint32_t> values(2048);
  uint64_t array = memory.Upload(std::span<const uint32_t>(values));
  TestModule module(
      Kernel(
          "ld.global.u32 %a, [%q];\nst.global.u8 [%q+4095], %a;\nred.global.add.u32 [%p+8000], 1;\n"
          "ld.volatile.global.u32 %a, [%p+6000];\nld.acquire.gpu.global.u32 %a, [%p+6100];\n"
          "st.volatile.global.u32 [%p+7000], %a;"),
      memory);
  ASSERT_TRUE(module.Launch("k", {1}, {3}, TestModule::Arguments(array, 0u)).ok());
  EXPECT_THAT(memory.touched(),
              testing::UnorderedElementsAre(
                  TestMemory::Touch{array, array + 12, Access::kRead},
                  TestMemory::Touch{array + 4095, array + 4096, Access::kWrite},
                  TestMemory::Touch{array + 4099, array + 4100, Access::kWrite},
                  TestMemory::Touch{array + 4103, array + 4104, Access::kWrite},
                  TestMemory::Touch{array + 6000, array + 6004, Access::kRead},
                  TestMemory::Touch{array + 6100, array + 6104, Access::kRead},
                  TestMemory::Touch{array + 7000, array + 7004, Access::kAtomic},
                  TestMemory::Touch{array + 8000, array + 8004, Access::kAtomic}));
}

constexpr char kShared[] = ".shared .align 4 .b32 s[64];\n";
constexpr char
    kOwnAndOther[] =  // %a: the address of the thread's word, %b: of the word of thread 63 - i
    "shl.b32 %a, %i, 2; mov.u32 %b, s; add.u32 %a, %a, %b; xor.b32 %b, %i, 63; shl.b32 %b, %b, 2; "
    "mov.u32 %n, s; add.u32 %b, %b, %n;\n";

TEST(Checks, SharedMemoryWithoutABarrierRaces) {
  std::string body = std::string(kOwnAndOther) +
                     "st.shared.u32 [%a], %i;\nld.shared.u32 %n, [%b];\nst.global.u32 [%q], %n;";
  Trial race(Kernel(body, kShared));
  EXPECT_FALSE(race.result.fault);
  EXPECT_THAT(race.findings, HasSubstr("race in shared memory: line "));
  EXPECT_THAT(race.findings, HasSubstr("no barrier lies between them"));
  std::string with_barrier = body;
  with_barrier.insert(with_barrier.find("ld.shared"), "bar.sync 0;\n");
  Trial ordered(Kernel(with_barrier, kShared));
  EXPECT_TRUE(ordered.result.ok()) << ordered.findings;
  EXPECT_EQ(ordered.values()[5], 58u);
}

TEST(Checks, ASecondBarrierIsMissedBeforeTheNextWrite) {
  Trial race(Kernel(
      std::string(kOwnAndOther) +
          "st.shared.u32 [%a], %i;\nbar.sync 0;\nld.shared.u32 %n, [%b];\nst.shared.u32 [%a], %n;",
      kShared));
  EXPECT_THAT(race.findings, HasSubstr("a write of 4 bytes"));
  EXPECT_THAT(race.findings, HasSubstr("races with a read of thread"));
}

TEST(Checks, LanesOfAWarpNeedABarrierToo) {
  // Thread i and i ^ 1 are of the same warp.
  std::string body =
      "shl.b32 %a, %i, 2; mov.u32 %b, s; add.u32 %a, %a, %b; xor.b32 %b, %a, 4;\nst.shared.u32 "
      "[%a], %i;\nBARRIER\nld.shared.u32 %n, [%b];";
  auto with = [&](std::string barrier) {
    std::string text = body;
    return text.replace(text.find("BARRIER"), 7, barrier);
  };
  EXPECT_THAT(Trial(Kernel(with(""), kShared)).findings, HasSubstr("race in shared memory"));
  EXPECT_TRUE(Trial(Kernel(with("bar.warp.sync -1;"), kShared)).result.ok());
  // Before sm_70 the lanes of a warp went in step.
  std::string old = Kernel(with(""), kShared);
  old.replace(old.find("sm_75"), 5, "sm_60");
  EXPECT_TRUE(Trial(old).result.ok()) << Trial(old).findings;
}

TEST(Checks, AtomicsAndEqualValuesOfOneInstructionDoNotRace) {
  EXPECT_TRUE(
      Trial(
          Kernel("mov.u32 %a, s;\nsetp.eq.u32 %c, %i, 0;\n@%c st.shared.u32 [%a], 0;\nbar.sync 0;\n"
                 "atom.shared.add.u32 %b, [%a], 1;\nbar.sync 0;\nld.shared.u32 %b, "
                 "[%a];\nst.global.u32 [%q], %b;",
                 kShared))
          .result.ok());
  Trial same(Kernel("mov.u32 %a, s;\nst.shared.u32 [%a], 7;", kShared), {32});
  EXPECT_TRUE(same.result.ok()) << same.findings;
  EXPECT_THAT(Trial(Kernel("mov.u32 %a, s;\nst.shared.u32 [%a], %i;", kShared), {32}).findings,
              HasSubstr("race"));
}

TEST(Checks, BytesOfAWordBelongToDifferentThreads) {
  std::string body =
      "mov.u32 %a, s;\nadd.u32 %b, %a, %i;\nst.shared.u8 [%b], %i;\nbar.sync 0;\n"
      "and.b32 %b, %i, 60;\nadd.u32 %b, %a, %b;\nld.shared.u32 %n, [%b];\n"
      "st.global.u32 [%q], %n;";
  Trial bytes(Kernel(body, kShared));
  EXPECT_TRUE(bytes.result.ok()) << bytes.findings;
  EXPECT_EQ(bytes.values()[5], 0x07060504u);
  Trial race(
      Kernel("mov.u32 %a, s;\nst.shared.u32 [%a], 0;\nadd.u32 %b, %a, %i;\n"
             "setp.eq.u32 %c, %i, 3;\n@%c st.shared.u8 [%a+3], %i;",
             kShared));
  EXPECT_THAT(race.findings, HasSubstr("a write of 1 bytes at 0x3 in shared memory races"));
}

TEST(Checks, PartsOfAWarpWaitForTheirOwn) {
  // The lower half votes in one branch, the upper half in the other, each for itself.
  Trial halves(Kernel("setp.lt.u32 %c, %i, 16;\n@%c bra LOW;\n"
                      "vote.sync.ballot.b32 %a, %c, 0xffff0000;\nnot.b32 %a, %a;\nbra END;\nLOW:\n"
                      "vote.sync.ballot.b32 %a, %c, 0x0000ffff;\nEND:\nst.global.u32 [%q], %a;"),
               {32});
  EXPECT_TRUE(halves.result.ok()) << halves.findings;
  EXPECT_EQ(halves.values()[3], 0x0000ffffu);
  EXPECT_EQ(halves.values()[20], 0xffffffffu);
  // Lanes that have ended are not waited for.
  Trial ended(Kernel("setp.ge.u32 %c, %i, 20;\n@%c ret;\nvote.sync.ballot.b32 %a, 1, -1;\n"
                     "st.global.u32 [%q], %a;"),
              {32});
  EXPECT_TRUE(ended.result.ok()) << ended.findings;
  EXPECT_EQ(ended.values()[19], 0xfffffu);
  // Lanes of one warp that come late, after a loop of their own, are waited for.
  Trial late(Kernel("mov.u32 %a, 0;\nsetp.lt.u32 %c, %i, 16;\n@%c bra MEET;\nLOOP:\n"
                    "add.u32 %a, %a, 1;\nsetp.lt.u32 %c, %a, 100;\n@%c bra LOOP;\nMEET:\n"
                    "redux.sync.add.u32 %b, %a, -1;\nst.global.u32 [%q], %b;"),
             {32});
  EXPECT_TRUE(late.result.ok()) << late.findings;
  EXPECT_EQ(late.values()[0], 1600u);
}

TEST(Checks, NamedBarriersOrderThoseThatTakePart) {
  // Warp 0 writes and arrives, warp 1 waits and reads.
  std::string produce =
      "mov.u32 %a, s;\nsetp.ge.u32 %c, %i, 32;\n@%c bra READ;\nsetp.eq.u32 %c, %i, 0;\n@%c "
      "st.shared.u32 [%a], 9;\n"
      "bar.arrive 1, 64;\nret;\nREAD:\nbar.sync 1, 64;\nld.shared.u32 %b, [%a];\nst.global.u32 "
      "[%q], %b;";
  Trial ordered(Kernel(produce, kShared));
  EXPECT_TRUE(ordered.result.ok()) << ordered.findings;
  EXPECT_EQ(ordered.values()[40], 9u);
}

// One warp of two waits, and the other one makes a reduction of it, or another one.
TEST(Checks, ReductionsAreNotMixedWithOtherBarriers) {
  auto at_one_barrier = [](const std::string& first, const std::string& second) {
    return Kernel("setp.ge.u32 %c, %i, 32;\n@%c bra SECOND;\n" + first + "\nret;\nSECOND:\n" +
                  second);
  };
  for (const auto& [first, second, message] : std::vector<std::array<std::string, 3>>{
           {"bar.sync 0;", "bar.red.or.pred %c, 0, %c;",
            "barrier 0 for red.or, while others are there for sync"},
           {"bar.red.and.pred %c, 0, %c;", "bar.sync 0;",
            "barrier 0 for sync, while others are there for red.and"},
           {"bar.red.popc.u32 %a, 0, %c;", "bar.red.and.pred %c, 0, %c;",
            "barrier 0 for red.and, while others are there for red.popc"},
           {"bar.arrive 0, 64;", "bar.red.or.pred %c, 0, 64, %c;",
            "barrier 0 for red.or, while others are there for arrive"},
       }) {
    Trial mixed(at_one_barrier(first, second));
    EXPECT_EQ(mixed.kind(), FaultKind::kIllegalInstruction) << first << mixed.findings;
    EXPECT_THAT(mixed.findings, HasSubstr(message)) << first;
  }
  Trial same(at_one_barrier("bar.red.popc.u32 %a, 0, %c; st.global.u32 [%q], %a;",
                            "bar.red.popc.u32 %b, 0, %c; st.global.u32 [%q], %b;"));
  EXPECT_TRUE(same.result.ok()) << same.findings;
  EXPECT_EQ(same.values()[0], 32u);
  EXPECT_EQ(same.values()[63], 32u);
}

TEST(Checks, UninitialisedAndOutOfRangeSharedMemory) {
  Trial unwritten(Kernel("mov.u32 %a, s;\nld.shared.u32 %b, [%a];", kShared), {1});
  EXPECT_THAT(unwritten.findings, HasSubstr("uninitialised shared memory"));
  Trial outside(Kernel("mov.u32 %a, s;\nst.shared.u32 [%a+256], %i;", kShared), {1});
  EXPECT_EQ(outside.kind(), FaultKind::kIllegalAddress);
  EXPECT_THAT(outside.findings, HasSubstr("of which 256 bytes are there"));
}

TEST(Checks, DivergedBarriersAreNamed) {
  Trial half(Kernel("setp.lt.u32 %c, %i, 16;\n@%c bar.sync 0;\n@!%c bar.sync 1;"), {32});
  EXPECT_EQ(half.kind(), FaultKind::kBarrierDivergence) << half.findings;
  Trial two_lines(
      Kernel("setp.lt.u32 %c, %i, 16;\n@%c bra A;\nbar.sync 0;\nbra B;\nA:\nbar.sync 0;\nB:"),
      {32});
  EXPECT_EQ(two_lines.kind(), FaultKind::kBarrierDivergence) << two_lines.findings;
  Trial two_warps(
      Kernel("setp.lt.u32 %c, %i, 32;\n@%c bra A;\nbar.sync 1;\nbra B;\nA:\nbar.sync 0;\nB:"));
  EXPECT_EQ(two_warps.kind(), FaultKind::kDeadlock) << two_warps.findings;
  EXPECT_THAT(two_warps.findings, HasSubstr("32 lanes of warp 1 wait in line"));
  // Threads that have ended are not waited for.
  EXPECT_TRUE(Trial(Kernel("setp.lt.u32 %c, %i, 40;\n@%c ret;\nbar.sync 0;")).result.ok());
}

TEST(Checks, LanesWaitForEachOther) {
  // A loop of different length for each lane, and then all together.
  Trial run(
      Kernel("mov.u32 %a, 0;\nLOOP:\nadd.u32 %a, %a, 1;\nsetp.le.u32 %c, %a, %i;\n@%c bra LOOP;\n"
             "shfl.sync.idx.b32 %b, %a, 31, 31, -1;\nst.global.u32 [%q], %b;"));
  EXPECT_TRUE(run.result.ok());
  EXPECT_EQ(run.values()[3], 32u);
  // One lane of a warp holds a lock that the others spin for.
  Trial lock(
      Kernel("mov.u32 %a, s;\nsetp.eq.u32 %c, %i, 0;\n@%c st.shared.u32 [%a], 0;\n@%c "
             "st.shared.u32 [%a+4], 0;\nbar.sync 0;\n"
             "SPIN:\natom.acquire.cta.shared.cas.b32 %b, [%a], 0, 1;\nsetp.ne.u32 %c, %b, 0;\n@%c "
             "bra SPIN;\n"
             "ld.shared.u32 %b, [%a+4];\nadd.u32 %b, %b, 1;\nst.shared.u32 [%a+4], %b;\n"
             "atom.release.cta.shared.exch.b32 %b, [%a], 0;\nbar.sync 0;\nld.shared.u32 %b, "
             "[%a+4];\nst.global.u32 [%q], %b;",
             kShared));
  EXPECT_TRUE(lock.result.ok()) << lock.findings;
  EXPECT_EQ(lock.values()[0], 64u);
}

TEST(Checks, BlocksThatWaitForEachOtherRunTogether) {
  TestMemory memory;
  std::vector<uint32_t> zero(64);
  uint64_t array = memory.Upload(std::span<const uint32_t>(zero));
  // Each block adds one and waits until all have.
  TestModule module(Kernel("red.global.add.u32 [%p], 1;\nSPIN:\nld.volatile.global.u32 %a, "
                           "[%p];\nsetp.lt.u32 %c, %a, %n;\n@%c bra SPIN;"),
                    memory);
  LaunchResult result = module.Launch("k", {8}, {1}, TestModule::Arguments(array, 8u), 0, {}, true);
  EXPECT_TRUE(result.ok()) << Findings(result);
  result = module.Launch("k", {4}, {1}, TestModule::Arguments(array, 12u));
  EXPECT_TRUE(result.ok()) << Findings(result);
  result = module.Launch("k", {100}, {1}, TestModule::Arguments(array, 12u), 0, {}, true);
  EXPECT_THAT(Findings(result), HasSubstr("a cooperative launch of 100 blocks, where 64 fit"));
}

TEST(Checks, MembersOfAMask) {
  Trial outside(Kernel("bar.warp.sync 1;"), {32});
  EXPECT_EQ(outside.kind(), FaultKind::kIllegalInstruction);
  EXPECT_THAT(outside.findings, HasSubstr("lane 1 is not in its own member mask"));
  Trial never(Kernel("setp.eq.u32 %c, %i, 0;\n@%c bra A;\nshfl.sync.idx.b32 %a, %i, 0, 31, "
                     "-1;\nret;\nA:\nvote.sync.ballot.b32 %a, %c, -1;"),
              {32});
  EXPECT_EQ(never.kind(), FaultKind::kDeadlock) << never.findings;
}

TEST(Checks, EndlessLoopsAndDeepRecursionEnd) {
  LaunchLimits limits;
  limits.steps = 10000;
  Trial loop(Kernel("LOOP:\nbra LOOP;"), {64}, 0, 0, limits);
  EXPECT_EQ(loop.kind(), FaultKind::kStepBudget);
  EXPECT_THAT(loop.findings, HasSubstr("more than 10000 instructions of warps"));
  Trial recursion(Kernel("call deep;", ".func deep() {\n.local .b8 a[64];\ncall deep;\nret;\n}\n"));
  EXPECT_EQ(recursion.kind(), FaultKind::kStackOverflow);
  EXPECT_EQ(Trial(Kernel("trap;")).kind(), FaultKind::kTrap);
  EXPECT_EQ(Trial(Kernel("mov.u64 %q, 77;\n{ P: .callprototype ()_();\ncall %q, P; }")).kind(),
            FaultKind::kIllegalInstruction);
}

TEST(Checks, LaunchesThatDoNotFit) {
  std::string text = Kernel("");
  EXPECT_THAT(Trial(text, {1025}).findings, HasSubstr("has more than 1024"));
  EXPECT_THAT(Trial(text, {0}).findings, HasSubstr("is empty"));
  EXPECT_THAT(Trial(Kernel("", "", " .reqntid 32 "), {64}).findings,
              HasSubstr("where .reqntid asks for (32,1,1)"));
  EXPECT_THAT(Trial(Kernel("", "", " .maxntid 32 "), {64}).findings,
              HasSubstr("where .maxntid allows 32"));
  std::string dynamic =
      Kernel("mov.u32 %a, d;\nst.shared.u32 [%a+60], %i;", ".extern .shared .align 16 .b8 d[];\n");
  EXPECT_TRUE(Trial(dynamic, {1}, 0, 64).result.ok());
  EXPECT_EQ(Trial(dynamic, {1}, 0, 60).kind(), FaultKind::kIllegalAddress);
  EXPECT_THAT(Trial(dynamic, {1}, 0, 48 * 1024 + 1).findings,
              HasSubstr("where a block may have 49152"));
  LaunchLimits more;
  more.shared_bytes = 100 * 1024;
  EXPECT_TRUE(Trial(dynamic, {1}, 0, 96 * 1024, more).result.ok());
}

TEST(Checks, WrongBarriersAreFaults) {
  EXPECT_THAT(Trial(Kernel("bar.sync 16;")).findings, HasSubstr("barrier 16, where there are 16"));
  EXPECT_THAT(Trial(Kernel("bar.sync 0, 33;")).findings, HasSubstr("a barrier for 33 threads"));
  EXPECT_THAT(Trial(Kernel("bar.sync 0, 0;")).findings, HasSubstr("a barrier for 0 threads"));
  EXPECT_THAT(
      Trial(
          Kernel("setp.lt.u32 %c, %i, 32;\n@%c bra A;\nbar.sync 0, 32;\nret;\nA:\nbar.sync 0, 64;"))
          .findings,
      HasSubstr("while others wait there for"));
}

TEST(Checks, LocalMemoryOfOneThreadOnly) {
  Trial run(
      Kernel(".local .align 4 .b32 l[4];\nmov.u64 %q, l;\nst.local.u32 [%q+12], %i;\nld.local.u32 "
             "%a, [%q+16];"));
  EXPECT_EQ(run.kind(), FaultKind::kIllegalAddress);
  EXPECT_THAT(run.findings, HasSubstr("in local memory, of which 16 bytes are there"));
}

}  // namespace
}  // namespace tfrt::gpu::ptx
