// TFRT_KERNEL(fn): makes a kernel of a plain C++ function and deduces the kernel's signature.
//
//   int32_t AddI32(int32_t a, int32_t b) { return a + b; }
//   registry->AddKernel("my.add", TFRT_KERNEL(AddI32));
//
// Parameters, each kind in positional order:
//   T, T&, T*                    the payload of the next argument; checked to be a T
//   Argument<T>                  the next argument with its AsyncValue (to keep it, ask uniqueness)
//   AsyncValue*                  the next argument, of any type; if non-strict, in any state
//   RemainingArguments           all further arguments; RepeatedArguments<T>: all of them a T
//   Result<T>, RemainingResults  results that are set through the parameter (after returned ones)
//   Attribute<T>, ArrayAttribute<T>, StringAttribute, TypeAttribute, ShapeAttribute,
//   DenseAttribute, AggregateAttribute, CompilationUnitAttribute   the next attribute
//   AnyAttribute                 the next attribute, undecoded
//   RemainingAttributes          all further attributes
//   const Function*, RemainingFunctions        functions and regions the op names
//   KernelErrorHandler           reports an error
//   const ExecutionContext&, AsyncKernelFrame* the context, the whole frame
// Return: void, T, AsyncValueRef<T>, RCReference<AsyncValue>, Status, StatusOr<...>, and std::pair
// or std::tuple of values. Returning Chain costs nothing. An error is reported at the op and
// becomes every result that is not set yet. A function without a Chain parameter accepts one
// trailing chain operand.
//
// TFRT_SYNC_KERNEL(fn) does the same for sync functions: parameters T, T&, T*, Value*,
// RemainingSyncArguments, RepeatedSyncArguments<T>, the attributes and functions above,
// const ExecutionContext&, SyncKernelFrame*; the same returns without AsyncValues.
#ifndef TFRT_HOST_CONTEXT_KERNEL_H_
#define TFRT_HOST_CONTEXT_KERNEL_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/async/chain.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// An argument together with the AsyncValue that holds it. Argument<AsyncValue> fits any type.
template <typename T>
class Argument {
 public:
  Argument(const AsyncKernelFrame* frame, uint32_t index) : frame_(frame), index_(index) {}
  AsyncValue* value() const { return frame_->argument(index_); }
  RCReference<AsyncValue> ValueRef() const { return FormRef(value()); }
  AsyncValueRef<T> TypedRef() const { return AsyncValueRef<T>(ValueRef()); }
  T& get() const { return value()->template get<T>(); }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }
  // True if the kernel may reuse the payload in place. Valid until the kernel returns; a kernel
  // that keeps the argument keeps the answer.
  bool IsUnique() const { return frame_->IsUniqueArgument(index_); }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t index_;
};

class RemainingArguments {
 public:
  RemainingArguments(const AsyncKernelFrame* frame, uint32_t begin)
      : frame_(frame), begin_(begin) {}
  size_t size() const { return frame_->num_arguments() - begin_; }
  AsyncValue* operator[](size_t index) const { return frame_->argument(begin_ + index); }
  bool IsUnique(size_t index) const { return frame_->IsUniqueArgument(begin_ + index); }
  // Borrowed pointers, for Function::Execute; owned references, to keep.
  std::vector<AsyncValue*> values() const {
    std::vector<AsyncValue*> values(size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = (*this)[i];
    return values;
  }
  std::vector<RCReference<AsyncValue>> ValueRefs() const {
    std::vector<RCReference<AsyncValue>> refs(size());
    for (size_t i = 0; i < refs.size(); ++i) refs[i] = FormRef((*this)[i]);
    return refs;
  }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t begin_;
};

template <typename T>
class RepeatedArguments {
 public:
  RepeatedArguments(const AsyncKernelFrame* frame, uint32_t begin) : rest_(frame, begin) {}
  size_t size() const { return rest_.size(); }
  T& operator[](size_t index) const { return rest_[index]->template get<T>(); }
  AsyncValue* value(size_t index) const { return rest_[index]; }
  bool IsUnique(size_t index) const { return rest_.IsUnique(index); }

