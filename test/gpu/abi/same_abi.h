// Whether two types, one of ours and one of a vendor's header, are passed to a C function alike.
#ifndef TFRT_TEST_GPU_ABI_SAME_ABI_H_
#define TFRT_TEST_GPU_ABI_SAME_ABI_H_

#include <type_traits>

namespace tfrt::gpu {

// True for the declaration of ours and of the vendor's that are meant to be one: without this, a
// stream and an event would be alike, as both are pointers.
template <typename Ours, typename Theirs>
inline constexpr bool kSameDeclaration = false;

template <typename Ours, typename Theirs>
struct SameFunction : std::false_type {};

template <typename Ours, typename Theirs>
constexpr bool SameAbi() {
  if constexpr (std::is_function_v<Ours> || std::is_function_v<Theirs>) {
    return SameFunction<Ours, Theirs>::value;
  } else if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    return SameAbi<std::remove_pointer_t<Ours>, std::remove_pointer_t<Theirs>>();
  } else if constexpr (std::is_const_v<Ours> != std::is_const_v<Theirs>) {
    return false;
  } else if constexpr (std::is_const_v<Ours>) {
    return SameAbi<std::remove_const_t<Ours>, std::remove_const_t<Theirs>>();
  } else if constexpr (std::is_array_v<Ours> && std::is_array_v<Theirs>) {
    return std::extent_v<Ours> == std::extent_v<Theirs> &&
           SameAbi<std::remove_extent_t<Ours>, std::remove_extent_t<Theirs>>();
  } else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>) {
    return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
  } else {
    return std::is_same_v<Ours, Theirs> || kSameDeclaration<Ours, Theirs>;
  }
}

template <typename R, typename... A, typename S, typename... B>
  requires(sizeof...(A) == sizeof...(B))
struct SameFunction<R(A...), S(B...)>
    : std::bool_constant<SameAbi<R, S>() && (SameAbi<A, B>() && ...)> {};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_ABI_SAME_ABI_H_
