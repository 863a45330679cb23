// The options of a Function, and its statistics.
#ifndef TFRT_FUNCTION_OPTIONS_H_
#define TFRT_FUNCTION_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/tensor/dtype.h"

namespace tfrt::function {

// Stands for any size.
inline constexpr int64_t kUnknown = -1;

// The required type of a tensor.
struct TensorSpec {
  TensorSpec(DType dtype, std::initializer_list<int64_t> sizes)
      : TensorSpec(dtype, std::vector<int64_t>(sizes)) {}
  TensorSpec(DType dtype, std::vector<int64_t> sizes) : dtype(dtype), dims(std::move(sizes)) {}
  // Accepts any rank.
  static TensorSpec Unranked(DType dtype) { return TensorSpec(dtype); }

  DType dtype;
  std::optional<std::vector<int64_t>> dims;  // kUnknown where any size is allowed
  std::string ToString() const;              // "f32 [?,64]"; "f32 [*]" of any rank

 private:
  explicit TensorSpec(DType dtype) : dtype(dtype) {}
};

// The reaction if a function has `max_traces` and a call needs another one.
enum class WhenFull : uint8_t {
  kEvict,  // drops the least recently called trace, with a warning
  kError,
  kRunEagerly,  // with a warning
};

struct FunctionOptions {
  // The types of all tensor arguments in order. Each call is checked against it, and one trace
  // serves all tensors that it admits. Empty: traces follow the arguments.
  std::vector<TensorSpec> input_signature = {};
  // Whether a call with another shape makes a trace for any size there. Unset: from the second such
  // call on.
  std::optional<bool> reduce_retracing = std::nullopt;
  size_t max_traces = 64;
  WhenFull when_full = WhenFull::kEvict;
  // Calls run the C++ function, op by op, so that breakpoints and prints in it work.
  bool run_eagerly = false;
  bool exact = false;  // no optimisation changes the rounding
  bool fuse = true;    // false: each op remains a separate kernel
  bool pack = true;    // constant matrices are arranged for the fastest reading by kernels
  // Names of the arguments, for messages, reports and saved files; empty: "arg0", ...
  std::vector<std::string> argument_names = {};
  // Compiled programs are kept in this folder, and later processes that trace the same program
  // find them there. It must exist. Empty: programs are not kept.
  std::string cache_folder = {};
  // Receives warnings, and must not call the function; empty: they are logged. If it throws, the
  // program ends.
  std::function<void(std::string_view warning)> on_warning = {};
};

struct FunctionStatistics {
  uint64_t calls = 0;
  uint64_t traces = 0;       // how often the C++ function was traced
  uint64_t eager_calls = 0;  // how often it ran
  uint64_t evictions = 0;    // traces that were dropped for others
  uint64_t disk_hits = 0;    // programs found in FunctionOptions::cache_folder
  size_t programs = 0;       // traces that exist now
  size_t program_bytes = 0;  // size of their BEF files
  uint64_t trace_ns = 0;     // tracing, in total
  uint64_t compile_ns = 0;   // compiling, in total
};

// The reaction to calls that no trace fits.
enum class Stance : uint8_t {
  kDefault,         // they make a trace
  kForceEager,      // all calls run op by op, whether a trace fits or not
  kEagerOnRetrace,  // such calls run op by op
  kFailOnRetrace,   // such calls fail, except a function's first: FailedPrecondition, with the
                    // reason
};

// Sets the stance of all functions on this thread, from construction to destruction. Scopes nest.
// The environment variable TFRT_EAGER=1 makes kForceEager the default outside of scopes.
class StanceScope {
 public:
  explicit StanceScope(Stance stance);
  ~StanceScope();
  StanceScope(const StanceScope&) = delete;
  StanceScope& operator=(const StanceScope&) = delete;

 private:
  const std::optional<Stance> outer_;
};

}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_OPTIONS_H_
