// eager::Context: devices, placement and execution of ops one by one, as the program calls them.
//
//   auto context = Context::Create({.devices = {"cpu:0", "cpu:1"}});
//   Scope scope(**context, {.mode = ExecutionMode::kAsync, .device = "cpu:1"});   // of this thread
//   Tensor z = MatMul(x, y, {.transpose_b = true});
#ifndef TFRT_EAGER_CONTEXT_H_
#define TFRT_EAGER_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/core_runtime/op_log.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/eager/number.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::eager {

enum class ExecutionMode : uint8_t {
  kSync,   // an op is over when its call returns; on a device with timelines it is enqueued there
  kAsync,  // a call returns once its op is scheduled, or is over if that is quicker (kDataflow)
};

// In which order scheduled ops run.
enum class ExecutionOrder : uint8_t {
  kDataflow,  // an op runs as soon as its inputs are available, on the work queue; at once if it
              // adds, subtracts, multiplies or divides a few available numbers; prints keep their
              // order
  kFifo,      // one after the other, on one thread, as they were called
};

// The treatment of an input that is on another device than the op.
enum class MisplacedInputPolicy : uint8_t {
  kExplicit,      // an error that says how to copy it
  kWarn,          // a warning, and a copy; soft placement is warned of, too
  kSilent,        // a copy
  kSilentForI32,  // a copy of an i32 tensor, an error for the others
};

// log_results; metadata_prefix, tensor_prefix: where the texts go, standard error if empty.
using LogOptions = OpLogOptions;

struct ContextOptions {
  // The host to run on, which must outlive the context and its tensors. Null: the context has one
  // of its own, with this work queue (concurrent_work_queue.h).
  HostContext* host = nullptr;
  std::string work_queue = "mstd";
  // The devices that ops may run on, by name: KIND:NUMBER, or KIND:* for all of a kind. The host is
  // cpu:0, and the first device wherever it is named, or not. The memory of cpu:1, ... is their
  // own, so that tensors are copied between them. Other kinds are those that the host's
  // DeviceManager knows. At most 16.
  std::vector<std::string> devices = {"cpu:0"};
  // Registers other kinds of devices. Called with a new host that the context owns, before that
  // host makes these devices. May be empty. Not called for a given `host`: its owner registers
  // kinds there. An error that it returns, or an exception (Internal), is the error of Create.
  std::function<Status(HostContext& host)> register_devices;
  // Limits of accelerators and how they work, for the devices of a new host that the context owns.
  // With a given `host` its owner calls DeviceManager::SetAcceleratorOptions, and options here that
  // are not the default are an error.
  AcceleratorOptions accelerator = {};
  // Tells which of these devices offer an op; empty: all offer all. Use it to try out placements.
  // An exception ends the program.
  std::function<bool(std::string_view device, const OpDefinition& op)> supports;
  // The devices to try for ops whose scope names none, first to last; empty: all, cpu:0
  // first. KIND:* stands for those of `devices` that are of the kind.
  std::vector<std::string> device_priority;
  // If an op's scope names a device that does not have the op, it runs on the first of
  // device_priority that has it. To have an op is to have a kernel for these dtypes. A scope with
  // kWarn logs the reason, and the event eager.place of a profile has it (docs/eager_details.md).
  // False: the reason is an error.
  bool soft_placement = true;
  // Ops of i32 and i64 tensors with at most this many elements run on the host, whatever the
  // scope's device. All tensors must be in host memory and have shapes that were known at the call.
  // 0: no ops do.
  int64_t max_small_integers = 64;
  ExecutionOrder order = ExecutionOrder::kDataflow;
  // The number of kinds of calls that are remembered as prepared; kinds differ in op, attributes,
  // types or devices. When there are more, the least recently made ones are forgotten. 0: none.
  size_t kernel_cache_capacity = 4096;
  // Whether tensors remember their copies on other devices, so that each is made once; false: each
  // call that needs a copy makes one. Copies in which Values has given out elements always stay.
  bool remember_copies = true;
  // The number of ops that may be scheduled and not over; copies between devices count, too. A call
  // that would exceed it blocks until there is room. On a worker thread of the host, which could
  // block forever, it is an error: ResourceExhausted. Calls in an op's function need no room. 1 to
  // 2^31 - 1.
  uint32_t max_pending = 65536;
  // Called for each error, with its location, by any thread; may be empty. Not used with a `host`,
  // which has its own.
  DiagnosticHandler diagnostic_handler;
  // Each call of an op and its arguments are written down, as the logging op handler does
  // (docs/compatibility.md), and its results with log_results: `.log = LogOptions{...}`. For
  // debugging: calls take their time.
  std::optional<LogOptions> log = std::nullopt;
};

