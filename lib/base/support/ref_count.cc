#include "tfrt/support/ref_count.h"

namespace tfrt {
namespace {
// relaxed everywhere: a statistic, read only when the program is quiet.
std::atomic<int64_t> live_ref_counted{0};
}  // namespace

int64_t NumLiveRefCounted() { return live_ref_counted.load(std::memory_order_relaxed); }

#ifdef TFRT_TRACK_LIVE_OBJECTS
void internal::CountLiveRefCounted(int delta) {
  live_ref_counted.fetch_add(delta, std::memory_order_relaxed);
}
#endif

}  // namespace tfrt
