// The texts of a function's results in the line "'NAME' returned R,R,...".
#ifndef TFRT_LIB_COMPAT_BEF_RUN_RESULT_TEXT_H_
#define TFRT_LIB_COMPAT_BEF_RUN_RESULT_TEXT_H_

#include <string>
#include <string_view>

#include "tfrt/async/async_value.h"
#include "tfrt/host_context/value.h"
#include "tfrt/support/status.h"

namespace tfrt {

// "<<error: MESSAGE>>", with ", code: CODE" behind the message if asked for.
std::string ErrorText(const Status& error, bool with_code);

// Prints `value`, which must be available, by the declared type: numbers for i1, i32, i64, f32 and
// f64. For everything else, and for a payload that is not of the declared type, it prints "TYPE
// value".
std::string ResultText(std::string_view type, const AsyncValue& value, bool with_code);
std::string ResultText(std::string_view type, Value& value);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_BEF_RUN_RESULT_TEXT_H_
