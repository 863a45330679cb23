// The records of a quick call, quick_call.h, under a session that asks for no details.
#ifndef TFRT_LIB_API_EAGER_CALL_RECORD_H_
#define TFRT_LIB_API_EAGER_CALL_RECORD_H_

#include <cstdint>

#include "context_impl.h"
#include "lib/base/tracing/past_scope.h"
#include "steps.h"
#include "tfrt/tracing/clock.h"
#include "tfrt/tracing/name.h"

namespace tfrt::eager {

// Records eager.call and, inside of it, eager.kernel, as other calls record them. The kernel takes
// less time than one or two readings of the clock, and records nothing itself. The call ends with
// it, which makes three readings.
class QuickCallRecord {
 public:
  [[gnu::always_inline]] explicit QuickCallRecord(bool is_on) : is_on_(is_on) {
    if (is_on_) [[unlikely]]
      begin_ = tracing::Now();
  }

  [[gnu::always_inline]] void BeginKernel() {
    if (is_on_) [[unlikely]]
      kernel_begin_ = tracing::Now();
  }
  [[gnu::always_inline]] void End(const OpDefinition& op, const ContextDevice& on) const {
    if (is_on_) [[unlikely]]
      Write(op, on, begin_, kernel_begin_);
  }

 private:
  [[gnu::noinline]] static void Write(const OpDefinition& op, const ContextDevice& on,
                                      tracing::Ticks begin, tracing::Ticks kernel_begin) {
    const tracing::Ticks end = tracing::Now();
    const tracing::Name name = op.recorded_name();
    const uint64_t id = RecordsSteps() ? tracing::NewOpId() : 0;
    const uint64_t call = tracing::RecordPastScope(
        kCallStep, {.name = name, .op_id = id, .begin = begin, .end = end});
    tracing::RecordPastScope(kKernelStep, {.name = name,
                                           .op_id = id,
                                           .parent_id = call,
                                           .begin = kernel_begin,
                                           .end = end,
                                           .argument = on.recorded_name()});
  }

  const bool is_on_;
  tracing::Ticks begin_ = 0, kernel_begin_ = 0;
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_CALL_RECORD_H_
