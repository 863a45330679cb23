// The steps of a call as records: a scope for what takes time and an event for what does not. Sinks
// see them from level kVerbose on: "eager.STEP id=7 op=tf.MatMul{transpose_b} DETAILS".
#ifndef TFRT_LIB_API_EAGER_STEPS_H_
#define TFRT_LIB_API_EAGER_STEPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

inline constexpr tracing::Level kStepLevel = tracing::Level::kVerbose;

// The text of a step: its number, op, attributes (those that are true by name, and how many others
// there are) and arguments. An argument without a name is its value alone; an empty name is left
// out.
std::string StepText(const tracing::RecordText& text);

// Scopes are of the stack level kOp, but for the kernel itself.
constexpr tracing::RecordType StepType(std::string_view name, tracing::RecordKind kind,
                                       std::array<tracing::ArgumentSpec, 4> arguments = {}) {
  return {.name = name,
          .level = tracing::StackLevel::kOp,
          .kind = kind,
          .sink_level = kStepLevel,
          .text = &StepText,
          .arguments = arguments};
}
// Makes a type that sinks do not record.
constexpr tracing::RecordType RecordedOnly(tracing::RecordType type) {
  type.sink_level = tracing::Level::kNone;
  return type;
}
// A part of a call that takes little longer than to record it.
constexpr tracing::RecordType Detail(tracing::RecordType type) {
  type.is_detail = true;
  return type;
}
// Makes a type for an effect that the thread has next and that other threads then see.
constexpr tracing::RecordType BeforeEffect(tracing::RecordType type) {
  type.is_before_effect = true;
  return type;
}
inline constexpr auto kInteger = tracing::ArgumentSpec::Type::kInteger;
inline constexpr auto kName = tracing::ArgumentSpec::Type::kName;
using enum tracing::RecordKind;

inline constexpr auto kCanonicaliseStep = Detail(StepType("eager.canonicalise", kScope));
inline constexpr auto kBuildOpStep = Detail(StepType("eager.build_op", kScope));
inline constexpr auto kPlaceStep =
    Detail(StepType("eager.place", kEvent, {{{"device", kName}, {"reason", kName}}}));
inline constexpr auto kCopyStep = StepType(
    "eager.copy", kCopy, {{{"bytes", kInteger}, {"from", kName}, {"to", kName}, {"for", kName}}});
inline constexpr auto kHandleStep = Detail(StepType("eager.handle", kScope));
inline constexpr auto kScheduleStep = Detail(StepType("eager.schedule", kScope));
inline constexpr auto kStallStep = StepType("eager.stall", kStall);
inline constexpr tracing::RecordType kKernelStep = {.name = "eager.kernel",
                                                    .level = tracing::StackLevel::kKernel,
                                                    .sink_level = kStepLevel,
                                                    .text = &StepText,
                                                    .arguments = {{{"", kName}}}};
inline constexpr auto kQueueDepthStep =
    Detail(StepType("eager.queue_depth", kQueue, {{{"depth", kInteger}}}));
inline constexpr auto kDequeueStep = StepType("eager.dequeue", kQueue, {{{"depth", kInteger}}});
// The first steps are a whole call, on the caller's thread, and one that ran before with the same
// key. Then comes a copy that its tensor had remembered. The next steps are a scheduled op just
// before it is handed over, in whatever order, and its start in the order of data. The last are its
// results just before other threads see them, and when all of them do.
inline constexpr auto kCallStep = RecordedOnly(StepType("eager.call", kScope));
inline constexpr auto kCacheHitStep = Detail(RecordedOnly(StepType("eager.cache_hit", kEvent)));
inline constexpr auto kCopyHitStep =
    Detail(RecordedOnly(StepType("eager.copy_hit", kEvent, {{{"from", kName}, {"to", kName}}})));
inline constexpr auto kEnqueueStep = BeforeEffect(RecordedOnly(StepType("eager.enqueue", kQueue)));
inline constexpr auto kBeginStep = RecordedOnly(StepType("eager.begin", kQueue));
inline constexpr auto kPublishStep = RecordedOnly(StepType("eager.publish", kEvent));
inline constexpr auto kPublishedStep = RecordedOnly(StepType("eager.published", kEvent));

// Tells whether any steps are recorded, details or not.
inline bool RecordsSteps() { return tracing::IsActive(kStallStep); }
// Tells whether details are recorded too: then a call takes the path that has them all.
inline bool RecordsDetails() { return tracing::IsActive(kCanonicaliseStep); }

// The call that a step belongs to.
class StepSubject {
 public:
  // `attrs`: null: none.
  StepSubject(uint64_t id, const OpDefinition& op, const OpAttrsRef* attrs = nullptr)
      : id_(id), op_(&op), attrs_(attrs) {}
  // For a subject that has no definition at hand.
  StepSubject(uint64_t id, std::string_view name) : id_(id), name_(name) {}

  tracing::internal::AnyName name() const {
    if (op_) return op_->recorded_name();
    return name_;
  }
  tracing::RecordLinks links() const { return {.op_id = id_, .extra = attrs_}; }

 private:
  uint64_t id_;
  const OpDefinition* op_ = nullptr;
  const OpAttrsRef* attrs_ = nullptr;
  std::string_view name_ = {};
};

// The scope of a step; nothing if the call is not `is_recorded`.
class Step {
 public:
  template <typename... Arguments>
  Step(bool is_recorded, const tracing::RecordType& type, const StepSubject& subject,
       const Arguments&... arguments) {
    if (is_recorded) [[unlikely]]
      scope_.emplace(type, [&] { return subject.name(); }, subject.links(), arguments...);
  }

 private:
  std::optional<tracing::RecordScope> scope_;
};

template <typename... Arguments>
[[gnu::always_inline]] inline void RecordStep(const tracing::RecordType& type,
                                              const StepSubject& subject,
                                              const Arguments&... arguments) {
  tracing::RecordEvent(type, [&] { return subject.name(); }, subject.links(), arguments...);
}

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_STEPS_H_
