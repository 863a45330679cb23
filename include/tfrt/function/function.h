// Function: ordinary eager code that is traced at its first call, compiled, cached, and run as
// one program from then on (docs/functions.md).
//
//   Function step("step", [&](Tensor x, Static<int> depth) {
//     for (int i = 0; i < depth; ++i) x = Relu(MatMul(x, w));
//     return x;
//   });
//   Scope scope(context);
//   Tensor y = step(x, 3);
#ifndef TFRT_FUNCTION_FUNCTION_H_
#define TFRT_FUNCTION_FUNCTION_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/bef/signatures.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/function/argument.h"
#include "tfrt/function/options.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/status.h"

struct TfrtCompilerService;

namespace tfrt::function {

class Program;
class FunctionImpl;

// A pass of the compiler over one program. Passes are listed in the order in which they ran.
struct PassCounts {
  std::string pass;
  uint64_t ops_before = 0;
  uint64_t ops_after = 0;
  uint64_t nanoseconds = 0;
};

// One trace of a function, compiled. A handle: copies refer to the same program. The program lives
// as long as one of them, or as long as its function keeps it. Immutable; thread-safe. Must not be
// called after the context in which it was made was destroyed.
class ConcreteFunction {
 public:
  // The first argument of a call, and the call's line.
  struct First {
    template <typename T>
    First(T&& given,  // NOLINT: implicit by design
          Location where = Here())
        : argument(Argument::Of(std::forward<T>(given))), where(where) {}
    Argument argument;
    Location where;
  };

  explicit ConcreteFunction(RCReference<Program> program);
  ~ConcreteFunction();
  ConcreteFunction(const ConcreteFunction&);
  ConcreteFunction& operator=(const ConcreteFunction&);

  // Return names and types of its inputs and outputs. Valid as long as a handle, so not of a
  // temporary.
  std::span<const bef::SignatureValue> inputs() const&;
  std::span<const bef::SignatureValue> inputs() const&& = delete;
  std::span<const bef::SignatureValue> outputs() const&;
  std::span<const bef::SignatureValue> outputs() const&& = delete;
  // Returns "step(x: f32 [?,64], depth: 3)".
  std::string signature() const;

  // Return the traced program as text of the graph dialect, and the text of its compiled form.
  // Both call the compiler.
  StatusOr<std::string> Mlir() const;
  StatusOr<std::string> Kernels() const;
  // Returns the compiled program. Valid as long as a handle, so not of a temporary.
  std::span<const uint8_t> Bef() const&;
  std::span<const uint8_t> Bef() const&& = delete;
  // Returns the tensors and variables that it captured when it was traced, one line each: "f32
  // [64,64] (train.cc:12)".
  std::vector<std::string> Captures() const;
  std::vector<PassCounts> Passes() const;
  // Writes the program to a file that Model::Open and tfrt_run run without the compiler. Fails with
  // FailedPrecondition, and the line, for parts that no file can hold: host calls.
  //
  // The file contains the present values of the variables that the function has captured; each run
  // begins with these. Variables that are arguments become inputs "variable:NAME". Assigned
  // variables become results "assigned:NAME".
  Status Save(const std::string& path) const;

  // Calls it with tensors, variables and static values like those it was made for. InvalidArgument
  // for others.
  StatusOr<std::vector<Tensor>> Call(std::span<Argument> arguments, Location where = Here()) const;
  StatusOr<std::vector<Tensor>> operator()(Location where = Here()) const {
    return Call({}, where);
  }
  template <typename... Ts>
  StatusOr<std::vector<Tensor>> operator()(First first, Ts&&... more) const {
    Argument arguments[] = {std::move(first.argument), Argument::Of(std::forward<Ts>(more))...};
    return Call(arguments, first.where);
  }

  friend bool operator==(const ConcreteFunction&, const ConcreteFunction&) = default;

 private:
  friend class AnyFunction;
  RCReference<Program> program_;
};

// A function with any parameters. A handle: copies refer to the same function. Thread-safe if the
// functions that it calls are.
class AnyFunction {
 public:
  // Called while the function is traced, with tensors that have no elements, and by calls that run
  // eagerly. An error makes the call fail, and so does an exception (Internal).
  using Body = std::function<StatusOr<std::vector<Tensor>>(std::span<const Argument> arguments)>;

  AnyFunction(std::string name, Body body, FunctionOptions options = {}, Location where = Here());
  ~AnyFunction();
  AnyFunction(const AnyFunction&);
  AnyFunction& operator=(const AnyFunction&);

  const std::string& name() const;
  const FunctionOptions& options() const;

  // Errors become errors of the results, as with ops, and the call's error is returned if it is
  // known. The thread must have a Scope. Fails with InvalidArgument unless `results` has as many
  // elements as the function makes.
  Status Call(std::span<Argument> arguments, std::span<Tensor> results,
              Location where = Here()) const;
  // The results of a call.
  struct CallResult {
    // The call's error, if it is known, also for a function without results.
    Status status = OkStatus();
    std::vector<Tensor> tensors = {};  // one error tensor if their number is unknown
    // The note that the body left by LeaveNote when it ran for this call or its trace; null if
    // none.
    std::shared_ptr<const void> note = nullptr;
  };
  // The same, however many results there are.
  CallResult CallForAll(std::span<Argument> arguments, Location where = Here()) const;
  // The tensors of that. An error of a call that makes none is one error tensor.
  std::vector<Tensor> Call(std::span<Argument> arguments, Location where = Here()) const;

