// CallGuarded: how the runtime, which is compiled without exceptions, calls a program's function.
#ifndef TFRT_SUPPORT_CALL_GUARDED_H_
#define TFRT_SUPPORT_CALL_GUARDED_H_

#include <exception>

namespace tfrt {

// Returns fn(), or, where it throws, on_throw(WHAT): of a std::exception its text, else null. An
// exception that went through the runtime's own code would leave locks held and promises unkept.
// `fn` is a lambda of the file that calls this; a file without exceptions calls it as it is.
template <typename F, typename OnThrow>
auto CallGuarded(F&& fn, OnThrow&& on_throw) noexcept -> decltype(fn()) {
#ifdef __cpp_exceptions
  try {
    return fn();
  } catch (const std::exception& thrown) {
    return on_throw(thrown.what());
  } catch (...) {
    return on_throw(nullptr);
  }
#else
  (void)on_throw;
  return fn();
#endif
}

}  // namespace tfrt

#endif  // TFRT_SUPPORT_CALL_GUARDED_H_
