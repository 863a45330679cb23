// perf_event_open: generic events everywhere, floating-point ones where the processor is known.
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include "lib/profiler/machine.h"
#include "processor.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

struct EventSpec {
  const char* name;
  uint32_t type;
  uint64_t config;
};

constexpr std::array<EventSpec, 4> kGeneric = {
    {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
     {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
     {"cache references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
     {"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}}};

// FP_ARITH_INST_RETIRED, event 0xC7, by width (Intel's event tables).
constexpr std::array<EventSpec, 8> kIntelFloat = {{{"flops.scalar_double", PERF_TYPE_RAW, 0x01C7},
                                                   {"flops.scalar_single", PERF_TYPE_RAW, 0x02C7},
                                                   {"flops.128_double", PERF_TYPE_RAW, 0x04C7},
                                                   {"flops.128_single", PERF_TYPE_RAW, 0x08C7},
                                                   {"flops.256_double", PERF_TYPE_RAW, 0x10C7},
                                                   {"flops.256_single", PERF_TYPE_RAW, 0x20C7},
                                                   {"flops.512_double", PERF_TYPE_RAW, 0x40C7},
                                                   {"flops.512_single", PERF_TYPE_RAW, 0x80C7}}};
// Retired SSE and AVX operations, event 0x03, all kinds (AMD's processor programming references).
constexpr std::array<EventSpec, 1> kAmdFloat = {{{"flops.all", PERF_TYPE_RAW, 0x0F03}}};

std::span<const EventSpec> FloatEvents() {
  const ProcessorModel model = ReadProcessorModel();
  // Skylake, Cascade Lake; Ice Lake; Sapphire, Emerald and Granite Rapids: servers.
  constexpr std::array<unsigned, 6> kIntelServers = {0x55, 0x6A, 0x6C, 0x8F, 0xCF, 0xAD};
  if (model.vendor == ProcessorModel::Vendor::kIntel && model.family == 6 &&
      std::ranges::find(kIntelServers, model.model) != kIntelServers.end()) {
    return kIntelFloat;
  }
  if (model.vendor == ProcessorModel::Vendor::kAmd &&
      (model.family == 0x17 || model.family == 0x19)) {
    return kAmdFloat;
  }
  return {};
}

int OpenEvent(const EventSpec& spec) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof(attributes));
  attributes.size = sizeof(attributes);
  attributes.type = spec.type;
  attributes.config = spec.config;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

// Returns why the event does not count; empty: it does.
std::string Examine(const EventSpec& spec) {
  const int file = OpenEvent(spec);
  if (file < 0) return CounterFailureText(errno);
  std::array<uint64_t, 3> read = {};  // count, time there, time in a register
  const bool is_read = ::read(file, read.data(), sizeof(read)) == ssize_t{sizeof(read)};
  close(file);
  if (!is_read) return "reading it failed";
  return read[2] == 0 ? "it had no register of the processor all the time" : "";
}

}  // namespace

std::string CounterFailureText(int error_number) {
  switch (error_number) {
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
      return "the machine has no such event, as most virtual ones";
    case EACCES:
    case EPERM:
      return "not permitted: lower /proc/sys/kernel/perf_event_paranoid to 2, or leave the sandbox";
    case ENOSYS:
      return "the system has no perf_event_open";
    case EMFILE:
    case ENFILE:
      return "too many files are open";
    default:
      return StrCat("perf_event_open failed with error ", error_number);
  }
}

std::vector<ProcessCounter> ExamineProcessCounters() {
  std::vector<ProcessCounter> counters;
  for (const EventSpec& spec : kGeneric) counters.push_back({spec.name, Examine(spec)});
  const std::span<const EventSpec> floats = FloatEvents();
  for (const EventSpec& spec : floats) counters.push_back({spec.name, Examine(spec)});
  if (floats.empty()) {
    counters.push_back({"flops.all", "which event counts them on this processor is not known"});
  }
  return counters;
}

}  // namespace tfrt::profiler
