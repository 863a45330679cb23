// TFRT_KERNEL(fn): makes a kernel of a plain C++ function and deduces the kernel's signature.
//
//   int32_t AddI32(int32_t a, int32_t b) { return a + b; }
//   registry->AddKernel("my.add", TFRT_KERNEL(AddI32));
//
// Parameters, each kind in positional order:
//   T, T&, T*                    the payload of the next argument; checked to be a T
//   Argument<T>                  the next argument with its AsyncValue (to keep it, to ask uniqueness)
//   AsyncValue*                  the next argument, of any type and, in a non-strict kernel, any state
//   RemainingArguments           all further arguments; RepeatedArguments<T>: all of them a T
//   Result<T>, RemainingResults  results that are set through the parameter (after returned ones)
//   Attribute<T>, ArrayAttribute<T>, StringAttribute, TypeAttribute, ShapeAttribute,
//   DenseAttribute, AggregateAttribute, CompilationUnitAttribute   the next attribute
//   AnyAttribute                 the next attribute, undecoded
//   RemainingAttributes          all further attributes
//   const Function*, RemainingFunctions        functions and regions the op names
//   KernelErrorHandler           reports an error
//   const ExecutionContext&, AsyncKernelFrame* the context, the whole frame
// Return: void, T, AsyncValueRef<T>, RCReference<AsyncValue>, Status, StatusOr<...>, and std::pair or
// std::tuple of values. Returning Chain costs nothing. An error is reported at the op and becomes
// every result that is not set yet.
// A function without a Chain parameter accepts one trailing chain operand.
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
  RemainingArguments(const AsyncKernelFrame* frame, uint32_t begin) : frame_(frame), begin_(begin) {}
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
  template <typename Frame>
  static P Get(Frame* frame, uint32_t index) {
    Payload& payload = [&]() -> Payload& {
      if constexpr (std::is_same_v<Frame, AsyncKernelFrame>) {
        return frame->argument(index)->template get<Payload>();
      } else {
        return frame->argument(index).template get<Payload>();
      }
    }();
    if constexpr (std::is_pointer_v<std::remove_cvref_t<P>>) {
      return &payload;
    } else {
      return payload;
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
    return RepeatedAttributes<A>(
        {frame->parts().attributes + index, frame->num_attributes() - index});
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
    return {frame->parts().functions + index, frame->num_functions() - index};
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
  using Payloads = std::tuple<R>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, R value) {
    if constexpr (std::is_same_v<R, Chain>) {
      frame->SetResult(index, GetReadyChain().ReleaseRCRef());
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
  static constexpr uint32_t kCount = 0;
  using Payloads = std::tuple<>;
};
template <>
struct Returned<Status> {
  static constexpr uint32_t kCount = 0;
  using Payloads = std::tuple<>;
  template <typename Frame>
  static void Set(Frame* frame, uint32_t, Status status) {
    if (!status.ok()) frame->ReportError(std::move(status));
  }
};
template <typename T>
struct Returned<AsyncValueRef<T>> {
  static constexpr uint32_t kCount = 1;
  using Payloads = std::tuple<T>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, AsyncValueRef<T> value) {
    frame->SetResult(index, value.ReleaseRCRef());
  }
};
template <>
struct Returned<RCReference<AsyncValue>> {
  static constexpr uint32_t kCount = 1;
  using Payloads = std::tuple<void*>;
  static void Set(AsyncKernelFrame* frame, uint32_t index, RCReference<AsyncValue> value) {
    frame->SetResult(index, std::move(value));
  }
};
template <typename T>
struct Returned<StatusOr<T>> {
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

template <typename Tuple>
struct TypeGetters;
template <typename... Ts>
struct TypeGetters<std::tuple<Ts...>> {
  static constexpr std::array<TypeIdGetter, sizeof...(Ts)> kValue = {TypeGetter<Ts>()...};
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

template <typename T>
concept ReadablePayload = !std::is_same_v<T, void*> && !std::is_same_v<T, AsyncValue>;

// Reports a mistyped argument and returns false.
bool ReportArgumentType(AsyncKernelFrame* frame, uint32_t index, TypeId wanted);
bool ReportArgumentType(SyncKernelFrame* frame, uint32_t index, TypeId wanted);

template <typename T>
bool CheckArgument(AsyncKernelFrame* frame, uint32_t index) {
  AsyncValue* value = frame->argument(index);
  // In a non-strict kernel a typed argument may be an error or not there yet.
  if (value->IsConcrete() && value->IsType<T>()) [[likely]] return true;
  return ReportArgumentType(frame, index, GetTypeId<T>());
}
template <typename T>
bool CheckArgument(SyncKernelFrame* frame, uint32_t index) {
  if (frame->argument(index).template IsType<T>()) [[likely]] return true;
  return ReportArgumentType(frame, index, GetTypeId<T>());
}

template <typename Frame, typename... Ts>
bool CheckFixedArguments([[maybe_unused]] Frame* frame, std::tuple<Ts...>*) {
  [[maybe_unused]] uint32_t index = 0;
  return ([&] {
    uint32_t i = index++;
    if constexpr (ReadablePayload<Ts>) {
      return CheckArgument<Ts>(frame, i);
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

  static constexpr AttributeCode VariadicCode() {
    AttributeCode code = kAnyAttribute;
    ((Parameter<Ps>::kKind == ParameterKind::kAttributes
          ? void(code = CodeOf<Ps, Parameter<Ps>::kKind == ParameterKind::kAttributes>())
          : void()),
     ...);
    return code;
  }

  static constexpr KernelSignature kSignature = {
      .arguments = TypeGetters<Arguments>::kValue,
      .variadic_arguments = std::tuple_size_v<Repeated> != 0,
      .allows_trailing_chain = std::tuple_size_v<Repeated> == 0 &&
                               !internal::HasChainPayload(static_cast<Arguments*>(nullptr)),
      .results = TypeGetters<Results>::kValue,
      .variadic_results = kCountKind<ParameterKind::kResults, Ps...> != 0,
      .attributes = kAttributeCodes,
      .variadic_attributes = kCountKind<ParameterKind::kAttributes, Ps...> != 0,
      .variadic_attribute_code = VariadicCode(),
      .num_functions = kCountKind<ParameterKind::kFunction, Ps...>,
      .variadic_functions = kCountKind<ParameterKind::kFunctions, Ps...> != 0,
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

  static void Run(Frame* frame) {
    // Qualified: an unqualified call would complete the tuples, which an abstract payload forbids.
    if (!internal::CheckFixedArguments(frame, static_cast<Arguments*>(nullptr)) ||
        !internal::CheckRepeatedArguments(frame, kNumArguments, static_cast<Repeated*>(nullptr))) {
      return;
    }
    [&]<size_t... J>(std::index_sequence<J...>) {
      if constexpr (std::is_void_v<R>) {
        fn(Parameter<Ps>::Get(frame, Position<J>())...);
      } else {
        Returned<R>::Set(frame, 0, fn(Parameter<Ps>::Get(frame, Position<J>())...));
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
  return {&Kernel::Run, &Kernel::kSignature};
}

}  // namespace internal

// `...` so that template arguments may contain commas: TFRT_KERNEL(Add<int, float>).
#define TFRT_KERNEL(...) ::tfrt::internal::MakeAsyncKernel<&__VA_ARGS__>()
#define TFRT_SYNC_KERNEL(...) ::tfrt::internal::MakeSyncKernel<&__VA_ARGS__>()

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_H_
