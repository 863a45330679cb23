#include "perf_calls.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace tfrt::profiler {
namespace {

class SystemCalls final : public PerfCalls {
 public:
  int Open(const perf_event_attr& attributes, int group) override {
    const long file = syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
    return file < 0 ? -errno : static_cast<int>(file);
  }
  bool Read(int file, std::span<uint64_t> words) override {
    return ::read(file, words.data(), words.size_bytes()) ==
           static_cast<ssize_t>(words.size_bytes());
  }
  void Close(int file) override { ::close(file); }
};

}  // namespace

PerfCalls& SystemPerfCalls() {
  static auto& calls = *new SystemCalls;
  return calls;
}

}  // namespace tfrt::profiler
