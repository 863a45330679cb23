// Sources: cpuid leaves 0, 1, 7 and 0x80000002 to 4 (Intel SDM volume 2, AMD APM volume 3),
// and /sys/devices/system/cpu.
#include "processor.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <set>
#include <utility>

#include "tfrt/support/str_cat.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tfrt::profiler {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The number at the begin of the text; 0 of none.
int64_t NumberOf(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string CpuFile(int cpu, std::string_view name) {
  return FirstLine(StrCat("/sys/devices/system/cpu/cpu", cpu, "/", name));
}

std::vector<int> UsableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

size_t CountCores(const std::vector<int>& cpus) {
  std::set<std::pair<std::string, std::string>> cores;
  for (int cpu : cpus) {
    const std::string core = CpuFile(cpu, "topology/core_id");
    if (core.empty()) return cpus.size();
    cores.emplace(CpuFile(cpu, "topology/physical_package_id"), core);
  }
  return cores.size();
}

int64_t LastLevelCache(int cpu) {
  int64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string size = CpuFile(cpu, StrCat("cache/index", index, "/size"));
    if (size.empty()) break;
    const int64_t unit = size.back() == 'K' ? 1024 : size.back() == 'M' ? 1024 * 1024 : 1;
    const int64_t number = std::clamp<int64_t>(NumberOf(size), 0, int64_t{1} << 30);
    largest = std::max(largest, number * unit);
  }
  return largest;
}

#if defined(__x86_64__)
bool HasAvxVnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1u << 4)) != 0;
}

// Linux gives the large registers of tiles only to a process that requests them
// (arch/x86/include/uapi/asm/prctl.h: ARCH_REQ_XCOMP_PERM of XFEATURE_XTILE_DATA). A second request
// succeeds as well.
bool MayUseTiles() { return syscall(SYS_arch_prctl, 0x1023, 18) == 0; }

void ReadTiles(VectorUnits* units) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & (1u << 24)) == 0) return;
  if (!MayUseTiles()) return;
  units->has_bf16_tiles = (d & (1u << 22)) != 0;
  units->has_int8_tiles = (d & (1u << 25)) != 0;
}

VectorUnits ReadVectorUnits() {
  VectorUnits units;
  if (__builtin_cpu_supports("avx512f")) {
    units.kind = VectorUnits::Kind::kAvx512;
    units.has_int8_dot_products = __builtin_cpu_supports("avx512vnni");
    units.has_bf16_dot_products = __builtin_cpu_supports("avx512bf16");
    ReadTiles(&units);
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    units.kind = VectorUnits::Kind::kAvx2;
    units.has_int8_dot_products = HasAvxVnni();
  } else {
    units.kind = VectorUnits::Kind::kSse;
  }
  return units;
}

std::string ReadName() {
  std::array<unsigned, 12> text = {};
  for (unsigned i = 0; i < 3; ++i) {
    if (!__get_cpuid(0x80000002 + i, &text[4 * i], &text[4 * i + 1], &text[4 * i + 2],
                     &text[4 * i + 3])) {
      return "";
    }
  }
  std::array<char, sizeof(text) + 1> name = {};
  std::memcpy(name.data(), text.data(), sizeof(text));
  std::string result(name.data());
  result.erase(0, std::min(result.find_first_not_of(' '), result.size()));
  result.erase(result.find_last_not_of(' ') + 1);
  return result;
}

#else
VectorUnits ReadVectorUnits() {
#if defined(__aarch64__)
  return {.kind = VectorUnits::Kind::kNeon};
#else
  return {};
#endif
}
std::string ReadName() { return ""; }
#endif

}  // namespace

std::string_view VectorUnitsName(VectorUnits::Kind kind) {
  switch (kind) {
    case VectorUnits::Kind::kSse:
      return "SSE";
    case VectorUnits::Kind::kAvx2:
      return "AVX2";
    case VectorUnits::Kind::kAvx512:
      return "AVX-512";
    case VectorUnits::Kind::kNeon:
      return "NEON";
    case VectorUnits::Kind::kScalar:
      break;
  }
  return "no vectors";
}

ProcessorModel ReadProcessorModel() {
  ProcessorModel result;
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &a, &b, &c, &d)) return result;
  if (b == signature_INTEL_ebx) result.vendor = ProcessorModel::Vendor::kIntel;
  if (b == signature_AMD_ebx) result.vendor = ProcessorModel::Vendor::kAmd;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return result;
  const unsigned family = (a >> 8) & 0xf;
  result.family = family == 0xf ? family + ((a >> 20) & 0xff) : family;
  result.model = ((a >> 4) & 0xf) | ((a >> 12) & 0xf0);
#endif
  return result;
}

double ReadCpuQuota(const std::string& root) {
  double least = 0;
  auto take = [&](int64_t quota, int64_t period) {
    if (quota <= 0 || period <= 0) return;  // -1 and "max": no limit
    const double ratio = static_cast<double>(quota) / static_cast<double>(period);
    least = least > 0 ? std::min(least, ratio) : ratio;
  };
  std::ifstream file(StrCat(root, "/proc/self/cgroup"));
  for (std::string line; std::getline(file, line);) {
    // "0::/path" of version 2, "4:cpu,cpuacct:/path" of version 1.
    const size_t first = line.find(':');
    const size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_v2 = controllers.empty();
    if (!is_v2 && StrCat(",", controllers, ",").find(",cpu,") == std::string::npos) continue;
    // A container may see its own group at the root: all from there to the path are asked.
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      if (!path.empty() && path.back() == '/') path.pop_back();
      if (is_v2) {
        const std::string limit = FirstLine(StrCat(root, "/sys/fs/cgroup", path, "/cpu.max"));
        const size_t blank = limit.find(' ');
        if (blank != limit.npos) take(NumberOf(limit), NumberOf(limit.substr(blank + 1)));
      } else {
        const std::string folder = StrCat(root, "/sys/fs/cgroup/", controllers, path);
        take(NumberOf(FirstLine(StrCat(folder, "/cpu.cfs_quota_us"))),
             NumberOf(FirstLine(StrCat(folder, "/cpu.cfs_period_us"))));
      }
      if (path.find('/') == path.npos) break;
    }
  }
  return least;
}

double UsableCores(const Processor& processor) {
  const auto cores = static_cast<double>(processor.num_cores);
  return processor.cpu_quota > 0 ? std::min(cores, processor.cpu_quota) : cores;
}

Processor DescribeProcessor() {
  Processor processor;
  processor.name = ReadName();
  if (processor.name.empty()) processor.name = "unknown processor";
  const std::vector<int> cpus = UsableCpus();
  processor.num_threads = cpus.size();
  processor.num_cores = CountCores(cpus);
  processor.cpu_quota = ReadCpuQuota();
  processor.units = ReadVectorUnits();
  processor.last_level_cache_bytes = LastLevelCache(cpus.front());
  return processor;
}

}  // namespace tfrt::profiler
