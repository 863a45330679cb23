// What a Function is told when it is made, and what it tells of itself.
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

// A size that may be any.
inline constexpr int64_t kUnknown = -1;

// What a tensor must be like.
struct TensorSpec {
  TensorSpec(DType dtype, std::initializer_list<int64_t> sizes)
      : TensorSpec(dtype, std::vector<int64_t>(sizes)) {}
  TensorSpec(DType dtype, std::vector<int64_t> sizes) : dtype(dtype), dims(std::move(sizes)) {}
  // Of any rank.
  static TensorSpec Unranked(DType dtype) { return TensorSpec(dtype); }

  DType dtype;
  std::optional<std::vector<int64_t>> dims;  // kUnknown where any size will do
  std::string ToString() const;              // "f32 [?,64]"; "f32 [*]" of any rank

 private:
  explicit TensorSpec(DType dtype) : dtype(dtype) {}
};

// When a function has `max_traces` and a call needs another one.
enum class WhenFull : uint8_t {
  kEvict,  // the trace that has not been called for longest goes, with a warning
  kError,
  kRunEagerly,  // with a warning
};

struct FunctionOptions {
  // Of all tensor arguments in order; each call is checked against it, and there is one trace for
  // all tensors that it admits. Empty: traces follow the arguments.
  std::vector<TensorSpec> input_signature = {};
  // Whether a call with another shape makes a trace for any size there; unset: from the second such
  // call on.
  std::optional<bool> reduce_retracing = std::nullopt;
  size_t max_traces = 64;
  WhenFull when_full = WhenFull::kEvict;
  // Calls run the C++ function, op by op, so that breakpoints and prints in it work.
  bool run_eagerly = false;
  bool exact = false;  // no optimisation changes the rounding
  bool fuse = true;    // false: each op stays a kernel of its own
  bool pack = true;    // constant matrices are arranged as kernels read them fastest
  // Names of the arguments, for messages, reports and saved files; empty: "arg0", ...
  std::vector<std::string> argument_names = {};
  // Compiled programs are kept in this folder and found there by the next process that records the
  // same; empty: they are not. It must exist.
  std::string cache_folder = {};
  // Gets warnings, and must not call the function; empty: they are logged. One that throws ends the
  // program.
  std::function<void(std::string_view warning)> on_warning = {};
};

struct FunctionStatistics {
  uint64_t calls = 0;
  uint64_t traces = 0;       // so often the C++ function was recorded
  uint64_t eager_calls = 0;  // so often it ran
  uint64_t evictions = 0;    // traces that made room for others
  uint64_t disk_hits = 0;    // programs that FunctionOptions::cache_folder had
  size_t programs = 0;       // traces that are there now
  size_t program_bytes = 0;  // of their BEF files
  uint64_t trace_ns = 0;     // recording, in all
  uint64_t compile_ns = 0;   // compiling, in all
};

// What calls do that no trace fits.
enum class Stance : uint8_t {
  kDefault,         // they make one
  kForceEager,      // all calls run op by op, whether a trace fits or not
  kEagerOnRetrace,  // such calls run op by op
  kFailOnRetrace,   // such calls fail, but a function's first: FailedPrecondition, with the reason
};

// The stance of all functions on this thread, from construction to destruction. Scopes nest. The
// environment variable TFRT_EAGER=1 makes it kForceEager where no scope says otherwise.
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