struct CacheStatistics {
  uint64_t hits = 0;
  uint64_t misses = 0;
  size_t entries = 0;
  size_t capacity = 0;
  uint64_t evictions = 0;  // entries that made room for others
};

// Must outlive its scopes and the calls in them. Thread-safe. Destruction waits for all ops.
// Tensors may outlive their context: they keep their elements, shape and device name, no op takes
// them any more. With ContextOptions::host their elements are that host's memory, which it must
// outlive.
class Context {
 public:
  // InvalidArgument for options that contradict themselves or are out of range, and for a log that
  // cannot be opened. NotFound for devices of an unknown kind.
  static StatusOr<std::unique_ptr<Context>> Create(ContextOptions options = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  HostContext* host() const;
  std::vector<std::string_view> devices() const;

  // Makes an op of the program's own callable by name. Before any thread calls ops. AlreadyExists
  // if the name is taken; InvalidArgument if the default of an attribute cannot be read.
  Status RegisterOp(CustomOp op);
  // Null if there is none.
  const OpDefinition* FindOp(std::string_view name) const;

  // Returns when all ops called so far, by any thread, are over and, if the context has a log,
  // written to it. Ops called meanwhile do not prolong the wait. In an op function it does not
  // wait: the diagnostic handler gets a FailedPrecondition.
  void Wait();
  // Returns the first error since the last TakeError of a call without results that failed after it
  // had returned. Calls may do so in ASYNC mode. OK if there is none. Cancelled calls do not count.
  // Other calls' errors are in their results.
  Status TakeError();
  // Ops that have been scheduled in FIFO order and have not begun.
  size_t queue_depth() const;

  // Ops that have not begun become errors, and so do those called from now on: CANCELLED
  // "Cancelled".
  void Cancel();
  // Allows ops called from now on to run again. Cancelled ops stay cancelled.
  void Restart();

  // Drops the copies on other devices that tensors of this context remember, except those whose
  // elements Values has given out; returns their number. Their memory is free once no op uses them.
  // Happens by itself to the copies on a device that has no memory left.
  size_t DropCopies();

  // Returns the memory of a device of the context, of all its users. NotFound for a device that the
  // context does not have. Unimplemented for CPUs: "cpu:0 does not count its memory".
  StatusOr<DeviceMemoryStatistics> memory_statistics(std::string_view device) const;
  // Waits for the work of the device, and returns memory that it has cached to its driver, for
  // other processes and libraries. DropCopies before gives more of it back. Fails with NotFound
  // like memory_statistics, and with the device's error. Does nothing on CPUs.
  Status TrimMemory(std::string_view device);

  CacheStatistics cache_statistics() const;

  class Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  explicit Context(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct ScopeOptions {
  ExecutionMode mode = ExecutionMode::kSync;
  std::string_view device = {};  // empty: placement decides
  MisplacedInputPolicy misplaced_input = MisplacedInputPolicy::kSilent;
};

// Says how this thread calls ops, from construction to destruction. Scopes of one thread nest; ops
// use the innermost. A scope ends the program with a message if it ends on another thread. The same
// happens if it ends before a scope that began after it, or later than its context.
class Scope {
 public:
  // A device that does not exist makes each op called in the scope an error that says so.
  explicit Scope(Context& context, const ScopeOptions& options = {});
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // OK, or NotFound "there is no device cpu:7; the devices are cpu:0, cpu:1".
  const Status& status() const;

  struct State;

 private:
  alignas(64) std::byte storage_[256];  // of the State
};

// One input of a call: a tensor, an array that becomes one on the device of the op, or nothing, for
// an optional input. Borrows a named tensor, which must live until the call returns; otherwise owns
// its value. Used for one call.
class TensorArgument {
 public:
  TensorArgument() : state_(nullptr) {}
  TensorArgument(const Tensor& tensor) : state_(tensor.state()) {}  // NOLINT: implicit by design
  // A tensor that is moved here may give its memory to the result.
  TensorArgument(Tensor&& tensor)  // NOLINT: implicit by design
      : state_(std::move(tensor).TakeState().release()), kind_(Kind::kOwned) {}
  TensorArgument(const Tensor&& tensor)  // NOLINT: implicit by design
      : state_(FormRef(tensor.state()).release()), kind_(Kind::kOwned) {}
  TensorArgument(HostArray array)  // NOLINT: implicit by design
      : array_(std::move(array)), kind_(Kind::kArray) {}
  // A number, and a list of numbers: `Mul(x, 2.0f)`, `Sum(x, {0, 1})`.
  template <TensorElement T>
  TensorArgument(T number)  // NOLINT: implicit by design
      : TensorArgument(HostArray({}, std::span<const T>(&number, 1))) {}
  TensorArgument(std::initializer_list<int32_t> numbers) : TensorArgument(VectorOf(numbers)) {}
  TensorArgument(std::initializer_list<int64_t> numbers) : TensorArgument(VectorOf(numbers)) {}
  TensorArgument(std::initializer_list<float> numbers) : TensorArgument(VectorOf(numbers)) {}
  TensorArgument(std::initializer_list<double> numbers) : TensorArgument(VectorOf(numbers)) {}
  TensorArgument(const TensorArgument& other) { CopyFrom(other); }
  TensorArgument(TensorArgument&& other) noexcept { MoveFrom(other); }
  TensorArgument& operator=(const TensorArgument& other) { return *this = TensorArgument(other); }
  TensorArgument& operator=(TensorArgument&& other) noexcept {
    if (this == &other) return *this;
    if (kind_ != Kind::kBorrowed) End();
    MoveFrom(other);
    return *this;
  }
  ~TensorArgument() {
    if (kind_ != Kind::kBorrowed) [[unlikely]]
      End();
  }

  // Null: nothing, or an array.
  TensorState* state() const { return kind_ == Kind::kArray ? nullptr : state_; }
  // Null: nothing, a tensor, or an array that has been moved from.
  const HostArray* array() const {
    return kind_ == Kind::kArray && array_.shared_ ? &array_ : nullptr;
  }
  // The same of a tensor that others keep until the call is over; null for others.
  TensorState* borrowed() const { return kind_ == Kind::kBorrowed ? state_ : nullptr; }
  static TensorArgument Borrow(TensorState* state) {
    TensorArgument argument;
    argument.state_ = state;
    return argument;
  }
  // True if it is a tensor that was moved here.
  bool is_moved() const { return kind_ == Kind::kOwned && state_; }
  // True if only the call has a reference to the tensor.
  bool is_last_use() const { return is_moved() && state_->IsUnique(); }
  // Takes the state. A tensor that was moved here is no longer held afterwards.
  RCReference<TensorState> TakeState() {
    if (kind_ != Kind::kOwned) return FormRef(state());
    kind_ = Kind::kBorrowed;
    return TakeRef(std::exchange(state_, nullptr));
  }
  void DropMoved() {
    if (is_moved()) TakeState();
  }

 private:
  enum class Kind : uint8_t {
    kBorrowed,  // a tensor of others, or nothing
    kOwned,     // a tensor
    kArray,
  };

  template <typename T>
  static HostArray VectorOf(std::initializer_list<T> numbers) {
    return HostArray({static_cast<int64_t>(numbers.size())},
                     std::span<const T>(numbers.begin(), numbers.size()));
  }
  // For one that owns nothing.
  void CopyFrom(const TensorArgument& other);
  void MoveFrom(TensorArgument& other) noexcept {
    if (other.kind_ == Kind::kArray) [[unlikely]] {
      ::new (&array_) HostArray(std::move(other.array_));
      other.array_.~HostArray();
    } else {
      state_ = other.state_;
    }
    kind_ = std::exchange(other.kind_, Kind::kBorrowed);
    other.state_ = nullptr;
  }
  // Drops what it owns; it is nothing afterwards.
  void End();

  union {
    TensorState* state_ = nullptr;
    HostArray array_;
  };
  Kind kind_ = Kind::kBorrowed;
};

// Any number of tensors: a list of them in braces, a vector, a span. Borrows them: for parameters.
class TensorList {
 public:
  TensorList(std::initializer_list<Tensor> tensors)  // NOLINT: implicit by design
      : tensors_(tensors.begin(), tensors.size()) {}
  template <typename Range>
    requires std::is_convertible_v<Range, std::span<const Tensor>>
  TensorList(Range&& tensors)  // NOLINT: implicit by design
      : tensors_(std::forward<Range>(tensors)) {}

  std::span<const Tensor> span() const { return tensors_; }

 private:
  std::span<const Tensor> tensors_;
};

// One side of an operator of tensors (tensor.h), or one argument of a function of arrays
// (arrays.h), and its line. A number has no dtype of its own: it takes that of the tensor beside
// it, if its kind (bool, integer, real) is not wider. An Fp16, a Bf16 and a complex number do have
// one.
class Operand {
 public:
  Operand() = default;           // left out
  Operand(const Tensor& tensor,  // NOLINT: implicit by design
          Location where = Here())
      : argument(tensor), where(where) {}
  Operand(Tensor&& tensor,  // NOLINT: implicit by design
          Location where = Here())
      : argument(std::move(tensor)), where(where) {}
  Operand(HostArray array,  // NOLINT: implicit by design
          Location where = Here())
      : argument(std::move(array)), where(where) {}
  template <typename T>
    requires(std::is_arithmetic_v<T>)
  Operand(T number,  // NOLINT: implicit by design
          Location where = Here())
      : number(number), where(where) {}
  template <TensorElement T>
    requires(!std::is_arithmetic_v<T>)
  Operand(T number,  // NOLINT: implicit by design
          Location where = Here())
      : argument(number), where(where) {}

  bool is_given() const { return number.is_given() || argument.state() || argument.array(); }

  TensorArgument argument;  // nothing, if it is a number
  Number number;
  Location where;
};

// Calls an op by name. Sets `results` before it returns. Their elements may come later, and later
// failures become errors of the elements. Also returns the error, if it is known by then. In SYNC
// mode it is, except errors that a timeline of the device finds. Messages name the op, the argument
// and the line of the call. The call uses up `arguments`: tensors that were moved into them are
// released, so make them again for the next call. Attributes that have a default may be left out;
// attributes that the op does not have are an error.
//
// The first form looks the name up each time; FindOp once and the second form save that.
Status Execute(std::string_view op_name, std::span<TensorArgument> arguments,
               const OpAttrsRef& attrs, std::span<Tensor> results, Location where = Here());
Status Execute(const OpDefinition& op, std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
               std::span<Tensor> results, Location where = Here());

// The op of the runtime with this name, for the generated functions (ops.h). Asserts that there is
// one.
const OpDefinition& HostOp(std::string_view name);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_CONTEXT_H_
