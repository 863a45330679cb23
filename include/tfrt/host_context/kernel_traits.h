// Traits of a kernel's function, derived from its type: each parameter's kind and payload, and the
// results that its return type sets. Part of kernel.h. New kinds of parameters or results are added
// here.
#ifndef TFRT_HOST_CONTEXT_KERNEL_TRAITS_H_
#define TFRT_HOST_CONTEXT_KERNEL_TRAITS_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tfrt/async/chain.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/kernel_parameters.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt::internal {

enum class ParameterKind {
  kArgument,
  kArguments,
  kResult,
  kResults,
  kAttribute,
  kAttributes,
  kFunction,
  kFunctions,
  kContext
};

// Parameter<P>: the meaning of parameter type P. `Payload` is void where any type fits.
template <typename P>
struct Parameter {
  static constexpr auto kKind = ParameterKind::kArgument;
  using Payload = std::remove_cv_t<std::remove_pointer_t<std::remove_cvref_t<P>>>;
  using PlainPayload = Payload;
  // `payload` is the pointer that a reader or CheckArgument returned.
  static P FromPayload(void* payload) {
    auto* typed = static_cast<Payload*>(payload);
    if constexpr (std::is_pointer_v<std::remove_cvref_t<P>>) {
      return typed;
    } else {
      return *typed;
    }
  }
};
template <typename P, ParameterKind kind, typename T = void>
struct FramedParameter {
  static constexpr auto kKind = kind;
  using Payload = T;
  template <typename Frame>
  static P Get(Frame* frame, uint32_t index) {
    return P(frame, index);
  }
};
template <>
struct Parameter<AsyncValue*> {
  static constexpr auto kKind = ParameterKind::kArgument;
  using Payload = void;
  static AsyncValue* Get(AsyncKernelFrame* frame, uint32_t index) { return frame->argument(index); }
};
template <>
struct Parameter<Value*> {
  static constexpr auto kKind = ParameterKind::kArgument;
  using Payload = void;
  static Value* Get(SyncKernelFrame* frame, uint32_t index) { return &frame->argument(index); }
};
template <>
struct Parameter<Argument<AsyncValue>>
    : FramedParameter<Argument<AsyncValue>, ParameterKind::kArgument> {};
template <typename T>
struct Parameter<Argument<T>> : FramedParameter<Argument<T>, ParameterKind::kArgument, T> {};
template <>
struct Parameter<RemainingArguments>
    : FramedParameter<RemainingArguments, ParameterKind::kArguments> {};
template <typename T>
struct Parameter<RepeatedArguments<T>>
    : FramedParameter<RepeatedArguments<T>, ParameterKind::kArguments, T> {};
template <>
struct Parameter<RemainingSyncArguments>
    : FramedParameter<RemainingSyncArguments, ParameterKind::kArguments> {};
template <typename T>
struct Parameter<RepeatedSyncArguments<T>>
    : FramedParameter<RepeatedSyncArguments<T>, ParameterKind::kArguments, T> {};
template <typename T>
struct Parameter<Result<T>> : FramedParameter<Result<T>, ParameterKind::kResult, T> {};
template <>
struct Parameter<RemainingResults> : FramedParameter<RemainingResults, ParameterKind::kResults> {};

