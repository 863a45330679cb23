// The one source of the core that is compiled with exceptions, unless the build has no tables for
// them.

#include "call_guarded.h"

#include <cxxabi.h>

#include <exception>

#include "tfrt/support/str_cat.h"

namespace tfrt::internal {

#ifdef __cpp_exceptions
Status CallCatching(std::string_view name, void (*call)(void* data), void* data) {
  try {
    call(data);
    return OkStatus();
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {  // the thread ends
    throw;
#endif
  } catch (const std::exception& thrown) {
    return InternalError(StrCat(name, " threw an exception: ", thrown.what()));
  } catch (...) {
    return InternalError(StrCat(name, " threw an exception"));
  }
}
#else
Status CallCatching(std::string_view, void (*call)(void* data), void* data) {
  call(data);
  return OkStatus();
}
#endif

void CallNoexcept(void (*call)(void* data), void* data) noexcept { call(data); }

}  // namespace tfrt::internal
