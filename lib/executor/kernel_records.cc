#include "kernel_records.h"

#include <algorithm>

#include "program.h"

namespace tfrt::internal {

tracing::Name RecordNames::OfKernel(const Program& program, const ProgramKernel& kernel) const {
  return Get(program)[1 + (&kernel - program.kernels.data())];
}

const tracing::Name* RecordNames::Make(const Program& program) const {
  auto* made = new tracing::Name[1 + program.kernels.size()];
  made[0] = tracing::InternName(program.name);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    made[1 + i] = tracing::InternName(program.kernel_name(program.kernels[i]));
  }
  const tracing::Name* present = nullptr;
  // release: publishes the names. acquire: another thread's may be there already.
  if (names_.compare_exchange_strong(present, made, std::memory_order_release,
                                     std::memory_order_acquire)) {
    return made;
  }
  delete[] made;
  return present;
}

namespace {
bool IsLate(AsyncValue* value) { return value && !value->IsAvailable(); }
}  // namespace

uint64_t EndKernelRecord(tracing::RecordScope* scope, std::span<AsyncValue* const> results) {
  uint64_t id = scope->id();
  bool is_late = id != 0 && std::ranges::any_of(results, IsLate);
  if (is_late) scope->SetReadyLater();
  scope->End();
  return is_late ? id : 0;
}

LateResults::LateResults(uint64_t id, std::span<AsyncValue* const> results) : id_(id) {
  if (id == 0) return;
  for (AsyncValue* value : results) {
    if (IsLate(value)) results_.push_back(FormRef(value));
  }
}

void LateResults::Tell() {
  // They have come meanwhile.
  if (id_ != 0 && results_.empty()) return tracing::RecordReady(id_);
  // Readers take the latest.
  for (auto& value : results_) {
    value->AndThen([id = id_] { tracing::RecordReady(id); });
  }
}

}  // namespace tfrt::internal
