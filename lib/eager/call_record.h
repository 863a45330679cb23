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
// clock. Without End there are no records, and none if it is not on.
class CallRecord {
 public:
  CallRecord(bool is_on, const OpDefinition& op) {
    if (is_on) [[unlikely]]
      scopes_.emplace(op);
  }

  void BeginKernel(const ContextDevice& on) {
    if (scopes_) [[unlikely]]
      scopes_->BeginKernel(on);
  }
  HostAllocator* AllocatorOf(const ContextDevice& on) const {
    if (scopes_ && TracesSteps()) [[unlikely]]
      return on.memory->traced_allocator();
    return on.allocator;
  }
  void EndKernel() {
    if (scopes_) [[unlikely]]
      scopes_->kernel->End();
  }
  // What the kernel has begun.
  void Await(HostContext* host, AsyncValue* value) {
    if (value->IsAvailable()) [[likely]]
      return;
    if (!scopes_) return AwaitBegun(host, value);
    Step step(TracesSteps(), kStallStep, {scopes_->id, scopes_->op});
    AwaitBegun(host, value);
  }
  void End() {
    if (scopes_) [[unlikely]]
      scopes_->call.End();
  }

 private:
  struct Scopes {
    explicit Scopes(const OpDefinition& op)
        : op(op),
          id(TracesSteps() ? tracing::NewOpId() : 0),
          call(kCallStep, [&] { return op.recorded_name(); }, {.op_id = id}) {}
    ~Scopes() {
      if (kernel) kernel->Drop();
      call.Drop();
    }
    [[gnu::noinline]] void BeginKernel(const ContextDevice& on) {
      kernel.emplace(
          kKernelStep, [&] { return op.recorded_name(); }, tracing::RecordLinks{.op_id = id},
          [&] { return on.recorded_name(); });
    }

    const OpDefinition& op;
    const uint64_t id;
    tracing::RecordScope call;
    std::optional<tracing::RecordScope> kernel;
  };
  std::optional<Scopes> scopes_;
};

// The same of a call whose kernel takes less time than a reading of the clock or two, and records
// nothing itself. The call ends with its kernel, which the result is part of: three readings.
class QuickCallRecord {
 public:
  explicit QuickCallRecord(bool is_on) : is_on_(is_on) {
    if (is_on_) [[unlikely]]
      begin_ = tracing::Now();
  }

  void BeginKernel() {
    if (is_on_) [[unlikely]]
      kernel_begin_ = tracing::Now();
  }
  void End(const OpDefinition& op, const ContextDevice& on) const {
    if (is_on_) [[unlikely]]
      Write(op, on, begin_, kernel_begin_);
  }

 private:
  [[gnu::noinline]] static void Write(const OpDefinition& op, const ContextDevice& on,
                                      tracing::Ticks begin, tracing::Ticks kernel_begin) {
    const tracing::Ticks end = tracing::Now();
    const tracing::Name name = op.recorded_name();
    const uint64_t id = TracesSteps() ? tracing::NewOpId() : 0;
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

#endif  // TFRT_EAGER_CALL_RECORD_H_
