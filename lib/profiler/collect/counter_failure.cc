// Why counters cannot be had, in words.
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "counter_probe.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// "2"; empty where the system does not say.
std::string ReadParanoia() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string text;
  std::getline(file, text);
  return text;
}

}  // namespace

CounterFailure CounterFailureOf(int error_number, CpuCounter counter) {
  switch (error_number) {
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
    case ENXIO:
      return {"this machine's processor shows no such event, as in most virtual machines",
              "record on a machine, or an instance, that has performance counters"};
    case EACCES: {
      const std::string paranoia = ReadParanoia();
      // Counting the system's work on behalf of a program needs more rights: a lower level.
      const int most = counter == CpuCounter::kContextSwitches ? 1 : 2;
      return {StrCat("the system does not permit it (perf_event_paranoid is ",
                     paranoia.empty() ? "not known" : paranoia, ")"),
              StrCat("set /proc/sys/kernel/perf_event_paranoid to ", most,
                     " or less, or give the program CAP_PERFMON")};
    }
    case EPERM:
      return {"a sandbox forbids perf_event_open",
              "let the container's seccomp profile permit it, or give the program CAP_PERFMON"};
    case ENOSYS:
      return {"the system has no perf_event_open", "record on a Linux that has it"};
    case EMFILE:
    case ENFILE:
      return {"too many files are open",
              StrCat("raise the limit (ulimit -n): each thread needs ", kNumCpuCounters)};
    case EINVAL:
    case ENOSPC:
    case EBUSY:
      return {"the processor has no register left for it",
              "stop other programs that count, and the NMI watchdog"};
    case ENOMEM:
      return {"the system has no memory for it", "record with fewer threads"};
    default:
      return {StrCat("perf_event_open failed with error ", error_number),
              "tell the project about the machine"};
  }
}

std::vector<CounterState> ExamineCpuCounters() {
  std::array<int, kNumCpuCounters> errors;
  const CounterSet there = CounterProbe::Examine(&SystemPerfCalls(), &errors);
  std::vector<CounterState> states;
  for (size_t i = 0; i < kNumCpuCounters; ++i) {
    CounterState& state = states.emplace_back();
    state.counter = static_cast<CpuCounter>(i);
    if (Has(there, i)) continue;
    CounterFailure failure = CounterFailureOf(errors[i], state.counter);
    state.reason = std::move(failure.reason);
    state.remedy = std::move(failure.remedy);
  }
  return states;
}

}  // namespace tfrt::profiler
