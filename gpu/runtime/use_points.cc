#include "use_points.h"

#include <algorithm>
#include <cassert>
#include <memory>

namespace tfrt::gpu {

UsePoints::~UsePoints() { delete more_.load(std::memory_order_acquire); }

void UsePoints::NoteSlow(Point point) {
  assert(point.stream != 0 && point.number >> kNumberBits == 0);
  const uint64_t packed = Pack(point);
  for (auto& place : places_) {
    uint64_t now = place.load(std::memory_order_relaxed);
    // Free, or this stream's: the highest number wins whoever else notes.
    while (now == 0 || now >> kNumberBits == point.stream) {
      if (now >= packed || place.compare_exchange_weak(now, packed, std::memory_order_relaxed)) {
        return;
      }
    }
  }
  More* more = more_.load(std::memory_order_acquire);
  if (!more) {
    auto fresh = std::make_unique<More>();
    // acq_rel: publishes the list, or sees that of another thread.
    if (more_.compare_exchange_strong(more, fresh.get(), std::memory_order_acq_rel)) {
      more = fresh.release();
    }
  }
  std::lock_guard lock(more->mutex);
  auto found = std::ranges::find(more->points, point.stream, &Point::stream);
  if (found == more->points.end()) {
    more->points.push_back(point);
  } else {
    found->number = std::max(found->number, point.number);
  }
}

void UsePoints::Reset(Point point) {
  places_[0].store(point.stream ? Pack(point) : 0, std::memory_order_relaxed);
  for (size_t i = 1; i < kPlaces; ++i) places_[i].store(0, std::memory_order_relaxed);
  if (More* more = more_.load(std::memory_order_acquire)) more->points.clear();
}

}  // namespace tfrt::gpu