 private:
  RemainingArguments rest_;
};

template <typename T>
class Result {
 public:
  Result(const AsyncKernelFrame* frame, uint32_t index) : frame_(frame), index_(index) {}
  template <typename... Args>
  void Emplace(Args&&... args) const {
    frame_->EmplaceResult<T>(index_, std::forward<Args>(args)...);
  }
  void Set(AsyncValueRef<T> value) const { frame_->SetResult(index_, value.ReleaseRCRef()); }
  void Set(RCReference<AsyncValue> value) const { frame_->SetResult(index_, std::move(value)); }
  AsyncValueRef<T> Allocate() const { return frame_->AllocateResult<T>(index_); }
  RCReference<IndirectAsyncValue> AllocateIndirect() const {
    return frame_->AllocateIndirectResult(index_);
  }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t index_;
};

class RemainingResults {
 public:
  RemainingResults(const AsyncKernelFrame* frame, uint32_t begin) : frame_(frame), begin_(begin) {}
  size_t size() const { return frame_->num_results() - begin_; }
  void Set(size_t index, RCReference<AsyncValue> value) const {
    frame_->SetResult(begin_ + index, std::move(value));
  }
  template <typename T, typename... Args>
  void Emplace(size_t index, Args&&... args) const {
    frame_->EmplaceResult<T>(begin_ + index, std::forward<Args>(args)...);
  }
  template <typename T>
  AsyncValueRef<T> Allocate(size_t index) const {
    return frame_->AllocateResult<T>(begin_ + index);
  }
  RCReference<IndirectAsyncValue> AllocateIndirect(size_t index) const {
    return frame_->AllocateIndirectResult(begin_ + index);
  }
  // All of them, to be set in place, as Function::Execute does. Null at first.
  std::span<RCReference<AsyncValue>> references() const {
    return frame_->ResultReferences().subspan(begin_);
  }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t begin_;
};

// An attribute of any kind; the kernel must know what it is. Its layout is not checked.
struct AnyAttribute {
  static constexpr AttributeCode kCode = kAnyAttribute;
  explicit AnyAttribute(const uint8_t* d) : data(d) {}
  const uint8_t* data;
};

// The further attributes. RemainingAttributes does not check their kind; with an attribute type,
// as in RepeatedAttributes<Attribute<int32_t>>, each must be of that kind.
template <typename A>
class RepeatedAttributes {
 public:
  explicit RepeatedAttributes(std::span<const uint8_t* const> data) : data_(data) {}
  size_t size() const { return data_.size(); }
  A operator[](size_t index) const { return A(data_[index]); }

 private:
  std::span<const uint8_t* const> data_;
};
using RemainingAttributes = RepeatedAttributes<AnyAttribute>;

using RemainingFunctions = std::span<const Function* const>;

class KernelErrorHandler {
 public:
  explicit KernelErrorHandler(const AsyncKernelFrame* frame) : frame_(frame) {}
  void ReportError(std::string message) const { frame_->ReportError(std::move(message)); }
  void ReportError(Status error) const { frame_->ReportError(std::move(error)); }

 private:
  const AsyncKernelFrame* frame_;
};

class RemainingSyncArguments {
 public:
  RemainingSyncArguments(const SyncKernelFrame* frame, uint32_t begin)
      : frame_(frame), begin_(begin) {}
  size_t size() const { return frame_->num_arguments() - begin_; }
  Value& operator[](size_t index) const { return frame_->argument(begin_ + index); }

 private:
  const SyncKernelFrame* frame_;
  uint32_t begin_;
};

template <typename T>
class RepeatedSyncArguments {
 public:
  RepeatedSyncArguments(const SyncKernelFrame* frame, uint32_t begin) : rest_(frame, begin) {}
  size_t size() const { return rest_.size(); }
  T& operator[](size_t index) const { return rest_[index].template get<T>(); }

