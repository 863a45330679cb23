// KernelOf: the kernel of one C++ function: its signature, and how a frame calls it. Part of
// kernel.h.
#ifndef TFRT_HOST_CONTEXT_KERNEL_OF_H_
#define TFRT_HOST_CONTEXT_KERNEL_OF_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/host_context/kernel_traits.h"
#include "tfrt/support/small_blocks.h"

namespace tfrt::internal {

template <typename T>
concept ReadablePayload = !std::is_same_v<T, void*> && !std::is_same_v<T, AsyncValue>;

// Reports a mistyped argument and returns false.
bool ReportArgumentType(AsyncKernelFrame* frame, uint32_t index, TypeId wanted);
bool ReportArgumentType(SyncKernelFrame* frame, uint32_t index, TypeId wanted);

// Reads a typed argument whose type is exactly the wanted one and whose payload is held by the
// value itself. Otherwise returns null, though CheckArgument may still find a payload.
class PlainReader {
 public:
  // Reads in advance the pointers that acquire loads would make the compiler read again.
  explicit PlainReader(AsyncKernelFrame* frame)
      : arguments_(frame->site().arguments), registers_(frame->parts().registers) {}

  template <typename T>
  [[gnu::always_inline]] T* Read(uint32_t index) const {
    return registers_[arguments_[index]]->GetIfPlain<T>();
  }
  // As above, for a caller that has already read the kind of T.
  template <typename T>
  [[gnu::always_inline]] T* Read(uint32_t index, uint32_t kind) const {
    return registers_[arguments_[index]]->GetIfPlain<T>(kind);
  }
  // The same of an argument that is known to be so.
  template <typename T>
  [[gnu::always_inline]] T* ReadUnchecked(uint32_t index) const {
    return registers_[arguments_[index]]->GetPlain<T>();
  }

 private:
  const uint32_t* const arguments_;
  AsyncValue* const* const registers_;
};
class PlainSyncReader {
 public:
  explicit PlainSyncReader(SyncKernelFrame* frame) : frame_(frame) {}

  template <typename T>
  [[gnu::always_inline]] T* Read(uint32_t index) const {
    Value& value = frame_->argument(index);
    return value.IsExactly<T>() ? value.GetExactly<T>() : nullptr;
  }

 private:
  SyncKernelFrame* const frame_;
};
inline PlainReader ReaderOf(AsyncKernelFrame* frame) { return PlainReader(frame); }
inline PlainSyncReader ReaderOf(SyncKernelFrame* frame) { return PlainSyncReader(frame); }

// Returns the payload of a typed argument. Returns null, after reporting an error, if it is of
// another type.
template <typename T>
[[gnu::noinline]] T* CheckArgument(AsyncKernelFrame* frame, uint32_t index) {
  AsyncValue* value = frame->argument(index);
  // In a non-strict kernel a typed argument may be an error or not available yet.
  if (value->IsConcrete() && value->IsType<T>()) return &value->get<T>();
  ReportArgumentType(frame, index, GetTypeId<T>());
  return nullptr;
}
template <typename T>
[[gnu::noinline]] T* CheckArgument(SyncKernelFrame* frame, uint32_t index) {
  Value& value = frame->argument(index);
  if (value.IsType<T>()) return &value.get<T>();
  ReportArgumentType(frame, index, GetTypeId<T>());
  return nullptr;
}

// Fills in the payloads of the typed arguments as long as they are plain. Usually all are, so this
// is the fast path. Arguments of any type have no payload.
template <typename Frame, typename... Ts, size_t... I>
[[gnu::always_inline]] inline bool ReadPlainArguments([[maybe_unused]] Frame* frame,
                                                      [[maybe_unused]] void** payloads,
                                                      std::tuple<Ts...>*,
                                                      std::index_sequence<I...>) {
  if constexpr (kForSize) return sizeof...(Ts) == 0;  // CheckFixedArguments does it all
  [[maybe_unused]] const auto reader = ReaderOf(frame);
  return ([&] {
    if constexpr (ReadablePayload<Ts>) {
      payloads[I] = reader.template Read<Ts>(I);
      return payloads[I] != nullptr;
    } else {
      return true;
    }
  }() && ...);
}
// As above, for all types that an argument may have. Returns false, after reporting an error, if an
// argument has another type.
template <typename Frame, typename... Ts>
[[gnu::noinline]] bool CheckFixedArguments([[maybe_unused]] Frame* frame,
                                           [[maybe_unused]] void** payloads, std::tuple<Ts...>*) {
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
      const auto reader = ReaderOf(frame);
      for (uint32_t i = begin; i < frame->num_arguments(); ++i) {
        if (!reader.template Read<T>(i) && !CheckArgument<T>(frame, i)) return false;
      }
    }
    return true;
  };
  return (check_all(static_cast<Ts*>(nullptr)) && ...);
}

// The kernel of one C++ function.
template <typename Frame, auto fn, typename R, typename... Ps>
struct KernelOf {
  using Arguments = PayloadsOf<ParameterKind::kArgument, Ps...>;
  using Repeated = PayloadsOf<ParameterKind::kArguments, Ps...>;
  using Results = typename TupleCat<typename Returned<R>::Payloads,
                                    PayloadsOf<ParameterKind::kResult, Ps...>>::type;
  static_assert(!std::is_const_v<R>, "a kernel returns no constant: its value has the type alone");
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

