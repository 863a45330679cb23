// Sessions of level metrics: what threads count in kernels, on machines that are made up and on
// this one.
#include "lib/profiler/collect/counter_probe.h"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "fake_perf_calls.h"
#include "lib/profiler/collect/counter_source.h"
#include "lib/profiler/cpu_counters.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/session.h"
#include "tfrt/tracing/record.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr tracing::RecordType kKernel = {.name = "test.kernel", .level = StackLevel::kKernel};

void Kernel(const char* name, const std::function<void()>& work) {
  tracing::RecordScope kernel(kKernel, name);
  work();
}

class CounterProbeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
    FakePerfCalls::work = FakePerfCalls::enabled_ns = FakePerfCalls::running_ns = 0;
  }
  // Never destroyed, as a thread may look at them late.
  static FakePerfCalls& MakeCalls() {
    static auto& all = *new std::vector<std::unique_ptr<FakePerfCalls>>;
    return *all.emplace_back(std::make_unique<FakePerfCalls>());
  }

  static std::unique_ptr<tracing::Session> StartRecords() {
    auto session = tracing::Session::Start({.buffer_bytes = 1 << 20});
    EXPECT_TRUE(session.ok()) << session.status().message();
    return *std::move(session);
  }
  static std::vector<std::string> Texts(const std::vector<Problem>& problems) {
    std::vector<std::string> texts;
    for (const Problem& problem : problems) texts.push_back(problem.text);
    return texts;
  }
  // Runs `kernels` while `calls` count; what went wrong is in begun_ and ended_.
  tracing::Profile Record(PerfCalls* calls, const std::function<void()>& kernels) {
    auto session = StartRecords();
    begun_ = CounterProbe::Get().Begin(calls);
    kernels();
    session->Stop();
    ended_ = CounterProbe::Get().End();
    return session->Read();
  }

  std::vector<Problem> begun_, ended_;
};

void Work(uint64_t units, uint64_t enabled_ns, uint64_t running_ns) {
  FakePerfCalls::work += units;
  FakePerfCalls::enabled_ns += enabled_ns;
  FakePerfCalls::running_ns += running_ns;
}

TEST_F(CounterProbeTest, CountsWhatTheProcessorAndTheSystemSay) {
  FakePerfCalls& calls = MakeCalls();
  const tracing::Profile profile = Record(&calls, [] {
    Work(1000, 1000, 1000);
    Kernel("conv", [] { Work(10, 100, 100); });
    Work(1000, 1000, 1000);
    Kernel("relu", [] { Work(3, 100, 50); });
  });
  EXPECT_THAT(begun_, IsEmpty());
  EXPECT_THAT(
      Texts(ended_),
      ElementsAre("counters of kernels: 1 kernels have estimates: other programs counted at "
                  "the same time; stop them"));
  auto hardware = profile.OfType("cpu.counters");
  auto system = profile.OfType("cpu.system");
  ASSERT_EQ(hardware.size(), 2u);
  ASSERT_EQ(system.size(), 2u);
  EXPECT_EQ(hardware[0]->name, "conv");
  EXPECT_EQ(profile.Find(hardware[0]->parent_id)->name, "conv");
  EXPECT_EQ(hardware[0]->Integer("cycles"), 10);
  EXPECT_EQ(hardware[0]->Integer("instructions"), 20);
  EXPECT_EQ(hardware[0]->Integer("cache_misses"), 40);
  EXPECT_EQ(hardware[0]->Integer("branch_misses"), 60);
  EXPECT_EQ(system[0]->Integer("page_faults"), 1030);
  EXPECT_EQ(system[0]->Integer("context_switches"), 1040);
  // Half of the time: scaled.
  EXPECT_EQ(hardware[1]->Integer("instructions"), 12);
  EXPECT_EQ(calls.num_files(), 0u);
  EXPECT_EQ(calls.num_wrong_closes(), 0);
}

