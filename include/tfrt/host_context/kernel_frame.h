// Frames: the kernels' view of one call: arguments, attributes, functions and results. Kernel
// authors rarely use them; TFRT_KERNEL (kernel.h) unpacks a frame into C++ parameters.
#ifndef TFRT_HOST_CONTEXT_KERNEL_FRAME_H_
#define TFRT_HOST_CONTEXT_KERNEL_FRAME_H_

#include <cassert>
#include <cstdint>
#include <span>
#include <string>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/value.h"
#include "tfrt/support/yield_point.h"

namespace tfrt {

class Function;

namespace internal {
// Built for size, async kernels have the general way only, which they all need.
#ifdef __OPTIMIZE_SIZE__
inline constexpr bool kForSize = true;
#else
inline constexpr bool kForSize = false;
#endif
}  // namespace internal

// The part of a call that is the same in every call of one kernel of a program.
struct KernelCallSite {
  const uint32_t* arguments = nullptr;  // registers
  uint32_t num_arguments = 0;
  uint32_t num_results = 0;
  uint32_t num_attributes = 0;
  uint32_t num_functions = 0;
  uint32_t first_attribute = 0;  // in the program's list of attributes
  uint32_t first_function = 0;   // in the program's list of functions
  uint32_t first_result = 0;     // register; the results have consecutive ones
  // An argument that is dead after this call in the executor's own order, and that has the type of
  // result 0; -1: none. See AsyncKernelFrame::Parts::first_reusable.
  int32_t reusable_register = -1;
  uint32_t location = 0;  // for the frame's LocationHandler
};

// One call of an async kernel. A view: it points into the executor's state and is valid only until
// the kernel function returns. A kernel copies what it needs later (ValueRef, ExecutionContext).
// Arguments are borrowed; results are owned by the frame's reader. For a strict kernel all
// arguments are available and none is an error.
class AsyncKernelFrame {
 public:
  // Returns whether only this call will use argument `index` again. Implemented by the executor.
  using LastUseQuery = bool (*)(const AsyncKernelFrame& frame, uint32_t index);

  // The tables that are the same in all calls of a run.
  struct Tables {
    const uint8_t* const* attributes = nullptr;  // of the program: first byte of each encoded value
    const Function* const* functions = nullptr;  // of the program
    // Decodes site->location; null: exec_ctx has its location already.
    const LocationHandler* locations = nullptr;
    LastUseQuery is_last_use = nullptr;  // null: never
  };
  struct Parts {
    const KernelCallSite* site = nullptr;
    const KernelCallSite* place = nullptr;   // the program's own, if `site` is a copy; null: `site`
                                             // is the original
    AsyncValue* const* registers = nullptr;  // indexed by site->arguments
    // The kernel stores owned references from results[site->first_result] on. Null at first unless
    // the kernel clears them: KernelSignature::clears_results.
    AsyncValue** results = nullptr;
    const Tables* tables = nullptr;
    internal::BorrowedContext* exec_ctx = nullptr;
    // The call may take over the value of site->reusable_register, if that is not less than this
    // and no other reference to the value exists. Results must then be registers.
    int32_t first_reusable = INT32_MAX;
  };

  explicit AsyncKernelFrame(const Parts& parts) : parts_(parts) {}
  AsyncKernelFrame(const AsyncKernelFrame&) = delete;
  AsyncKernelFrame& operator=(const AsyncKernelFrame&) = delete;

  // Returns the context, located at the kernel's op.
  const ExecutionContext& exec_ctx() const {
    ExecutionContext* context = parts_.exec_ctx->get();
    if (const LocationHandler* locations = parts_.tables->locations) {
      context->set_location(Location(locations, parts_.site->location));
    }
    return *context;
  }
  const Parts& parts() const { return parts_; }
  const KernelCallSite& site() const { return *parts_.site; }
  // Returns an address that identifies the call in its program: the same at each run, and unique.
  const void* place() const { return parts_.place ? parts_.place : parts_.site; }

  uint32_t num_arguments() const { return site().num_arguments; }
  AsyncValue* argument(uint32_t index) const {
    assert(index < num_arguments());
    return parts_.registers[site().arguments[index]];
  }
  // True if the kernel may reuse the argument's payload in place. This call must be its last use,
  // and it must be passed once and have no other holder. The same must hold for an indirect value's
  // target.
  //
  // The last use is checked first. Before that check another user may still take a reference and,
  // by giving up its use, make the check succeed. Afterwards the count can only fall.
  bool IsUniqueArgument(uint32_t index) const {
    LastUseQuery is_last_use = parts_.tables->is_last_use;
    if (!is_last_use || !is_last_use(*this, index)) return false;
    TFRT_YIELD_POINT(last_use_known);
    return argument(index)->IsUnique();
  }

