// The one source of the core that is compiled with exceptions.

#include "tfrt/support/call_guarded.h"

#include <cxxabi.h>

#include <exception>

#include "tfrt/support/str_cat.h"

#ifndef __cpp_exceptions
#error "compile this file with exceptions"
#endif

namespace tfrt::internal {

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

void CallNoexcept(void (*call)(void* data), void* data) noexcept { call(data); }

}  // namespace tfrt::internal