template <typename P>
concept AttributeParameter = requires(const uint8_t* data) {
  { P::kCode } -> std::convertible_to<AttributeCode>;
  P(data);
};
template <AttributeParameter P>
struct Parameter<P> {
  static constexpr auto kKind = ParameterKind::kAttribute;
  static constexpr AttributeCode kCode = P::kCode;
  template <typename Frame>
  static P Get(Frame* frame, uint32_t index) {
    return P(frame->attribute(index));
  }
};
template <typename A>
struct Parameter<RepeatedAttributes<A>> {
  static constexpr auto kKind = ParameterKind::kAttributes;
  static constexpr AttributeCode kCode = A::kCode;
  template <typename Frame>
  static RepeatedAttributes<A> Get(Frame* frame, uint32_t index) {
    return RepeatedAttributes<A>(frame->attributes().subspan(index));
  }
};
template <>
struct Parameter<const Function*> {
  static constexpr auto kKind = ParameterKind::kFunction;
  template <typename Frame>
  static const Function* Get(Frame* frame, uint32_t index) {
    return frame->function(index);
  }
};
template <>
struct Parameter<RemainingFunctions> {
  static constexpr auto kKind = ParameterKind::kFunctions;
  template <typename Frame>
  static RemainingFunctions Get(Frame* frame, uint32_t index) {
    return frame->functions().subspan(index);
  }
};
template <>
struct Parameter<KernelErrorHandler> {
  static constexpr auto kKind = ParameterKind::kContext;
  static KernelErrorHandler Get(AsyncKernelFrame* frame, uint32_t) {
    return KernelErrorHandler(frame);
  }
};
template <>
struct Parameter<const ExecutionContext&> {
  static constexpr auto kKind = ParameterKind::kContext;
  template <typename Frame>
  static const ExecutionContext& Get(Frame* frame, uint32_t) {
    return frame->exec_ctx();
  }
};
template <>
struct Parameter<AsyncKernelFrame*> {
  static constexpr auto kKind = ParameterKind::kContext;
  static AsyncKernelFrame* Get(AsyncKernelFrame* frame, uint32_t) { return frame; }
};
template <>
struct Parameter<SyncKernelFrame*> {
  static constexpr auto kKind = ParameterKind::kContext;
  static SyncKernelFrame* Get(SyncKernelFrame* frame, uint32_t) { return frame; }
};

// Returned<R> describes a return type: how many results it sets, their payload types, and how to
// set them. In kIsPlain: whether it is the payload of one value that is made of it. In kGivesPlain:
// whether the result is an error or plain (KernelSignature::plain_results).
template <typename R>
struct Returned {
  static constexpr uint32_t kCount = 1;
  static constexpr bool kIsPlain = !std::is_same_v<R, Chain>;
  static constexpr bool kGivesPlain = true;
  using Payloads = std::tuple<R>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, R value) {
    if constexpr (std::is_same_v<R, Chain>) {
      frame->SetReadyChain(index);
    } else {
      frame->EmplaceResult<R>(index, std::move(value));
    }
  }
  static void Set(SyncKernelFrame* frame, uint32_t index, R value) {
    frame->EmplaceResult<R>(index, std::move(value));
  }
};
template <>
struct Returned<void> {
  static constexpr bool kIsPlain = false;
  static constexpr bool kGivesPlain = true;
  static constexpr uint32_t kCount = 0;
  using Payloads = std::tuple<>;
};
template <>
struct Returned<Status> {
  static constexpr bool kIsPlain = false;
  static constexpr bool kGivesPlain = true;
  static constexpr uint32_t kCount = 0;
  using Payloads = std::tuple<>;
  template <typename Frame>
  static void Set(Frame* frame, uint32_t, Status status) {
    if (!status.ok()) frame->ReportError(std::move(status));
  }
};
template <typename T>
struct Returned<AsyncValueRef<T>> {
  static constexpr bool kIsPlain = false;
  static constexpr bool kGivesPlain = false;
  static constexpr uint32_t kCount = 1;
  using Payloads = std::tuple<T>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, AsyncValueRef<T> value) {
    frame->SetResult(index, value.ReleaseRCRef());
  }
};
template <>
struct Returned<RCReference<AsyncValue>> {
  static constexpr bool kIsPlain = false;
  static constexpr bool kGivesPlain = false;
  static constexpr uint32_t kCount = 1;
  using Payloads = std::tuple<void*>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, RCReference<AsyncValue> value) {
    frame->SetResult(index, std::move(value));
  }
};
template <typename T>
struct Returned<StatusOr<T>> {
  static constexpr bool kIsPlain = false;
  static constexpr bool kGivesPlain = Returned<T>::kGivesPlain;
  static constexpr uint32_t kCount = Returned<T>::kCount;
  using Payloads = typename Returned<T>::Payloads;
  template <typename Frame>
  static void Set(Frame* frame, uint32_t index, StatusOr<T> value) {
    if (value.ok()) {
      Returned<T>::Set(frame, index, *std::move(value));
    } else {
      frame->ReportError(value.status());
    }
  }
};
template <typename... Ts>
struct Returned<std::tuple<Ts...>> {
  static constexpr bool kIsPlain = false;
  static constexpr bool kGivesPlain = (Returned<Ts>::kGivesPlain && ...);
  static constexpr uint32_t kCount = (Returned<Ts>::kCount + ... + 0);
  using Payloads = decltype(std::tuple_cat(std::declval<typename Returned<Ts>::Payloads>()...));
  template <typename Frame>
  static void Set(Frame* frame, uint32_t index, std::tuple<Ts...> values) {
    std::apply(
        [&](auto&&... value) {
          ((Returned<Ts>::Set(frame, index, std::move(value)), index += Returned<Ts>::kCount), ...);
        },
        std::move(values));
  }
};
template <typename A, typename B>
struct Returned<std::pair<A, B>> : Returned<std::tuple<A, B>> {};

