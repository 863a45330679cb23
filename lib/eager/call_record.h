// The records of a call that goes one of the short ways, quick_call.h or ExecutePrepared, under a
// session that asks for no details.
#ifndef TFRT_EAGER_CALL_RECORD_H_
#define TFRT_EAGER_CALL_RECORD_H_

#include <cstdint>
#include <optional>

#include "context_impl.h"
#include "op_scope.h"
#include "steps.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

// eager.call and, inside of it, eager.kernel, as the long way records them. The call ends with its
// kernel, which its result is part of: three readings of the clock in all. Without End there are no
// records.
class CallRecord {
 public:
  explicit CallRecord(const OpDefinition& op)
      : op_(op),
        id_(TracesSteps() ? tracing::NewOpId() : 0),
        call_(kCallStep, [&] { return op.recorded_name(); }, {.op_id = id_}) {}
  ~CallRecord() {
    if (kernel_) kernel_->Drop();
    call_.Drop();
  }

  void BeginKernel(const ContextDevice& on) {
    kernel_.emplace(
        kKernelStep, [&] { return op_.recorded_name(); }, tracing::RecordLinks{.op_id = id_},
        [&] { return on.recorded_name(); });
  }
  static HostAllocator* AllocatorOf(const ContextDevice& on) {
    return TracesSteps() ? on.memory->traced_allocator() : on.allocator;
  }
  // What the kernel has begun.
  void Await(HostContext* host, AsyncValue* value) {
    if (value->IsAvailable()) [[likely]]
      return;
    kernel_->End();
    Step step(TracesSteps(), kStallStep, {id_, op_});
    AwaitBegun(host, value);
  }
  void End() {
    const tracing::Ticks end = tracing::Now();
    if (kernel_) [[likely]]
      kernel_->EndAt(end);
    call_.EndAt(end);
  }

 private:
  const OpDefinition& op_;
  const uint64_t id_;
  tracing::RecordScope call_;
  std::optional<tracing::RecordScope> kernel_;
};

// Of a call when nobody listens.
struct NoCallRecord {
  explicit NoCallRecord(const OpDefinition&) {}
  void BeginKernel(const ContextDevice&) {}
  static HostAllocator* AllocatorOf(const ContextDevice& on) { return on.allocator; }
  static void Await(HostContext* host, AsyncValue* value) { AwaitBegun(host, value); }
  void End() {}
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_CALL_RECORD_H_
