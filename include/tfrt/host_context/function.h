// Function: has typed arguments and results; kernels and host programs can run it. Implemented by
// the executor (async and sync BEF functions) and by native functions.
#ifndef TFRT_HOST_CONTEXT_FUNCTION_H_
#define TFRT_HOST_CONTEXT_FUNCTION_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/bef/bef_format.h"
#include "tfrt/host_context/value.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

class ExecutionContext;

using bef::FunctionKind;

// Immutable and thread-safe: may be run by many requests at once. Lives as long as its holder,
// usually a BefFile. AddRef/DropRef keep the holder alive, so a kernel stores an RCReference<const
// Function> to run a function later.
class Function {
 public:
  // Returns the name; empty for the body of a nested region.
  std::string_view name() const { return name_; }
  FunctionKind kind() const { return kind_; }
  // Returns a number that is unique in this process, across all names and files and all time.
  uint64_t id() const { return id_; }
  // Returns type texts as in the program, for example "i32" or "!tfrt.chain".
  std::span<const std::string_view> argument_types() const { return argument_types_; }
  std::span<const std::string_view> result_types() const { return result_types_; }
  size_t num_arguments() const { return argument_types_.size(); }
  size_t num_results() const { return result_types_.size(); }

  // Starts one run and returns without blocking. Arguments are borrowed (+0) and may be unavailable
  // or errors. The `results`, all null before, receive owned values (+1) that may be unavailable.
  // The spans' sizes must be num_arguments() and num_results(); otherwise every result is an
  // InvalidArgument error. On a kernel error every result that depends on it holds that error.
  virtual void Execute(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
                       std::span<RCReference<AsyncValue>> results) const = 0;

  // As Execute, but passes the arguments' references to the run. A value whose last reference is
  // passed may be reused in place. The references in `arguments` are null afterwards.
  virtual void ExecuteByValue(const ExecutionContext& exec_ctx,
                              std::span<RCReference<AsyncValue>> arguments,
                              std::span<RCReference<AsyncValue>> results) const;

  // As Execute, but the run starts as a task in the work queue, never on the calling thread. The
  // results are indirect values. Keeps the arguments and the function alive.
  void ExecuteAsync(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
                    std::span<RCReference<AsyncValue>> results) const;
  // Returns the task that ExecuteAsync adds, for the right number of arguments and results.
  TaskFunction MakeTask(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
                        std::span<RCReference<AsyncValue>> results) const;

  // Runs a sync function to its end on the calling thread. Arguments are neither moved from nor
  // destroyed. Returns the first error; it has been emitted as a diagnostic, and no result is set
  // then. Other kinds, and a wrong number of arguments, fail with InvalidArgument.
  virtual Status ExecuteSync(const ExecutionContext& exec_ctx, std::span<Value* const> arguments,
                             std::span<Value> results) const;

  virtual void AddRef() const = 0;
  virtual void DropRef() const = 0;

 protected:
  Function(std::string_view name, FunctionKind kind,
           std::span<const std::string_view> argument_types,
           std::span<const std::string_view> result_types)
      : name_(name), kind_(kind), argument_types_(argument_types), result_types_(result_types) {}
  virtual ~Function() = default;  // owned by its file, never by a base pointer

  // Checks the spans' sizes; on a mismatch sets every result to the error and returns false.
  bool CheckArity(size_t num_arguments, std::span<RCReference<AsyncValue>> results) const;

 private:
  static uint64_t NextId() {
    // relaxed: only a number.
    static constinit std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  std::string_view name_;
  const uint64_t id_ = NextId();
  FunctionKind kind_;
  std::span<const std::string_view> argument_types_;
  std::span<const std::string_view> result_types_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_FUNCTION_H_
