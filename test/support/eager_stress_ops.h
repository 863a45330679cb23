// Custom ops of random eager programs, each with what it computes as a plain function.
#ifndef TFRT_TEST_SUPPORT_EAGER_STRESS_OPS_H_
#define TFRT_TEST_SUPPORT_EAGER_STRESS_OPS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/eager/context.h"
#include "tfrt/host_context/shared_context.h"

namespace tfrt::eager {

inline constexpr const char* kStressDevices[] = {"cpu:0", "cpu:1"};

// What the ops of one host share with who calls them.
class StressState final : public SharedContext {
 public:
  explicit StressState(HostContext*) {}
  static StressState& Of(HostContext* host) {
    return host->GetOrCreateSharedContext<StressState>();
  }

  Context* context = nullptr;  // set before the first call
  std::atomic<int> running_effects{0};
  std::atomic<bool> effects_overlapped{false};
  std::atomic<int64_t> num_effects{0};
};

using Elements = std::vector<float>;
// Integers below 4096, whatever integers a and b are, so that sums of some of them are exact.
Elements Mixed(const Elements& a, const Elements& b);
// The message of a failing op contains this, and of no other id.
std::string FailureTextOf(int64_t id);

// Of f32 tensors of one shape; all but Mix and Effect have the attribute id: i64.
//   stress.Mix(a, b)        Mixed, in the memory of a or b if it may
//   stress.Shapeless(a, b)  the same, without a metadata function
//   stress.Late(a, b)       the same, set later: by a task, a blocking task or a thread of no queue
//   stress.Nested(a, b)     the same, by calls of ops in a scope of its own
//   stress.Pair(a, b)       two results: Mixed of (a, b) and of (b, a)
//   stress.Fail(x), stress.Throw(x), stress.LateFail(x)   one result, an error: returned, thrown as
//                           an exception, set later
//   stress.Effect(x)        has a side effect
void RegisterStressOps(Context& context);

}  // namespace tfrt::eager

#endif  // TFRT_TEST_SUPPORT_EAGER_STRESS_OPS_H_
