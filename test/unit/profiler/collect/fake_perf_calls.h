// FakePerfCalls: counters of a machine that tests make up.
#ifndef TFRT_TEST_UNIT_PROFILER_COLLECT_FAKE_PERF_CALLS_H_
#define TFRT_TEST_UNIT_PROFILER_COLLECT_FAKE_PERF_CALLS_H_

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "lib/profiler/collect/perf_calls.h"

namespace tfrt::profiler {

// Each group's counters count what its thread has done: `work` of it, as many as a counter's rate.
class FakePerfCalls : public PerfCalls {
 public:
  // What the calling thread has done, and how long its counters are there and have registers; set
  // by tests.
  static inline thread_local uint64_t work = 0, enabled_ns = 0, running_ns = 0;

  // Before anything is opened: the errno of an event, and how many files there may be at once.
  void Refuse(uint32_t type, uint64_t config, int error) { errors_[{type, config}] = error; }
  void RefuseHardware(int error) {
    for (uint64_t config : {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                            PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_MISSES}) {
      Refuse(PERF_TYPE_HARDWARE, config, error);
    }
  }
  void set_max_files(size_t count) {
    std::lock_guard lock(mutex_);
    max_files_ = count;
  }
  void set_can_read(bool can) {
    std::lock_guard lock(mutex_);
    can_read_ = can;
  }

  // What an event counts for each unit of work.
  static uint64_t RateOf(const perf_event_attr& event) {
    return 1 + event.config + (event.type == PERF_TYPE_SOFTWARE ? 100 : 0);
  }

  int Open(const perf_event_attr& event, int group) override {
    std::lock_guard lock(mutex_);
    if (auto found = errors_.find({event.type, event.config}); found != errors_.end()) {
      return -found->second;
    }
    if (files_.size() >= max_files_) return -EMFILE;
    if (group != -1 && !files_.contains(group)) return -EBADF;
    const int file = next_file_++;
    files_[file] = {.event = event, .members = {file}};
    if (group != -1) files_[group].members.push_back(file);
    opened_.push_back(event);
    return file;
  }
  bool Read(int file, std::span<uint64_t> words) override {
    std::lock_guard lock(mutex_);
    auto found = files_.find(file);
    if (!can_read_ || found == files_.end()) return false;
    const std::vector<int>& members = found->second.members;
    if (words.size() != 3 + members.size()) return false;
    words[0] = members.size();
    words[1] = enabled_ns;
    words[2] = running_ns;
    for (size_t i = 0; i < members.size(); ++i) {
      words[3 + i] = work * RateOf(files_[members[i]].event);
    }
    return true;
  }
  void Close(int file) override {
    std::lock_guard lock(mutex_);
    if (files_.erase(file) == 0) ++num_wrong_closes_;
  }

  size_t num_files() {
    std::lock_guard lock(mutex_);
    return files_.size();
  }
  int num_wrong_closes() {
    std::lock_guard lock(mutex_);
    return num_wrong_closes_;
  }
  std::vector<perf_event_attr> opened() {
    std::lock_guard lock(mutex_);
    return opened_;
  }

 private:
  struct File {
    perf_event_attr event;
    std::vector<int> members;  // of its group, if it is the first one
  };

  std::mutex mutex_;
  std::map<std::pair<uint32_t, uint64_t>, int> errors_;
  size_t max_files_ = SIZE_MAX;
  bool can_read_ = true;
  int next_file_ = 1000;
  std::map<int, File> files_;
  std::vector<perf_event_attr> opened_;
  int num_wrong_closes_ = 0;
};

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_COLLECT_FAKE_PERF_CALLS_H_
