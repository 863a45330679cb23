#include "process_facts.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// "program argument argument"
std::string CommandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

// "AMD EPYC 9B14"; the machine's kind where the system does not name it.
std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("model name")) continue;
    const size_t colon = line.find(": ");
    if (colon != line.npos) return line.substr(colon + 2);
  }
  utsname system = {};
  return uname(&system) == 0 ? system.machine : "";
}

int64_t Nanoseconds(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void AddProcessFacts(ProfileConsumer* consumer) {
  consumer->AddProperty(property::kProducer, "tfrt " TFRT_VERSION);
  consumer->AddProperty(property::kCommand, CommandLine());
  consumer->AddProperty(property::kWallClockOffsetNs,
                        StrCat(Nanoseconds(CLOCK_REALTIME) - Nanoseconds(CLOCK_MONOTONIC)));
  consumer->AddProperty(property::kProcessor, ProcessorName());
  consumer->AddProperty(property::kNumProcessors, StrCat(sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace tfrt::profiler
