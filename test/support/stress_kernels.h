// The kernels of random programs: what values can go through in a program, each in its smallest
// form.
#ifndef TFRT_TEST_SUPPORT_STRESS_KERNELS_H_
#define TFRT_TEST_SUPPORT_STRESS_KERNELS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// A payload with a count of those alive, and wrong once it is dead: a value that is lost, freed
// twice or read too late shows in every build.
class Tracked {
 public:
  explicit Tracked(uint32_t value) : value_(value) { live.fetch_add(1, std::memory_order_relaxed); }
  Tracked(Tracked&& other) noexcept : Tracked(other.value()) {}
  Tracked& operator=(Tracked&&) = delete;
  ~Tracked() {
    value_ = 0xDEAD;
    live.fetch_sub(1, std::memory_order_relaxed);
  }
  uint32_t value() const { return value_; }
  void set_value(uint32_t value) { value_ = value; }

  static inline std::atomic<int64_t> live{0};

 private:
  volatile uint32_t value_;  // volatile: the last store counts
};

enum class StressKernel : uint8_t {
  kMix,  // new values of all operands; now and then runs what another kernel left to be run later
  kMixLater,   // the same, set later
  kForward,    // the operands themselves
  kInPlace,    // as kMix, but result 0 is operand 0, changed in place, where that is allowed
  kPick,       // non-strict: one operand, there or not
  kJoin,       // non-strict: as kMix, once all operands are there
  kPartFail,   // result 0, which is set later, and then an error
  kDeepChain,  // as kMixLater, but result 0 comes through a long chain of values from values
  kAwait,      // as kMixLater, but a task in between waits for the value
};

// Where what is set later is set. kOutside: on a thread of no queue, or inside another kernel.
enum class Later : uint8_t { kTask, kBlockingTask, kOutside };

// The value of result `i` of step `id`.
uint32_t MixedValue(int32_t id, const std::vector<uint32_t>& operands, uint32_t i);
// The message of its error.
std::string FailureText(int32_t id);

// "t.mix", "t.mix_fail", and so on; non-strict where they are. Their attributes:
//   id: i32      all        fail: i1    kMixLater, kDeepChain, kAwait
//   later: i32   kMixLater, kPartFail, kDeepChain, kAwait        length: i32   kDeepChain
void RegisterStressKernels(KernelRegistry& registry);
const char* KernelName(StressKernel kernel, bool fails);
bool HasFailAttribute(StressKernel kernel);
bool HasLaterAttribute(StressKernel kernel);

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_STRESS_KERNELS_H_
