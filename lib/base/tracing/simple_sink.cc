#include "simple_sink.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/support/logging.h"

namespace tfrt::tracing {
namespace {

using Clock = std::chrono::steady_clock;

int64_t Nanoseconds(Clock::duration d) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count();
}

struct Activity {
  std::string name;
  int64_t start_ns;
  int64_t end_ns;  // kOpen while the scope runs and for events
};
constexpr int64_t kOpen = -1;
constexpr int kDropped = -1;

// Logs in its destructor, which runs when the thread ends.
struct ThreadActivities {
  Clock::time_point origin = Clock::now();
  std::vector<Activity> activities;
  std::vector<int> open_scopes;  // index into activities, or kDropped

  int64_t Now() const { return Nanoseconds(Clock::now() - origin); }
  int Add(std::string_view name) {
    if (activities.size() >= SimpleSink::kMaxActivities) return kDropped;
    activities.push_back({std::string(name), Now(), kOpen});
    return static_cast<int>(activities.size()) - 1;
  }
  ~ThreadActivities() {
    if (activities.empty()) return;
    for (const Activity& a : activities) {
      if (a.end_ns == kOpen) {
        TFRT_LOG(INFO) << "::: [" << a.name << "]: " << a.start_ns / 1000 << " us";
      } else {
        TFRT_LOG(INFO) << "::: [" << a.name << "]: " << a.start_ns / 1000 << " us -- "
                       << a.end_ns / 1000 << " (" << a.end_ns - a.start_ns << " ns)";
      }
    }
    TFRT_LOG(INFO) << "Total activities collected: " << activities.size();
  }
};

ThreadActivities& OfThisThread() {
  thread_local ThreadActivities activities;
  return activities;
}

}  // namespace

void SimpleSink::PushScope(std::string_view name) {
  ThreadActivities& thread = OfThisThread();
  thread.open_scopes.push_back(thread.Add(name));
}

void SimpleSink::PopScope() {
  ThreadActivities& thread = OfThisThread();
  if (thread.open_scopes.empty()) return;  // opened before this sink was added
  int index = thread.open_scopes.back();
  thread.open_scopes.pop_back();
  if (index != kDropped) thread.activities[index].end_ns = thread.Now();
}

void SimpleSink::RecordEvent(std::string_view name) { OfThisThread().Add(name); }

}  // namespace tfrt::tracing
