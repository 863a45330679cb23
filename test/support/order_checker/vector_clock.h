// VectorClock: how far each timeline is known to have come.
#ifndef TFRT_TEST_SUPPORT_ORDER_CHECKER_VECTOR_CLOCK_H_
#define TFRT_TEST_SUPPORT_ORDER_CHECKER_VECTOR_CLOCK_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tfrt {

// The n-th step of a timeline happens before whatever has a clock of at least n for it. Timelines
// that the clock knows nothing of stand at 0.
class VectorClock {
 public:
  uint64_t Of(uint32_t timeline) const { return timeline < steps_.size() ? steps_[timeline] : 0; }
  // Goes to the next step of `timeline` and returns it.
  uint64_t Advance(uint32_t timeline) {
    if (timeline >= steps_.size()) steps_.resize(timeline + 1);
    return ++steps_[timeline];
  }
  // Happens after `other` as well.
  void Join(const VectorClock& other) {
    if (other.steps_.size() > steps_.size()) steps_.resize(other.steps_.size());
    for (size_t i = 0; i < other.steps_.size(); ++i) {
      steps_[i] = std::max(steps_[i], other.steps_[i]);
    }
  }

 private:
  std::vector<uint64_t> steps_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_ORDER_CHECKER_VECTOR_CLOCK_H_