 private:
  RemainingSyncArguments rest_;
};

namespace internal {

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

// Parameter<P>: what parameter type P stands for. `Payload` is void where any type fits.
template <typename P>
struct Parameter {
  static constexpr auto kKind = ParameterKind::kArgument;
  using Payload = std::remove_cv_t<std::remove_pointer_t<std::remove_cvref_t<P>>>;
  using PlainPayload = Payload;
  // `payload` is what CheckArgument returned.
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

// Returned<R>: how many results a return type sets, their payload types, and how to set them.
template <typename R>
struct Returned {
  static constexpr uint32_t kCount = 1;
  static constexpr bool kIsPlain = !std::is_same_v<R, Chain>;
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
  static constexpr uint32_t kCount = 0;
  using Payloads = std::tuple<>;
};
template <>
struct Returned<Status> {
  static constexpr bool kIsPlain = false;
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
  static constexpr uint32_t kCount = 1;
  using Payloads = std::tuple<T>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, AsyncValueRef<T> value) {
    frame->SetResult(index, value.ReleaseRCRef());
  }
};
template <>
struct Returned<RCReference<AsyncValue>> {
  static constexpr bool kIsPlain = false;
  static constexpr uint32_t kCount = 1;
  using Payloads = std::tuple<void*>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, RCReference<AsyncValue> value) {
    frame->SetResult(index, std::move(value));
  }
};
template <typename T>
struct Returned<StatusOr<T>> {
  static constexpr bool kIsPlain = false;
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

// By getter, not by type: a getter's name has the layout of its type in it, so a plug-in whose type
// differs from the host's has a list of its own.
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

template <typename T>
concept ReadablePayload = !std::is_same_v<T, void*> && !std::is_same_v<T, AsyncValue>;

// Reports a mistyped argument and returns false.
bool ReportArgumentType(AsyncKernelFrame* frame, uint32_t index, TypeId wanted);
bool ReportArgumentType(SyncKernelFrame* frame, uint32_t index, TypeId wanted);

// The payload of a typed argument; null, after reporting an error, if it is of another type.
template <typename T>
[[gnu::noinline]] T* CheckArgumentSlow(AsyncKernelFrame* frame, uint32_t index) {
  AsyncValue* value = frame->argument(index);
  // In a non-strict kernel a typed argument may be an error or not there yet.
  if (value->IsConcrete() && value->IsType<T>()) return &value->get<T>();
  ReportArgumentType(frame, index, GetTypeId<T>());
  return nullptr;
}
template <typename T>
[[gnu::always_inline]] inline T* CheckArgument(AsyncKernelFrame* frame, uint32_t index) {
  if (T* payload = frame->argument(index)->GetIfPlain<T>()) [[likely]]
    return payload;
  return CheckArgumentSlow<T>(frame, index);
}
template <typename T>
[[gnu::always_inline]] inline T* CheckArgument(SyncKernelFrame* frame, uint32_t index) {
  Value& value = frame->argument(index);
  if (value.IsType<T>()) [[likely]]
    return &value.get<T>();
  ReportArgumentType(frame, index, GetTypeId<T>());
  return nullptr;
}

// Fills in the payloads of the typed arguments; false, after reporting an error, if one has another
// type. Arguments of any type have no payload.
template <typename Frame, typename... Ts>
bool CheckFixedArguments([[maybe_unused]] Frame* frame, [[maybe_unused]] void** payloads,
                         std::tuple<Ts...>*) {
  [[maybe_unused]] uint32_t index = 0;
  return ([&] {
    uint32_t i = index++;
    if constexpr (ReadablePayload<Ts>) {
      payloads[i] = CheckArgument<Ts>(frame, i);
      return payloads[i] != nullptr;
    } else {
      return true;
    }
  }() && ...);
}
template <typename Frame, typename... Ts>
bool CheckRepeatedArguments(Frame* frame, uint32_t begin, std::tuple<Ts...>*) {
  [[maybe_unused]] auto check_all = [&]<typename T>(T*) {
    if constexpr (ReadablePayload<T>) {
      for (uint32_t i = begin; i < frame->num_arguments(); ++i) {
        if (!CheckArgument<T>(frame, i)) return false;
      }
    }
    return true;
  };
  return (check_all(static_cast<Ts*>(nullptr)) && ...);
}

// The kernel made of one C++ function.
template <typename Frame, auto fn, typename R, typename... Ps>
struct KernelOf {
  using Arguments = PayloadsOf<ParameterKind::kArgument, Ps...>;
  using Repeated = PayloadsOf<ParameterKind::kArguments, Ps...>;
  using Results = typename TupleCat<typename Returned<R>::Payloads,
                                    PayloadsOf<ParameterKind::kResult, Ps...>>::type;
  static constexpr uint32_t kNumArguments = std::tuple_size_v<Arguments>;
  static constexpr auto kAttributeCodes = AttributeCodes<Ps...>();
  static constexpr bool kTakesFrame = (std::is_same_v<Ps, Frame*> || ...);
  static constexpr bool kReturnsAllResults = kCountKind<ParameterKind::kResult, Ps...> == 0 &&
                                             kCountKind<ParameterKind::kResults, Ps...> == 0 &&
                                             !kTakesFrame;

  static constexpr AttributeCode VariadicCode() {
    AttributeCode code = kAnyAttribute;
    ((Parameter<Ps>::kKind == ParameterKind::kAttributes
          ? void(code = CodeOf<Ps, Parameter<Ps>::kKind == ParameterKind::kAttributes>())
          : void()),
     ...);
    return code;
  }

