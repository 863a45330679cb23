// Record types of the library's own.
#ifndef TFRT_LIB_BASE_TRACING_RECORD_TYPES_H_
#define TFRT_LIB_BASE_TRACING_RECORD_TYPES_H_

#include "tfrt/tracing/record.h"

namespace tfrt::tracing::internal {

// Results of the record whose id is the correlation id. Readers make its `ready` of it. Whatever
// the levels of a session, it gets these: its own level is the first.
inline constexpr RecordType kReadyType = {
    .name = "ready", .level = StackLevel::kModel, .kind = RecordKind::kEvent};

}  // namespace tfrt::tracing::internal

#endif  // TFRT_LIB_BASE_TRACING_RECORD_TYPES_H_
