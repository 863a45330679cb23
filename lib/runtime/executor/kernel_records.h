// Records that runs make: functions and their kernels.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_KERNEL_RECORDS_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_KERNEL_RECORDS_H_

#include <atomic>
#include <span>
#include <string>
#include <type_traits>

#include "tfrt/async/async_value.h"
#include "tfrt/tracing/record.h"

namespace tfrt::internal {

struct Program;
struct ProgramKernel;

// A run of an async function until its call returns, or of a sync one.
inline constexpr tracing::RecordType kFunctionRecord = {.name = "function",
                                                        .level = tracing::StackLevel::kModel};
// A call of a kernel. Sinks see the kernel's name.
inline constexpr tracing::RecordType kKernelRecord = {
    .name = "kernel",
    .level = tracing::StackLevel::kKernel,
    .sink_level = tracing::Level::kDebug,
    .arguments = {{{"number", tracing::ArgumentSpec::Type::kInteger}}}};  // in program order
// The same of a kernel that is an op: a layer of a model, named by the node that it was made of.
inline std::string LayerText(const tracing::RecordText& text) {
  return std::string(text.NameArgument(1));
}
inline constexpr tracing::RecordType kLayerRecord = {
    .name = "layer",
    .level = tracing::StackLevel::kOp,
    .is_op = true,
    .sink_level = tracing::Level::kDebug,
    .text = &LayerText,
    .arguments = {{{"number", tracing::ArgumentSpec::Type::kInteger},
                   {"op", tracing::ArgumentSpec::Type::kName}}}};
// Tells whether kernels, or those that are ops, are recorded.
inline bool RecordsKernels() { return tracing::IsActive(kLayerRecord); }

// The names of a program's kernels and layers, and its own, for records. They are interned at its
// first recorded run, so that later ones find them without a lock. Thread-safe.
class RecordNames {
 public:
  RecordNames() = default;
  // A program that is a copy finds its own.
  RecordNames(const RecordNames&) {}
  RecordNames& operator=(const RecordNames&) {
    delete[] names_.exchange(nullptr, std::memory_order_relaxed);
    return *this;
  }
  ~RecordNames() { delete[] names_.load(std::memory_order_relaxed); }

  tracing::Name OfFunction(const Program& program) const { return Get(program)[0]; }
  tracing::Name OfKernel(const Program& program, const ProgramKernel& kernel) const;
  // Returns, for an op, the name of its node, if it has one; otherwise that of the kernel.
  tracing::Name OfLayer(const Program& program, const ProgramKernel& kernel) const;

 private:
  // The program's, then two for each of its kernels as they lie there.
  const tracing::Name* Get(const Program& program) const {
    // acquire: sees the names that another thread has stored.
    const tracing::Name* names = names_.load(std::memory_order_acquire);
    return names ? names : Make(program);
  }
  const tracing::Name* Make(const Program& program) const;

  mutable std::atomic<const tracing::Name*> names_{nullptr};
};
// Builds without records have none.
struct NoRecordNames {
  tracing::Name OfFunction(const Program&) const { return {}; }
  tracing::Name OfKernel(const Program&, const ProgramKernel&) const { return {}; }
  tracing::Name OfLayer(const Program&, const ProgramKernel&) const { return {}; }
};
using ProgramRecordNames = std::conditional_t<tracing::kRecordsExist, RecordNames, NoRecordNames>;

// Ends the record of a kernel. Returns its id if it is recorded and some of its results are not
// there yet, else 0. Null results are left out.
uint64_t EndKernelRecord(tracing::RecordScope* scope, std::span<AsyncValue* const> results);

// Records when the results of the record `id`, none of which is null, are available. It does so
// once for each late result; readers take the latest. Each late one is replaced by an indirect
// value, resolved after its record. Whatever waits for the result, in whatever order, therefore
// begins later.
void TellWhenReady(uint64_t id, std::span<AsyncValue*> results);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_KERNEL_RECORDS_H_