  static constexpr KernelSignature kSignature = {
      .arguments = TypeGetters<Arguments>::Get(),
      .variadic_arguments = std::tuple_size_v<Repeated> != 0,
      .allows_trailing_chain = std::tuple_size_v<Repeated> == 0 &&
                               !internal::HasChainPayload(static_cast<Arguments*>(nullptr)),
      .results = TypeGetters<Results>::Get(),
      .variadic_results = kCountKind<ParameterKind::kResults, Ps...> != 0,
      .attributes = kAttributeCodes,
      .variadic_attributes = kCountKind<ParameterKind::kAttributes, Ps...> != 0,
      .variadic_attribute_code = VariadicCode(),
      .num_functions = kCountKind<ParameterKind::kFunction, Ps...>,
      .variadic_functions = kCountKind<ParameterKind::kFunctions, Ps...> != 0,
      .returns_all_results = kReturnsAllResults,
      .trivial_results = kReturnsAllResults && AreTrivial(static_cast<Results*>(nullptr)),
  };

  // The position of parameter J among those of its kind (a "remaining" parameter starts after the
  // fixed ones; Result<T> parameters come after the returned results).
  template <size_t J>
  static constexpr uint32_t Position() {
    constexpr ParameterKind kinds[] = {Parameter<Ps>::kKind...};
    ParameterKind fixed = kinds[J];
    if (fixed == ParameterKind::kArguments) fixed = ParameterKind::kArgument;
    if (fixed == ParameterKind::kResults) fixed = ParameterKind::kResult;
    if (fixed == ParameterKind::kAttributes) fixed = ParameterKind::kAttribute;
    if (fixed == ParameterKind::kFunctions) fixed = ParameterKind::kFunction;
    uint32_t position = fixed == ParameterKind::kResult ? Returned<R>::kCount : 0;
    for (size_t i = 0; i < J; ++i) position += kinds[i] == fixed ? 1 : 0;
    return position;
  }

  // Parameter J: a payload that has been read already, or what the frame says.
  template <size_t J, typename P>
  static decltype(auto) Get(Frame* frame, void** payloads) {
    if constexpr (requires { Parameter<P>::FromPayload(*payloads); }) {
      return Parameter<P>::FromPayload(payloads[Position<J>()]);
    } else {
      return Parameter<P>::Get(frame, Position<J>());
    }
  }

  // One result, returned by value, of payloads and attributes: the usual small kernel. Its fast
  // path calls nothing but the function, so that the compiler can do without a stack frame; what is
  // out of the ordinary goes the general way, from the start.
  template <typename P>
  static constexpr bool kIsPayload = requires { typename Parameter<P>::PlainPayload; };
  static constexpr bool kIsPlain =
      Returned<R>::kIsPlain && kReturnsAllResults &&
      ((kIsPayload<Ps> || Parameter<Ps>::kKind == ParameterKind::kAttribute) && ...);

  static void Run(Frame* frame) {
    if constexpr (kIsPlain) {
      RunPlain(frame, std::index_sequence_for<Ps...>());
    } else {
      if constexpr (std::is_same_v<Frame, AsyncKernelFrame> && !kReturnsAllResults) {
        frame->RequireCheck();
      }
      RunGeneral(frame);
    }
  }

  // Argument J's payload into `payloads`; false if it is not plain. True for other parameters.
  template <size_t J, typename P>
  [[gnu::always_inline]] static bool ReadPlain(AsyncValue* const* registers,
                                               const uint32_t* arguments, uint32_t kind_of_result,
                                               void** payloads) {
    if constexpr (kIsPayload<P>) {
      using T = typename Parameter<P>::PlainPayload;
      constexpr uint32_t kPosition = Position<J>();
      AsyncValue* value = registers[arguments[kPosition]];
      payloads[kPosition] =
          std::is_same_v<T, R> ? value->GetIfPlain<T>(kind_of_result) : value->GetIfPlain<T>();
      return payloads[kPosition] != nullptr;
    }
    return true;
  }
  template <typename P>
  static constexpr bool IsOfResultType() {
    if constexpr (kIsPayload<P>) return std::is_same_v<typename Parameter<P>::PlainPayload, R>;
    return false;
  }
  template <size_t... J>
  [[gnu::always_inline]] static void RunPlain(AsyncKernelFrame* frame, std::index_sequence<J...>) {
    using Result = ConcreteAsyncValue<R>;
    // Read first what acquire loads would make the compiler read again.
    [[maybe_unused]] const uint32_t* arguments = frame->site().arguments;
    [[maybe_unused]] AsyncValue* const* registers = frame->parts().registers;
    uint32_t kind = kind_of<R>.load(std::memory_order_relaxed);
    constexpr bool kHasArgumentOfKind = (IsOfResultType<Ps>() || ...);
    if (!kHasArgumentOfKind && kind == 0) [[unlikely]]
      return RunGeneral(frame);
    void* payloads[kNumArguments + 1];
    if (!(ReadPlain<J, Ps>(registers, arguments, kind, payloads) && ...)) [[unlikely]] {
      return RunGeneral(frame);
    }
    if constexpr (kHasArgumentOfKind && std::is_trivially_destructible_v<R>) {
      if (AsyncValue* reused = frame->ReusableValue()) {
        R value = fn(Get<J, Ps>(frame, payloads)...);
        new (&reused->get<R>()) R(std::move(value));
        return frame->SetReusedResult(reused);
      }
    }
    void* block = TryAllocateSmall(sizeof(Result));
    if (!block) [[unlikely]]
      return RunGeneral(frame);
    frame->SetFirstResult(new (block) Result(InKind{kind}, fn(Get<J, Ps>(frame, payloads)...)));
  }

