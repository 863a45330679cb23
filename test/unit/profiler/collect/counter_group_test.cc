// Groups of counters: of what they are made, and what is made of their readings.
#include "lib/profiler/collect/counter_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>

#include "fake_perf_calls.h"
#include "lib/profiler/collect/counter_probe.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr CounterSet Bit(CpuCounter counter) { return 1u << static_cast<size_t>(counter); }

TEST(CounterGroupTest, IsOfTheProgramsOwnPartAndReadAtOnce) {
  FakePerfCalls calls;
  CounterGroup group;
  std::array<int, kNumCpuCounters> errors;
  EXPECT_EQ(group.Open(&calls, kAllCounters, &errors), kAllCounters);
  const auto opened = calls.opened();
  ASSERT_EQ(opened.size(), kNumCpuCounters);
  for (const perf_event_attr& event : opened) {
    EXPECT_EQ(event.size, sizeof(event));
    EXPECT_EQ(event.disabled, 0u);
    EXPECT_EQ(event.inherit, 0u);
    EXPECT_EQ(event.exclude_hv, 1u);
    // Threads are switched by the system.
    const bool is_switches =
        event.type == PERF_TYPE_SOFTWARE && event.config == PERF_COUNT_SW_CONTEXT_SWITCHES;
    EXPECT_EQ(event.exclude_kernel, is_switches ? 0u : 1u);
    EXPECT_EQ(event.read_format,
              PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
  }
  FakePerfCalls::work = 10;
  FakePerfCalls::enabled_ns = 70;
  FakePerfCalls::running_ns = 60;
  GroupReading reading;
  ASSERT_TRUE(group.Read(&reading));
  EXPECT_THAT(reading.words, ElementsAre(70, 60, 10, 20, 40, 60, 1030, 1040));
  group.Close();
  EXPECT_FALSE(group.is_open());
  EXPECT_FALSE(group.Read(&reading));
  EXPECT_EQ(calls.num_files(), 0u);
  group.Close();
  EXPECT_EQ(calls.num_wrong_closes(), 0);
}

TEST(CounterGroupTest, LeavesOutWhatIsRefused) {
  FakePerfCalls calls;
  calls.Refuse(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, ENOENT);
  calls.Refuse(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, EACCES);
  CounterGroup group;
  std::array<int, kNumCpuCounters> errors;
  const CounterSet there =
      kAllCounters & ~Bit(CpuCounter::kCycles) & ~Bit(CpuCounter::kContextSwitches);
  EXPECT_EQ(group.Open(&calls, kAllCounters, &errors), there);
  EXPECT_THAT(errors, ElementsAre(ENOENT, 0, 0, 0, 0, EACCES));
  FakePerfCalls::work = 1;
  GroupReading reading;
  ASSERT_TRUE(group.Read(&reading));
  EXPECT_EQ(reading.words[2], 2u) << "instructions are the first ones";
  calls.set_can_read(false);
  EXPECT_FALSE(group.Read(&reading));

  FakePerfCalls none;
  none.RefuseHardware(EPERM);
  none.set_max_files(0);
  EXPECT_EQ(group.Open(&none, kAllCounters, &errors), 0u);
  EXPECT_THAT(errors, ElementsAre(EPERM, EPERM, EPERM, EPERM, EMFILE, EMFILE));
  EXPECT_FALSE(group.is_open());
  EXPECT_EQ(calls.num_files(), 0u) << "what was open is closed";
}

GroupReading Reading(uint64_t enabled, uint64_t running, uint64_t first, uint64_t second) {
  return {.words = {enabled, running, first, second}};
}

TEST(CounterGroupTest, ScalesWhatSharedItsRegisters) {
  const CounterSet set = Bit(CpuCounter::kInstructions) | Bit(CpuCounter::kPageFaults);
  auto difference = [&](const GroupReading& begin, const GroupReading& end, bool expect_estimate) {
    bool is_estimate = !expect_estimate;
    auto values = Difference(set, begin, end, &is_estimate);
    EXPECT_EQ(is_estimate, expect_estimate);
    return values;
  };
  // All of the time.
  EXPECT_THAT(*difference(Reading(100, 90, 1000, 5), Reading(200, 190, 1500, 7), false),
              ElementsAre(0, 500, 0, 0, 2, 0));
  // A quarter of it.
  EXPECT_THAT(*difference(Reading(100, 100, 0, 0), Reading(300, 150, 500, 3), true),
              ElementsAre(0, 2000, 0, 0, 12, 0));
  // None of it: nothing is known, and it is not 0.
  EXPECT_EQ(difference(Reading(100, 90, 1000, 5), Reading(200, 90, 1000, 5), true), std::nullopt);
  // So short that no time passed.
  EXPECT_THAT(*difference(Reading(100, 90, 1000, 5), Reading(100, 90, 1002, 5), false),
              ElementsAre(0, 2, 0, 0, 0, 0));
  // What goes back, and what no number holds.
  EXPECT_THAT(*difference(Reading(0, 0, 10, 10), Reading(10, 10, 9, 11), false),
              ElementsAre(0, 0, 0, 0, 1, 0));
  const auto huge = difference(Reading(0, 0, 0, 0), Reading(UINT64_MAX, 1, INT64_MAX, 0), true);
  EXPECT_EQ((*huge)[1], uint64_t{1'000'000'000'000'000'000});
}

// Each failure says what it is, and the way out.
TEST(CounterFailureTest, SaysWhatToDo) {
  const struct {
    int error;
    CpuCounter counter;
    const char *reason, *remedy;
  } kFailures[] = {
      {ENOENT, CpuCounter::kCycles, "shows no such event, as in most virtual machines",
       "an instance, that has performance counters"},
      {EOPNOTSUPP, CpuCounter::kCycles, "shows no such event", "performance counters"},
      {EACCES, CpuCounter::kCycles, "the system does not permit it (perf_event_paranoid is ",
       "set /proc/sys/kernel/perf_event_paranoid to 2 or less, or give the program CAP_PERFMON"},
      {EACCES, CpuCounter::kContextSwitches, "does not permit it", "perf_event_paranoid to 1 or"},
      {EPERM, CpuCounter::kCycles, "a sandbox forbids perf_event_open", "seccomp profile"},
      {ENOSYS, CpuCounter::kCycles, "the system has no perf_event_open", "a Linux that has it"},
      {EMFILE, CpuCounter::kCycles, "too many files are open", "ulimit -n): each thread needs 6"},
      {ENFILE, CpuCounter::kCycles, "too many files are open", "ulimit -n"},
      {EINVAL, CpuCounter::kCycles, "no register left", "the NMI watchdog"},
      {ENOMEM, CpuCounter::kCycles, "no memory for it", "fewer threads"},
      {EIO, CpuCounter::kCycles, "failed with error 5", "tell the project"},
  };
  for (const auto& expected : kFailures) {
    const CounterFailure failure = CounterFailureOf(expected.error, expected.counter);
    EXPECT_THAT(failure.reason, HasSubstr(expected.reason)) << expected.error;
    EXPECT_THAT(failure.remedy, HasSubstr(expected.remedy)) << expected.error;
  }
}

}  // namespace
}  // namespace tfrt::profiler
