// FunctionImpl: what the handles of a function share.
#ifndef TFRT_LIB_API_FUNCTION_FUNCTION_IMPL_H_
#define TFRT_LIB_API_FUNCTION_FUNCTION_IMPL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "call_type.h"
#include "function_tracer.h"
#include "lib/api/eager/tracer.h"
#include "lib/base/support/call_guarded.h"
#include "program.h"
#include "program_cache.h"
#include "tfrt/function/function.h"

namespace tfrt::function {

// The stance of this thread's calls.
Stance CurrentStance();

class FunctionImpl {
 public:
  FunctionImpl(std::string name, AnyFunction::Body body, FunctionOptions options, Location where);

  const std::string& name() const { return name_; }
  // A number that no other function has or had.
  uint64_t id() const { return id_; }
  const FunctionOptions& options() const { return options_; }

  // Implements the call of AnyFunction. A caller that takes any number of results passes kAnyNumber
  // as `num_results`, and `all` for them. Otherwise `all` is null.
  Status Call(std::span<Argument> arguments, size_t num_results, AnyFunction::CallResult* all,
              std::span<Tensor> results, Location where);
  static void LeaveNote(std::shared_ptr<const void> note);
  bool IsCached(std::span<const Argument> arguments) const;
  StatusOr<RCReference<Program>> Concrete(std::span<Argument> arguments, Location where);
  std::vector<RCReference<Program>> Programs() const;
  FunctionStatistics statistics() const;
  std::string Report() const;
  void ClearCache();

 private:
  // Why calls needed traces.
  struct Miss {
    std::string reason;
    std::string fix;  // empty: there is none
    uint64_t trace_ns = 0;
    uint64_t compile_ns = 0;
  };
  // The result of tracing a function that is called by a function.
  struct Nested {
    uint32_t index = 0;
    std::vector<ValueType> results;
    std::vector<Tensor> outer_values;
    std::shared_ptr<const void> note;
  };

  // A call.
  struct Site {
    eager::ScopeView scope;
    std::span<const Argument> arguments;
    bool by_identity = false;  // variables are told apart
    Location where;
  };

  // --- Calls (function_impl.cc)

  // The results of a body, and its note, which may be null.
  struct Made {
    std::vector<Tensor> tensors;
    std::shared_ptr<const void> note;
  };
  StatusOr<Made> RunBody(std::span<const Argument> arguments, Location where);
  StatusOr<Made> CallBody(std::span<const Argument> arguments) const;
  Status CallEagerly(std::span<const Argument> arguments, size_t num_results,
                     AnyFunction::CallResult* all, std::span<Tensor> results, Location where);
  Status Deliver(StatusOr<Made> made, size_t num_results, AnyFunction::CallResult* all,
                 std::span<Tensor> results, Location where);
  Status WrongNumber(size_t made, size_t asked) const;
  Status FailCall(const Status& error, size_t num_results, AnyFunction::CallResult* all,
                  std::span<Tensor> results, Location where) const;
  // Finds the program that is known to serve the call, and sets its key.
  StatusOr<RCReference<Program>> FindKnown(const Site& site, CallKey* key) const;
  // The program that serves the call; null: it runs eagerly.
  StatusOr<RCReference<Program>> FindFor(Site& site);
  // The same of a call that is not known yet. `key` may be null.
  StatusOr<RCReference<Program>> FindProgram(const Site& site, const CallKey* key);
  Status ApplySignature(std::vector<ArgumentType>* types) const;
  CallType Relaxed(const CallType& type);

  // --- Traces (trace.cc)

  // `relaxed`: of which sizes it is to be, at best.
  StatusOr<RCReference<Program>> MakeProgram(const Site& site, const CallType& exact,
                                             const CallType& relaxed, Miss* miss);
  StatusOr<ProgramParts> Trace(const Site& site, const CallType& type);
  StatusOr<ProgramParts> TraceOnce(const Site& site, const CallType& type, bool may_create,
                                   size_t* num_created);
  Status Compile(ProgramParts* parts, bool from_disk);
  StatusOr<Made> CallNested(FunctionTracer& outer, std::span<const Argument> arguments,
                            Location where);
  StatusOr<Nested> TraceNested(FunctionTracer& outer, std::span<const Argument> arguments,
                               std::span<const ArgumentType> types, Location where);

  // --- What it costs (report.cc)

  Miss Explain(const CallType& type) const;
  Status MakeRoom(const Miss& miss, bool* run_eagerly);
  void NoteTrace(const CallType& type, Miss miss);
  void Warn(std::string_view warning) const;

  static uint64_t NextId();

  const uint64_t id_ = NextId();
  const std::string name_;
  const AnyFunction::Body body_;
  const FunctionOptions options_;
  const Location where_;
  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> eager_calls_{0};
  mutable ProgramCache cache_;  // Find takes no lock
  // One trace at a time; taken before mutex_. The body runs with it.
  std::mutex tracing_;
  std::atomic<std::thread::id> traced_by_{};  // relaxed: each thread looks for itself
  bool has_traced_ = false;                   // under tracing_
  mutable std::mutex mutex_;                  // of all below, and of what else the cache has
  FunctionStatistics statistics_;
  std::optional<Miss> last_miss_;
  std::deque<uint64_t> recent_traces_;  // numbers of the calls
  uint32_t num_warnings_ = 0;
  uint32_t shape_misses_ = 0;
  bool warned_full_ = false;
  std::vector<std::vector<std::string>> plain_values_;  // by argument, of plain numbers
};

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_FUNCTION_IMPL_H_