  // The unchecked function of a plain kernel of this sort; else null.
  template <typename F>
  static constexpr auto Unchecked() -> void (*)(F*) {
    if constexpr (std::is_same_v<F, Frame> && kIsPlain) {
      return &RunUnchecked;
    } else {
      return nullptr;
    }
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
      .plain_results = kReturnsAllResults && Returned<R>::kGivesPlain,
      .clears_results = true,
      .unchecked_async_function = Unchecked<AsyncKernelFrame>(),
      .unchecked_sync_function = Unchecked<SyncKernelFrame>(),
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

  // Returns parameter J: a payload that has already been read, or a value from the frame.
  template <size_t J, typename P>
  static decltype(auto) Get(Frame* frame, void** payloads) {
    if constexpr (requires { Parameter<P>::FromPayload(*payloads); }) {
      return Parameter<P>::FromPayload(payloads[Position<J>()]);
    } else {
      return Parameter<P>::Get(frame, Position<J>());
    }
  }

  // One result, returned by value, of payloads and attributes: the usual small kernel. Its fast
  // path calls only the function, so that the compiler needs no stack frame. All exceptional cases
  // take the general path, from the start.
  template <typename P>
  static constexpr bool kIsPayload = requires { typename Parameter<P>::PlainPayload; };
  static constexpr bool kIsPlain =
      (!kForSize || std::is_same_v<Frame, SyncKernelFrame>) && Returned<R>::kIsPlain &&
      kReturnsAllResults &&
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

  // Reads argument J's payload into `payloads`; false if it is not plain. True for other
  // parameters.
  template <size_t J, typename P>
  [[gnu::always_inline]] static bool ReadPlain(const PlainReader& reader, uint32_t kind_of_result,
                                               void** payloads) {
    if constexpr (kIsPayload<P>) {
      using T = typename Parameter<P>::PlainPayload;
      constexpr uint32_t kPosition = Position<J>();
      payloads[kPosition] = std::is_same_v<T, R> ? reader.Read<T>(kPosition, kind_of_result)
                                                 : reader.Read<T>(kPosition);
      return payloads[kPosition] != nullptr;
    }
    return true;
  }
  template <typename P>
  static constexpr bool IsOfResultType() {
    if constexpr (kIsPayload<P>) return std::is_same_v<typename Parameter<P>::PlainPayload, R>;
    return false;
  }
  static constexpr bool kHasArgumentOfKind = (IsOfResultType<Ps>() || ...);
  template <size_t J, typename P>
  [[gnu::always_inline]] static void* ReadUnchecked(const PlainReader& reader) {
    if constexpr (kIsPayload<P>) {
      return reader.ReadUnchecked<typename Parameter<P>::PlainPayload>(Position<J>());
    }
    return nullptr;
  }
  template <size_t... J>
  [[gnu::always_inline]] static void RunPlain(AsyncKernelFrame* frame, std::index_sequence<J...>) {
    const PlainReader reader(frame);
    const KernelCallSite& site = frame->site();
    AsyncValue** const result = frame->FirstResult();
    uint32_t kind = kind_of<R>.load(std::memory_order_relaxed);
    if (!kHasArgumentOfKind && kind == 0) [[unlikely]]
      return RunGeneral(frame);
    void* payloads[kNumArguments + 1];
    if (!(ReadPlain<J, Ps>(reader, kind, payloads) && ...)) [[unlikely]] {
      return RunGeneral(frame);
    }
    SetResult<J...>(frame, site, result, payloads, [&] { return kind; });
  }
  template <size_t... J>
  [[gnu::always_inline]] static void RunUnchecked(AsyncKernelFrame* frame,
                                                  std::index_sequence<J...>) {
    const PlainReader reader(frame);
    void* payloads[kNumArguments + 1];
    ((kIsPayload<Ps> ? void(payloads[Position<J>()] = ReadUnchecked<J, Ps>(reader)) : void()), ...);
    // relaxed: the code that has proven the types has registered them.
    SetResult<J...>(frame, frame->site(), frame->FirstResult(), payloads,
                    [] { return kind_of<R>.load(std::memory_order_relaxed); });
  }
  // The rest of either. `site` and `result` are the frame's, which what acquires, or writes a
  // payload, would make the compiler read again.
  template <size_t... J, typename Kind>
  [[gnu::always_inline]] static void SetResult(AsyncKernelFrame* frame, const KernelCallSite& site,
                                               AsyncValue** result, void** payloads, Kind&& kind) {
    using Result = ConcreteAsyncValue<R>;
    if constexpr (kHasArgumentOfKind && std::is_trivially_destructible_v<R>) {
      AsyncValue* reused;
      if (frame->MayReuse(site, &reused)) {
        R value = fn(Get<J, Ps>(frame, payloads)...);
        new (reused->GetPlain<R>()) R(std::move(value));
        *result = reused;
        return frame->SetReused();
      }
    }
    void* block = TryAllocateSmall(sizeof(Result));
    if (!block) [[unlikely]]
      return RunGeneral(frame);
    *result = new (block) Result(InKind{kind()}, fn(Get<J, Ps>(frame, payloads)...));
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
  // Run for callers that know the types of all arguments, and async values to be plain.
  static void RunUnchecked(Frame* frame) { RunUnchecked(frame, std::index_sequence_for<Ps...>()); }

  [[gnu::noinline]] static void RunGeneral(Frame* frame) {
    if constexpr (std::is_same_v<Frame, AsyncKernelFrame>) {
      kReturnsAllResults ? frame->ClearResults(Returned<R>::kCount) : frame->ClearResults();
    }
    void* payloads[kNumArguments + 1];  // at least one
    // Qualified: an unqualified call would complete the tuples, which an abstract payload forbids.
    constexpr auto kArgumentTypes = static_cast<Arguments*>(nullptr);
    if ((!internal::ReadPlainArguments(frame, payloads, kArgumentTypes,
                                       std::make_index_sequence<kNumArguments>()) &&
         !internal::CheckFixedArguments(frame, payloads, kArgumentTypes)) ||
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

}  // namespace tfrt::internal

#endif  // TFRT_HOST_CONTEXT_KERNEL_OF_H_
