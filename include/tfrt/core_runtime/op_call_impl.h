// Templates that implement TFRT_OP and TFRT_OP_METADATA. Include op_call.h.
#ifndef TFRT_CORE_RUNTIME_OP_CALL_IMPL_H_
#define TFRT_CORE_RUNTIME_OP_CALL_IMPL_H_

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tfrt/core_runtime/op_call.h"

namespace tfrt::internal {

// InvalidArgument: "OP: argument 1 is a StringHost tensor, which the op does not take".
[[gnu::cold]] Status UnexpectedTensorType(const OpCall& call, size_t index);
// InvalidArgument: "OP takes at least 2 arguments, but there are 1".
[[gnu::cold]] Status UnknownMetadata(const OpCall& call, size_t index);
[[gnu::cold]] Status WrongArgumentCount(std::string_view op_name, size_t wanted, size_t given,
                                        bool at_least);
[[gnu::cold]] Status WrongResultCount(std::string_view op_name, size_t wanted, size_t given);

// Internal: "OP: the op's function threw an exception: WHAT". `what` may be null.
[[gnu::cold]] Status ThrownError(std::string_view op_name, const char* what);
// The same of a metadata function, which does not know its op.
[[gnu::cold]] Status ThrownMetadataError(const char* what);

// These catch in files that are compiled with exceptions.
#ifdef __cpp_exceptions
#define TFRT_TRY try
#define TFRT_CATCH(what, ...)            \
  catch (const std::exception& thrown) { \
    const char* what = thrown.what();    \
    __VA_ARGS__;                         \
  }                                      \
  catch (...) {                          \
    const char* what = nullptr;          \
    __VA_ARGS__;                         \
  }
#else
#define TFRT_TRY
#define TFRT_CATCH(what, ...)
#endif

// The kinds of parameters of an op function.
enum class OpParameterKind { kArgument, kOptional, kVariadic, kResultMetadata, kContext };

template <typename P>
struct OpParameter {  // const T&
  using Payload = std::remove_cvref_t<P>;
  static_assert(std::is_base_of_v<Tensor, Payload>, "not a parameter of an op function");
  static constexpr auto kKind = OpParameterKind::kArgument;
  static P Get(OpCall& call, size_t index) { return call.argument(index)->get<Payload>(); }
};
template <typename T>
struct OpParameter<OpArgument<T>> {
  using Payload = T;
  static constexpr auto kKind = OpParameterKind::kArgument;
  static OpArgument<T> Get(OpCall& call, size_t index) { return {&call, index}; }
};
template <typename T>
struct OpParameter<OptionalOpArgument<T>> {
  using Payload = T;
  static constexpr auto kKind = OpParameterKind::kOptional;
  static OptionalOpArgument<T> Get(OpCall& call, size_t index) {
    return OptionalOpArgument<T>(index < call.num_arguments() ? call.argument(index) : nullptr);
  }
};
template <typename T>
struct OpParameter<VariadicOpArguments<T>> {
  using Payload = T;
  static constexpr auto kKind = OpParameterKind::kVariadic;
};
template <>
struct OpParameter<const TensorMetadata&> {
  using Payload = void;
  static constexpr auto kKind = OpParameterKind::kResultMetadata;
  static const TensorMetadata& Get(OpCall& call, size_t index) {
    return call.result_metadata(index);
  }
};
template <>
struct OpParameter<const OpAttrsRef&> {
  using Payload = void;
  static constexpr auto kKind = OpParameterKind::kContext;
  static const OpAttrsRef& Get(OpCall& call, size_t) { return call.attrs(); }
};
template <>
struct OpParameter<const ExecutionContext&> {
  using Payload = void;
  static constexpr auto kKind = OpParameterKind::kContext;
  static const ExecutionContext& Get(OpCall& call, size_t) { return call.exec_ctx(); }
};
template <>
struct OpParameter<OpCall&> {
  using Payload = void;
  static constexpr auto kKind = OpParameterKind::kContext;
  static OpCall& Get(OpCall& call, size_t) { return call; }
};

// How a return type becomes results.
template <typename R>
struct OpReturned {
  static_assert(std::is_base_of_v<Tensor, R>, "not a return type of an op function");
  static constexpr size_t kCount = 1;
  static void Set(OpCall& call, size_t index, R&& value) {
    call.SetResult(index, MakeAvailableAsyncValueRef<R>(std::move(value)).ReleaseRCRef());
  }
};
template <typename T>
struct OpReturned<AsyncValueRef<T>> {
  static constexpr size_t kCount = 1;
  static void Set(OpCall& call, size_t index, AsyncValueRef<T>&& value) {
    call.SetResult(index, value.ReleaseRCRef());
  }
};
template <>
struct OpReturned<RCReference<AsyncValue>> {
  static constexpr size_t kCount = 1;
  static void Set(OpCall& call, size_t index, RCReference<AsyncValue>&& value) {
    call.SetResult(index, std::move(value));
  }
};
template <>
struct OpReturned<AsyncValueRef<Chain>> {
  static constexpr size_t kCount = 0;
  static void Set(OpCall& call, size_t, AsyncValueRef<Chain>&& value) {
    call.SetChain(std::move(value));
  }
};
template <>
struct OpReturned<Status> {
  static constexpr size_t kCount = 0;
  static void Set(OpCall& call, size_t, Status&& status) {
    if (!status.ok()) call.ReportError(std::move(status));
  }
};
template <typename T>
struct OpReturned<StatusOr<T>> {
  static constexpr size_t kCount = OpReturned<T>::kCount;
  static void Set(OpCall& call, size_t index, StatusOr<T>&& value) {
    if (value.ok()) [[likely]] {
      OpReturned<T>::Set(call, index, *std::move(value));
    } else {
      call.ReportError(value.status());
    }
  }
};
template <typename... Ts>
struct OpReturned<std::tuple<Ts...>> {
  static constexpr size_t kCount = (OpReturned<Ts>::kCount + ... + 0);
  static void Set(OpCall& call, size_t index, std::tuple<Ts...>&& values) {
    std::apply([&](Ts&... each) { (OpReturned<Ts>::Set(call, index++, std::move(each)), ...); },
               values);
  }
};
template <typename A, typename B>
struct OpReturned<std::pair<A, B>> {
  static constexpr size_t kCount = 2;
  static void Set(OpCall& call, size_t index, std::pair<A, B>&& values) {
    OpReturned<A>::Set(call, index, std::move(values.first));
    OpReturned<B>::Set(call, index + 1, std::move(values.second));
  }
};

template <typename... Ps>
constexpr size_t CountOpParameters([[maybe_unused]] OpParameterKind kind) {
  return (static_cast<size_t>(OpParameter<Ps>::kKind == kind) + ... + 0);
}

// For each parameter how many of its group come before it.
template <typename... Ps>
constexpr auto OpParameterPositions() {
  std::array<size_t, sizeof...(Ps) + 1> positions = {};
  size_t arguments = 0, results = 0, i = 0;
  [[maybe_unused]] auto next = [&]([[maybe_unused]] OpParameterKind kind) {
    switch (kind) {
      case OpParameterKind::kArgument:
      case OpParameterKind::kOptional:
        positions[i++] = arguments++;
        break;
      case OpParameterKind::kVariadic:
        positions[i++] = arguments;
        break;
      case OpParameterKind::kResultMetadata:
        positions[i++] = results++;
        break;
      case OpParameterKind::kContext:
        positions[i++] = 0;
    }
  };
  (next(OpParameter<Ps>::kKind), ...);
  return positions;
}

template <typename P>
bool HasOpArgumentType(OpCall& call, size_t index) {
  using Parameter = OpParameter<P>;
  using Payload = typename Parameter::Payload;
  if constexpr (std::is_void_v<Payload> || std::is_same_v<Payload, Tensor>) {
    return true;
  } else if constexpr (Parameter::kKind == OpParameterKind::kArgument) {
    AsyncValue* argument = call.argument(index);
    return argument->GetIfPlain<Payload>() || argument->IsType<Payload>();
  } else if constexpr (Parameter::kKind == OpParameterKind::kOptional) {
    return index >= call.num_arguments() || !call.argument(index) ||
           call.argument(index)->IsType<Payload>();
  } else {
    return true;  // variadic ones are checked where they are made
  }
}

// Calls a function or an object of type R(Ps...).
template <typename R, typename... Ps>
struct OpCaller {
  static constexpr auto kPositions = OpParameterPositions<Ps...>();
  static constexpr size_t kRequired = CountOpParameters<Ps...>(OpParameterKind::kArgument);
  static constexpr size_t kOptional = CountOpParameters<Ps...>(OpParameterKind::kOptional);
  static constexpr bool kVariadic = CountOpParameters<Ps...>(OpParameterKind::kVariadic) > 0;
  static constexpr size_t kResultMetadata =
      CountOpParameters<Ps...>(OpParameterKind::kResultMetadata);

