// The steps of a call as tracing shows them: "eager.STEP id=7 op=tf.MatMul{transpose_b} DETAILS",
// a scope for what takes time and an event for what does not. Level kVerbose.
#ifndef TFRT_EAGER_STEPS_H_
#define TFRT_EAGER_STEPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/tracing/tracing.h"

namespace tfrt::eager {

inline constexpr tracing::Level kStepLevel = tracing::Level::kVerbose;

inline bool TracesSteps() { return tracing::IsEnabled(kStepLevel); }

// Which call a step belongs to.
struct StepSubject {
  uint64_t id;
  std::string_view op_name;
  const OpAttrsRef* attrs = nullptr;  // null: none
};

// The scope of a step; nothing if tracing is off.
class Step {
 public:
  Step(bool traced, std::string_view step, const StepSubject& subject,
       std::string_view details = {}) {
    if (traced) [[unlikely]]
      Open(step, subject, details);
  }

 private:
  void Open(std::string_view step, const StepSubject& subject, std::string_view details);
  std::optional<tracing::Scope> scope_;
};

void RecordStep(std::string_view step, const StepSubject& subject, std::string_view details);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_STEPS_H_
