// Lets the runtime, which is compiled without exceptions, call a function of the program.
#ifndef TFRT_LIB_BASE_SUPPORT_CALL_GUARDED_H_
#define TFRT_LIB_BASE_SUPPORT_CALL_GUARDED_H_

#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tfrt/support/status.h"

namespace tfrt {
namespace internal {
Status CallCatching(std::string_view name, void (*call)(void* data), void* data);
void CallNoexcept(void (*call)(void* data), void* data) noexcept;

template <typename F>
void CallThrough(void* fn) {
  (*static_cast<F*>(fn))();
}
}  // namespace internal

// Returns fn(), a Status or a StatusOr. If fn() throws, returns Internal "NAME threw an exception:
// WHAT". An exception that passed through the runtime would leave locks held and promises unkept.
// So `fn` should only call the function of the program. A thread that ends in it (pthread_exit) is
// not stopped from ending.
template <typename F>
std::invoke_result_t<F&> CallGuarded(std::string_view name, F&& fn) {
  std::optional<std::invoke_result_t<F&>> result;
  auto call = [&] { result.emplace(fn()); };
  Status thrown = internal::CallCatching(name, &internal::CallThrough<decltype(call)>, &call);
  if (!thrown.ok()) return thrown;
  return *std::move(result);
}

// Calls fn(). If it throws, the program ends (std::terminate). For callers without an error to
// return.
template <typename F>
void CallNoexcept(F&& fn) noexcept {
  internal::CallNoexcept(&internal::CallThrough<std::remove_reference_t<F>>, &fn);
}

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_CALL_GUARDED_H_
