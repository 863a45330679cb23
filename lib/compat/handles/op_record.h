// The record of an eager op that a handler runs.
#ifndef TFRT_LIB_COMPAT_HANDLES_OP_RECORD_H_
#define TFRT_LIB_COMPAT_HANDLES_OP_RECORD_H_

#include <string>

#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/record.h"

namespace tfrt::internal {

inline std::string OpText(const tracing::RecordText& text) {
  return StrCat(text.name, "#op_handler=", text.NameArgument(0), "#");
}
inline constexpr tracing::RecordType kOpRecord = {
    .name = "op",
    .level = tracing::StackLevel::kOp,
    .is_op = true,
    .sink_level = tracing::Level::kDefault,
    .text = &OpText,
    .arguments = {{{"op_handler", tracing::ArgumentSpec::Type::kName}}}};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_COMPAT_HANDLES_OP_RECORD_H_