  // Keeps a note with the tensors that the running body of this thread makes. Front ends use it to
  // describe how they build their results from the tensors. The note lives as long as the body's
  // trace, and every call that the trace serves returns it. Does nothing outside of a body.
  static void LeaveNote(std::shared_ptr<const void> note);

  // Returns the trace for such arguments, which is made if it is missing. Runs nothing.
  StatusOr<ConcreteFunction> ConcreteOf(std::span<Argument> arguments,
                                        Location where = Here()) const;
  // Whether such a call, in the thread's scope, was made before and has its program still: the look
  // that each call begins with. Takes no lock, and no memory for up to 8 arguments.
  bool IsCached(std::span<const Argument> arguments) const;
  // Returns all programs, the oldest first.
  std::vector<ConcreteFunction> Programs() const;
  // Saves the only program. Fails with FailedPrecondition if there are none or several.
  Status Save(const std::string& path) const;

  FunctionStatistics statistics() const;
  // Returns the costs of the function as text: calls, traces and programs, why the last trace was
  // made, and how to have fewer.
  std::string Report() const;
  // Drops all programs; later calls make new ones.
  void ClearCache();

  // Private to the library.
  FunctionImpl& impl() const { return *impl_; }

 private:
  std::shared_ptr<FunctionImpl> impl_;
};

// A function of the program with Tensors and static values as parameters. The wrapped C++ function
// is called when a trace is made, not at each call. So its effects apart from ops (printing,
// counting, appending to a vector) happen then. It must not keep tensors that it receives or makes.
//
// Parameters: Tensor; Variable, by reference; Static<T>; numbers, bools, enums and std::string,
// which are static; std::vector and std::array of Tensor. Returns Tensor, std::array, std::pair,
// std::tuple or std::vector of them, nothing, Status, or StatusOr of these.
template <typename Signature>
class Function;

template <typename R, typename... Ps>
class Function<R(Ps...)> : public AnyFunction {
 public:
  using ResultType = typename internal::Results<R>::Type;

  template <typename F>
    requires std::is_invocable_v<F&, Ps...>
  Function(std::string name, F function, FunctionOptions options = {}, Location where = Here())
      : AnyFunction(std::move(name), BodyOf(std::move(function)), std::move(options), where) {}
  // Wraps a function that takes such arguments and makes such results.
  explicit Function(AnyFunction function) : AnyFunction(std::move(function)) {}

  // Errors are errors of the results. A function without results returns its error.
  ResultType operator()(typename internal::Parameter<Ps>::Given... given,
                        Location where = Here()) const {
    SmallArray<Argument, 8> arguments((internal::Parameter<Ps>::Count(given) + ... + 0));
    [[maybe_unused]] Argument* next = arguments.data();
    (internal::Parameter<Ps>::Add(static_cast<typename internal::Parameter<Ps>::Given&&>(given),
                                  next),
     ...);
    if constexpr (internal::Results<R>::kCount == internal::kAnyNumber) {
      return AnyFunction::Call(arguments.span(), where);
    } else {
      std::array<Tensor, internal::Results<R>::kCount> results;
      Status status = AnyFunction::Call(arguments.span(), results, where);
      return internal::Results<R>::Of(results, status);
    }
  }

  // Returns the trace for such arguments; tensors may be given as TensorSpecs.
  StatusOr<ConcreteFunction> Concrete(typename internal::Parameter<Ps>::Asked... asked,
                                      Location where = Here()) const {
    SmallArray<Argument, 8> arguments((internal::Parameter<Ps>::Count(asked) + ... + 0));
    [[maybe_unused]] Argument* next = arguments.data();
    (internal::Parameter<Ps>::Add(static_cast<typename internal::Parameter<Ps>::Asked&&>(asked),
                                  next),
     ...);
    return ConcreteOf(arguments.span(), where);
  }

  // Returns the function in the form that AnyFunction takes.
  template <typename F>
  static Body BodyOf(F function) {
    return [function = std::move(function)](
               std::span<const Argument> arguments) mutable -> StatusOr<std::vector<Tensor>> {
      internal::ArgumentReader reader{arguments};
      // In braces, so that the arguments are taken in order.
      std::tuple<Ps...> taken{internal::Parameter<Ps>::Take(reader)...};
      if constexpr (std::is_void_v<R>) {
        std::apply(function, std::move(taken));
        return std::vector<Tensor>();
      } else {
        return internal::Results<R>::List(std::apply(function, std::move(taken)));
      }
    };
  }
};

template <typename F>
Function(std::string, F, FunctionOptions = {}, Location = {})
    -> Function<typename internal::SignatureOf<F>::Type>;

// --- The compiler

// Makes functions compile with this service, which must live as long as the process. For programs
// that link the compiler. Without it libtfrt_compiler.so is loaded at the first trace; it is
// searched for like any module (lib/base/support/open_module.h).
void SetCompilerService(const TfrtCompilerService* service);

}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_FUNCTION_H_