  uint32_t num_attributes() const { return site().num_attributes; }
  const uint8_t* attribute(uint32_t index) const {
    assert(index < num_attributes());
    return parts_.tables->attributes[site().first_attribute + index];
  }
  std::span<const uint8_t* const> attributes() const {
    return {parts_.tables->attributes + site().first_attribute, num_attributes()};
  }
  uint32_t num_functions() const { return site().num_functions; }
  const Function* function(uint32_t index) const {
    assert(index < num_functions());
    return parts_.tables->functions[site().first_function + index];
  }

  std::span<const Function* const> functions() const {
    return {parts_.tables->functions + site().first_function, num_functions()};
  }
  uint32_t num_results() const { return site().num_results; }
  AsyncValue* result(uint32_t index) const { return parts_.results[site().first_result + index]; }
  // Sets any value, available or not. Its maker must make it available; the frame never does.
  void SetResult(uint32_t index, RCReference<AsyncValue> value) const {
    RequireCheck();
    SetConcreteResult(index, std::move(value));
  }
  template <typename T, typename... Args>
  void EmplaceResult(uint32_t index, Args&&... args) const {
    SetConcreteResult(index,
                      MakeAvailableAsyncValueRef<T>(std::forward<Args>(args)...).ReleaseRCRef());
  }
  // Makes all results null, whatever stands there: see KernelSignature::clears_results.
  void ClearResults() const { ClearResults(num_results()); }
  // The same, for a caller that knows how many there are.
  void ClearResults(uint32_t num_results) const {
    for (uint32_t i = 0; i < num_results; ++i) parts_.results[site().first_result + i] = nullptr;
  }
  // All results, to be set in place.
  std::span<RCReference<AsyncValue>> ResultReferences() const {
    // A reference is an owned pointer and nothing else.
    static_assert(sizeof(RCReference<AsyncValue>) == sizeof(AsyncValue*));
    RequireCheck();
    return {reinterpret_cast<RCReference<AsyncValue>*>(parts_.results + site().first_result),
            num_results()};
  }
  void SetReadyChain(uint32_t index) const {
    SetConcreteResult(index, GetReadyChain().ReleaseRCRef());
  }
  // Where result 0 lies, which is not set: an owned, concrete value belongs there.
  AsyncValue** FirstResult() const {
    assert(num_results() > 0);
    return &parts_.results[site().first_result];
  }
  // Whether result 0 may be made of a value, in place, and of which. `site` is site().
  bool MayReuse(const KernelCallSite& site, AsyncValue** value) const {
    int32_t r = site.reusable_register;
    if (r < parts_.first_reusable) return false;
    *value = parts_.registers[r];
    return (*value)->HasOneRef();
  }
  // Says that result 0 has been made of that value.
  void SetReused() const {
    assert(checks_ == 0 && "a result made in place needs no check");
    checks_ = kReused;
  }
  // Allows results to be left unset. Otherwise only a kernel that reports an error may leave them
  // unset.
  void RequireCheck() const { checks_ |= kNeedsCheck; }
  // Returns an unavailable result that the kernel makes available later, unless it reports an error
  // before.
  template <typename T>
  AsyncValueRef<T> AllocateResult(uint32_t index) const {
    auto value = MakeUnconstructedAsyncValueRef<T>();
    SetMadeResult(index, value.CopyRefOfNew().ReleaseRCRef());
    return value;
  }
  RCReference<IndirectAsyncValue> AllocateIndirectResult(uint32_t index) const {
    RCReference<IndirectAsyncValue> value = MakeIndirectAsyncValue();
    value->AddRefOfNew();
    SetMadeResult(index, TakeRef<AsyncValue>(value.get()));
    return value;
  }

  // Emits a diagnostic at the kernel's location and turns results into errors. It does so for each
  // result that is unset, and for each that the frame made (Allocate...) and that is neither
  // available nor forwarded. Available results stay, and so do values passed to SetResult: their
  // makers must make them available.
  void ReportError(Status error) const;
  void ReportError(std::string_view message) const { ReportError(InternalError(message)); }
  // As ReportError, without the diagnostic.
  void SetErrors(const Status& error) const;

  // For executors: reuses the frame for the next call.
  void Rebind(const KernelCallSite* site) { parts_.site = site; }
  ~AsyncKernelFrame() { ForgetLaterMade(); }
  // False if every result is set and known to be concrete since the last ClearNeedsCheck.
  bool needs_check() const { return (checks_ & kNeedsCheck) != 0; }
  void ClearNeedsCheck() {
    ForgetLaterMade();
    checks_ = 0;
  }
  // True if neither needs_check() nor TakeReused() would be.
  bool is_usual() const { return checks_ == 0; }
  // Whether the last call has made its result of the value in site().reusable_register, which the
  // register no longer owns then. True once.
  bool TakeReused() {
    if (checks_ != kReused) return false;
    checks_ = 0;
    return true;
  }