  template <typename F>
  static void Call(OpCall& call, const F& fn) noexcept {
    size_t given = call.num_arguments();
    if (given < kRequired || (!kVariadic && given > kRequired + kOptional)) [[unlikely]] {
      return call.ReportError(
          WrongArgumentCount(call.op_name(), kRequired, given, kVariadic || kOptional > 0));
    }
    if constexpr (!std::is_void_v<R>) {
      // An op may have more results than it computes only if it says so through the call.
      if (call.num_results() < OpReturned<R>::kCount) [[unlikely]] {
        return call.ReportError(
            WrongResultCount(call.op_name(), OpReturned<R>::kCount, call.num_results()));
      }
    }
    TFRT_TRY { CallWith(call, fn, std::index_sequence_for<Ps...>()); }
    TFRT_CATCH(what, call.ReportError(ThrownError(call.op_name(), what)))
  }

 private:
  template <size_t i, typename P>
  static bool Check(OpCall& call) {
    if constexpr (OpParameter<P>::kKind == OpParameterKind::kVariadic) {
      using Payload = typename OpParameter<P>::Payload;
      if constexpr (!std::is_same_v<Payload, Tensor>) {
        for (size_t k = kPositions[i]; k < call.num_arguments(); ++k) {
          if (!call.argument(k)->IsType<Payload>()) {
            call.ReportError(UnexpectedTensorType(call, k));
            return false;
          }
        }
      }
      return true;
    } else if constexpr (OpParameter<P>::kKind == OpParameterKind::kResultMetadata) {
      if (kPositions[i] < call.num_result_metadata()) [[likely]]
        return true;
      call.ReportError(UnknownMetadata(call, kPositions[i]));
      return false;
    } else {
      if (HasOpArgumentType<P>(call, kPositions[i])) [[likely]]
        return true;
      call.ReportError(UnexpectedTensorType(call, kPositions[i]));
      return false;
    }
  }
  template <size_t i, typename P>
  static P Get(OpCall& call) {
    if constexpr (OpParameter<P>::kKind == OpParameterKind::kVariadic) {
      return P(call.arguments().subspan(kPositions[i]));
    } else {
      return OpParameter<P>::Get(call, kPositions[i]);
    }
  }
  template <typename F, size_t... i>
  static void CallWith(OpCall& call, const F& fn, std::index_sequence<i...>) {
    if (!(Check<i, Ps>(call) && ...)) return;
    if constexpr (std::is_void_v<R>) {
      fn(Get<i, Ps>(call)...);
    } else {
      OpReturned<R>::Set(call, 0, fn(Get<i, Ps>(call)...));
    }
  }
};

template <auto fn>
struct OpFunctionOf;
template <typename R, typename... Ps, R (*fn)(Ps...)>
struct OpFunctionOf<fn> {
  static void Call(OpCall& call) noexcept {
    // By type, not by value: the compiler sees which function it is.
    OpCaller<R, Ps...>::Call(call, [](Ps... ps) -> R { return fn(std::forward<Ps>(ps)...); });
  }
};

template <typename F, typename = decltype(&F::operator())>
struct OpClosureOf;
template <typename F, typename R, typename... Ps>
struct OpClosureOf<F, R (F::*)(Ps...) const> {
  static void Call(OpCall& call) noexcept {
    OpCaller<R, Ps...>::Call(call, *static_cast<const F*>(call.op_state()));
  }
};

template <auto parse>
struct OpAttrsParserOf;
template <typename T, StatusOr<T> (*parse)(const OpAttrsRef&)>
struct OpAttrsParserOf<parse> {
  struct Parsed : ParsedOpAttrs {
    T value;
  };
  static std::shared_ptr<const ParsedOpAttrs> Parse(const OpAttrsRef& attrs) {
    StatusOr<T> value = parse(attrs);
    if (!value.ok()) return nullptr;
    return std::make_shared<const Parsed>(Parsed{{&Parse}, *std::move(value)});
  }
};

template <typename P>
struct OpMetadataParameter;
template <>
struct OpMetadataParameter<const TensorMetadata&> {
  static constexpr auto kKind = OpParameterKind::kArgument;
  static const TensorMetadata& Get(OpMetadataArguments arguments, const OpAttrsRef&, size_t index) {
    return *arguments[index];
  }
};
template <>
struct OpMetadataParameter<OptionalOpMetadata> {
  static constexpr auto kKind = OpParameterKind::kOptional;
  static OptionalOpMetadata Get(OpMetadataArguments arguments, const OpAttrsRef&, size_t index) {
    return OptionalOpMetadata(index < arguments.size() ? arguments[index] : nullptr);
  }
};
template <>
struct OpMetadataParameter<VariadicOpMetadata> {
  static constexpr auto kKind = OpParameterKind::kVariadic;
  static VariadicOpMetadata Get(OpMetadataArguments arguments, const OpAttrsRef&, size_t index) {
    return VariadicOpMetadata(arguments.subspan(index));
  }
};
template <>
struct OpMetadataParameter<const OpAttrsRef&> {
  static constexpr auto kKind = OpParameterKind::kContext;
  static const OpAttrsRef& Get(OpMetadataArguments, const OpAttrsRef& attrs, size_t) {
    return attrs;
  }
};

inline Status SetOpMetadata(std::span<TensorMetadata> results, TensorMetadata&& metadata) {
  results[0] = std::move(metadata);
  return OkStatus();
}
template <typename... Ts>
Status SetOpMetadata(std::span<TensorMetadata> results, std::tuple<Ts...>&& metadata) {
  size_t i = 0;
  std::apply([&](Ts&... each) { ((results[i++] = std::move(each)), ...); }, metadata);
  return OkStatus();
}
inline Status SetOpMetadata(std::span<TensorMetadata>, Status&& status) {
  return std::move(status);
}
template <typename T>
Status SetOpMetadata(std::span<TensorMetadata> results, StatusOr<T>&& metadata) {
  if (!metadata.ok()) return metadata.status();
  return SetOpMetadata(results, *std::move(metadata));
}
template <typename R>
struct OpMetadataCount {
  static constexpr size_t kCount = 1;
};
template <>
struct OpMetadataCount<Status> {
  static constexpr size_t kCount = 0;
};
template <typename... Ts>
struct OpMetadataCount<std::tuple<Ts...>> {
  static constexpr size_t kCount = sizeof...(Ts);
};
template <typename T>
struct OpMetadataCount<StatusOr<T>> : OpMetadataCount<T> {};

template <auto fn>
struct OpMetadataFunctionOf;
template <typename R, typename... Ps, R (*fn)(Ps...)>
struct OpMetadataFunctionOf<fn> {
  template <OpParameterKind kind>
  static constexpr size_t Count() {
    return (static_cast<size_t>(OpMetadataParameter<Ps>::kKind == kind) + ... + 0);
  }
  static constexpr auto kPositions = [] {
    std::array<size_t, sizeof...(Ps) + 1> positions = {};
    size_t arguments = 0, i = 0;
    ((positions[i++] = OpMetadataParameter<Ps>::kKind == OpParameterKind::kContext ? 0
                       : OpMetadataParameter<Ps>::kKind == OpParameterKind::kVariadic
                           ? arguments
                           : arguments++),
     ...);
    return positions;
  }();
  static constexpr size_t kRequired = Count<OpParameterKind::kArgument>();
  static constexpr size_t kOptional = Count<OpParameterKind::kOptional>();
  static constexpr bool kVariadic = Count<OpParameterKind::kVariadic>() > 0;

  static Status Call(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                     std::span<TensorMetadata> results) noexcept {
    if (arguments.size() < kRequired || (!kVariadic && arguments.size() > kRequired + kOptional))
        [[unlikely]] {
      return WrongArgumentCount("the op", kRequired, arguments.size(), kVariadic || kOptional > 0);
    }
    if (results.size() < OpMetadataCount<R>::kCount) [[unlikely]] {
      return WrongResultCount("the op", OpMetadataCount<R>::kCount, results.size());
    }
    TFRT_TRY { return CallWith(arguments, attrs, results, std::index_sequence_for<Ps...>()); }
    TFRT_CATCH(what, return ThrownMetadataError(what))
  }

 private:
  template <size_t... i>
  static Status CallWith(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                         std::span<TensorMetadata> results, std::index_sequence<i...>) {
    return SetOpMetadata(results,
                         fn(OpMetadataParameter<Ps>::Get(arguments, attrs, kPositions[i])...));
  }
};

#undef TFRT_TRY
#undef TFRT_CATCH

}  // namespace tfrt::internal

#endif  // TFRT_CORE_RUNTIME_OP_CALL_IMPL_H_
