// Program: one trace of a function, compiled and ready to be called as an op.
#ifndef TFRT_LIB_API_FUNCTION_PROGRAM_H_
#define TFRT_LIB_API_FUNCTION_PROGRAM_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "call_type.h"
#include "compiler_client.h"
#include "lib/ops/op_call/host_callbacks.h"
#include "program_builder.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/model/model.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::function {

// Where the value of a variable of the graph comes from at a call: an argument, or the variable
// that was captured.
struct VariableBinding {
  std::optional<size_t> argument;
  Variable captured;
};

// The parts of a program. Names are those of arguments.
struct ProgramParts {
  std::string function;
  CallType type;
  std::vector<std::string> names;
  TracedGraph graph;
  std::vector<VariableBinding> variables;  // of the graph
  std::vector<HostFunction> callbacks;     // of the graph
  std::vector<Capture> captures;
  std::vector<TracedType> results;
  // Keeps the memory of the context, which may go before the program.
  Tensor of_context;
  eager::Context* context = nullptr;  // in which it is called
  std::shared_ptr<const void> note;   // AnyFunction::LeaveNote
  CompiledBytes compiled;
  bool is_from_disk = false;
  uint64_t trace_ns = 0;
  uint64_t compile_ns = 0;
};

// Immutable but for its use and its sessions. Thread-safe. Calls of it may go on when it is not in
// its function's cache any more; they keep it.
class Program : public ReferenceCounted<Program> {
 public:
  // Takes the parts, unless it fails.
  static StatusOr<RCReference<Program>> Create(ProgramParts& parts, HostContext* host);
  ~Program();

  const std::string& function() const { return parts_.function; }
  const CallType& type() const { return parts_.type; }
  const ProgramParts& parts() const { return parts_; }
  const CallConvention& convention() const { return convention_; }
  const Model& model() const { return *model_; }
  std::span<const uint8_t> bef() const { return parts_.compiled.bytes.bytes(); }
  size_t num_results() const { return parts_.results.size(); }
  // "step(x: f32 [?,64], depth: 3)"
  std::string Signature() const;

  // Counted by the function's calls.
  void NoteUse(uint64_t call) { last_use_.store(call, std::memory_order_relaxed); }
  uint64_t last_use() const { return last_use_.load(std::memory_order_relaxed); }
  uint64_t num_calls() const { return calls_.load(std::memory_order_relaxed); }

  // True if two variables of the graph are one in such a call: this program is not for that.
  bool HasAliases(std::span<const Argument> arguments) const;
  // Runs as an op of the thread's scope does. Returns the errors that are known; the results become
  // errors, too. There are num_results() `results`.
  Status Call(std::span<Argument> arguments, std::span<Tensor> results, Location where);

 private:
  struct Running;
  explicit Program(ProgramParts&& parts) : parts_(std::move(parts)) {}
  Status Execute(std::span<Argument> arguments, std::span<const Tensor> variables,
                 std::span<Tensor> results, std::vector<Tensor>* assigned, Location where);
  void KeepUntilThere(std::span<const Tensor> results) const;
  // As an op's function.
  static void RunOp(OpCall& call) noexcept;
  void Run(OpCall& call) const;
  // Makes results that are not there yet, and what sets them.
  Session::Callback RunLater(OpCall& call, std::shared_ptr<Running> running) const;
  static StatusOr<DenseHostTensor> ResultOf(StatusOr<std::vector<DenseHostTensor>>& made,
                                            size_t index, HostAllocator* allocator);
  // Gives the run a session. Until it is given back Context::Cancel ends the run.
  Status TakeSession(Running& running) const;
  void GiveBack(Running& running) const;
  void CancelRuns() const;

  const ProgramParts parts_;
  CallConvention convention_;
  std::optional<Model> model_;                                  // of the bytes of the parts
  std::shared_ptr<const std::vector<HostCallback>> callbacks_;  // null: none
  // Never freed: what runs an op may name it when its results are there.
  const OpDefinition* op_ = nullptr;
  std::vector<std::optional<TensorMetadata>> result_metadata_;  // what is known before a call
  size_t num_op_results_ = 0;  // those of the program, of assigned variables, and perhaps effects
  std::atomic<uint64_t> last_use_{0};
  std::atomic<uint64_t> calls_{0};
  mutable std::mutex mutex_;
  // Those that do not run, with the allocator of their results; under the mutex.
  mutable std::vector<std::pair<HostAllocator*, Session>> sessions_;
  mutable std::vector<Running*> running_;  // under the mutex
  std::shared_ptr<void> on_cancel_;
};

// Makes the kernels of compiled programs known to a host that has none of them.
Status RegisterProgramKernels(HostContext* host);

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_PROGRAM_H_