template <typename T>
constexpr TypeIdGetter TypeGetter() {
  if constexpr (std::is_void_v<T> || std::is_same_v<T, void*> || std::is_same_v<T, AsyncValue>) {
    return nullptr;
  } else {
    return &GetTypeId<T>;
  }
}

// Keyed by getter, not by type. A getter's name contains the layout of its type. So a plug-in whose
// type differs from the host's has a separate list.
template <TypeIdGetter... getters>
inline constexpr std::array<TypeIdGetter, sizeof...(getters)> kTypeGetters = {getters...};

template <typename Tuple>
struct TypeGetters;
template <typename... Ts>
struct TypeGetters<std::tuple<Ts...>> {
  static constexpr std::span<const TypeIdGetter> Get() { return kTypeGetters<TypeGetter<Ts>()...>; }
};

template <ParameterKind kind, typename P>
constexpr uint32_t kIsKind = Parameter<P>::kKind == kind ? 1 : 0;

template <ParameterKind kind, typename... Ps>
constexpr uint32_t kCountKind = (kIsKind<kind, Ps> + ... + 0);

template <typename... Tuples>
struct TupleCat;
template <>
struct TupleCat<> {
  using type = std::tuple<>;
};
template <typename... As>
struct TupleCat<std::tuple<As...>> {
  using type = std::tuple<As...>;
};
template <typename... As, typename... Bs, typename... Rest>
struct TupleCat<std::tuple<As...>, std::tuple<Bs...>, Rest...> {
  using type = typename TupleCat<std::tuple<As..., Bs...>, Rest...>::type;
};
template <ParameterKind kind, typename P, bool is_kind = Parameter<P>::kKind == kind>
struct PayloadTuple {
  using type = std::tuple<>;
};
template <ParameterKind kind, typename P>
struct PayloadTuple<kind, P, true> {
  using Payload = typename Parameter<P>::Payload;
  using type = std::tuple<std::conditional_t<std::is_void_v<Payload>, void*, Payload>>;
};
// A tuple of the payloads of all parameters of one kind; void* where any type fits.
template <ParameterKind kind, typename... Ps>
using PayloadsOf = typename TupleCat<typename PayloadTuple<kind, Ps>::type...>::type;

template <typename P, bool has_code>
constexpr AttributeCode CodeOf() {
  if constexpr (has_code) {
    return Parameter<P>::kCode;
  } else {
    return kAnyAttribute;
  }
}

template <typename... Ps>
constexpr auto AttributeCodes() {
  std::array<AttributeCode, kCountKind<ParameterKind::kAttribute, Ps...>> codes{};
  uint32_t next = 0;
  ((Parameter<Ps>::kKind == ParameterKind::kAttribute
        ? void(codes[next++] = CodeOf<Ps, Parameter<Ps>::kKind == ParameterKind::kAttribute>())
        : void()),
   ...);
  return codes;
}

template <typename... Ps>
constexpr bool HasChainPayload(std::tuple<Ps...>*) {
  return (std::is_same_v<Ps, Chain> || ...);
}

// void* stands for results of any type.
template <typename... Ts>
constexpr bool AreTrivial(std::tuple<Ts...>*) {
  return ((std::is_trivially_destructible_v<Ts> && !std::is_same_v<Ts, void*>) && ...);
}

}  // namespace tfrt::internal

#endif  // TFRT_HOST_CONTEXT_KERNEL_TRAITS_H_
