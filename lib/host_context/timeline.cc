#include "tfrt/host_context/timeline.h"

#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

thread_local constinit bool on_timeline = false;

}  // namespace

TimelineScope::TimelineScope() : outer_(std::exchange(on_timeline, true)) {}
TimelineScope::~TimelineScope() { on_timeline = outer_; }

Status TimelineScope::Check(std::string_view what) {
  if (!on_timeline) return OkStatus();
  return FailedPreconditionError(StrCat(
      what, " cannot be part of what runs on a timeline of a device: it might wait for itself"));
}

}  // namespace tfrt