  template <size_t J, typename P>
  [[gnu::always_inline]] static bool IsPlainSync(SyncKernelFrame* frame) {
    if constexpr (kIsPayload<P>) {
      return frame->argument(Position<J>())
          .template IsExactly<typename Parameter<P>::PlainPayload>();
    }
    return true;
  }
  template <size_t J, typename P>
  [[gnu::always_inline]] static void* ReadUnchecked(SyncKernelFrame* frame) {
    if constexpr (kIsPayload<P>) {
      return frame->argument(Position<J>())
          .template GetExactly<typename Parameter<P>::PlainPayload>();
    }
    return nullptr;
  }
  template <size_t... J>
  [[gnu::always_inline]] static void RunPlain(SyncKernelFrame* frame,
                                              std::index_sequence<J...> indices) {
    if (!(IsPlainSync<J, Ps>(frame) && ...)) [[unlikely]]
      return RunGeneral(frame);
    RunUnchecked(frame, indices);
  }
  template <size_t... J>
  [[gnu::always_inline]] static void RunUnchecked(SyncKernelFrame* frame,
                                                  std::index_sequence<J...>) {
    void* payloads[kNumArguments + 1];
    ((kIsPayload<Ps> ? void(payloads[Position<J>()] = ReadUnchecked<J, Ps>(frame)) : void()), ...);
    frame->result(0).template EmplaceOverTrivial<R>(fn(Get<J, Ps>(frame, payloads)...));
  }
  static void RunUnchecked(SyncKernelFrame* frame) {
    RunUnchecked(frame, std::index_sequence_for<Ps...>());
  }

  [[gnu::noinline]] static void RunGeneral(Frame* frame) {
    void* payloads[kNumArguments + 1];  // at least one
    // Qualified: an unqualified call would complete the tuples, which an abstract payload forbids.
    if (!internal::CheckFixedArguments(frame, payloads, static_cast<Arguments*>(nullptr)) ||
        !internal::CheckRepeatedArguments(frame, kNumArguments, static_cast<Repeated*>(nullptr))) {
      return;
    }
    [&]<size_t... J>(std::index_sequence<J...>) {
      if constexpr (std::is_void_v<R>) {
        fn(Get<J, Ps>(frame, payloads)...);
      } else {
        Returned<R>::Set(frame, 0, fn(Get<J, Ps>(frame, payloads)...));
      }
    }(std::index_sequence_for<Ps...>());
  }
};
template <typename Frame, auto fn>
struct KernelFor;
template <typename Frame, typename R, typename... Ps, R (*fn)(Ps...)>
struct KernelFor<Frame, fn> : KernelOf<Frame, fn, R, Ps...> {};
template <typename Frame, typename R, typename... Ps, R (*fn)(Ps...) noexcept>
struct KernelFor<Frame, fn> : KernelOf<Frame, fn, R, Ps...> {};

template <auto fn>
constexpr AsyncKernelDefinition MakeAsyncKernel() {
  using Kernel = KernelFor<AsyncKernelFrame, fn>;
  return {&Kernel::Run, &Kernel::kSignature};
}
template <auto fn>
constexpr SyncKernelDefinition MakeSyncKernel() {
  using Kernel = KernelFor<SyncKernelFrame, fn>;
  if constexpr (Kernel::kIsPlain) {
    return {&Kernel::Run, &Kernel::kSignature, &Kernel::RunUnchecked};
  } else {
    return {&Kernel::Run, &Kernel::kSignature};
  }
}

}  // namespace internal

// `...` so that template arguments may contain commas: TFRT_KERNEL(Add<int, float>).
#define TFRT_KERNEL(...) ::tfrt::internal::MakeAsyncKernel<&__VA_ARGS__>()
#define TFRT_SYNC_KERNEL(...) ::tfrt::internal::MakeSyncKernel<&__VA_ARGS__>()

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_H_
