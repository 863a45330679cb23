#include "counter_group.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace tfrt::profiler {
namespace {

struct EventOf {
  uint32_t type;
  uint64_t config;
};
constexpr std::array<EventOf, kNumCpuCounters> kEvents = {{
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
}};

perf_event_attr AttributesOf(CpuCounter counter) {
  const EventOf& event = kEvents[static_cast<size_t>(counter)];
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof(attributes));
  attributes.size = sizeof(attributes);
  attributes.type = event.type;
  attributes.config = event.config;
  // A thread is switched by the system: of the program's own part there would always be none.
  attributes.exclude_kernel = counter != CpuCounter::kContextSwitches;
  attributes.exclude_hv = 1;
  attributes.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attributes;
}

}  // namespace

CounterSet CounterGroup::Open(PerfCalls* calls, CounterSet wanted,
                              std::array<int, kNumCpuCounters>* errors) {
  Close();
  calls_ = calls;
  CounterSet opened = 0;
  errors->fill(0);
  for (size_t i = 0; i < kNumCpuCounters; ++i) {
    if (!Has(wanted, i)) continue;
    const int group = num_files_ == 0 ? -1 : files_[0];
    const int file = calls->Open(AttributesOf(static_cast<CpuCounter>(i)), group);
    if (file < 0) {
      (*errors)[i] = -file;
    } else {
      files_[num_files_++] = file;
      opened |= 1u << i;
    }
  }
  return opened;
}

void CounterGroup::Close() {
  // The first one last: what is left of a group would begin to count by itself.
  while (num_files_ > 0) calls_->Close(files_[--num_files_]);
}

bool CounterGroup::Read(GroupReading* reading) const {
  if (num_files_ == 0) return false;
  // How many there are, the two times, the counters.
  std::array<uint64_t, 1 + GroupReading::kNumWords> words = {};
  const size_t num_words = 3 + num_files_;
  if (!calls_->Read(files_[0], std::span(words).first(num_words))) return false;
  if (words[0] != num_files_) return false;
  std::copy(words.begin() + 1, words.end(), reading->words.begin());
  return true;
}

std::optional<CounterValues> Difference(CounterSet set, const GroupReading& begin,
                                        const GroupReading& end, bool* is_estimate) {
  const uint64_t enabled = end.enabled_ns() - begin.enabled_ns();
  const uint64_t running = end.running_ns() - begin.running_ns();
  *is_estimate = running < enabled;
  if (running == 0 && enabled > 0) return std::nullopt;
  const double scale =
      *is_estimate ? static_cast<double>(enabled) / static_cast<double>(running) : 1;
  CounterValues values = {};
  size_t word = 2;
  for (size_t i = 0; i < kNumCpuCounters; ++i) {
    if (!Has(set, i)) continue;
    // The system's own estimates may decrease.
    const auto counted = static_cast<int64_t>(end.words[word] - begin.words[word]);
    ++word;
    if (counted <= 0) continue;
    // If the two times differ much, the estimate may be any number.
    constexpr double kMost = 1e18;
    values[i] =
        *is_estimate
            ? static_cast<uint64_t>(std::min(kMost, static_cast<double>(counted) * scale + 0.5))
            : static_cast<uint64_t>(counted);
  }
  return values;
}

}  // namespace tfrt::profiler
