// The records of a call that goes one of the short ways, quick_call.h or ExecutePrepared, under a
// session that asks for no details.
#ifndef TFRT_EAGER_CALL_RECORD_H_
#define TFRT_EAGER_CALL_RECORD_H_

#include <cstdint>
#include <optional>

#include "context_impl.h"
#include "op_scope.h"
#include "steps.h"
#include "tfrt/tracing/clock.h"
#include "tfrt/tracing/name.h"
#include "tfrt/tracing/past_scope.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

// eager.call and, inside of it, eager.kernel, as the long way records them, in four readings of the
// clock. Without End there are no records.
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
  void EndKernel() { kernel_->End(); }
  // What the kernel has begun.
  void Await(HostContext* host, AsyncValue* value) {
    if (value->IsAvailable()) [[likely]]
      return;
    Step step(TracesSteps(), kStallStep, {id_, op_});
    AwaitBegun(host, value);
  }
  void End() { call_.End(); }

 private:
  const OpDefinition& op_;
  const uint64_t id_;
  tracing::RecordScope call_;
  std::optional<tracing::RecordScope> kernel_;
};

// The same of a call whose kernel takes less time than a reading of the clock or two, and records
// nothing itself. The call ends with its kernel, which the result is part of: three readings.
class QuickCallRecord {
 public:
  explicit QuickCallRecord(const OpDefinition& op) : op_(op), begin_(tracing::Now()) {}

  void BeginKernel(const ContextDevice& on) {
    on_ = &on;
    kernel_begin_ = tracing::Now();
  }
  void End() {
    const tracing::Ticks end = tracing::Now();
    const tracing::Name name = op_.recorded_name();
    const uint64_t id = TracesSteps() ? tracing::NewOpId() : 0;
    const uint64_t call = tracing::RecordPastScope(
        kCallStep, {.name = name, .op_id = id, .begin = begin_, .end = end});
    tracing::RecordPastScope(kKernelStep, {.name = name,
                                           .op_id = id,
                                           .parent_id = call,
                                           .begin = kernel_begin_,
                                           .end = end,
                                           .argument = on_->recorded_name()});
  }

 private:
  const OpDefinition& op_;
  const tracing::Ticks begin_;
  tracing::Ticks kernel_begin_ = 0;
  const ContextDevice* on_ = nullptr;
};

// Of a call when nobody listens.
struct NoCallRecord {
  explicit NoCallRecord(const OpDefinition&) {}
  void BeginKernel(const ContextDevice&) {}
  static HostAllocator* AllocatorOf(const ContextDevice& on) { return on.allocator; }
  void EndKernel() {}
  static void Await(HostContext* host, AsyncValue* value) { AwaitBegun(host, value); }
  void End() {}
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_CALL_RECORD_H_
