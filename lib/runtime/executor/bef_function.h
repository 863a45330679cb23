// The three kinds of functions in a BEF file.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_BEF_FUNCTION_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_BEF_FUNCTION_H_

#include <atomic>
#include <mutex>
#include <string_view>

#include "binder.h"
#include "program.h"
#include "run.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt::internal {

// The part that all functions of a file share: the file owns them and is kept alive by their
// references.
class FileFunction : public Function {
 public:
  void AddRef() const override { file_->AddRef(); }
  void DropRef() const override { file_->DropRef(); }
  ~FileFunction() override = default;

  // Makes the function ready to run; returns what is wrong with it if that fails.
  virtual Status Bind(Location* error_location) const { return OkStatus(); }

 protected:
  FileFunction(const BefFile* file, std::string_view name, FunctionKind kind,
               std::span<const std::string_view> argument_types,
               std::span<const std::string_view> result_types)
      : Function(name, kind, argument_types, result_types), file_(file) {}

  const BefFile* const file_;
};

// A function with a body, async or sync, that is decoded and bound once, at the first use, by
// whichever thread comes first.
class BefFunction : public FileFunction {
 public:
  // The body is number `index` of the file. `input` and `times` belong to the file.
  BefFunction(const BefFile* file, std::string_view name, FunctionKind kind,
              std::span<const std::string_view> argument_types,
              std::span<const std::string_view> result_types, const BindInput& input,
              uint32_t index, KernelTimes& times)
      : FileFunction(file, name, kind, argument_types, result_types),
        input_(input),
        index_(index),
        run_context_{program_, times, *this} {}

  Status Bind(Location* error_location) const override;

  void Execute(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
               std::span<RCReference<AsyncValue>> results) const override;
  void ExecuteByValue(const ExecutionContext& exec_ctx,
                      std::span<RCReference<AsyncValue>> arguments,
                      std::span<RCReference<AsyncValue>> results) const override;
  Status ExecuteSync(const ExecutionContext& exec_ctx, std::span<Value* const> arguments,
                     std::span<Value> results) const override;

 private:
  enum BindState : uint8_t { kUnbound, kFailed, kBound, kBoundAsync };

  // The usual case of what Enter finds out, without saying why not.
  [[gnu::always_inline]] bool MayRunNow(const ExecutionContext& exec_ctx,
                                        size_t num_arguments_given, size_t num_results_given) const;
  // Execute and ExecuteByValue for the unusual cases. Apart, so that these need no frame for it.
  [[gnu::noinline]] void ExecuteCarefully(const ExecutionContext& exec_ctx,
                                          std::span<AsyncValue* const> arguments,
                                          std::span<RCReference<AsyncValue>> results) const;
  [[gnu::noinline]] void ExecuteByValueCarefully(const ExecutionContext& exec_ctx,
                                                 std::span<RCReference<AsyncValue>> arguments,
                                                 std::span<RCReference<AsyncValue>> results) const;
  // Makes the checks that are possible before a run. If the function may not run now, sets
  // `results` and returns false. The results are an error, or those of a run that goes through the
  // queue.
  bool Enter(const ExecutionContext& exec_ctx, size_t num_arguments_given,
             std::span<RCReference<AsyncValue>> results) const;

  const BindInput& input_;
  const uint32_t index_;

  mutable std::atomic<BindState> bind_state_{kUnbound};
  mutable std::mutex bind_mutex_;
  mutable Status bind_error_;  // written before bind_state_ becomes kFailed
  mutable Location bind_error_location_;
  mutable Program program_;  // written before bind_state_ becomes kBound or kBoundAsync
  const RunContext run_context_;
};

// A C++ function from the registry.
class NativeBefFunction : public FileFunction {
 public:
  NativeBefFunction(const BefFile* file, std::string_view name,
                    std::span<const std::string_view> argument_types,
                    std::span<const std::string_view> result_types, NativeFunction function)
      : FileFunction(file, name, FunctionKind::kNative, argument_types, result_types),
        function_(function) {}

  void Execute(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
               std::span<RCReference<AsyncValue>> results) const override;

 private:
  NativeFunction function_;
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_BEF_FUNCTION_H_