TEST_F(CounterProbeTest, SaysWhatIsMissingAndCountsTheRest) {
  FakePerfCalls& calls = MakeCalls();
  calls.RefuseHardware(ENOENT);
  calls.Refuse(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, EINVAL);
  const tracing::Profile profile = Record(&calls, [] { Kernel("conv", [] { Work(2, 10, 10); }); });
  EXPECT_THAT(
      Texts(begun_),
      ElementsAre(
          "counters of kernels: no cycles, instructions, cache_misses: this machine's processor "
          "shows no such event, as in most virtual machines; record on a machine, or an instance, "
          "that has performance counters",
          "counters of kernels: no branch_misses: the processor has no register left for it; stop "
          "other programs that count, and the NMI watchdog"));
  EXPECT_THAT(ended_, IsEmpty());
  EXPECT_THAT(profile.OfType("cpu.counters"), IsEmpty());
  ASSERT_EQ(profile.OfType("cpu.system").size(), 1u);
  EXPECT_EQ(profile.OfType("cpu.system")[0]->Integer("page_faults"), 206);

  // Only some of the processor's: the event has these alone.
  FakePerfCalls& some = MakeCalls();
  some.Refuse(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, ENOENT);
  const tracing::Profile second = Record(&some, [] { Kernel("conv", [] { Work(2, 10, 10); }); });
  ASSERT_EQ(second.OfType("cpu.counters").size(), 1u);
  EXPECT_EQ(second.OfType("cpu.counters")[0]->Integer("instructions"), 4);
  EXPECT_EQ(second.OfType("cpu.counters")[0]->type->arguments[0].name, "instructions");
}

TEST_F(CounterProbeTest, WithoutAnyItAsksNoThread) {
  FakePerfCalls& calls = MakeCalls();
  calls.RefuseHardware(EPERM);
  calls.Refuse(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, EPERM);
  calls.Refuse(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, EPERM);
  const tracing::Profile profile = Record(&calls, [] { Kernel("conv", [] {}); });
  ASSERT_EQ(begun_.size(), 1u);
  EXPECT_THAT(begun_[0].text,
              AllOf(HasSubstr("no cycles, instructions, cache_misses, branch_misses, page_faults, "
                              "context_switches: a sandbox forbids"),
                    HasSubstr("CAP_PERFMON")));
  EXPECT_THAT(ended_, IsEmpty());
  EXPECT_EQ(profile.spans.size(), 1u);
}

TEST_F(CounterProbeTest, KernelsWithoutRegistersHaveNoCounters) {
  FakePerfCalls& calls = MakeCalls();
  const tracing::Profile profile = Record(&calls, [&] {
    Kernel("never there", [] { Work(5, 100, 0); });
    Kernel("there", [] { Work(5, 100, 100); });
    calls.set_can_read(false);
    Kernel("unreadable", [] { Work(5, 100, 100); });
    calls.set_can_read(true);
  });
  ASSERT_EQ(profile.OfType("cpu.counters").size(), 1u);
  EXPECT_EQ(profile.OfType("cpu.counters")[0]->name, "there");
  EXPECT_THAT(
      Texts(ended_),
      ElementsAre("counters of kernels: 1 kernels have none: other programs had the processor's "
                  "registers; stop them",
                  "counters of kernels: 1 kernels have none: reading them failed"));
  EXPECT_EQ(ended_[0].count, 1u);
}

TEST_F(CounterProbeTest, ThreadsHaveGroupsOfTheirOwnUntilTheyEnd) {
  FakePerfCalls& calls = MakeCalls();
  const tracing::Profile profile = Record(&calls, [&] {
    for (uint64_t units : {1, 2, 3}) {
      std::thread([units] {
        FakePerfCalls::work = 77 * units;
        Kernel("kernel", [&] { Work(units, 10, 10); });
      }).join();
      EXPECT_EQ(calls.num_files(), 0u) << "the thread has ended";
    }
  });
  std::vector<int64_t> cycles;
  for (const tracing::Span* event : profile.OfType("cpu.counters")) {
    cycles.push_back(event->Integer("cycles"));
  }
  EXPECT_THAT(cycles, ElementsAre(1, 2, 3));
  EXPECT_EQ(calls.num_wrong_closes(), 0);
}

