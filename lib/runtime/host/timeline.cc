#include "timeline.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

thread_local constinit bool on_timeline = false;

}  // namespace

TimelineScope::TimelineScope() : outer_(std::exchange(on_timeline, true)) {}
TimelineScope::~TimelineScope() { on_timeline = outer_; }

bool TimelineScope::IsActive() { return on_timeline; }

void TimelineScope::SleepUntil(AsyncValue* value) {
  if (value->IsAvailable()) return;
  AwaitScope scope;
  struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  auto gate = std::make_shared<Gate>();
  value->AndThen([gate] {
    std::lock_guard lock(gate->mutex);
    gate->open = true;
    gate->changed.notify_all();
  });
  std::unique_lock lock(gate->mutex);
  gate->changed.wait(lock, [&] { return gate->open; });
}

Status TimelineScope::Check(std::string_view what) {
  if (!on_timeline) return OkStatus();
  return FailedPreconditionError(StrCat(
      what, " cannot be part of what runs on a timeline of a device: it might wait for itself"));
}

}  // namespace tfrt
