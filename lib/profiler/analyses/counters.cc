// perf_event_open: generic events everywhere, floating-point ones where the processor is known.
#include <linux/perf_event.h>
#include <sys/ioctl.h>
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
  uint64_t operations = 0;  // that one event stands for
};

constexpr std::array<EventSpec, 4> kGeneric = {
    {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
     {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
     {"cache references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
     {"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}}};

// FP_ARITH_INST_RETIRED, event 0xC7, by width (Intel's event tables); instructions that multiply
// and add count twice there.
constexpr std::array<EventSpec, 8> kIntelFloat = {
    {{"flops.scalar_double", PERF_TYPE_RAW, 0x01C7, 1},
     {"flops.scalar_single", PERF_TYPE_RAW, 0x02C7, 1},
     {"flops.128_double", PERF_TYPE_RAW, 0x04C7, 2},
     {"flops.128_single", PERF_TYPE_RAW, 0x08C7, 4},
     {"flops.256_double", PERF_TYPE_RAW, 0x10C7, 4},
     {"flops.256_single", PERF_TYPE_RAW, 0x20C7, 8},
     {"flops.512_double", PERF_TYPE_RAW, 0x40C7, 8},
     {"flops.512_single", PERF_TYPE_RAW, 0x80C7, 16}}};
// Retired SSE and AVX operations, event 0x03, all kinds (AMD's processor programming references).
constexpr std::array<EventSpec, 1> kAmdFloat = {{{"flops.all", PERF_TYPE_RAW, 0x0F03, 1}}};

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

ProcessCounters::ProcessCounters() {
  auto open = [&](const EventSpec& spec) {
    Counter& counter = counters_.emplace_back();
    counter.name = spec.name;
    counter.operations = spec.operations;
    counter.fd = OpenEvent(spec);
    if (counter.fd < 0) counter.reason = CounterFailureText(errno);
  };
  std::ranges::for_each(kGeneric, open);
  const std::span<const EventSpec> floats = FloatEvents();
  std::ranges::for_each(floats, open);
  if (floats.empty()) {
    counters_.push_back(
        {.name = "flops.all", .reason = "which event counts them on this processor is not known"});
  }
}

ProcessCounters::~ProcessCounters() {
  for (const Counter& counter : counters_) {
    if (counter.fd >= 0) close(counter.fd);
  }
}

bool ProcessCounters::is_available() const {
  return std::ranges::any_of(counters_, [](const Counter& counter) { return counter.fd >= 0; });
}

std::vector<CounterValue> ProcessCounters::Read() const {
  std::vector<CounterValue> values;
  for (const Counter& counter : counters_) {
    CounterValue& value = values.emplace_back(
        CounterValue{.name = counter.name, .value = {}, .reason = counter.reason});
    if (counter.fd < 0) continue;
    std::array<uint64_t, 3> read = {};  // count, time there, time in a register
    if (::read(counter.fd, read.data(), sizeof(read)) != static_cast<ssize_t>(sizeof(read))) {
      value.reason = "reading it failed";
    } else if (read[2] == 0) {
      value.reason = "it had no register of the processor all the time";
    } else {
      const double share = static_cast<double>(read[1]) / static_cast<double>(read[2]);
      const double weight = counter.operations == 0 ? 1 : static_cast<double>(counter.operations);
      value.value = static_cast<uint64_t>(static_cast<double>(read[0]) * share * weight);
    }
  }
  return values;
}

}  // namespace tfrt::profiler