 private:
  void SetConcreteResult(uint32_t index, RCReference<AsyncValue> value) const {
    assert(index < num_results() && !result(index) && "result set twice");
    parts_.results[site().first_result + index] = value.release();
  }

  void SetMadeResult(uint32_t index, RCReference<AsyncValue> value) const {
    checks_ |= kNeedsCheck;
    if (index < kNumMadeBits) [[likely]] {
      checks_ |= MadeBit(index);
    } else {
      MarkLaterMade(index);
    }
    SetConcreteResult(index, std::move(value));
  }
  void MarkLaterMade(uint32_t index) const;
  void ForgetLaterMade() const {
    if ((checks_ & kLaterMade) != 0) [[unlikely]]
      delete[] later_made_;
  }
  bool HasMade(uint32_t index) const;

  // Bit 0: the results need a check. Bit 1, and no other: result 0 was made in place. Bit i + 2:
  // the frame made result i. Bit 63: it made some of those from kNumMadeBits on, as later_made_
  // says, which has no meaning without the bit.
  static constexpr uint64_t kNeedsCheck = 1;
  static constexpr uint64_t kReused = 2;
  static constexpr uint32_t kNumMadeBits = 61;
  static constexpr uint64_t kLaterMade = uint64_t{1} << 63;
  static constexpr uint64_t MadeBit(uint32_t index) { return uint64_t{4} << index; }

  Parts parts_;
  mutable uint64_t checks_ = 0;
  mutable bool* later_made_;  // owned, with kLaterMade; by result
};

// One call of a sync kernel, on plain values. Results are set in place. An error stops the
// function.
class SyncKernelFrame {
 public:
  struct Parts {
    const KernelCallSite* site = nullptr;
    // Indexed by site->arguments; results from site->first_result on. Result values are empty, or
    // left from another call and trivially destructible.
    Value* const* registers = nullptr;
    const uint8_t* const* attributes = nullptr;  // of the program: first byte of each encoded value
    const Function* const* functions = nullptr;  // of the program
    ExecutionContext* exec_ctx = nullptr;
    const LocationHandler* locations = nullptr;  // as in AsyncKernelFrame
  };
  explicit SyncKernelFrame(const Parts& parts) : parts_(parts) {}
  const Parts& parts() const { return parts_; }
  const KernelCallSite& site() const { return *parts_.site; }

  // Returns the context, located at the kernel's op.
  const ExecutionContext& exec_ctx() const {
    if (parts_.locations) {
      parts_.exec_ctx->set_location(Location(parts_.locations, parts_.site->location));
    }
    return *parts_.exec_ctx;
  }
  uint32_t num_arguments() const { return site().num_arguments; }
  Value& argument(uint32_t index) const {
    assert(index < num_arguments());
    return *parts_.registers[site().arguments[index]];
  }
  uint32_t num_attributes() const { return site().num_attributes; }
  const uint8_t* attribute(uint32_t index) const {
    assert(index < num_attributes());
    return parts_.attributes[site().first_attribute + index];
  }
  std::span<const uint8_t* const> attributes() const {
    return {parts_.attributes + site().first_attribute, num_attributes()};
  }
  uint32_t num_functions() const { return site().num_functions; }
  const Function* function(uint32_t index) const {
    assert(index < num_functions());
    return parts_.functions[site().first_function + index];
  }
  std::span<const Function* const> functions() const {
    return {parts_.functions + site().first_function, num_functions()};
  }
  uint32_t num_results() const { return site().num_results; }
  Value& result(uint32_t index) const {
    assert(index < num_results());
    return *parts_.registers[site().first_result + index];
  }
  template <typename T, typename... Args>
  void EmplaceResult(uint32_t index, Args&&... args) const {
    result(index).EmplaceOverTrivial<T>(std::forward<Args>(args)...);
  }

  // Emits a diagnostic at the kernel's location and stops the function with `error`.
  void ReportError(Status error);
  void ReportError(std::string_view message) { ReportError(InternalError(message)); }
  // Stops the function with an error that has already been diagnosed.
  void SetError(Status error) { status_ = std::move(error); }
  const Status& status() const { return status_; }

  // For executors: reuses the frame for the next call.
  void Rebind(const KernelCallSite* site) { parts_.site = site; }

 private:
  Parts parts_;
  Status status_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_FRAME_H_