// The first thread has the files that there are; the second has none, and the profile says so.
TEST_F(CounterProbeTest, ThreadsThatFindTooManyFilesHaveNone) {
  FakePerfCalls& calls = MakeCalls();
  calls.set_max_files(kNumCpuCounters + 2);
  const tracing::Profile profile = Record(&calls, [&] {
    Kernel("first", [] { Work(1, 10, 10); });
    std::thread([] {
      Kernel("second", [] { Work(1, 10, 10); });
      Kernel("again", [] { Work(1, 10, 10); });
    }).join();
    EXPECT_EQ(calls.num_files(), kNumCpuCounters);
  });
  ASSERT_EQ(profile.OfType("cpu.counters").size(), 1u);
  EXPECT_EQ(profile.OfType("cpu.counters")[0]->name, "first");
  EXPECT_THAT(
      Texts(ended_),
      ElementsAre("counters of kernels: 1 threads have none: too many files are open; raise "
                  "the limit (ulimit -n): each thread needs 6"));
}

// Threads that outlive sessions: their groups are closed with the session, and opened for the next.
TEST_F(CounterProbeTest, SessionsCloseTheGroupsOfThreadsThatGoOn) {
  std::atomic<bool> is_over{false};
  std::atomic<uint64_t> num_kernels{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!is_over) {
        Kernel("kernel", [] { Work(1, 10, 10); });
        ++num_kernels;
        std::this_thread::yield();
      }
    });
  }
  for (int round = 0; round < 10; ++round) {
    FakePerfCalls& calls = MakeCalls();
    const tracing::Profile profile = Record(&calls, [&] {
      const uint64_t before = num_kernels;
      while (num_kernels < before + 10) std::this_thread::yield();
    });
    for (const tracing::Span* event : profile.OfType("cpu.counters")) {
      ASSERT_EQ(event->Integer("cycles"), 1);
      ASSERT_EQ(event->Integer("instructions"), 2);
    }
    EXPECT_EQ(calls.num_files(), 0u);
    EXPECT_EQ(calls.num_wrong_closes(), 0);
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

// As many files as are open: those of /proc/self/fd.
size_t NumOpenFiles() {
  DIR* folder = opendir("/proc/self/fd");
  size_t count = 0;
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

bool Has(CpuCounter counter) {
  return ExamineCpuCounters()[static_cast<size_t>(counter)].reason.empty();
}

// Touches pages that nobody has touched. Of their real size: of a huge page one fault maps all.
void TouchNewPages(size_t count) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* memory =
      mmap(nullptr, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, count * page, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < count; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  munmap(memory, count * page);
}

class RealCountersTest : public CounterProbeTest {
 protected:
  // A session of level metrics on this machine.
  Profile RecordReally(const std::function<void()>& kernels, Level level = Level::kMetrics) {
    ProfileBuilder builder;
    auto session = Session::Start({.level = level, .buffer_bytes = size_t{4} << 20},
                                  std::make_unique<ForwardingConsumer>(&builder));
    EXPECT_TRUE(session.ok()) << session.status().ToString();
    if (!session.ok()) return {};
    kernels();
    EXPECT_TRUE((*session)->Stop().ok());
    return builder.Build();
  }
};

TEST_F(RealCountersTest, AKernelThatTouchesNewPagesHasSoManyFaults) {
  if (!Has(CpuCounter::kPageFaults)) GTEST_SKIP() << "no counter of page faults here";
  constexpr int64_t kPages = 300;
  const size_t before = NumOpenFiles();
  const Profile profile = RecordReally([] {
    Kernel("warm", [] { TouchNewPages(10); });
    Kernel("touches", [] { TouchNewPages(kPages); });
    Kernel("does not", [] {});
    std::thread([] { Kernel("touches elsewhere", [] { TouchNewPages(2 * kPages); }); }).join();
  });
  EXPECT_EQ(NumOpenFiles(), before);
  auto faults = [&](std::string_view name) -> int64_t {
    for (const Event* event : profile.OfType(kSystemCountersType)) {
      if (profile.NameOf(*event) == name) return profile.Integer(*event, "page_faults");
    }
    return -1;
  };
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr int64_t kMost = 8;  // what the sanitizer notes of a page is memory, too
#else
  constexpr int64_t kMost = 1;
#endif
  // The code itself may be new to its thread.
  EXPECT_GE(faults("touches"), kPages);
  EXPECT_LE(faults("touches"), kMost * kPages + 5);
  EXPECT_GE(faults("does not"), 0);
  EXPECT_LE(faults("does not"), 5 * kMost);
  EXPECT_GE(faults("touches elsewhere"), 2 * kPages);
  EXPECT_LE(faults("touches elsewhere"), kMost * 2 * kPages + 20);
}

TEST_F(RealCountersTest, AKernelThatSleepsIsSwitched) {
  if (!Has(CpuCounter::kContextSwitches)) GTEST_SKIP() << "no counter of switches here";
  const Profile profile = RecordReally([] {
    Kernel("sleeps", [] {
      for (int i = 0; i < 5; ++i) usleep(10000);
    });
  });
  const auto events = profile.OfType(kSystemCountersType);
  ASSERT_EQ(events.size(), 1u);
  // A machine that stands still may end a sleep before the thread gives its processor away: such a
  // sleep is no switch.
  EXPECT_GE(profile.Integer(*events[0], "context_switches"), 3);
}

// What the machine has is collected; what it has not is told, and nothing else is.
TEST_F(RealCountersTest, TellsWhatThisMachineLacks) {
  const Profile profile = RecordReally([] { Kernel("kernel", [] {}); });
  std::string told;
  for (const Problem& problem : profile.problems()) {
    EXPECT_EQ(problem.kind, Problem::Kind::kUnavailable);
    told += problem.text + "\n";
  }
  for (const CounterState& state : ExamineCpuCounters()) {
    const auto index = static_cast<size_t>(state.counter);
    const std::string name(kCpuCounterNames[index]);
    EXPECT_EQ(state.reason.empty(), state.remedy.empty());
    const auto events =
        profile.OfType(index < kNumHardwareCounters ? kHardwareCountersType : kSystemCountersType);
    const bool is_counted = !events.empty() && profile.HasArgument(*events[0], name);
    EXPECT_EQ(is_counted, state.reason.empty()) << name << ": " << state.reason;
    if (is_counted) continue;
    EXPECT_THAT(told, AllOf(HasSubstr(name), HasSubstr(state.reason), HasSubstr(state.remedy)));
  }
  // At other levels nobody counts, and nobody complains.
  const Profile quiet = RecordReally([] { Kernel("kernel", [] {}); }, Level::kKernel);
  EXPECT_THAT(quiet.problems(), IsEmpty());
  EXPECT_EQ(quiet.events().size(), 1u);
}

TEST_F(RealCountersTest, ForksCountNothingAndEndWell) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer knows no threads of processes that were forked";
#endif
  const Profile profile = RecordReally([] {
    Kernel("first", [] {});
    const pid_t child = fork();
    if (child == 0) {
      Kernel("child", [] {});
      std::thread([] { Kernel("of the child", [] {}); }).join();
      _exit(0);
    }
    int state = 0;
    waitpid(child, &state, 0);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    Kernel("second", [] {});
  });
  EXPECT_EQ(profile.OfType("test.kernel").size(), 2u);
  EXPECT_EQ(profile.OfType(kSystemCountersType).size(), Has(CpuCounter::kPageFaults) ? 2u : 0u);
}

}  // namespace
}  // namespace tfrt::profiler
